"""
Builtins that run subgraphs: composites become their decompositions, WHILE and IF become `infra.loop` and `infra.if`.
`raise-loop-ports` finds the counters, slices and concatenations of loops.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, tfl
from ..iterator_ports import Ports
from ..raise_loop_ports.merged import merged_loop
from ..tensorflow_rules.branches import branched
from .translation import Translation, rule
from .values import function_name, is_resource, outputs_of


def _run(t: Translation) -> list[SSAValue]:
    """The results of a body. Raises DiagnosticException where it has states."""
    results = t.run()
    if t.variables or t.assigned:
        raise DiagnosticException(
            f"subgraph '{function_name(t.function)}' keeps states in its variables, which cannot be read of a "
            "body; convert the model with its variables as constants, or its loop unrolled"
        )
    return results


def _given(t: Translation, values: Sequence[SSAValue]) -> list[SSAValue]:
    """The arguments of a function."""
    if any(not tfl.is_absent(value) and is_resource(value) for value in values):
        raise DiagnosticException(
            "takes a variable into a body, which cannot be read; convert the model with its variables as "
            "constants"
        )
    return [t.taken(value) for value in values]


@rule("STABLEHLO_COMPOSITE")
def composite(t: Translation, op: Operation) -> None:
    """Its decomposition, whatever kernel of a delegate it names."""
    function = t.called(op, "decomposition")
    if len(function.args) != len(op.operands):
        raise DiagnosticException(
            f"gives {len(op.operands)} tensors to a decomposition that takes {len(function.args)}"
        )
    inner = t.inside(function)
    for argument, given in zip(function.args, op.operands, strict=True):
        if t.data(given) is not None:
            inner.aliases[argument] = t.resolved(given)
        else:
            inner.give(argument, *_given(t, [given]))
    for target, value in zip(op.results, _run(inner), strict=True):
        t.give(target, value)


@rule("IF")
def branch(t: Translation, op: Operation) -> None:
    condition, *inputs = _given(t, op.operands)
    bodies: list[Block] = []
    for role in ("then", "else"):
        function = t.called(op, role)
        if len(function.args) != len(inputs):
            raise DiagnosticException(
                f"gives {len(inputs)} tensors to a branch that takes {len(function.args)}"
            )
        block = Block(arg_types=[value.type for value in inputs])
        inner = t.inside(function, block)
        for given, argument in zip(function.args, block.args, strict=True):
            inner.give(given, argument)
        inner.builder.insert(infra.YieldOp(*_run(inner)))
        bodies.append(block)
    for target, value in zip(op.results, branched(t, condition, inputs, bodies), strict=True):
        t.give(target, value)


@rule("WHILE")
def iterate(t: Translation, op: Operation) -> None:
    """
    Everything that a WHILE carries is merged; constants that are only passed through become constants of the body.
    """
    condition, body = _functions(t, op)
    kept = {
        number: t.resolved(given)
        for number, given in enumerate(op.operands)
        if t.data(given) is not None and outputs_of(body)[number] is body.args[number]
    }
    carried = [number for number in range(len(op.operands)) if number not in kept]

    def run(
        function: func.FuncOp, block: Block | None, values: Sequence[SSAValue]
    ) -> list[SSAValue]:
        inner = t.inside(function, block)
        inner.aliases = {function.args[number]: given for number, given in kept.items()}
        for number, value in zip(carried, values, strict=True):
            inner.give(function.args[number], value)
        return _run(inner)

    def step(ports: Ports, values: Sequence[SSAValue]) -> tuple[Sequence[SSAValue], SSAValue]:
        after = run(body, ports.block, values)
        after = [after[number] for number in carried]
        return after, run(condition, ports.block, after)[0]

    used = {each for o in t.operations for each in o.operands} | {*t.outputs}
    wanted = [place for place, number in enumerate(carried) if op.results[number] in used]
    starts = _given(t, [op.operands[number] for number in carried])
    (go_on,) = run(condition, None, starts)
    for place, value in merged_loop(t, starts, go_on, step, wanted).items():
        t.give(op.results[carried[place]], value)
    for number, given in kept.items():
        t.same(op.results[number], t.value(given))


def _functions(t: Translation, op: Operation) -> tuple[func.FuncOp, func.FuncOp]:
    """The condition and the body of a WHILE; both take all carried values."""
    condition, body = t.called(op, "cond"), t.called(op, "body")
    given, count = outputs_of(condition), len(outputs_of(body))
    counts = {len(op.operands), len(op.results), len(condition.args), len(body.args), count}
    if len(counts) > 1 or len(given) != 1:
        raise DiagnosticException(
            f"carries {len(op.operands)} tensors; its condition takes {len(condition.args)} and gives "
            f"{len(given)}, its body takes {len(body.args)} and gives {count}"
        )
    return condition, body
