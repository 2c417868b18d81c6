"""WHILE and IF as `infra.loop` and `infra.if`; `raise-loop-ports` finds what a loop counts, takes and puts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra
from ....dialects.inferred import constant_integers
from ....passes.ports import Ports
from ....passes.raise_loop_ports.merged import merged_loop
from ..graph import Operator, Subgraph, Tensor
from .reader import Reader, reads


def _run(read: Reader) -> list[SSAValue]:
    """What a body gives. Raises DiagnosticException where it has states."""
    results = read.run()
    if read.variables or read.assigned:
        raise DiagnosticException(
            f"subgraph '{read.subgraph.name}' keeps states in its variables, which cannot be read of a body; "
            "convert the model with its variables as constants, or its loop unrolled"
        )
    return results


def operands(read: Reader, tensors: Sequence[Tensor | None]) -> list[SSAValue]:
    """What a subgraph is given."""
    found: list[SSAValue] = []
    for each in tensors:
        if each is not None and each.element == "resource":
            raise DiagnosticException(
                "takes a variable into a body, which cannot be read; convert the model with its variables as "
                "constants"
            )
        found.append(read.value(each) if each is None else read.taken(each))
    return found


@reads("IF")
def branch(read: Reader, op: Operator) -> None:
    condition, *inputs = operands(read, op.inputs)
    bodies: list[Block] = []
    for role in ("then", "else"):
        subgraph = read.graph.named(op, f"{role}SubgraphIndex")
        block = Block(arg_types=[value.type for value in inputs])
        inner = read.inside(subgraph, block)
        if len(subgraph.inputs) != len(inputs):
            raise DiagnosticException(
                f"gives {len(inputs)} tensors to a branch that takes {len(subgraph.inputs)}"
            )
        for given, argument in zip(subgraph.inputs, block.args, strict=True):
            inner.give(given, argument)
        inner.write.builder.insert(infra.YieldOp(*_run(inner)))
        bodies.append(block)
    made = infra.IfOp.create(
        operands=[condition, *inputs],
        result_types=[value.type for value in _yields(bodies[0])],
        regions=[Region(body) for body in bodies],
    )
    read.write.builder.insert(made)
    for result, type in zip(made.results, made.infer_types(constant_integers), strict=True):
        Rewriter.replace_value_with_new_type(result, type)
    for target, value in zip(op.outputs, made.results, strict=True):
        read.give(target, value)


def _yields(block: Block) -> Sequence[SSAValue]:
    assert isinstance(block.last_op, infra.YieldOp)
    return block.last_op.values


@reads("WHILE")
def iterate(read: Reader, op: Operator) -> None:
    """All that a WHILE carries comes back at each step; constants that it only hands through are those of its body."""
    condition, body = _subgraphs(read, op)
    kept = {
        number: given
        for number, given in enumerate(op.inputs)
        if given is not None
        and given.data is not None
        and body.outputs[number] is body.inputs[number]
    }
    carried = [number for number in range(len(op.inputs)) if number not in kept]

    def run(subgraph: Subgraph, block: Block, values: Sequence[SSAValue]) -> list[SSAValue]:
        inner = read.inside(subgraph, block)
        inner.subgraph = _holding(subgraph, kept)
        for number, value in zip(carried, values, strict=True):
            inner.give(subgraph.inputs[number], value)
        return _run(inner)

    def step(ports: Ports, values: Sequence[SSAValue]) -> tuple[Sequence[SSAValue], SSAValue]:
        after = run(body, ports.block, values)
        after = [after[number] for number in carried]
        return after, run(condition, ports.block, after)[0]

    used = {each for o in read.subgraph.operators for each in o.inputs} | {*read.subgraph.outputs}
    wanted = [place for place, number in enumerate(carried) if op.outputs[number] in used]
    starts = operands(read, [op.inputs[number] for number in carried])
    (go_on,) = run(condition, read.block, starts)
    results = merged_loop(read.write, starts, go_on, step, wanted)
    for place, value in results.items():
        read.give(op.outputs[carried[place]], value)
    for number, given in kept.items():
        read.same(op.outputs[number], read.value(given))


def _subgraphs(read: Reader, op: Operator) -> tuple[Subgraph, Subgraph]:
    """The condition and the body of a WHILE; both take all that it carries."""
    condition = read.graph.named(op, "condSubgraphIndex")
    body = read.graph.named(op, "bodySubgraphIndex")
    counts = {len(op.inputs), len(op.outputs), len(condition.inputs), len(body.inputs)}
    if len({*counts, len(body.outputs)}) > 1 or len(condition.outputs) != 1:
        raise DiagnosticException(
            f"carries {len(op.inputs)} tensors; its condition takes {len(condition.inputs)} and gives "
            f"{len(condition.outputs)}, its body takes {len(body.inputs)} and gives {len(body.outputs)}"
        )
    return condition, body


def _holding(subgraph: Subgraph, kept: Mapping[int, Tensor]) -> Subgraph:
    """A subgraph with constants in the place of these of its inputs."""
    constants = {subgraph.inputs[number]: given for number, given in kept.items()}
    operators = [
        replace(op, inputs=[constants.get(t, t) if t is not None else None for t in op.inputs])
        for op in subgraph.operators
    ]
    outputs = [constants.get(output, output) for output in subgraph.outputs]
    return replace(subgraph, operators=operators, outputs=outputs)
