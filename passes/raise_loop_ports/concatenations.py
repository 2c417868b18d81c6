"""Buffers of which each iteration writes the next part: concatenated outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn, qnn, tfl
from ...dialects.inferred import constant_integers, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from .loop import Carried, Loop, is_equal
from .places import Places
from .quantized_parts import dequantized, gives_back, over
from .slices import Part, cuts_of
from .trip_counts import counts_of


@dataclass(frozen=True)
class Setting:
    """What an iteration puts into a buffer, and where; `cuts` where it cuts the buffer to do so."""

    item: SSAValue
    part: Part
    cuts: bool


@dataclass(frozen=True)
class Buffer:
    """
    What the body reads and gives back of a carried buffer: itself, or, of codes, the numbers that they stand for and
    what makes codes of them again.
    """

    carried: Carried
    argument: SSAValue
    after: SSAValue
    quantize: qnn.FakeQuantizeOp | None = None

    @classmethod
    def of(cls, carried: Carried) -> Buffer:
        argument, quantize = carried.argument, carried.after.owner
        users = [use.operation for use in argument.uses]
        if len(users) == 1 and isinstance(quantize, qnn.FakeQuantizeOp):
            dequantize = dequantized(users[0].results[0]) if users[0].results else None
            if dequantize is not None and gives_back(quantize, dequantize):
                return cls(carried, dequantize.result, quantize.input, quantize)
        return cls(carried, argument, carried.after)

    def is_read_alone(self, setting: Setting) -> bool:
        """Whether it is read by what sets its part alone, and that by the next iteration alone."""
        ends = {self.after, self.carried.after}
        uses = len(list(self.argument.uses))
        is_own = all(len(list(value.uses)) == 1 for value in ends)
        return is_own and uses == (2 if setting.cuts else 1)


def raise_concatenations(loop: Loop) -> bool:
    """
    A buffer that each iteration sets the next part of, and nothing else reads, is these parts put together, if all
    of it is set: from one end to the other, or behind what there is of a buffer that begins empty.
    """
    changed = [_raise(each) for each in loop.carried()]
    return any(changed)


def _raise(carried: Carried) -> bool:
    if not carried.results:
        return False
    loop, buffer = carried.loop, Buffer.of(carried)
    if (setting := _setting(buffer)) is None:
        return False
    size = shape_of(carried.start)[setting.part.axis]
    if (reason := _is_partial(buffer, setting, size)) is not None:
        return loop.stays(f"input {carried.number}", reason)
    part, item = setting.part, setting.item
    if buffer.quantize is not None:
        item = over(Writer(InsertPoint.before(buffer.quantize)), buffer.quantize, item)
    slot = loop.give(item)
    limits = (-1, 0, -part.size) if part.slope < 0 else (0, -1, part.size)
    port = infra.ConcatenatedAttr(*map(IntAttr, (slot, part.axis, *limits, part.size)))
    shape = list(shape_of(item))
    is_known = size > 0 and not loop.ends_early
    shape[part.axis] = size if is_known else DYNAMIC_INDEX
    outputs = list(loop.op.outputs)
    for result in carried.results:
        outputs[result.index] = port
        type = TensorType(tensor(item).element_type, shape)
        Rewriter.replace_value_with_new_type(result, type)
    loop.op.properties["outputs"] = ArrayAttr(outputs)
    return True


def _is_partial(buffer: Buffer, setting: Setting, size: int) -> str | None:
    """Why the parts are not all there is of a buffer of this size; None where they are."""
    carried, loop, part = buffer.carried, buffer.carried.loop, setting.part
    if not buffer.is_read_alone(setting):
        return "the buffer is read otherwise, too"
    if size == 0 and setting.cuts:
        grows = (part.first, part.slope) == (0, part.size)
        return None if grows else "it is empty at first, and not set part by part from the first on"
    if loop.ends_early:
        return "a condition may end the loop before all of the buffer is set"
    if size == DYNAMIC_INDEX:
        counts = counts_of(loop.op.trip_count)
        one_by_one = (part.first, part.slope, part.size) == (0, 1, 1)
        if one_by_one and len(counts) == 1 and _has_length(carried.start, part.axis, counts[0]):
            return None
        return "the size of the buffer is unknown, and not that of the trip count"
    ends = ((0, part.size), (size - part.size, -part.size))
    if (part.first, part.slope) not in ends:
        return "its parts are not set one after the other from one end to the other"
    if loop.op.iterations() != size // part.size or size % part.size:
        return f"not all of its {size} elements are set for certain"
    return None


def _has_length(buffer: SSAValue, axis: int, count: SSAValue) -> bool:
    """Whether a buffer of one number, repeated, has so many elements along an axis."""
    if not isinstance(buffer.owner, nn.BroadcastOp):
        return False
    sizes = buffer.owner.target_shape
    while isinstance(sizes.owner, nn.ConvertOp):
        sizes = sizes.owner.input
    if not isinstance(sizes.owner, nn.ConcatOp):
        return False
    parts = sizes.owner.inputs
    before = parts[: axis + 1]
    if any(shape_of(part) != (1,) for part in before) or len(before) <= axis:
        return False
    return is_equal(_bare(before[axis]), _bare(count))


def _bare(value: SSAValue) -> SSAValue:
    """One integer, whatever its type and dimensions."""
    while isinstance(
        value.owner, nn.ConvertOp | nn.ReshapeOp | nn.SqueezeOp | nn.UnsqueezeOp | nn.ReduceMaxOp
    ):
        value = value.owner.operands[0]
    return value


# --- how parts are set ------------------------------------------------------------------------------


def _setting(buffer: Buffer) -> Setting | None:
    op = buffer.after.owner
    if isinstance(op, tfl.DynamicUpdateSliceOp):
        return _updated(buffer, *op.operands)
    return _spliced(buffer, op) if isinstance(op, nn.ConcatOp) and len(op.inputs) == 3 else None


def _updated(buffer: Buffer, whole: SSAValue, update: SSAValue, starts: SSAValue) -> Setting | None:
    """`buffer[…, place : place + size, …] = item`"""
    places = Places.of(buffer.carried.loop, starts)
    if whole is not buffer.argument or places is None:
        return None
    moving = np.flatnonzero(places.slope)
    if len(moving) != 1:
        return None
    axis, sizes, item = int(moving[0]), shape_of(whole), shape_of(update)
    others = [i for i in range(len(item)) if i != axis]
    if item[axis] < 1 or any(places.first[i] or item[i] != sizes[i] for i in others):
        return None
    part = Part(axis, int(places.slope[axis]), int(places.first[axis]), item[axis])
    return Setting(update, part, cuts=False)


def _spliced(buffer: Buffer, op: nn.ConcatOp) -> Setting | None:
    """`concat(buffer[: place], item, buffer[place + size :])`, as TensorFlow's converter sets an element."""
    before, item, after = op.inputs
    shape = shape_of(item)
    axis = op.axis.value.data % len(shape)
    left, right = (_cut(buffer, side, len(shape)) for side in (before, after))
    if left is None or right is None or shape[axis] < 1:
        return None
    (begin, end), (onward, stop) = left, right
    whole = shape_of(buffer.carried.start)
    others = [i for i in range(len(shape)) if i != axis]
    if begin.slope.any() or begin.first.any() or np.any(onward.slope[others]):
        return None
    if np.any(onward.first[others]) or np.any(end.slope[others]) or stop.slope.any():
        return None
    if any(_is_short(limit.first[i], whole[i]) for limit in (end, stop) for i in others):
        return None
    slope, first = int(end.slope[axis]), int(end.first[axis])
    is_next = (onward.slope[axis], onward.first[axis]) == (slope, first + shape[axis])
    if not is_next or _is_short(stop.first[axis], whole[axis]):
        return None
    return Setting(item, Part(axis, slope, first, shape[axis]), cuts=True)


FAR = np.iinfo(np.int32).max
"""Limits from here on are beyond the end of any dimension."""


def _is_short(limit: int, size: int) -> bool:
    """Whether a slice to this limit may leave something of a dimension out."""
    return limit < (FAR if size == DYNAMIC_INDEX else size) and limit < FAR


def _cut(buffer: Buffer, value: SSAValue, rank: int) -> tuple[Places, Places] | None:
    """The limits along all axes of a slice of a buffer."""
    op = value.owner
    if not isinstance(op, nn.SliceOp) or op.input is not buffer.argument:
        return None
    limits, axes = cuts_of(buffer.carried.loop, op), constant_integers(op.axes)
    if limits is None or axes is None:
        return None
    return _along_all_axes(limits[0], axes, rank, 0), _along_all_axes(limits[1], axes, rank, FAR)


def _along_all_axes(limit: Places, axes: Sequence[int], rank: int, otherwise: int) -> Places:
    """Limits along some axes as those along all."""
    slope, first = np.zeros(rank, np.int64), np.full(rank, otherwise, np.int64)
    for number, axis in enumerate(axes):
        slope[axis], first[axis] = limit.slope[number], limit.first[number]
    return Places(slope, first)
