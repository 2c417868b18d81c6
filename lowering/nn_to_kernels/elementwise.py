"""Unary functions, arithmetic and conversion."""

from __future__ import annotations

from ...dialects import nn
from ...dialects.inferred import tensor
from ..bodies import Body, Scalar
from .rule import Lowered, elementwise, rule


@rule(nn.AddOp)
def add(op: nn.AddOp) -> Lowered:
    return elementwise(op, Body.add)


@rule(nn.SubtractOp)
def subtract(op: nn.SubtractOp) -> Lowered:
    return elementwise(op, Body.subtract)


@rule(nn.MultiplyOp)
def multiply(op: nn.MultiplyOp) -> Lowered:
    return elementwise(op, Body.multiply)


@rule(nn.DivideOp)
def divide(op: nn.DivideOp) -> Lowered:
    return elementwise(op, Body.divide)


@rule(nn.MaximumOp)
def maximum(op: nn.MaximumOp) -> Lowered:
    return elementwise(op, Body.maximum)


@rule(nn.MinimumOp)
def minimum(op: nn.MinimumOp) -> Lowered:
    return elementwise(op, Body.minimum)


@rule(nn.ReluOp)
def relu(op: nn.ReluOp) -> Lowered:
    return elementwise(op, lambda body, x: body.at_least(x, body.like(0, x)))


@rule(nn.ClampOp)
def clamp(op: nn.ClampOp) -> Lowered:
    low, high = op.min.value.data, op.max.value.data
    return elementwise(op, lambda body, x: body.clamp(x, low, high))


@rule(nn.SigmoidOp)
def sigmoid(op: nn.SigmoidOp) -> Lowered:
    return elementwise(op, Body.sigmoid)


@rule(nn.TanhOp)
def tanh(op: nn.TanhOp) -> Lowered:
    return elementwise(op, Body.tanh)


@rule(nn.ConvertOp)
def convert(op: nn.ConvertOp) -> Lowered:
    source, target = tensor(op.input).element_type, op.destination_type

    def compute(body: Body, x: Scalar) -> Scalar:
        return body.convert(x, source, target)

    return elementwise(op, compute)
