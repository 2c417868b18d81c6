"""Unary functions, arithmetic and conversion."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor

from xdsl.dialects.builtin import i1
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import label, tensor
from ..bodies import Body, Scalar, limits_of
from .rule import Lowered, binary, check_order, is_integer, rule, unary


@rule(nn.AddOp)
def add(op: nn.AddOp) -> Lowered:
    return _arithmetic(op, Body.add)


@rule(nn.SubtractOp)
def subtract(op: nn.SubtractOp) -> Lowered:
    return _arithmetic(op, Body.subtract)


@rule(nn.MultiplyOp)
def multiply(op: nn.MultiplyOp) -> Lowered:
    return _arithmetic(op, Body.multiply)


@rule(nn.DivideOp)
def divide(op: nn.DivideOp) -> Lowered:
    check_order(op)
    return _arithmetic(op, Body.divide)


def _arithmetic(op: nn.BinaryOp, compute: Callable[[Body, Scalar, Scalar], Scalar]) -> Lowered:
    """Integers wrap around at their own width."""
    element = tensor(op.result).element_type
    if element == i1:
        raise DiagnosticException(f"{label(op)}: truth values do not add up; convert them to i32")
    if not is_integer(element):
        return binary(op, compute)
    return binary(op, lambda body, x, y: body.wrap(compute(body, x, y), element))


@rule(nn.MaximumOp)
def maximum(op: nn.MaximumOp) -> Lowered:
    check_order(op)
    return binary(op, Body.maximum)


@rule(nn.MinimumOp)
def minimum(op: nn.MinimumOp) -> Lowered:
    check_order(op)
    return binary(op, Body.minimum)


@rule(nn.ReluOp)
def relu(op: nn.ReluOp) -> Lowered:
    check_order(op)
    return unary(op, lambda body, x: body.at_least(x, body.like(0, x)))


@rule(nn.ClampOp)
def clamp(op: nn.ClampOp) -> Lowered:
    """Integers are limited to the integers between the limits, of those that their type has."""
    check_order(op)
    low, high = op.min.value.data, op.max.value.data
    element = tensor(op.result).element_type
    if is_integer(element):
        least, most = limits_of(element)
        low, high = ceil(max(low, least)), floor(min(high, most))
    return unary(op, lambda body, x: body.clamp(x, low, high))


@rule(nn.SigmoidOp)
def sigmoid(op: nn.SigmoidOp) -> Lowered:
    return unary(op, Body.sigmoid)


@rule(nn.TanhOp)
def tanh(op: nn.TanhOp) -> Lowered:
    return unary(op, Body.tanh)


@rule(nn.ConvertOp)
def convert(op: nn.ConvertOp) -> Lowered:
    source, target = tensor(op.input).element_type, op.destination_type

    return unary(op, lambda body, x: body.convert(x, source, target))
