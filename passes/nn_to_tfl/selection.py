"""Operations that pick or make elements: gather, strided slices, ranges."""

from __future__ import annotations

import math

import numpy as np

from ...dialects import nn
from ...dialects.inferred import shape_of
from .elementwise import common_order
from .movement import taken
from .refusals import refuse, refuse_unknown
from .sizes import size_of
from .tensors import UNKNOWN, Tensor
from .writer import TflWriter, element_of, emits, sizes_of


@emits(nn.GatherOp)
def gather(write: TflWriter, op: nn.GatherOp) -> None:
    """LiteRT's indices count from the front and must be in bounds; for others, the result is 0."""
    rank, x, shape = len(shape_of(op.input)), write.plain(op.input), sizes_of(op.result)
    axis = write.numbers(op, op.axis, "axis")[0] % rank
    batch = op.batch_dims.value.data
    batch += len(shape_of(op.indices)) if batch < 0 else 0
    places, inside = _places(write, op, x, axis)
    found = write.op("GATHER", [x, places], shape, like=x, axis=axis, batch_dims=batch)
    if inside is not None:
        sizes = inside.shape
        grown = (*sizes[:batch], *[1] * (axis - batch), *sizes[batch:], *[1] * (rank - axis - 1))
        choices = [write.reshaped(inside, grown), found, write.scalar(x, 0)]
        found = write.op("SELECT_V2", choices, shape, like=x)
    write.set(op.result, found)


def _places(
    write: TflWriter, op: nn.GatherOp, x: Tensor, axis: int
) -> tuple[Tensor, Tensor | None]:
    """Indices that count from the front, and which of them are in bounds, if not all certainly are."""
    known, size = write.known(op.indices), x.shape[axis]
    if size == UNKNOWN:
        if known is not None and (known >= 0).all():
            return write.constant(known, "int32"), None
    elif known is not None:
        places = known.astype(np.int64)
        inside = (places >= -size) & (places < size)
        if inside.all():
            return write.constant(places % size, "int32"), None
        return write.constant(places % size, "int32"), write.constant(inside)
    indices = write.plain(op.indices)
    if indices.element != "int64":
        indices = write.cast(indices, "int32")
    count = write.cast(size_of(write, x, axis), indices.element)
    return write.binary("FLOOR_MOD", indices, count), _within(write, indices, count)


def _within(write: TflWriter, indices: Tensor, count: Tensor) -> Tensor:
    """Which indices are in bounds of so many elements, from the front or from the end."""
    below = write.binary("LESS", indices, count, element="bool")
    above = write.binary("GREATER_EQUAL", indices, write.unary("NEG", count), element="bool")
    return write.binary("LOGICAL_AND", above, below)


@emits(nn.GatherElementsOp)
def gather_elements(write: TflWriter, op: nn.GatherElementsOp) -> None:
    """By the numbers of elements in row-major order; indices out of bounds give 0."""
    x, shape = write.plain(op.input), sizes_of(op.result)
    if UNKNOWN in (*x.shape, *shape):
        raise refuse_unknown(op, "it picks from unknown sizes")
    axis = op.axis.value.data % x.rank
    size, stride = x.shape[axis], math.prod(x.shape[axis + 1 :])
    indices = write.plain(op.indices)
    if indices.element != "int64":
        indices = write.cast(indices, "int32")
    lines = np.ravel_multi_index(
        [np.zeros_like(n) if k == axis else n for k, n in enumerate(np.indices(shape))], x.shape
    )
    along = write.binary("MUL", write.binary("FLOOR_MOD", indices, size), stride)
    places = write.binary("ADD", along, write.constant(lines, indices.element))
    flat = write.reshaped(x, (math.prod(x.shape),))
    found = write.op("GATHER", [flat, places], shape, like=x, axis=0, batch_dims=0)
    inside = _within(write, indices, write.scalar(indices, size))
    write.set(op.result, write.op("SELECT_V2", [inside, found, write.scalar(x, 0)], shape, like=x))


@emits(nn.StridedSliceOp)
def strided_slice(write: TflWriter, op: nn.StridedSliceOp) -> None:
    begin, end = write.numbers(op, op.begin, "begin"), write.numbers(op, op.end, "end")
    strides = [1] * len(begin)
    if op.strides is not None:
        strides = write.numbers(op, op.strides, "strides")
    shape = sizes_of(op.input)
    places: list[slice] = []
    for kind, index, _ in op.entries(len(begin), len(shape)):
        if kind == "keep":
            places.append(slice(None))
        elif kind == "slice":
            places.append(op.limits(index, begin, end, strides[index]))
        elif kind == "shrink":
            first = begin[index]
            places.append(slice(first, first + 1 if first != -1 else None))
    result = sizes_of(op.result)
    if len(result) == len(shape) and not any(op.new_axis_mask.get_values()):
        taken(write, op, op.input, places, op.result)
        return
    found = taken(write, op, op.input, places, None)
    order = common_order(write, [op.input], len(shape))
    plain = write.transposed(found, tuple(order.index(i) for i in range(len(order))))
    write.set(op.result, write.reshaped(plain, result))


@emits(nn.RangeOp)
def range_(write: TflWriter, op: nn.RangeOp) -> None:
    element = element_of(op.result)
    if element not in ("float32", "int32", "int64"):
        raise refuse(op, f"LiteRT's RANGE makes float32, int32 and int64, not {element}; convert")
    limits = [write.reshaped(write.cast(write.plain(v), element), ()) for v in op.operands]
    write.set(op.result, write.op("RANGE", limits, sizes_of(op.result)))


@emits(nn.OneHotOp)
def one_hot(write: TflWriter, op: nn.OneHotOp) -> None:
    if op.negative_indices_mode.data == "normalize":
        raise refuse(op, "LiteRT's ONE_HOT ignores negative indices; add the depth to them first")
    indices = write.plain(op.indices)
    if indices.element not in ("int32", "int64"):
        indices = write.cast(indices, "int32")
    depth = write.cast(write.reshaped(write.plain(op.depth), ()), "int32")
    element = element_of(op.result)
    inside = element if element in ("float32", "int32", "int64", "bool") else "float32"
    if element in ("float64", "uint64", "uint32"):
        raise refuse(op, f"LiteRT's ONE_HOT makes no {element}; convert its values to f32")
    on, off = (
        write.cast(write.reshaped(write.plain(v), ()), inside) for v in (op.on_value, op.off_value)
    )
    axis = op.axis.value.data
    shape = sizes_of(op.result)
    axis = -1 if axis in (-1, len(shape) - 1) else axis % len(shape)
    found = write.op("ONE_HOT", [indices, depth, on, off], shape, inside, axis=axis)
    write.set(op.result, write.cast(found, element))
