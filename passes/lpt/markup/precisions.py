"""Precisions: which types inputs take, and which ones FakeQuantize should therefore give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects import infra
from ....dialects.inferred import shape_of
from ....dialects.qnn import DequantizeOp, FakeQuantizeOp
from ....dialects.walk import all_operations, block_operations
from ..attributes import note_precisions, precisions_of, preserves_precision
from ..constants import scaled_or_shifted
from ..target import Target
from .body_boundaries import blocks_of
from .gives_back import gives_back

Demands = dict[SSAValue, tuple[IntegerType, ...]]


def mark_restrictions(module: ModuleOp, target: Target) -> None:
    """Every operation that the configuration restricts says which types its inputs take."""
    restricted = {restriction.operation for restriction in target.config.precisions}
    for op in all_operations(module):
        if op.name in restricted:
            taken = target.config.taken(op.name, rank_of(op))
            note_precisions(op, {f"input{port}": types for port, types in taken.items()})


def rank_of(op: Operation) -> int:
    """The number of dimensions of an operation's first input."""
    return len(shape_of(op.operands[0])) if op.operands else 0


def propagate_precisions(module: ModuleOp, target: Target) -> None:
    """
    Propagates the types that inputs take up to the FakeQuantize that produces the codes: through operations that
    preserve precision, arithmetic with constants (which becomes dequantization), FakeQuantize that repeat another one,
    bodies and states.

    If the users of a value have no type in common, those further down decide.
    """
    borders, crossed = list(borders_of(module)), Demands()
    for _ in range(len(borders) + 1):
        demands = dict(crossed)
        for block in blocks_of(module):
            _propagate(block, target, demands)
        before, crossed = crossed, Demands()
        for below, above in borders:
            if (wanted := demands.get(below)) is not None:
                crossed[above] = meet(crossed.get(above, wanted), wanted)
        if crossed == before:
            return


def borders_of(module: ModuleOp) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Pairs of values: the first takes its elements from the second, in another block or an earlier call."""
    states: dict[str, list[SSAValue]] = {}
    for op in all_operations(module):
        match op:
            case infra.ReadValueOp() | infra.AssignOp():
                states.setdefault(op.variable.string_value(), []).append(op.operands[0])
            case infra.IteratorOp():
                pairs = zip(op.body.block.args, op.operands_, op.inputs, strict=False)
                for argument, operand, port in pairs:
                    yield argument, operand
                    if isinstance(port, infra.MergedAttr):
                        yield argument, op.yielded[port.result.data]
                for result, port in zip(op.results, op.outputs, strict=True):
                    assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
                    yield result, op.yielded[port.result.data]
            case infra.IfOp():
                for body in op.bodies:
                    yield from zip(body.args, op.inputs, strict=True)
                    last = body.last_op
                    assert last is not None, "a body ends in its results"
                    yield from zip(op.results, last.operands, strict=True)
            case _:
                pass
    for op in all_operations(module):
        if isinstance(op, infra.ReadValueOp):
            for given in states[op.variable.string_value()]:
                yield op.result, given


def _propagate(block: Block, target: Target, demands: Demands) -> None:
    for op in reversed(block_operations(block)):
        if isinstance(op, FakeQuantizeOp):
            found = demands.get(op.result, target.config.default_precisions)
            note_precisions(op, {"output0": found})
            if op.result in demands and gives_back(op):
                _demand(op, {"input0": found}, demands)
        elif preserves_precision(op) or isinstance(op, DequantizeOp) or scaled_or_shifted(op):
            _pass_on(op, demands)
        elif target.is_about(op):  # others are in floating point, and take what is dequantized
            _demand(op, precisions_of(op), demands)


def _demand(op: Operation, ports: Mapping[str, tuple[IntegerType, ...]], demands: Demands) -> None:
    for port, operand in enumerate(op.operands):
        if (wanted := ports.get(f"input{port}")) is not None:
            demands[operand] = meet(demands.get(operand, wanted), wanted)


def _pass_on(op: Operation, demands: Demands) -> None:
    wanted: tuple[IntegerType, ...] | None = None
    for result in op.results:
        if (found := demands.get(result)) is not None:
            wanted = found if wanted is None else meet(wanted, found)
    if wanted is None:
        return
    ports = {f"input{port}": wanted for port in range(len(op.operands))}
    _demand(op, ports, demands)


def meet(
    first: tuple[IntegerType, ...], second: tuple[IntegerType, ...]
) -> tuple[IntegerType, ...]:
    """The types of both, in the order of the first; where there is none, the first."""
    return tuple(type for type in first if type in second) or first
