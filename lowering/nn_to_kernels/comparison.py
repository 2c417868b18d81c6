"""Comparisons, logic and selection."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ..kernel_bodies import bodies
from .rule import kernel_rule
from .writer import KernelWriter

ORDERS: dict[type[nn.BinaryOp], str] = {
    nn.EqualOp: "eq",
    nn.NotEqualOp: "ne",
    nn.LessOp: "lt",
    nn.LessEqualOp: "le",
    nn.GreaterOp: "gt",
    nn.GreaterEqualOp: "ge",
}
LOGIC: dict[type[nn.BinaryOp], type[Operation]] = {
    nn.LogicalAndOp: arith.AndIOp,
    nn.LogicalOrOp: arith.OrIOp,
    nn.LogicalXorOp: arith.XOrIOp,
    nn.BitwiseAndOp: arith.AndIOp,
    nn.BitwiseOrOp: arith.OrIOp,
    nn.BitwiseXorOp: arith.XOrIOp,
}


@kernel_rule(*ORDERS)
def compare(op: nn.BinaryOp, write: KernelWriter) -> SSAValue:
    order = ORDERS[type(op)]
    return write.elementwise(lambda x, y: x.compare(order, y))


@kernel_rule(*LOGIC)
def logic(op: nn.BinaryOp, write: KernelWriter) -> SSAValue:
    kind = LOGIC[type(op)]
    return write.elementwise(lambda x, y: x.apply(kind, y))


@kernel_rule(nn.LogicalNotOp)
def logical_not(op: nn.LogicalNotOp, write: KernelWriter) -> SSAValue:
    return write.elementwise(lambda x: x ^ 1)


@kernel_rule(nn.SelectOp)
def select(op: nn.SelectOp, write: KernelWriter) -> SSAValue:
    return write.elementwise(bodies.select)
