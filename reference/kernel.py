"""
The meaning of kernels, on tensors, in the order in which machines compute.

Sums of floating-point products are fused multiply-adds in order of k, as emitted, so machine and
reference agree to the last bit. Sums of products of bytes are exact in any order, so BLAS makes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, TensorType, f32
from xdsl.ir import Attribute

from ..dialects import kernel
from ..dialects.kernel import (
    Access,
    ConvolutionLayout,
    DepthwiseLayout,
    body_type,
    shaped,
)
from .arrays import Array, dtype_of
from .combine import accumulated
from .compressed import compressed_sums
from .fused_sums import fused_products, fused_sums
from .meaning import meaning
from .scalar import run_body, stored
from .unpacked_weights import unpacked, unpacked_depthwise, unpacked_filters, unpacked_winograd
from .whole_kernel import compute_whole

# --- one kernel -----------------------------------------------------------------------------


def compute(op: kernel.KernelOp, reads: Sequence[Array]) -> list[Array]:
    """What the body yields over the whole domain; `reads` are the factors and the ins."""
    factors, ins = reads[: len(reads) - len(op.ins)], reads[len(reads) - len(op.ins) :]
    arguments: list[Array] = []
    match op:
        case kernel.MatMulOp():
            count = len(op.a)
            for left, right, offset in zip(
                factors[:count], factors[count:], op.offsets, strict=True
            ):
                arguments += _sums(op, left, right, offset)
        case kernel.AttentionOp():
            arguments += _attended(op, *factors)
        case kernel.SoftmaxOp():
            arguments += _softmax(op, *factors)
        case kernel.CompressedMatMulOp():
            arguments.append(compressed_sums(op, *factors))
        case kernel.ConvolutionOp():
            arguments += _window_sums(op, *factors)
        case kernel.ReduceOp():
            arguments.append(_combined(op, factors))
        case kernel.GatherOp():
            pairs = zip(factors[: len(op.x)], factors[len(op.x) :], op.readings, strict=True)
            found = [_looked_up(op, x, places, *reading) for x, places, reading in pairs]
            scalars = map(dtype_of, op.accumulators)
            arguments += [x.astype(scalar) for x, scalar in zip(found, scalars, strict=True)]
        case _:
            pass
    for value, array, access in zip(op.ins, ins, op.accesses, strict=False):
        element = shaped(value).get_element_type()
        loaded = array[indices(access, op.shape)]
        arguments.append(np.broadcast_to(loaded, op.shape).astype(dtype_of(body_type(element))))
    yielded = run_body(op.body.block, arguments)
    return [np.broadcast_to(array, op.shape) for array in yielded]


def indices(access: Access, domain: Sequence[int]) -> tuple[Array, ...]:
    """For each dimension of an operand, the index that each point of the domain reads or writes."""
    found: list[Array] = []
    for term in access.terms:
        index = np.full([1] * len(domain), term.offset)
        if term.dim is not None:
            steps = np.arange(domain[term.dim]) * term.step
            shape = [1] * len(domain)
            shape[term.dim] = -1
            index = index + steps.reshape(shape)
        found.append(index)
    return tuple(found)


def _sums(op: kernel.MatMulOp, a: Array, b: Array, offset: int) -> list[Array]:
    """The accumulators of one product, one for each group, over the domain."""
    groups, columns = op.groups.value.data, op.shape[-1]
    if (layout := op.packed) is not None:
        b = unpacked(b, layout, groups, columns, a.shape[-1])
    if op.k_by_n is not None:
        b = b.swapaxes(-1, -2)
    parts = np.split(_product(a, b, op.accumulator, offset), groups, axis=-1)
    return [np.broadcast_to(part, op.shape) for part in parts]


def _product(a: Array, b: Array, accumulator: Attribute, offset: int = 0) -> Array:
    """`(a + offset) bᵀ`, exact or in order of k."""
    if isinstance(accumulator, IntegerType):
        wide = _exact(a, b)
        return _wrapped(np.matmul(a.astype(wide) + wide(offset), b.astype(wide).swapaxes(-1, -2)))
    dtype = dtype_of(accumulator)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (
        np.broadcast_to(x, (*batch, *x.shape[-2:])).reshape(math.prod(batch), *x.shape[-2:])
        for x in (a, b)
    )
    begun = np.zeros((len(a), a.shape[-2], b.shape[-2]), dtype)
    with np.errstate(all="ignore"):
        total = fused_sums(a.astype(dtype), b.astype(dtype), begun)
    return total.reshape(*batch, *total.shape[-2:])


def _attended(
    op: kernel.AttentionOp, query: Array, key: Array, value: Array, *others: Array
) -> list[Array]:
    """The sums over values, and the totals of rows, over the domain."""
    keys, (key_layout, value_layout) = op.keys.value.data, op.layouts
    masks, scales = others[: len(op.masks)], others[len(op.masks) :]
    if key_layout is not None:
        key = unpacked(key, key_layout, 1, keys, query.shape[-1])
    if value_layout is not None:
        value = unpacked(value, value_layout, 1, op.shape[-1], keys)
    summed = kernel.sum_type(shaped(op.query).get_element_type())
    sums = _product(query, key, summed, op.offset)
    arguments = [np.broadcast_to(sums, op.score_shape)]
    for mask, array, access in zip(op.masks, masks, op.mask_accesses, strict=True):
        loaded = np.broadcast_to(array[indices(access, op.score_shape)], op.score_shape)
        arguments.append(loaded.astype(dtype_of(body_type(shaped(mask).get_element_type()))))
    (scores,) = run_body(op.score.block, arguments)
    scores = np.broadcast_to(scores, op.score_shape)
    most = np.broadcast_to(scores.max(axis=-1, keepdims=True), op.score_shape)
    (powers,) = run_body(op.power.block, [scores, most])
    powers = np.broadcast_to(powers, op.score_shape)
    total = accumulated(powers[..., None, :], "sum", op.total_type, op.partials)[..., None]
    (total,) = run_body(op.total.block, [total])
    factors = [total, *(scale.reshape(()) for scale in scales)]
    wide = [np.broadcast_to(factor, op.score_shape) for factor in factors]
    (weights,) = run_body(op.weight.block, [powers, *wide])
    weights = stored(np.broadcast_to(weights, op.score_shape), op.weights)
    found = _product(weights, value, op.accumulator)
    return [np.broadcast_to(found, op.shape), np.broadcast_to(total, op.shape)]


def _softmax(op: kernel.SoftmaxOp, x: Array) -> list[Array]:
    """The powers, and the totals of rows, over the domain."""
    x = np.broadcast_to(x[indices(op.reading, op.shape)], op.shape).astype(np.float32)
    most = np.broadcast_to(x.max(axis=-1, keepdims=True), op.shape)
    powers, summed = (
        np.broadcast_to(found, op.shape) for found in run_body(op.power.block, [x, most])
    )
    total = accumulated(summed[..., None, :], "sum", f32, op.partials)[..., None]
    (total,) = run_body(op.total.block, [total])
    return [powers, np.broadcast_to(total, op.shape)]


def _window_sums(op: kernel.ConvolutionOp, a: Array, b: Array) -> list[Array]:
    """The accumulators of a convolution over the domain: one, or one for each column."""
    groups, channels = op.groups.value.data, op.channels
    taps, strides, dilations = op.window()
    match op.packed:
        case None:
            pass
        case DepthwiseLayout() as layout:
            b = unpacked_depthwise(b, layout, groups, op.window())
        case kernel.WinogradLayout() as layout:
            b = unpacked_winograd(b, layout, op.units, op.plane_taps, channels)
        case ConvolutionLayout() as layout:
            b = unpacked_filters(b, layout, op.units, taps, channels, groups)
    is_exact = isinstance(op.accumulator, IntegerType)
    dtype = np.dtype(_exact(a, b)) if is_exact else dtype_of(op.accumulator)
    a = a.astype(dtype, "C") + dtype.type(op.offset)
    b = b.astype(dtype, "C").reshape(groups, op.units, *taps, channels)
    batch, *positions, _ = op.shape
    sums = [
        np.zeros((groups, batch * math.prod(positions), op.units), dtype) for _ in range(op.sums)
    ]
    for tap in np.ndindex(*taps):
        number = tap[-1] if op.sums > 1 else 0
        window = tuple(
            slice(t * d, t * d + (count - 1) * s + 1, s)
            for t, d, s, count in zip(tap, dilations, strides, positions, strict=True)
        )
        moved = (
            a[(slice(None), *window)]
            .reshape(batch * math.prod(positions), groups, channels)
            .swapaxes(0, 1)
        )
        weights = b[(slice(None), slice(None), *tap)]
        if is_exact:
            sums[number] += np.matmul(moved, weights.swapaxes(1, 2))
            continue
        with np.errstate(all="ignore"):
            if channels == 1 and dtype == np.float32:
                apart = moved.swapaxes(0, 1), weights.swapaxes(1, 2).swapaxes(0, 1)
                sums[0] = fused_products(*apart, sums[0].swapaxes(0, 1)).swapaxes(0, 1)
                continue
            sums[0] = fused_sums(moved, weights, sums[0])
    totals = [each.swapaxes(0, 1).reshape(op.shape) for each in sums]
    return [_wrapped(total) for total in totals] if is_exact else totals


def _exact(a: Array, b: Array) -> type[np.float64 | np.int64]:
    """The type that holds every sum of products: float64 for bytes, for which there is BLAS."""
    return np.float64 if a.dtype.itemsize == b.dtype.itemsize == 1 else np.int64


def _wrapped(total: Array) -> Array:
    """Exact sums in the 32 bits of accumulators."""
    return total.astype(np.int64).astype(np.int32)


def _combined(op: kernel.ReduceOp, x: Sequence[Array]) -> Array:
    """What a reduction makes of its window, over the domain."""
    rank, extents = len(op.shape), op.extents
    read: list[Array] = []
    for value, array, (points, steps) in zip(op.x, x, op.readings, strict=True):
        begin = [
            np.expand_dims(i, tuple(range(rank, rank + len(extents))))
            for i in indices(points, op.shape)
        ]
        where = tuple(i + j for i, j in zip(begin, indices(steps, extents), strict=True))
        scalars = dtype_of(body_type(shaped(value).get_element_type()))
        read.append(np.broadcast_to(array[where], (*op.shape, *extents)).astype(scalars))
    (made,) = run_body(op.element.block, read)
    outer, last = math.prod(extents[:-1]), extents[-1] if extents else 1
    made = np.broadcast_to(made, (*op.shape, *extents)).reshape(*op.shape, outer, last)
    return accumulated(made, op.combiner.data, op.accumulator, op.partials)


def _looked_up(
    op: kernel.GatherOp, x: Array, places: Array, points: Access, looked: Access
) -> Array:
    """The elements of one operand of a gather over the domain."""
    axis = op.axis.value.data
    size = x.shape[axis]
    index = places[indices(looked, op.shape)].astype(np.int64)
    index = np.where(index < 0, index + size, index)
    inside = (index >= 0) & (index < size)
    if not size:
        return np.zeros(op.shape, x.dtype)
    where = list(indices(points, op.shape))
    where[axis] = np.where(inside, index, 0)
    return np.broadcast_to(np.where(inside, x[tuple(where)], np.zeros((), x.dtype)), op.shape)


# --- on tensors -----------------------------------------------------------------------------


@meaning(
    kernel.MapOp,
    kernel.MatMulOp,
    kernel.AttentionOp,
    kernel.SoftmaxOp,
    kernel.CompressedMatMulOp,
    kernel.ConvolutionOp,
    kernel.ReduceOp,
    kernel.GatherOp,
)
def kernel_on_tensors(op: kernel.KernelOp, *operands: Array) -> tuple[Array, ...]:
    yielded = compute(op, operands)
    results: list[Array] = []
    for value, array, access in zip(op.results, yielded, op.accesses[len(op.ins) :], strict=True):
        type = cast(TensorType[Any], value.type)
        result = np.zeros(type.get_shape(), dtype_of(type.element_type))
        put(result, indices(access, op.shape), stored(array, type.element_type))
        results.append(result)
    return tuple(results)


def put(target: Array, where: tuple[Array, ...], values: Array) -> None:
    """Writes the value of each point to its element."""
    target[where] = values if where else values.reshape(())


@meaning(
    kernel.ScatterOp,
    kernel.SortOp,
    kernel.OrderOp,
    kernel.ScanOp,
    kernel.ReduceWindowsOp,
    kernel.NonMaxSuppressionOp,
    kernel.SplitDigitsOp,
)
def whole_kernel_on_tensors(op: kernel.WholeKernelOp, *operands: Array) -> tuple[Array, ...]:
    return tuple(compute_whole(op, operands))


@meaning(kernel.CallParityOp)
def call_parity(op: kernel.CallParityOp) -> Array:
    """Always even: no result may depend on it."""
    return np.array(False)


@meaning(kernel.ReshapeOp)
def reshape(op: kernel.ReshapeOp, x: Array) -> Array:
    return x.reshape(cast(TensorType[Any], op.result.type).get_shape())


@meaning(kernel.SliceOp)
def slice_(op: kernel.SliceOp, x: Array) -> Array:
    shape = cast(TensorType[Any], op.result.type).get_shape()
    places = zip(op.offsets.get_values(), op.steps.get_values(), shape, strict=True)
    return x[tuple(slice(first, first + size * step, step) for first, step, size in places)]


@meaning(kernel.ConcatOp)
def concat(op: kernel.ConcatOp, *inputs: Array) -> Array:
    return np.concatenate(inputs, op.axis.value.data)


@meaning(kernel.PadOp)
def pad(op: kernel.PadOp, x: Array) -> Array:
    type = cast(TensorType[Any], op.result.type)
    result = np.full(type.get_shape(), op.filling.value.data, x.dtype)
    places = zip(op.low.get_values(), op.interior.get_values(), x.shape, strict=True)
    inside = tuple(
        slice(low, low + (size - 1) * (gap + 1) + 1, gap + 1) for low, gap, size in places
    )
    result[inside] = x
    return result
