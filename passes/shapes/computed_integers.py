"""Where the numbers of a computed shape come from: known ones, or the sizes of other values."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import TensorOp, constant_integers, normalize_axis, shape_of, tensor

if TYPE_CHECKING:
    from ...reference.arrays import Array

Size = int | SSAValue
"""A known integer, or the value of one element that holds it."""


def source(value: SSAValue, index: int) -> Size | None:
    """An element of a tensor of integers, in row-major order: a number, or the value of one that it is taken from."""
    if (known := constant_integers(value)) is not None:
        return known[index]
    if DYNAMIC_INDEX in shape_of(value):
        return None
    if (found := _taken_from(value, index)) is not None:
        return found
    return value if prod(shape_of(value)) == 1 else None


def _taken_from(value: SSAValue, index: int) -> Size | None:
    """What another value has of an element, or the number that it is; None where neither is plain to see."""
    op = value.owner
    if isinstance(op, TensorOp) and not isinstance(op, nn.ShapeOfOp) and _has_unknown_sizes(op):
        return None  # where an element is taken from depends on these sizes
    match op:
        case nn.ReshapeOp() | nn.SqueezeOp() | nn.UnsqueezeOp():
            return source(op.operands[0], index)
        case nn.ShapeOfOp() if (size := shape_of(op.input)[index]) != DYNAMIC_INDEX:
            return size
        case nn.ConvertOp() if (found := source(op.input, index)) is not None and _counts(found):
            return found
        case nn.ConcatOp():
            return _of_concat(op, index)
        case nn.TransposeOp() if (order := constant_integers(op.order)) is not None:
            moved = _places(op.input).transpose(*order or range(len(shape_of(value)))[::-1])
            return source(op.input, int(moved.reshape(-1)[index]))
        case nn.GatherOp() if len(shape_of(op.input)) == 1:
            if (places := constant_integers(op.indices)) is None:
                return None
            return source(op.input, places[index] % shape_of(op.input)[0])
        case nn.SliceOp():
            return _of_slice(op, index)
        case nn.StridedSliceOp():
            return _of_strided_slice(op, index)
        case nn.ReduceProdOp() if len(shape_of(op.input)) == 1:
            parts = [source(op.input, i) for i in range(shape_of(op.input)[0])]
            known = prod(part for part in parts if isinstance(part, int))
            others = [part for part in parts if not isinstance(part, int)]
            if not others:
                return known
            return others[0] if (known, len(others)) == (1, 1) else None
        case nn.BroadcastOp() if prod(shape_of(op.input)) == 1:
            return source(op.input, 0)
        case nn.MultiplyOp():
            parts = [_of_operand(each, value, index) for each in op.operands]
            known = [part for part in parts if isinstance(part, int)]
            return prod(known) if len(known) == len(parts) else None
        case nn.SelectOp() if (holds := _holds(op.condition, index)) is not None:
            return _of_operand(op.operands[1 if holds else 2], value, index)
        case _:
            return None


def _has_unknown_sizes(op: TensorOp) -> bool:
    return any(DYNAMIC_INDEX in shape_of(operand) for operand in op.operands)


def _of_operand(operand: SSAValue, result: SSAValue, index: int) -> Size | None:
    """What of an operand is computed with for an element of the result, if that is plain to see."""
    if shape_of(operand) == shape_of(result):
        return source(operand, index)
    return source(operand, 0) if prod(shape_of(operand)) == 1 else None


def _counts(size: Size) -> bool:
    """Whether it is an integer."""
    return isinstance(size, int) or isinstance(tensor(size).element_type, IntegerType)


def _places(value: SSAValue) -> Array:
    """The number of each element of a value of known shape."""
    import numpy as np

    return np.arange(prod(shape_of(value))).reshape(shape_of(value))


def _of_concat(op: nn.ConcatOp, index: int) -> Size | None:
    import numpy as np

    axis, rank = op.axis.value.data, len(shape_of(op.result))
    ends = np.cumsum([0, *(prod(shape_of(part)) for part in op.operands)])
    places = [_places(part) + end for part, end in zip(op.operands, ends, strict=False)]
    place = int(np.concatenate(places, normalize_axis(op, axis, rank)).reshape(-1)[index])
    number = int(np.searchsorted(ends, place, "right")) - 1
    return source(op.operands[number], place - int(ends[number]))


def _of_slice(op: nn.SliceOp, index: int) -> Size | None:
    start, stop, step, axes = (constant_integers(each) for each in op.operands[1:])
    if start is None or stop is None or step is None or axes is None:
        return None
    taken = [slice(None)] * len(shape_of(op.input))
    for first, end, by, axis in zip(start, stop, step, axes, strict=True):
        size = shape_of(op.input)[axis]
        if by < 0:
            first = max(first, -size)  # in front of the first element, Python takes nothing
        is_before = by < 0 and end < -size
        taken[axis] = slice(first, None if is_before else end, by)
    return source(op.input, int(_places(op.input)[tuple(taken)].reshape(-1)[index]))


def _of_strided_slice(op: nn.StridedSliceOp, index: int) -> Size | None:
    """Of a list, from which one place takes a part."""
    begin, end = constant_integers(op.begin), constant_integers(op.end)
    strides = [1] if op.strides is None else constant_integers(op.strides)
    size, *others = shape_of(op.input)
    if begin is None or end is None or strides is None or others or len(begin) != 1:
        return None
    if [entry.kind for entry in op.entries(1, 1)] != ["slice"]:
        return None
    return source(op.input, range(size)[op.limits(0, begin, end, strides[0])][index])


def _holds(condition: SSAValue, index: int) -> bool | None:
    """Whether a size is the number that it is compared with; one that is computed is not negative."""
    if not isinstance(op := condition.owner, nn.EqualOp):
        return None
    shapes = [shape_of(each) for each in op.operands]
    size, other = (
        source(each, index if shape == shape_of(condition) else 0)
        for each, shape in zip(op.operands, shapes, strict=True)
    )
    if isinstance(size, int) and isinstance(other, int):
        return size == other
    is_negative = isinstance(other, int) and other < 0
    return False if isinstance(size, SSAValue) and is_negative else None
