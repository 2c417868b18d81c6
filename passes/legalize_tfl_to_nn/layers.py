"""Builtins with windows and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from ..channels_last import AUTO_PADS, channels_first, channels_last, numbers, window_properties
from .translation import Translation, quantization_of, rule, truth


def window(op: tfl.WindowOp, rank: int) -> dict[str, Attribute]:
    """Strides, dilations and padding."""
    letters = "hw" if rank == 2 else "dhw"
    strides = [op.integer(f"stride_{letter}") for letter in letters]
    factors = [f"dilation_{letter}_factor" for letter in letters]
    dilations = [op.integer(name) if name in op.properties else 1 for name in factors]
    return window_properties(strides, dilations, AUTO_PADS[op.word("padding")])


def finish(t: Translation, op: tfl.TflOp, result: SSAValue, bias: int = 2) -> None:
    """Bias and activation of a result with channels last."""
    added = op.operands[bias] if len(op.operands) > bias else None
    if added is not None and not tfl.is_absent(added):
        data = t.data(added)
        if data is None or data.any():
            result = t(nn.AddOp, result, t.value(added))
    t.set(op.results[0], t.activated(result, op))


@rule("CONV_2D")
def convolution(t: Translation, op: tfl.WindowOp) -> None:
    x, filters = (t.value(operand) for operand in op.operands[:2])
    outputs, height, width, inputs = shape_of(filters)
    groups = shape_of(x)[3] // inputs
    first = t.transposed(filters, (0, 3, 1, 2))
    properties = window(op, 2)
    if groups > 1:
        shape = (groups, outputs // groups, inputs, height, width)
        kind, first = nn.GroupConvolutionOp, t.reshaped(first, shape)
    else:
        kind = nn.ConvolutionOp
    result = t(kind, channels_first(t, x), first, **properties)
    finish(t, op, channels_last(t, result))


@rule("DEPTHWISE_CONV_2D")
def depthwise(t: Translation, op: tfl.WindowOp) -> None:
    x, filters = (t.value(operand) for operand in op.operands[:2])
    _, height, width, outputs = shape_of(filters)
    channels = shape_of(x)[3]
    shape = (channels, outputs // channels, 1, height, width)
    moved = t.reshaped(t.transposed(filters, (3, 0, 1, 2)), shape)
    result = t(nn.GroupConvolutionOp, channels_first(t, x), moved, **window(op, 2))
    finish(t, op, channels_last(t, result))


@rule("CONV_3D")
def volume(t: Translation, op: tfl.WindowOp) -> None:
    x, filters = (t.value(operand) for operand in op.operands[:2])
    moved = t.transposed(filters, (4, 3, 0, 1, 2))
    result = t(nn.ConvolutionOp, channels_first(t, x), moved, **window(op, 3))
    finish(t, op, channels_last(t, result))


@rule("TRANSPOSE_CONV")
def transpose_conv(t: Translation, op: tfl.WindowOp) -> None:
    """Of SAME padding LiteRT cuts off the smaller half before, which for a transposed convolution is `same_lower`."""
    shape = t.listed(op.operands[0], "output shape")
    filters, x = (t.value(operand) for operand in op.operands[1:3])
    moved = t.transposed(filters, (3, 0, 1, 2))
    properties = {**window(op, 2), "output_padding": numbers([0, 0])}
    if op.word("padding") == "SAME":
        properties["auto_pad"] = StringAttr("same_lower")
    spatial = t.integers(*shape[1:3])
    result = t(nn.ConvolutionBackpropDataOp, channels_first(t, x), moved, spatial, **properties)
    finish(t, op, channels_last(t, result), bias=3)


@rule("MAX_POOL_2D", "AVERAGE_POOL_2D")
def pooling(t: Translation, op: tfl.PoolOp) -> None:
    kernel = numbers([op.integer("filter_height"), op.integer("filter_width")])
    properties: dict[str, Attribute] = {**window(op, 2), "kernel": kernel}
    x = channels_first(t, t.value(op.operands[0]))
    if op.builtin() == "MAX_POOL_2D":
        result = t(nn.MaxPoolOp, x, **properties)
    else:
        result = t(nn.AvgPoolOp, x, exclude_pad=truth(True), **properties)
    result = t.activated(channels_last(t, result), op)
    same = quantization_of(op.operands[0]) == quantization_of(op.results[0])
    if same and op.builtin() == "MAX_POOL_2D":
        t.same(op.results[0], result)
    else:
        t.set(op.results[0], result)


@rule("FULLY_CONNECTED")
def fully_connected(t: Translation, op: tfl.TflOp) -> None:
    x, weights = (t.value(operand) for operand in op.operands[:2])
    if op.word("weights_format") != "DEFAULT":
        raise DiagnosticException("shuffled weights cannot be read; convert the model without them")
    inputs = shape_of(weights)[1]
    if not op.flag("keep_num_dims") and len(shape_of(x)) != 2:
        x = t.reshaped(x, (-1, inputs))
    finish(t, op, t(nn.MatMulOp, x, weights, transpose_b=truth(True)))


@rule("BATCH_MATMUL")
def batch_matmul(t: Translation, op: tfl.TflOp) -> None:
    flags = {"transpose_a": truth(op.flag("adj_x")), "transpose_b": truth(op.flag("adj_y"))}
    values = [t.value(operand) for operand in op.operands]
    t.set(op.results[0], t(nn.MatMulOp, *values, **flags))


@rule("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(t: Translation, op: tfl.TflOp) -> None:
    shape = t.listed(op.operands[1], "size")
    align, half = op.flag("align_corners"), op.flag("half_pixel_centers")
    linear = op.builtin() == "RESIZE_BILINEAR"
    if align:
        coordinates, nearest = "align_corners", "round_prefer_ceil"
    elif half:
        coordinates = "half_pixel" if linear else "tf_half_pixel_for_nn"
        nearest = "floor"
    else:
        coordinates, nearest = "asymmetric", "floor"
    properties: dict[str, Any] = {
        "mode": StringAttr("linear_onnx" if linear else "nearest"),
        "shape_calculation_mode": StringAttr("sizes"),
        "coordinate_transformation_mode": StringAttr(coordinates),
        "nearest_mode": StringAttr(nearest),
        "antialias": truth(False),
        "pads_begin": numbers([]),
        "pads_end": numbers([]),
    }
    x = channels_first(t, t.value(op.operands[0]))
    result = t(nn.InterpolateOp, x, t.integers(*shape), t.array(np.array([2, 3])), **properties)
    t.set(op.results[0], channels_last(t, result))
