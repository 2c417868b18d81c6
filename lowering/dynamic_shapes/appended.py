"""
States and inputs that grow: what a call appends to one is written behind what it holds, and what lies beyond that is
zeros.

    concat(slice(read s, 0, n), x)   becomes   s[n …] = x, in the place of s

`infra.assign … in_place` says so of a state, the attribute `kernel.aliases` of an input and a result.

Decoders reorder the rows of a batch by the beams that go on. Where there is one row, it stays.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, BlockArgument, OpResult, Region, SSAValue

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, normalize_axis, shape_of
from ...dialects.nn.writer import Writer
from ...passes.shapes.sum_of_sizes import Sum
from ..calling_convention import UNFIT
from .bounded import Bounded, Sizes, is_same


def appends(bounded: Bounded, op: infra.AssignOp) -> bool:
    """Whether an assignment appends to its state: assigns what was read of it, with something behind that."""
    read = appended_to(bounded.value, bounded.sizes)
    return isinstance(read, OpResult) and _is_of(read, op.variable)


def _is_of(read: OpResult, variable: SymbolRefAttr) -> bool:
    return isinstance(read.op, infra.ReadValueOp) and read.op.variable == variable


def is_zero_beyond(value: SSAValue, axis: int, size: SSAValue) -> bool:
    """Whether a value has only zeros beyond a size: a state or an input, with something appended up to there."""
    return appended_to(value, {axis: size}) is not None


def appended_to(value: SSAValue, sizes: Sizes) -> SSAValue | None:
    """
    The read of a state, or the input, to which a value appends. The value begins with the elements that count there,
    has others behind them up to these sizes, and then zeros. None where it is another value.
    """
    written = value.owner
    if not isinstance(written, nn.ScatterUpdateOp) or len(sizes) != 1:
        return None
    ((axis, size),) = sizes.items()
    (along,) = constant_integers(written.axis) or (0,)
    along = normalize_axis(written, along, len(shape_of(value)))
    data, added, count = written.data, written.indices.owner, shape_of(written.updates)[axis]
    if (
        axis != along
        or not is_padded(data)
        or not isinstance(added, nn.AddOp)
        or (numbers := nn.constant_of(added.lhs)) is None
        or list(numbers.data.values()) != list(range(count))
    ):
        return None
    counted = [use.operation for use in data.uses]
    stops = [
        op.stop for op in counted if isinstance(op, nn.SliceOp) and not constant_integers(op.stop)
    ]
    fits = len(stops) == 1 and is_same(stops[0], added.rhs)
    return data if fits and Sum.of(size).plus(Sum.of(added.rhs), -1) == Sum(count) else None


def is_padded(value: SSAValue) -> bool:
    """Whether a value is an input, or read of a state, with zeros beyond the elements that count."""
    if isinstance(value, BlockArgument):
        entry = value.block.parent_op()
        listed = entry.arg_attrs if isinstance(entry, func.FuncOp) else None
        return listed is not None and infra.PADDED in listed.data[value.index].data
    return isinstance(value.owner, infra.ReadValueOp) and value.owner.padded is not None


def names_only_row(op: nn.GatherOp, value: SSAValue, axis: int) -> bool:
    """Whether one index is looked up along a dimension of one element, in a state that grows."""
    while isinstance(cut := value.owner, nn.SliceOp):
        value = cut.input
    read = value.owner
    return (
        isinstance(read, infra.ReadValueOp)
        and read.padded is not None
        and shape_of(value)[axis] == 1
        and shape_of(op.indices) == (1,)
        and not op.batch_dims.value.data
    )


def refuse_other_rows(write: Writer, index: SSAValue) -> None:
    """Refuses an index that names no row, for which there would be zeros: the program of the exact size takes it."""
    inside = (write(nn.GreaterEqualOp, index, -1), write(nn.LessOp, index, 1))
    is_there = write.reshaped(write(nn.LogicalAndOp, *inside), ())
    unfit = [infra.FailOp(UNFIT), infra.YieldOp()]
    bodies = [Region(Block(ops)) for ops in ([infra.YieldOp()], unfit)]
    write.builder.insert(infra.IfOp.create(operands=[is_there], regions=bodies))
