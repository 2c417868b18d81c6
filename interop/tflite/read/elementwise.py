"""Elementwise builtins."""

from __future__ import annotations

import numpy as np

from ....dialects import nn
from ....dialects.inferred import shape_of, tensor
from ....dialects.names import namesakes
from ....reference.arrays import element_of
from ..graph import Operator
from .reader import Reader, integer, number, reads

BINARY = namesakes("litert", nn.BinaryOp)

UNARY = namesakes("litert", nn.UnaryOp)
"""What takes options, too, has a function of its own further down."""

CLAMPS = {"RELU6": (0, 6), "RELU_0_TO_1": (0, 1), "RELU_N1_TO_1": (-1, 1)}


@reads(*BINARY)
def binary(read: Reader, op: Operator) -> None:
    left, right = (read.value(operand) for operand in op.inputs)
    (target,) = op.outputs
    if target.variable:  # a state begins with this; see `recurrent`
        read.values[target] = left
        return
    result = read(BINARY[op.builtin], left, right)
    if op.builtin == "FLOOR_DIV" and target.element.startswith("float"):
        result = read(nn.FloorOp, result)
    read.set(target, read.activated(result, op.options.get("fusedActivationFunction", 0)))


@reads(*UNARY)
def unary(read: Reader, op: Operator) -> None:
    (x,) = op.inputs
    read.set(op.outputs[0], read(UNARY[op.builtin], read.value(x)))


@reads(*CLAMPS)
def clamp(read: Reader, op: Operator) -> None:
    low, high = CLAMPS[op.builtin]
    x = read.value(op.inputs[0])
    read.set(op.outputs[0], read(nn.ClampOp, x, min=number(low), max=number(high)))


@reads("RSQRT")
def reciprocal_root(read: Reader, op: Operator) -> None:
    root = read(nn.SqrtOp, read.value(op.inputs[0]))
    read.set(op.outputs[0], read(nn.DivideOp, read.scalar(root, 1), root))


@reads("SQUARE")
def square(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    read.set(op.outputs[0], read(nn.MultiplyOp, x, x))


@reads("ELU")
def elu(read: Reader, op: Operator) -> None:
    read.set(op.outputs[0], read(nn.EluOp, read.value(op.inputs[0]), alpha=number(1)))


@reads("GELU")
def gelu(read: Reader, op: Operator) -> None:
    from xdsl.dialects.builtin import StringAttr

    mode = StringAttr("tanh" if op.options.get("approximate") else "erf")
    x = read.value(op.inputs[0])
    read.set(op.outputs[0], read(nn.GeluOp, x, approximation_mode=mode))


@reads("LEAKY_RELU")
def leaky_relu(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    slope = read.constant(np.array([op.options["alpha"]], np.float32))
    read.set(op.outputs[0], read(nn.PReluOp, x, slope))


@reads("PRELU")
def p_relu(read: Reader, op: Operator) -> None:
    x, slopes = (read.value(operand) for operand in op.inputs)
    shape = shape_of(slopes)
    if len(shape) == 1 < len(shape_of(x)):  # which would be along the second dimension here
        slopes = read.reshaped(slopes, (1, *shape))
    read.set(op.outputs[0], read(nn.PReluOp, x, slopes))


@reads("CAST")
def cast(read: Reader, op: Operator) -> None:
    x, target = read.value(op.inputs[0]), element_of(np.dtype(op.outputs[0].element))
    if tensor(x).element_type == target:
        read.same(op.outputs[0], x)
        return
    read.set(op.outputs[0], read(nn.ConvertOp, x, destination_type=target))


@reads("DENSIFY")
def densify(read: Reader, op: Operator) -> None:
    """Sparse tensors are dense from when they are read on."""
    read.same(op.outputs[0], read.value(op.inputs[0]))


@reads("QUANTIZE")
def quantize(read: Reader, op: Operator) -> None:
    read.set(op.outputs[0], read.value(op.inputs[0]))


@reads("DEQUANTIZE")
def dequantize(read: Reader, op: Operator) -> None:
    source = op.inputs[0]
    x = read.value(source)
    if source is not None and source.quantization is None:
        x = read(nn.ConvertOp, x, destination_type=element_of(np.dtype(np.float32)))
    read.set(op.outputs[0], x)


@reads("SELECT", "SELECT_V2")
def select(read: Reader, op: Operator) -> None:
    condition, left, right = op.inputs
    if left in read.handles:  # what a variable has, or an initial value: see `states`
        from .states import read_value

        read.same(op.outputs[0], read_value(read, read.handles[left], read.value(right)))
        return
    values = [read.value(operand) for operand in (condition, left, right)]
    read.set(op.outputs[0], read(nn.SelectOp, *values))


@reads("SOFTMAX", "LOG_SOFTMAX")
def softmax(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    beta = op.options.get("beta", 1.0)
    if op.builtin == "SOFTMAX" and beta != 1:
        x = read(nn.MultiplyOp, x, read.scalar(x, beta))
    result = read(nn.SoftmaxOp, x, axis=integer(-1))
    read.set(op.outputs[0], read(nn.LogOp, result) if op.builtin == "LOG_SOFTMAX" else result)
