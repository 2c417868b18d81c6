"""
States that grow: what a call appends to one is written behind what it holds, and what lies beyond that is zeros.

    concat(slice(read s, 0, n), x)   becomes   s[n …] = x, in the place of s      (`infra.assign … in_place`)

Decoders reorder the rows of a batch by the beams that go on. Where there is one row, it stays.
"""

from __future__ import annotations

from xdsl.ir import Block, Region, SSAValue

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, normalize_axis, shape_of
from ...dialects.nn.writer import Writer
from ...passes.sum_of_sizes import Sum
from ..calling_convention import UNFIT
from .bounded import Bounded, Sizes, is_same


def appends(bounded: Bounded, op: infra.AssignOp) -> bool:
    """Whether a value that is assigned is what was read of that state, with something behind it."""
    read = _appended_to(bounded.value, bounded.sizes)
    return read is not None and read.variable == op.variable


def is_zero_beyond(value: SSAValue, axis: int, size: SSAValue) -> bool:
    """Whether there are only zeros beyond a size: it is a state, with something behind it."""
    return _appended_to(value, {axis: size}) is not None


def _appended_to(value: SSAValue, sizes: Sizes) -> infra.ReadValueOp | None:
    """What reads the state of which a value has all that counts, then something else up to these sizes, then zeros."""
    written = value.owner
    if not isinstance(written, nn.ScatterUpdateOp) or len(sizes) != 1:
        return None
    ((axis, size),) = sizes.items()
    (along,) = constant_integers(written.axis) or (0,)
    along = normalize_axis(written, along, len(shape_of(value)))
    read, added, count = written.data.owner, written.indices.owner, shape_of(written.updates)[axis]
    if (
        axis != along
        or not isinstance(read, infra.ReadValueOp)
        or read.padded is None
        or not isinstance(added, nn.AddOp)
        or (numbers := nn.constant_of(added.lhs)) is None
        or list(numbers.data.values()) != list(range(count))
    ):
        return None
    counted = [use.operation for use in read.result.uses]
    stops = [
        op.stop for op in counted if isinstance(op, nn.SliceOp) and not constant_integers(op.stop)
    ]
    fits = len(stops) == 1 and is_same(stops[0], added.rhs)
    return read if fits and Sum.of(size).plus(Sum.of(added.rhs), -1) == Sum(count) else None


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
    """An index that names no row, for which there would be zeros, is for the program of the exact size."""
    inside = (write(nn.GreaterEqualOp, index, -1), write(nn.LessOp, index, 1))
    is_there = write.reshaped(write(nn.LogicalAndOp, *inside), ())
    unfit = [infra.FailOp(UNFIT), infra.YieldOp()]
    bodies = [Region(Block(ops)) for ops in ([infra.YieldOp()], unfit)]
    write.builder.insert(infra.IfOp.create(operands=[is_there], regions=bodies))
