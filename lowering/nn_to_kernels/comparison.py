"""Comparisons, logic and selection."""

from __future__ import annotations

from xdsl.dialects.builtin import i1

from ...dialects import nn
from ..bodies import Body, Scalar
from .rule import Lowered, elementwise, rule

ORDERS = {
    nn.EqualOp: "eq",
    nn.NotEqualOp: "ne",
    nn.LessOp: "lt",
    nn.LessEqualOp: "le",
    nn.GreaterOp: "gt",
    nn.GreaterEqualOp: "ge",
}
LOGIC = {nn.LogicalAndOp: "and", nn.LogicalOrOp: "or", nn.LogicalXorOp: "xor"}


@rule(*ORDERS)
def compare(op: nn.BinaryOp) -> Lowered:
    order = ORDERS[type(op)]
    return elementwise(op, lambda body, x, y: body.compare(order, x, y))


@rule(*LOGIC)
def logic(op: nn.BinaryOp) -> Lowered:
    kind = LOGIC[type(op)]
    return elementwise(op, lambda body, x, y: body.logic(kind, x, y))


@rule(nn.LogicalNotOp)
def logical_not(op: nn.LogicalNotOp) -> Lowered:
    def compute(body: Body, x: Scalar) -> Scalar:
        return body.logic("xor", x, body.constant(1, i1))

    return elementwise(op, compute)


@rule(nn.SelectOp)
def select(op: nn.SelectOp) -> Lowered:
    return elementwise(op, Body.select)
