"""Padding: what lies around a value is written around it, or copied from it."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import shape_of, static_shape
from ...dialects.kernel import Access
from .rule import kernel_rule, known_integers, uniform
from .take import take
from .writer import KernelWriter


@kernel_rule(nn.PadOp)
def pad(op: nn.PadOp, write: KernelWriter) -> SSAValue:
    """What is taken away goes first."""
    shape = static_shape(op.input)
    begin = known_integers(op, op.pads_begin, "pads_begin")
    end = known_integers(op, op.pads_end, "pads_end")
    if op.pad_mode.data == "constant":
        return _constant(write, op, begin, end)
    value: SSAValue = op.input
    for axis in sorted(range(len(shape)), key=lambda axis: begin[axis] + end[axis]):
        size = shape[axis]
        places = np.arange(-begin[axis], size + end[axis])
        if op.pad_mode.data != "edge":
            # What lies opposite of the border, which `symmetric` counts in.
            again = int(op.pad_mode.data == "symmetric")
            places = np.where(places < 0, -again - places, places)
            places = np.where(places >= size, 2 * (size - 1) + again - places, places)
        places = np.clip(places, 0, max(size - 1, 0))
        value = take(write, value, axis, [int(place) for place in places])
    return value


def _constant(write: KernelWriter, op: nn.PadOp, begin: list[int], end: list[int]) -> SSAValue:
    shape = static_shape(op.input)
    inside = [
        max(size + min(b, 0) + min(e, 0), 0) for size, b, e in zip(shape, begin, end, strict=True)
    ]
    value = op.input
    crop = [max(-b, 0) for b in begin]
    result = static_shape(op.result)
    if 0 in inside:  # then there is nothing but what lies around it
        inside = [0] * len(inside)
        value = write.data_movement(value, Access.identity(len(inside)), inside)
        low, high = [0] * len(inside), list(result)
    else:
        value = write.cropped(value, crop, inside)
        low, high = [max(b, 0) for b in begin], [max(e, 0) for e in end]
    if not any((*low, *high)):
        return value
    number = 0 if op.pad_value is None else uniform(op.pad_value)
    if number is not None:
        return write.add(kernel.PadOp(value, low, high, number))
    assert op.pad_value is not None
    filling = write.reshape(op.pad_value, ())
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        parts = [_filled(write, filling, value, axis, count) for count in (before, after)]
        whole = [part for part in (parts[0], value, parts[1]) if shape_of(part)[axis]]
        if whole:
            value = write.concat(whole, axis) if len(whole) > 1 else whole[0]
    return value


def _filled(
    write: KernelWriter, filling: SSAValue, like: SSAValue, axis: int, count: int
) -> SSAValue:
    """A value of `count` elements along an axis, all of them `filling`."""
    shape = list(shape_of(like))
    shape[axis] = count
    return write.data_movement(filling, Access(len(shape), ()), shape)
