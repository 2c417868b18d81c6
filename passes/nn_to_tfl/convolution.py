"""Convolutions, channels last; filters are constants in LiteRT's order or are transposed to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.nn.convolution import BackwardConvolution, ForwardConvolution
from ...dialects.nn.window import Window
from ..channels_last import channels_last_order
from .matrix import as_factor, as_product, as_weights
from .movement import concatenated, cropped
from .refusals import refuse, refuse_unknown
from .tensors import UNKNOWN, Like, Tensor, TensorQuantization
from .window import SAME, VALID, Padding, exact_padding, padded, padding_of
from .writer import NONE, TflWriter, emits

PLANE, VOLUME = "hw", "dhw"
"""The letters of the spatial dimensions in LiteRT's option names."""


@emits(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(write: TflWriter, op: ForwardConvolution) -> None:
    order = channels_last_order(len(shape_of(op.input)))
    x = as_factor(write, write.arranged(op.input, order))
    result = forward(write, op, x, as_weights(write, op, forward_filters))
    parts = op.split_filters(shape_of(op.filters))
    depth = parts.inputs * math.prod(parts.kernel)
    write.set(op.result, as_product(write, op, result, depth), order)


def forward_filters(write: TflWriter, op: ForwardConvolution) -> Tensor:
    """
    The filters as LiteRT's kernels take them: `[outputs, *kernel, inputs]`, of a depthwise convolution
    `[1, *kernel, channels]`, of a volume `[*kernel, inputs, outputs]`.
    """
    filters = op.split_filters(shape_of(op.filters))
    if DYNAMIC_INDEX in shape_of(op.filters):
        raise refuse_unknown(op, "its filters have an unknown size")
    rank = len(filters.kernel)
    lead = 1 if op.GROUPED else 0
    outputs, inputs, space = lead, lead + 1, range(lead + 2, lead + 2 + rank)
    if rank == 3:
        if op.GROUPED:
            return write.arranged(op.filters, (0, *space, inputs, outputs))
        return write.arranged(op.filters, (*space, inputs, outputs))
    if is_depthwise(op):
        moved = write.arranged(op.filters, (inputs, *space, 0, outputs))
        shape = (1, *filters.kernel, filters.groups * filters.outputs)
    else:
        groups = (0,) if op.GROUPED else ()
        moved = write.arranged(op.filters, (*groups, outputs, *space, inputs))
        shape = (filters.groups * filters.outputs, *filters.kernel, filters.inputs)
    if rank == 1:
        shape = (shape[0], 1, *shape[1:])
    return write.reshaped(moved, shape)


def is_depthwise(op: ForwardConvolution) -> bool:
    """Whether each channel has filters of its own."""
    return op.GROUPED and op.split_filters(shape_of(op.filters)).inputs == 1


def forward(
    write: TflWriter,
    op: ForwardConvolution,
    x: Tensor,
    filters: Tensor,
    bias: Tensor | None = None,
    like: Like | None = None,
    activation: str = NONE,
) -> Tensor:
    """The convolution of a tensor with channels last, of the type and quantization of `like`, or else of the input."""
    parts = op.split_filters(shape_of(op.filters))
    window, rank = op.window(parts.kernel), len(parts.kernel)
    x, kind = _padded(write, op, x, window)
    outputs = parts.groups * parts.outputs
    positions = _positions(op)
    strides, dilations = list(window.strides), list(window.dilations)
    if rank == 1:
        x = write.reshaped(x, (x.shape[0], 1, *x.shape[1:]))
        strides, dilations, positions = [1, *strides], [1, *dilations], [1, *positions]
    elif rank > 3:
        raise refuse(op, f"it has {rank} spatial dimensions; LiteRT has up to 3")
    options: dict[str, Any] = {
        **_named("stride_{}", strides),
        **_named("dilation_{}_factor", dilations),
        "padding": kind,
        "fused_activation_function": activation,
    }
    shape = (x.shape[0], *positions, outputs)
    if rank == 3:
        result = _volume(write, op, x, filters, shape, options)
    else:
        builtin = "CONV_2D"
        if is_depthwise(op):
            builtin, options["depth_multiplier"] = "DEPTHWISE_CONV_2D", parts.outputs
        if bias is None:
            bias = _no_bias(write, x, filters, outputs)
        result = write.op(builtin, [x, filters, bias], shape, like=like, **options)
    if rank == 1:
        result = write.reshaped(result, (result.shape[0], *result.shape[2:]))
    return result


def _padded(
    write: TflWriter, op: ForwardConvolution, x: Tensor, window: Window
) -> tuple[Tensor, str]:
    """The input, padded where the operator's own padding is not that of the convolution; and which the operator has."""
    sizes = shape_of(op.input)[2:]
    padding = padding_of(op, window, sizes)
    if op.outside and x.quantization is None and padding.kind == SAME:
        padding = Padding(exact_padding(window, sizes), VALID)
    return padded(write, x, padding.pads, None if x.quantization else op.outside), padding.kind


def _no_bias(write: TflWriter, x: Tensor, filters: Tensor, outputs: int) -> Tensor:
    """Zeros: LiteRT's kernels and delegates want a bias."""
    if x.quantization is None:
        return write.constant(np.zeros(outputs, x.element))
    integer = np.int32 if x.element == "int8" else np.int64
    return write.constant(np.zeros(outputs, integer), quantization=bias_scale(x, filters))


def bias_scale(x: Tensor, filters: Tensor) -> TensorQuantization:
    """The quantization of a bias: the product of those of input and filters."""
    assert x.quantization is not None and filters.quantization is not None
    (scale,) = x.quantization.scales
    return TensorQuantization(tuple(scale * each for each in filters.quantization.scales))


def _positions(op: Operation) -> list[int]:
    return [UNKNOWN if n == DYNAMIC_INDEX else n for n in shape_of(op.results[0])[2:]]


def _named(pattern: str, numbers: Sequence[int]) -> dict[str, Any]:
    """Options for each spatial dimension: `stride_h`, `stride_w`."""
    letters = PLANE if len(numbers) == 2 else VOLUME
    return {pattern.format(letter): n for letter, n in zip(letters, numbers, strict=True)}


def _volume(
    write: TflWriter,
    op: ForwardConvolution,
    x: Tensor,
    filters: Tensor,
    shape: tuple[int, ...],
    options: dict[str, Any],
) -> Tensor:
    if not op.GROUPED:
        return write.op("CONV_3D", [x, filters], shape, **options)
    groups = filters.shape[0]
    part = (*shape[:-1], shape[-1] // groups)
    results = [
        write.op("CONV_3D", [piece, filter_of], part, **options)
        for piece, filter_of in zip(
            split_last(write, x, groups), split_first(write, filters, groups), strict=True
        )
    ]
    return concatenated(write, results, len(shape) - 1)


def split_last(write: TflWriter, x: Tensor, parts: int) -> Sequence[Tensor]:
    """Equal parts of the last dimension."""
    if parts == 1:
        return [x]
    shape = (*x.shape[:-1], x.shape[-1] // parts)
    axis = write.constant(x.rank - 1, "int32")
    return write.several("SPLIT", [axis, x], [shape] * parts, num_splits=parts)


def split_first(write: TflWriter, x: Tensor, parts: int) -> Sequence[Tensor]:
    """The elements of the first dimension, one by one and without it."""
    if x.data is not None:
        if x.shape[0] == 1:
            return [write.reshaped(x, x.shape[1:])]
        return [write.constant(each) for each in x.data]
    axis = write.constant(0, "int32")
    pieces = write.several("SPLIT", [axis, x], [(1, *x.shape[1:])] * parts, num_splits=parts)
    return [write.reshaped(piece, x.shape[1:]) for piece in pieces]


@emits(nn.ConvolutionBackpropDataOp, nn.GroupConvolutionBackpropDataOp)
def convolution_backprop_data(write: TflWriter, op: BackwardConvolution) -> None:
    """
    One kernel where LiteRT has the padding; else the whole result (VALID), which is cropped. Dilated kernels are filled
    up with zeros between their elements.
    """
    shape, result = shape_of(op.input), shape_of(op.result)
    parts = op.split_filters(shape_of(op.filters))
    if DYNAMIC_INDEX in (*shape, *result, *shape_of(op.filters)):
        raise refuse_unknown(op, "it needs known sizes")
    window, rank = op.window(parts.kernel), len(parts.kernel)
    if rank > 3:
        raise refuse(op, f"it has {rank} spatial dimensions; LiteRT has up to 3")
    x = as_factor(write, write.arranged(op.input, channels_last_order(len(shape))))
    filters = [as_factor(write, each) for each in backward_filters(write, op)]
    depth = parts.inputs * math.prod(parts.kernel)
    if (padding := backward_padding(op)) is not None:
        found = backward(write, op, x, filters[0], padding)
        write.set(op.result, as_product(write, op, found, depth), channels_last_order(len(result)))
        return
    spans = [
        (size - 1) * stride + extent
        for size, stride, extent in zip(shape[2:], window.strides, window.extents, strict=True)
    ]
    whole = concatenated(
        write,
        [
            _backward(write, piece, filter_of, spans, window.strides)
            for piece, filter_of in zip(split_last(write, x, parts.groups), filters, strict=True)
        ],
        rank + 1,
    )
    before = op.pads_before(parts.kernel, shape[2:], result[2:])
    more = [
        (0, max(skip + want - span, 0))
        for skip, want, span in zip(before, result[2:], spans, strict=True)
    ]
    whole = padded(write, whole, more)
    sizes = (whole.shape[0], *result[2:], whole.shape[-1])
    kept = cropped(write, whole, (0, *before, 0), sizes, [1] * (rank + 2))
    write.set(op.result, as_product(write, op, kept, depth), channels_last_order(len(result)))


def backward_padding(op: BackwardConvolution) -> str | None:
    """LiteRT's padding that computes the result by one kernel over a line or a plane; None where none does."""
    sizes, result = shape_of(op.input)[2:], shape_of(op.result)[2:]
    parts = op.split_filters(shape_of(op.filters))
    window = op.window(parts.kernel)
    if len(sizes) > 2 or parts.groups > 1 or DYNAMIC_INDEX in (*sizes, *result, *parts.kernel):
        return None
    cut = op.pads_before(parts.kernel, sizes, result)
    is_same = is_valid = True
    for size, want, before, stride, extent in zip(
        sizes, result, cut, window.strides, window.extents, strict=True
    ):
        span = (size - 1) * stride + extent
        is_valid &= before == 0 and span == want
        is_same &= size == -(-want // stride) and before == max(span - want, 0) // 2
    if is_valid:
        return VALID
    return SAME if is_same else None


def backward(
    write: TflWriter,
    op: BackwardConvolution,
    x: Tensor,
    filters: Tensor,
    padding: str,
    bias: Tensor | None = None,
    like: Like | None = None,
    activation: str = NONE,
) -> Tensor:
    """The transposed convolution of a tensor with channels last, by one kernel."""
    spans = list(shape_of(op.result)[2:])
    strides = op.window(op.split_filters(shape_of(op.filters)).kernel).strides
    return _backward(write, x, filters, spans, strides, padding, bias, like, activation)


def backward_filters(write: TflWriter, op: BackwardConvolution) -> Sequence[Tensor]:
    """For each group, the filters as `[outputs, *kernel, inputs]`, of a volume `[*kernel, outputs, inputs]`."""
    parts = op.split_filters(shape_of(op.filters))
    dilations = op.window(parts.kernel).dilations
    rank, lead = len(parts.kernel), 1 if op.GROUPED else 0
    inputs, outputs, space = lead, lead + 1, range(lead + 2, lead + 2 + rank)
    order = (*space, outputs, inputs) if rank == 3 else (outputs, *space, inputs)
    moved = write.arranged(op.filters, (0, *order) if op.GROUPED else order)
    if any(step > 1 for step in dilations):
        first = moved.rank - 2 - rank if rank == 3 else moved.rank - 1 - rank
        moved = _dilated(write, op, moved, first, dilations)
    groups = split_first(write, moved, parts.groups) if op.GROUPED else [moved]
    if rank > 1:
        return groups
    return [write.reshaped(each, (each.shape[0], 1, *each.shape[1:])) for each in groups]


def _dilated(
    write: TflWriter, op: Operation, filters: Tensor, first: int, dilations: Sequence[int]
) -> Tensor:
    if filters.data is None:
        raise refuse(op, "a dilated kernel must be constant; fold or fix it first")
    shape = list(filters.shape)
    places: list[slice] = [slice(None)] * filters.rank
    for axis, step in enumerate(dilations, first):
        shape[axis] = (shape[axis] - 1) * step + 1
        places[axis] = slice(None, None, step)
    dilated = np.zeros(shape, filters.element)
    dilated[tuple(places)] = filters.data
    return write.constant(dilated, quantization=filters.quantization)


def _backward(
    write: TflWriter,
    x: Tensor,
    filters: Tensor,
    spans: Sequence[int],
    strides: Sequence[int],
    padding: str = VALID,
    bias: Tensor | None = None,
    like: Like | None = None,
    activation: str = NONE,
) -> Tensor:
    rank = len(spans)
    outputs = filters.shape[-2] if rank == 3 else filters.shape[0]
    if rank == 1:
        x, spans, strides = (
            write.reshaped(x, (x.shape[0], 1, *x.shape[1:])),
            [1, *spans],
            [1, *strides],
        )
    shape = (x.shape[0], *spans, outputs)
    builtin = "CONV_3D_TRANSPOSE" if rank == 3 else "TRANSPOSE_CONV"
    options: dict[str, Any] = {**_named("stride_{}", strides), "padding": padding}
    operands = [write.integers(shape), filters, x]
    if bias is not None:
        operands.append(bias)
        options["fused_activation_function"] = activation
    result = write.op(builtin, operands, shape, like=like, data=2, **options)
    return write.reshaped(result, (shape[0], *spans[1:], outputs)) if rank == 1 else result
