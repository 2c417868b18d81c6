"""Elementwise operations: in whatever order of dimensions their operands are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.names import names_of, namesakes
from .tensors import Tensor
from .writer import (
    Order,
    Writer,
    broadcast,
    element_of,
    emits,
    identity,
    inverse,
    refuse,
)

RELUS = {(0.0, 6.0): "RELU6", (-1.0, 1.0): "RELU_N1_TO_1", (0.0, 1.0): "RELU_0_TO_1"}
"""Intervals to which a builtin limits."""


def builtin_of(op: Operation) -> str:
    """The builtin that is the namesake of an operation."""
    return names_of(type(op)).of("litert")[0]


def common_order(write: Writer, values: Sequence[SSAValue], rank: int) -> Order:
    """The order in which the first operand lies that is not in the model's, if all others can follow."""
    computed = [value for value in values if write.view(value).tensor.data is None]
    if any(len(shape_of(value)) not in (0, rank) for value in computed):
        return identity(rank)
    orders = [inverse(write.view(v).order) for v in computed if len(shape_of(v)) == rank]
    return next((order for order in orders if order != identity(rank)), identity(rank))


def operand(write: Writer, value: SSAValue, order: Order) -> Tensor:
    """An operand in a common order; one of fewer dimensions gets as many as it needs for that."""
    shape, rank = shape_of(value), len(order)
    if not shape or (len(shape) < rank and order == identity(rank)):
        return write.plain(value)
    if len(shape) == rank:
        return write.arranged(value, order)
    with write.codes():
        found = write.plain(value)
    grown = write.reshaped(found, (*[1] * (rank - len(shape)), *found.shape))
    return write.uncoded(write.transposed(grown, order), element_of(value))


def elementwise(
    write: Writer, op: Operation, values: Sequence[SSAValue], build: Callable[..., Tensor]
) -> None:
    """Sets the one result to what `build` makes of the operands in a common order."""
    order = common_order(write, values, len(shape_of(op.results[0])))
    built = build(*(operand(write, value, order) for value in values))
    if built.data is None:
        write.set(op.results[0], built, order)
    else:  # of constants alone
        write.set(op.results[0], built, identity(built.rank))


def on_one(
    write: Writer, op: Operation, value: SSAValue, build: Callable[[Tensor], Tensor]
) -> None:
    """`elementwise` of one operand."""
    elementwise(write, op, [value], build)


def on_two(
    write: Writer,
    op: Operation,
    left: SSAValue,
    right: SSAValue,
    build: Callable[[Tensor, Tensor], Tensor],
) -> None:
    """`elementwise` of two operands."""
    elementwise(write, op, [left, right], build)


@emits(*namesakes("litert", nn.BinaryOp).values())
def binary(write: Writer, op: nn.BinaryOp) -> None:
    _binary(write, op, builtin_of(op))


@emits(nn.LogicalXorOp)
def logical_xor(write: Writer, op: nn.LogicalXorOp) -> None:
    _binary(write, op, "NOT_EQUAL")


def _binary(write: Writer, op: nn.BinaryOp, builtin: str) -> None:
    element = element_of(op.result)
    on_two(write, op, op.lhs, op.rhs, lambda a, b: write.binary(builtin, a, b, element=element))


@emits(nn.DivideOp)
def divide(write: Writer, op: nn.DivideOp) -> None:
    builtin = "DIV" if element_of(op.result).startswith("float") else "FLOOR_DIV"
    on_two(write, op, op.lhs, op.rhs, lambda a, b: write.binary(builtin, a, b))


def quotient(write: Writer, total: Tensor, count: Tensor | int) -> Tensor:
    """A quotient of integers, rounded toward zero; the divisor is positive."""
    size = write.binary("FLOOR_DIV", write.unary("ABS", total), count)
    return write.binary("MUL", size, write.unary("SIGN", total))


@emits(nn.PowerOp)
def power(write: Writer, op: nn.PowerOp) -> None:
    exponents = write.known(op.rhs)
    if not element_of(op.result).startswith("float") and (
        exponents is None or (exponents < 0).any()
    ):
        raise refuse(op, "powers of integers need constant exponents of at least 0")
    on_two(write, op, op.lhs, op.rhs, lambda a, b: write.binary("POW", a, b))


@emits(*namesakes("litert", nn.UnaryOp).values())
def unary(write: Writer, op: nn.UnaryOp) -> None:
    on_one(write, op, op.input, lambda x: write.unary(builtin_of(op), x))


@emits(nn.FloorOp, nn.CeilingOp)
def rounding(write: Writer, op: nn.UnaryOp) -> None:
    """Integers stay as they are."""

    def build(x: Tensor) -> Tensor:
        return write.unary(builtin_of(op), x) if x.element.startswith("float") else x

    elementwise(write, op, [op.input], build)


@emits(nn.RoundOp)
def round_(write: Writer, op: nn.RoundOp) -> None:
    def build(x: Tensor) -> Tensor:
        if not x.element.startswith("float"):
            return x
        if op.mode.data == "half_to_even":
            return write.unary("ROUND", x)
        up = write.unary("FLOOR", write.binary("ADD", write.unary("ABS", x), 0.5))
        return write.binary("MUL", write.unary("SIGN", x), up)

    elementwise(write, op, [op.input], build)


@emits(nn.ReluOp)
def relu(write: Writer, op: nn.ReluOp) -> None:
    def build(x: Tensor) -> Tensor:
        if x.element.startswith("float"):
            return write.unary("RELU", x)
        return write.binary("MAXIMUM", x, 0)

    elementwise(write, op, [op.input], build)


@emits(nn.ClampOp)
def clamp(write: Writer, op: nn.ClampOp) -> None:
    low, high = op.min.value.data, op.max.value.data
    on_one(write, op, op.input, lambda x: limited(write, x, low, high))


def limited(write: Writer, x: Tensor, low: float, high: float) -> Tensor:
    """The tensor within an interval; of integers, with the integers in it."""
    if x.element.startswith("float"):
        if (builtin := RELUS.get((low, high))) is not None:
            return write.unary(builtin, x)
        below, above = -math.inf, math.inf
    else:
        limits = np.iinfo(x.element)
        below, above = limits.min, limits.max
        low = below if low <= below else math.ceil(low)
        high = above if high >= above else math.floor(high)
    if low > below:
        x = write.binary("MAXIMUM", x, low)
    return write.binary("MINIMUM", x, high) if high < above else x


@emits(nn.ConvertOp)
def convert(write: Writer, op: nn.ConvertOp) -> None:
    target = element_of(op.result)

    def build(x: Tensor) -> Tensor:
        if target == "bool" and x.element != "bool":
            return write.binary("NOT_EQUAL", x, 0, element="bool")
        return write.cast(x, target)

    elementwise(write, op, [op.input], build)


@emits(nn.SelectOp)
def select(write: Writer, op: nn.SelectOp) -> None:
    element = element_of(op.result)

    def build(condition: Tensor, left: Tensor, right: Tensor) -> Tensor:
        shape = broadcast(condition.shape, broadcast(left.shape, right.shape))
        return write.op("SELECT_V2", [condition, left, right], shape, element)

    elementwise(write, op, op.operands, build)
