"""Operands of which each iteration reads the next part: sliced inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntAttr, TensorType, i64
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, copy_name, shape_of, tensor
from ...dialects.infra.ports import Slicing
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from .loop import Loop
from .places import Places
from .quantized_parts import dequantized, over
from .trip_counts import counts_of, is_length


@dataclass(frozen=True)
class Part:
    """Elements `slope * iteration + first` and the next ones, `size` in all, along an axis."""

    axis: int
    slope: int
    first: int
    size: int
    is_scalar: bool = False

    def slicing(self, whole: int) -> Slicing | None:
        """The port of such parts of a whole; None where the first is not within it, or parts overlap."""
        if abs(self.slope) < self.size or not 0 <= self.first <= whole - self.size:
            return None
        if self.slope > 0:
            return Slicing(self.axis, self.first, -1, self.slope, self.size)
        end = self.first - self.slope
        if end > whole:
            return None
        return Slicing(self.axis, -1 if end == whole else end, 0, self.slope, self.size)


def raise_slices(loop: Loop) -> bool:
    """
    A part of an invariant operand that the body takes at places which go on evenly, `slope * iteration + first`, is a
    slice of it, if all of them are within and none lies over another. Parts that lie over each other are gathered.
    """
    changed = [_raise(loop, op) for op in list(loop.body.ops)]
    return any(changed)


def _raise(loop: Loop, op: Operation) -> bool:
    if not isinstance(op, nn.GatherOp | nn.SliceOp):
        return False
    dequantize = dequantized(op.input)
    given = op.input if dequantize is None else dequantize.input
    whole = loop.invariant(given)
    part = _gathered(loop, op) if isinstance(op, nn.GatherOp) else _cut(loop, op)
    if whole is None or part is None or part.slope == 0:
        return False
    assert isinstance(given, BlockArgument), "what is invariant is given"
    slicing = _slicing(loop, whole, part)
    if isinstance(slicing, str):
        if isinstance(op, nn.SliceOp) and _lies_within(loop, whole, part):
            return gather(op, part)
        return loop.stays(f"input {given.index}", slicing)
    shape = list(shape_of(op.input))
    shape[part.axis] = part.size
    port = infra.SlicedAttr(
        *map(IntAttr, (slicing.axis, slicing.start, slicing.end, slicing.stride, slicing.part_size))
    )
    value = loop.add_input(whole, port, TensorType(tensor(whole).element_type, shape))
    write = Writer(InsertPoint.before(op))
    if dequantize is not None:
        value = over(write, dequantize, value)
    if part.is_scalar:
        value = write(nn.SqueezeOp, value, write.integers(part.axis))
        if isinstance(value.owner, Operation):
            copy_name(op, value.owner)
    Rewriter.replace_op(op, [], [value])
    return True


def _lies_within(loop: Loop, whole: SSAValue, part: Part) -> bool:
    """Whether the part of every iteration has all of its elements."""
    size = shape_of(whole)[part.axis]
    if size == DYNAMIC_INDEX or loop.most is None:
        return False
    ends = part.first, part.first + part.slope * max(loop.most - 1, 0)
    return min(ends) >= 0 and max(ends) + part.size <= size


def gather(op: nn.SliceOp, part: Part) -> bool:
    """Takes a part by the places of its elements: their number is its size."""
    write = Writer(InsertPoint.before(op))
    axes = constant_integers(op.axes)
    assert axes is not None, "`_cut` asks for them"
    place = next(i for i, axis in enumerate(axes) if axis % len(shape_of(op.input)) == part.axis)
    start = write(nn.GatherOp, op.start, write.integers(place), write.integer(0), batch_dims=0)
    steps = write.integers(*range(part.size))
    places = write(nn.AddOp, write.converted(start, i64), steps)
    found = write(nn.GatherOp, op.input, places, write.integer(part.axis), batch_dims=0)
    if isinstance(found.owner, Operation):
        copy_name(op, found.owner)
    Rewriter.replace_op(op, [], [found])
    return True


def _slicing(loop: Loop, whole: SSAValue, part: Part) -> Slicing | str:
    """The port of a part, or why it is none."""
    size = shape_of(whole)[part.axis]
    counts = counts_of(loop.op.trip_count)
    if size == DYNAMIC_INDEX:
        if (part.first, part.slope, part.size) != (0, 1, 1):
            return f"the size of dimension {part.axis} is unknown, and it is not taken one by one from the first"
        if not any(is_length(count, whole, part.axis) for count in counts):
            return f"the trip count is not bounded by the unknown size of dimension {part.axis}"
        return Slicing(part.axis, 0, -1, 1, 1)
    if (slicing := part.slicing(size)) is None:
        return f"its parts overlap, or the first is not within the {size} elements of dimension {part.axis}"
    known = [number[0] for each in counts if (number := constant_integers(each))]
    if not known or not 0 <= min(known) <= slicing.iterations(size):
        return f"more iterations may follow than dimension {part.axis} has parts, {slicing.iterations(size)}"
    return slicing


def _gathered(loop: Loop, op: nn.GatherOp) -> Part | None:
    axis, places = constant_integers(op.axis), Places.of(loop, op.indices)
    if axis is None or places is None or op.batch_dims.value.data or places.first.ndim > 1:
        return None
    slopes, first = np.reshape(places.slope, -1), np.reshape(places.first, -1)
    if not len(first) or np.any(slopes != slopes[0]) or np.any(np.diff(first) != 1):
        return None
    axis = axis[0] % len(shape_of(op.input))
    return Part(axis, int(slopes[0]), int(first[0]), len(first), places.first.ndim == 0)


def _cut(loop: Loop, op: nn.SliceOp) -> Part | None:
    """What `nn.slice` takes, where it takes all of the other dimensions."""
    axes, limits = constant_integers(op.axes), cuts_of(loop, op)
    if axes is None or limits is None:
        return None
    start, stop = limits
    shape = shape_of(op.input)
    moving = np.flatnonzero(start.slope)
    if len(moving) != 1 or np.any(start.slope != stop.slope):
        return None
    (place,) = moving
    others = [i for i in range(len(axes)) if i != place]
    if any(start.first[i] or not 0 <= shape[axes[i]] <= stop.first[i] for i in others):
        return None
    size = int(stop.first[place] - start.first[place])
    axis = axes[int(place)] % len(shape)
    return Part(axis, int(start.slope[place]), int(start.first[place]), size) if size > 0 else None


def cuts_of(loop: Loop, op: nn.SliceOp) -> tuple[Places, Places] | None:
    """Start and stop of a slice in steps of 1."""
    start, stop, step = (Places.of(loop, each) for each in (op.start, op.stop, op.step))
    if start is None or stop is None or step is None or np.any(step.first != 1) or step.slope.any():
        return None
    return start, stop
