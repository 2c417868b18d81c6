"""Comparisons, logic and selection."""

from __future__ import annotations

from xdsl.dialects.builtin import i1

from ...dialects import nn
from ..bodies import Body
from .rule import Lowered, binary, elementwise, rule, unary

ORDERS: dict[type[nn.BinaryOp], str] = {
    nn.EqualOp: "eq",
    nn.NotEqualOp: "ne",
    nn.LessOp: "lt",
    nn.LessEqualOp: "le",
    nn.GreaterOp: "gt",
    nn.GreaterEqualOp: "ge",
}
LOGIC: dict[type[nn.BinaryOp], str] = {
    nn.LogicalAndOp: "and",
    nn.LogicalOrOp: "or",
    nn.LogicalXorOp: "xor",
    nn.BitwiseAndOp: "and",
    nn.BitwiseOrOp: "or",
    nn.BitwiseXorOp: "xor",
}


@rule(*ORDERS)
def compare(op: nn.BinaryOp) -> Lowered:
    order = ORDERS[type(op)]
    return binary(op, lambda body, x, y: body.compare(order, x, y))


@rule(*LOGIC)
def logic(op: nn.BinaryOp) -> Lowered:
    kind = LOGIC[type(op)]
    return binary(op, lambda body, x, y: body.logic(kind, x, y))


@rule(nn.LogicalNotOp)
def logical_not(op: nn.LogicalNotOp) -> Lowered:
    return unary(op, lambda body, x: body.logic("xor", x, body.constant(1, i1)))


@rule(nn.SelectOp)
def select(op: nn.SelectOp) -> Lowered:
    return elementwise(op, Body.select)
