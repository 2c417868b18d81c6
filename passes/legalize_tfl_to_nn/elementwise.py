"""Elementwise builtins."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import f32

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of, tensor
from ...dialects.names import namesakes
from .translation import (
    Translation,
    element_name,
    given_type,
    integer,
    number,
    quantization_of,
    rule,
)

BINARY = namesakes("litert", nn.BinaryOp)
"""Operations of two values, by the builtin that is the same, a fused activation function aside."""

UNARY = namesakes("litert", nn.UnaryOp)

CLAMPS = {"RELU6": (0, 6), "RELU_0_TO_1": (0, 1), "RELU_N1_TO_1": (-1, 1)}


@rule(*BINARY)
def binary(t: Translation, op: tfl.TflOp) -> None:
    left, right = (t.value(operand) for operand in op.operands)
    (target,) = op.results
    result = t(BINARY[op.builtin()], left, right)
    if op.builtin() == "FLOOR_DIV" and element_name(target).startswith("float"):
        result = t(nn.FloorOp, result)
    t.set(target, t.activated(result, op))


@rule(*UNARY)
def unary(t: Translation, op: tfl.TflOp) -> None:
    (x,) = op.operands
    t.set(op.results[0], t(UNARY[op.builtin()], t.value(x)))


@rule(*CLAMPS)
def clamp(t: Translation, op: tfl.TflOp) -> None:
    low, high = CLAMPS[op.builtin()]
    x = t.value(op.operands[0])
    t.set(op.results[0], t.clamp(x, low, high))


@rule("RSQRT")
def reciprocal_root(t: Translation, op: tfl.TflOp) -> None:
    root = t(nn.SqrtOp, t.value(op.operands[0]))
    t.set(op.results[0], t(nn.DivideOp, t.scalar_like(root, 1), root))


@rule("SQUARE")
def square(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    t.set(op.results[0], t(nn.MultiplyOp, x, x))


@rule("ELU")
def elu(t: Translation, op: tfl.TflOp) -> None:
    t.set(op.results[0], t(nn.EluOp, t.value(op.operands[0]), alpha=number(1)))


@rule("GELU")
def gelu(t: Translation, op: tfl.TflOp) -> None:
    from xdsl.dialects.builtin import StringAttr

    mode = StringAttr("tanh" if op.flag("approximate") else "erf")
    x = t.value(op.operands[0])
    t.set(op.results[0], t(nn.GeluOp, x, approximation_mode=mode))


@rule("LEAKY_RELU")
def leaky_relu(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    slope = t.array(np.array([op.number("alpha")], np.float32))
    t.set(op.results[0], t(nn.PReluOp, x, slope))


@rule("PRELU")
def p_relu(t: Translation, op: tfl.TflOp) -> None:
    x, slopes = (t.value(operand) for operand in op.operands)
    shape = shape_of(slopes)
    if len(shape) == 1 < len(shape_of(x)):  # which would be along the second dimension here
        slopes = t.reshaped(slopes, (1, *shape))
    t.set(op.results[0], t(nn.PReluOp, x, slopes))


@rule("CAST")
def cast(t: Translation, op: tfl.TflOp) -> None:
    x, target = t.value(op.operands[0]), given_type(op.results[0]).element_type
    if tensor(x).element_type == target:
        t.same(op.results[0], x)
        return
    t.set(op.results[0], t(nn.ConvertOp, x, destination_type=target))


@rule("DENSIFY")
def densify(t: Translation, op: tfl.TflOp) -> None:
    """Sparse tensors are dense from when they are read on."""
    t.same(op.results[0], t.value(op.operands[0]))


@rule("QUANTIZE")
def quantize(t: Translation, op: tfl.TflOp) -> None:
    t.set(op.results[0], t.value(op.operands[0]))


@rule("DEQUANTIZE")
def dequantize(t: Translation, op: tfl.TflOp) -> None:
    source = op.operands[0]
    x = t.value(source)
    if quantization_of(source) is None:
        x = t(nn.ConvertOp, x, destination_type=f32)
    t.set(op.results[0], x)


@rule("SELECT", "SELECT_V2")
def select(t: Translation, op: tfl.TflOp) -> None:
    condition, left, right = op.operands
    if left in t.handles:  # what a variable has, or an initial value: see `states`
        from .states import read_value

        t.same(op.results[0], read_value(t, t.handles[left], t.value(right)))
        return
    values = [t.value(operand) for operand in (condition, left, right)]
    t.set(op.results[0], t(nn.SelectOp, *values))


@rule("SOFTMAX", "LOG_SOFTMAX")
def softmax(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    if op.builtin() == "SOFTMAX" and (beta := op.number("beta")) != 1:
        x = t(nn.MultiplyOp, x, t.scalar_like(x, beta))
    result = t(nn.SoftmaxOp, x, axis=integer(-1))
    t.set(op.results[0], t(nn.LogOp, result) if op.builtin() == "LOG_SOFTMAX" else result)
