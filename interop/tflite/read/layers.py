"""Builtins with windows and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.inferred import shape_of
from ..graph import Operator
from .reader import Reader, reads, sizes, truth

SAME = 0
"""The schema's number of the padding that makes ⌈size / stride⌉ positions."""


def window(op: Operator, rank: int) -> dict[str, Attribute]:
    """Strides, dilations and padding."""
    letters = "HW" if rank == 2 else "DHW"
    options = op.options
    strides = [options[f"stride{letter}"] for letter in letters]
    dilations = [options.get(f"dilation{letter}Factor", 1) for letter in letters]
    return {
        "strides": sizes(strides),
        "dilations": sizes(dilations),
        "pads_begin": sizes([0] * rank),
        "pads_end": sizes([0] * rank),
        "auto_pad": StringAttr("same_upper" if options["padding"] == SAME else "valid"),
    }


def finish(read: Reader, op: Operator, result: SSAValue, bias: int = 2) -> None:
    """Bias and activation of a result with channels last."""
    added = op.inputs[bias] if len(op.inputs) > bias else None
    if added is not None and (added.data is None or added.data.any()):
        result = read(nn.AddOp, result, read.value(added))
    read.set(op.outputs[0], read.activated(result, op.options["fusedActivationFunction"]))


@reads("CONV_2D")
def convolution(read: Reader, op: Operator) -> None:
    x, filters = (read.value(operand) for operand in op.inputs[:2])
    outputs, height, width, inputs = shape_of(filters)
    groups = shape_of(x)[3] // inputs
    first = read.transposed(filters, (0, 3, 1, 2))
    properties = window(op, 2)
    if groups > 1:
        shape = (groups, outputs // groups, inputs, height, width)
        kind, first = nn.GroupConvolutionOp, read.reshaped(first, shape)
    else:
        kind = nn.ConvolutionOp
    result = read(kind, read.channels_first(x), first, **properties)
    finish(read, op, read.channels_last(result))


@reads("DEPTHWISE_CONV_2D")
def depthwise(read: Reader, op: Operator) -> None:
    x, filters = (read.value(operand) for operand in op.inputs[:2])
    _, height, width, outputs = shape_of(filters)
    channels = shape_of(x)[3]
    shape = (channels, outputs // channels, 1, height, width)
    moved = read.reshaped(read.transposed(filters, (3, 0, 1, 2)), shape)
    result = read(nn.GroupConvolutionOp, read.channels_first(x), moved, **window(op, 2))
    finish(read, op, read.channels_last(result))


@reads("CONV_3D")
def volume(read: Reader, op: Operator) -> None:
    x, filters = (read.value(operand) for operand in op.inputs[:2])
    moved = read.transposed(filters, (4, 3, 0, 1, 2))
    result = read(nn.ConvolutionOp, read.channels_first(x), moved, **window(op, 3))
    finish(read, op, read.channels_last(result))


@reads("TRANSPOSE_CONV")
def transpose_conv(read: Reader, op: Operator) -> None:
    """Of SAME padding LiteRT cuts off the smaller half before, which for a transposed convolution is `same_lower`."""
    shape = read.integers(op.inputs[0], "output shape")
    filters, x = (read.value(operand) for operand in op.inputs[1:3])
    moved = read.transposed(filters, (3, 0, 1, 2))
    properties = {**window(op, 2), "output_padding": sizes([0, 0])}
    if op.options["padding"] == SAME:
        properties["auto_pad"] = StringAttr("same_lower")
    spatial = read.index(*shape[1:3])
    result = read(
        nn.ConvolutionBackpropDataOp, read.channels_first(x), moved, spatial, **properties
    )
    finish(read, op, read.channels_last(result), bias=3)


@reads("MAX_POOL_2D", "AVERAGE_POOL_2D")
def pooling(read: Reader, op: Operator) -> None:
    kernel = sizes([op.options["filterHeight"], op.options["filterWidth"]])
    properties: dict[str, Attribute] = {**window(op, 2), "kernel": kernel}
    x = read.channels_first(read.value(op.inputs[0]))
    if op.builtin == "MAX_POOL_2D":
        result = read(nn.MaxPoolOp, x, **properties)
    else:
        result = read(nn.AvgPoolOp, x, exclude_pad=truth(True), **properties)
    result = read.activated(read.channels_last(result), op.options["fusedActivationFunction"])
    same = op.inputs[0] is not None and op.inputs[0].quantization == op.outputs[0].quantization
    if same and op.builtin == "MAX_POOL_2D":
        read.same(op.outputs[0], result)
    else:
        read.set(op.outputs[0], result)


@reads("FULLY_CONNECTED")
def fully_connected(read: Reader, op: Operator) -> None:
    x, weights = (read.value(operand) for operand in op.inputs[:2])
    if op.options.get("weightsFormat"):
        raise DiagnosticException("shuffled weights cannot be read; convert the model without them")
    inputs = shape_of(weights)[1]
    if not op.options.get("keepNumDims") and len(shape_of(x)) != 2:
        x = read.reshaped(x, (-1, inputs))
    finish(read, op, read(nn.MatMulOp, x, weights, transpose_b=truth(True)))


@reads("BATCH_MATMUL")
def batch_matmul(read: Reader, op: Operator) -> None:
    flags = {"transpose_a": truth(op.options["adjX"]), "transpose_b": truth(op.options["adjY"])}
    values = [read.value(operand) for operand in op.inputs]
    read.set(op.outputs[0], read(nn.MatMulOp, *values, **flags))


@reads("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(read: Reader, op: Operator) -> None:
    shape = read.integers(op.inputs[1], "size")
    align, half = op.options["alignCorners"], op.options["halfPixelCenters"]
    linear = op.builtin == "RESIZE_BILINEAR"
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
        "pads_begin": sizes([]),
        "pads_end": sizes([]),
    }
    x = read.channels_first(read.value(op.inputs[0]))
    result = read(
        nn.InterpolateOp, x, read.index(*shape), read.constant(np.array([2, 3])), **properties
    )
    read.set(op.outputs[0], read.channels_last(result))
