"""Provenance: where the elements of a value come from and go to, through data movement, bodies and states."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialects import infra
from ...dialects.nn import constant_of
from ...dialects.qnn import FakeQuantizeOp
from ...dialects.traits import Elementwise, moved_data, multiplied
from .attributes import PRECISION_PRESERVED, has
from .plan import LptPlan

MovesData = bool
"""Whether elements may change their positions."""


def above(value: SSAValue, plan: LptPlan) -> list[tuple[SSAValue, MovesData]] | None:
    """
    The values from which this one takes its elements, one step up; None if it is computed or an input of the
    model.
    """
    if isinstance(value, BlockArgument):
        return _above_argument(value)
    assert isinstance(value, OpResult)
    match value.op:
        case infra.ReadValueOp() as op:
            return [(given, False) for given in plan.given_to(op.variable.string_value())]
        case infra.IteratorOp() as op:
            return _above_result(op, value.index)
        case infra.IfOp() as op:
            return [(yielded_by(body)[value.index], False) for body in op.bodies]
        case op:
            return [(operand, True) for operand in moved_data(op)] or None


def _above_argument(argument: BlockArgument) -> list[tuple[SSAValue, MovesData]] | None:
    match argument.block.parent_op():
        case infra.IfOp() as op:
            return [(op.inputs[argument.index], False)]
        case infra.IteratorOp() as op if argument.index < len(op.inputs):
            operand = op.operands_[argument.index]
            match op.inputs.data[argument.index]:
                case infra.MergedAttr() as port:
                    return [(operand, False), (op.yielded[port.result.data], False)]
                case port:
                    return [(operand, isinstance(port, infra.SlicedAttr))]
        case _:
            return None


def _above_result(op: infra.IteratorOp, number: int) -> list[tuple[SSAValue, MovesData]]:
    """The body's result, and the initial value, which remains if no iteration runs."""
    port = op.outputs.data[number]
    assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
    found: list[tuple[SSAValue, MovesData]] = [
        (op.yielded[port.result.data], isinstance(port, infra.ConcatenatedAttr))
    ]
    if isinstance(port, infra.IterationAttr):
        found += [(op.operands_[i], False) for i in merged_with(op, port.result.data)]
    return found


def merged_with(op: infra.IteratorOp, number: int) -> list[int]:
    """The merged inputs of an iterator into which the body's result of this number feeds back."""
    return [
        i
        for i, port in enumerate(op.inputs)
        if isinstance(port, infra.MergedAttr) and port.result.data == number
    ]


def results_of(op: infra.IteratorOp, number: int) -> list[int]:
    """The results of an iterator that come from the body's result of this number."""
    return [
        i
        for i, port in enumerate(op.outputs)
        if isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
        and port.result.data == number
    ]


def yielded_by(body: Block) -> list[SSAValue]:
    """The values that a body yields."""
    last = body.last_op
    assert isinstance(last, infra.YieldOp), "a body ends in it"
    return list(last.values)


def feeds_codes(value: SSAValue, plan: LptPlan) -> bool:
    """Whether the elements of this value reach an operation that multiplies codes."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        if (value := pending.pop()) in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op, port = use.operation, use.index
            if multiplied(type(op)) or plan.precisions(op, f"input{port}") is not None:
                return True
            pending += _below(op, port)
    return False


def _below(op: Operation, port: int) -> Iterator[SSAValue]:
    """The values that take their elements from this operand."""
    match op:
        case infra.IteratorOp() if port >= op.first_operand:
            yield op.body.block.args[port - op.first_operand]
        case infra.IfOp() if port:
            for body in op.bodies:
                yield body.args[port - 1]
        case infra.YieldOp():
            yield from _outside(op, port)
        case _ if has(op, PRECISION_PRESERVED) or op.operands[port] in moved_data(op):
            yield from op.results
        case _:
            pass


def _outside(op: infra.YieldOp, number: int) -> Iterator[SSAValue]:
    match op.parent_op():
        case infra.IfOp() as around:
            yield around.results[number]
        case infra.IteratorOp() as around:
            for i in merged_with(around, number):
                yield around.body.block.args[i]
            for i in results_of(around, number):
                yield around.results[i]
        case _:
            pass


def computed_from(op: Operation) -> SSAValue | None:
    """The only operand, beside constants, of what computes element by element."""
    if not op.has_trait(Elementwise) or len(op.results) != 1:
        return None
    computed = [value for value in op.operands if constant_of(value) is None]
    return computed[0] if len(computed) == 1 else None


def requantized_by(value: SSAValue) -> FakeQuantizeOp | None:
    """The FakeQuantize that alone uses this, or one element by element what comes of it."""
    while (op := value.get_user_of_unique_use()) is not None:
        if isinstance(op, FakeQuantizeOp):
            return op if value == op.input else None
        if computed_from(op) is None or op.results[0].type != value.type:
            return None
        value = op.results[0]
    return None
