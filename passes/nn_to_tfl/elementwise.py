"""Elementwise operations, in any order of dimensions of their operands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.names import names_of, namesakes
from ..channels_last import channels_last_order
from .elements import HOLDING_ELEMENTS
from .operators import broadcast
from .refusals import refuse
from .tensors import Order, Tensor, identity, inverse
from .writer import TflWriter, element_of, emits

RELUS = {(0.0, 6.0): "RELU6", (-1.0, 1.0): "RELU_N1_TO_1", (0.0, 1.0): "RELU_0_TO_1"}
"""The intervals that builtins clamp to."""


def builtin_of(op: Operation) -> str:
    """The builtin that is the namesake of an operation."""
    return names_of(type(op)).of("litert")[0]


def common_order(write: TflWriter, values: Sequence[SSAValue], rank: int) -> Order:
    """The order of the first operand that is not in the model's order, if all others can have it, too."""
    computed = [value for value in values if write.view(value).tensor.data is None]
    if any(len(shape_of(value)) not in (0, rank) for value in computed):
        return identity(rank)
    orders = [inverse(write.view(v).order) for v in computed if len(shape_of(v)) == rank]
    return next((order for order in orders if order != identity(rank)), identity(rank))


def as_it_lies(write: TflWriter, value: SSAValue) -> tuple[Tensor, Order]:
    """A value in the order of dimensions that it has already, and that order."""
    order = common_order(write, [value], len(shape_of(value)))
    return write.arranged(value, order), order


def operand(write: TflWriter, value: SSAValue, order: Order) -> Tensor:
    """An operand in a common order. One of fewer dimensions gets as many as that needs."""
    shape, rank = shape_of(value), len(order)
    if not shape or (len(shape) < rank and order == identity(rank)):
        return write.plain(value)
    if len(shape) == rank:
        return write.arranged(value, order)
    with write.codes():
        found = write.plain(value)
    grown = write.reshaped(found, (*[1] * (rank - len(shape)), *found.shape))
    return write.uncoded(write.transposed(grown, order), element_of(value))


def elementwise(*ops: type[Operation]) -> Callable[[Callable[..., Tensor]], Callable[..., Tensor]]:
    """Registers a function that writes the result, given the operands in a common order."""

    def register(build: Callable[..., Tensor]) -> Callable[..., Tensor]:
        @emits(*ops)
        def _(write: TflWriter, op: Operation) -> None:  # pyright: ignore[reportUnusedFunction]
            order = common_order(write, op.operands, len(shape_of(op.results[0])))
            built = build(write, op, *(operand(write, value, order) for value in op.operands))
            # What is of constants alone lies as it is.
            write.set(op.results[0], built, order if built.data is None else None)

        return build

    return register


@elementwise(*namesakes("litert", nn.BinaryOp).values())
def binary(write: TflWriter, op: nn.BinaryOp, a: Tensor, b: Tensor) -> Tensor:
    return write.binary(builtin_of(op), a, b, element=element_of(op.result))


@elementwise(nn.LogicalXorOp)
def logical_xor(write: TflWriter, op: nn.LogicalOp, a: Tensor, b: Tensor) -> Tensor:
    return write.binary("NOT_EQUAL", a, b)


@elementwise(nn.DivideOp)
def divide(write: TflWriter, op: nn.DivideOp, a: Tensor, b: Tensor) -> Tensor:
    if not a.is_real and not op.m_pythondiv:
        raise refuse(op, "integers divided toward zero are not written; use m_pythondiv")
    return write.binary("DIV" if a.is_real else "FLOOR_DIV", a, b)


@elementwise(nn.ModOp)
def mod(write: TflWriter, op: nn.ModOp, a: Tensor, b: Tensor) -> Tensor:
    """What FLOOR_MOD gives of sizes has the sign of `a`; of integers, 0 where `b` is 0."""
    if a.is_real:
        left = write.binary("FLOOR_MOD", write.unary("ABS", a), write.unary("ABS", b))
        return write.binary("MUL", write.unary("SIGN", a), left)
    b = write.op("SELECT_V2", [_is_nonzero(write, b), b, write.scalar(b, 1)], b.shape, like=b)
    left = write.binary("FLOOR_MOD", a, b)
    if a.element.startswith("uint"):
        return left
    signs = [write.binary("LESS", each, 0, element="bool") for each in (a, b)]
    other = write.binary("LOGICAL_AND", write.binary("NOT_EQUAL", *signs), _is_nonzero(write, left))
    toward = write.binary("SUB", left, b)
    return write.op("SELECT_V2", [other, toward, left], left.shape, like=left)


def _is_nonzero(write: TflWriter, x: Tensor) -> Tensor:
    return write.binary("NOT_EQUAL", x, 0, element="bool")


def _in_32_bits(write: TflWriter, op: nn.BitwiseOp, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    if a.element != "int32" and "int32" not in HOLDING_ELEMENTS.get(a.element, ()):
        raise refuse(op, f"{a.element} is not shifted; convert to i32")
    return write.cast(a, "int32"), write.cast(b, "int32")


@elementwise(nn.BitwiseLeftShiftOp)
def left_shift(write: TflWriter, op: nn.BitwiseOp, a: Tensor, b: Tensor) -> Tensor:
    """In 32 bits. Nothing is left of shifts that are out of range, which LiteRT takes modulo 32."""
    a, b = _in_32_bits(write, op, a, b)
    within = [
        write.binary(name, b, limit, element="bool")
        for name, limit in (("GREATER_EQUAL", 0), ("LESS", 32))
    ]
    inside = write.binary("LOGICAL_AND", *within)
    shifted = write.binary("STABLEHLO_SHIFT_LEFT", a, b)
    kept = write.op("SELECT_V2", [inside, shifted, write.scalar(a, 0)], shifted.shape, like=shifted)
    return write.cast(kept, element_of(op.result))


@elementwise(nn.BitwiseRightShiftOp)
def right_shift(write: TflWriter, op: nn.BitwiseOp, a: Tensor, b: Tensor) -> Tensor:
    """In 32 bits: a shift by 31 leaves the sign, and so do all shift amounts that are out of range."""
    a, b = _in_32_bits(write, op, a, b)
    outside = write.binary("LESS", b, 0, element="bool")
    limited = write.binary("MINIMUM", b, 31)
    places = write.op("SELECT_V2", [outside, write.scalar(b, 31), limited], b.shape, like=b)
    return write.cast(write.binary("RIGHT_SHIFT", a, places), element_of(op.result))


@elementwise(nn.BitwiseNotOp)
def bitwise_not(write: TflWriter, op: nn.BitwiseNotOp, x: Tensor) -> Tensor:
    if x.element == "bool":
        return write.unary("LOGICAL_NOT", x)
    if x.element.startswith("uint"):
        return write.binary("BITWISE_XOR", x, int(np.iinfo(x.element).max))
    return write.binary("SUB", write.scalar(x, -1), x)


def quotient(write: TflWriter, total: Tensor, count: Tensor | int) -> Tensor:
    """A quotient of integers, rounded toward zero; the divisor is positive."""
    size = write.binary("FLOOR_DIV", write.unary("ABS", total), count)
    return write.binary("MUL", size, write.unary("SIGN", total))


@elementwise(nn.PowerOp)
def power(write: TflWriter, op: nn.PowerOp, a: Tensor, b: Tensor) -> Tensor:
    exponents = write.known(op.rhs)
    if not a.is_real and (exponents is None or (exponents < 0).any()):
        raise refuse(op, "powers of integers need constant exponents of at least 0")
    return write.binary("POW", a, b)


@elementwise(*namesakes("litert", nn.UnaryOp).values())
def unary(write: TflWriter, op: nn.UnaryOp, x: Tensor) -> Tensor:
    return write.unary(builtin_of(op), x)


@elementwise(nn.FloorOp, nn.CeilingOp)
def rounding(write: TflWriter, op: nn.UnaryOp, x: Tensor) -> Tensor:
    """Integers stay as they are."""
    return write.unary(builtin_of(op), x) if x.is_real else x


@elementwise(nn.RoundOp)
def round_(write: TflWriter, op: nn.RoundOp, x: Tensor) -> Tensor:
    if not x.is_real:
        return x
    if op.mode.data == "half_to_even":
        return write.unary("ROUND", x)
    up = write.unary("FLOOR", write.binary("ADD", write.unary("ABS", x), 0.5))
    return write.binary("MUL", write.unary("SIGN", x), up)


@elementwise(nn.ReluOp)
def relu(write: TflWriter, op: nn.ReluOp, x: Tensor) -> Tensor:
    return write.unary("RELU", x) if x.is_real else write.binary("MAXIMUM", x, 0)


@elementwise(nn.ClampOp)
def clamp(write: TflWriter, op: nn.ClampOp, x: Tensor) -> Tensor:
    return limited(write, x, *op.limits)


def limited(write: TflWriter, x: Tensor, low: float, high: float) -> Tensor:
    """The tensor, clamped to an interval; integers, to the integers in it."""
    if x.is_real:
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


@elementwise(nn.ConvertOp)
def convert(write: TflWriter, op: nn.ConvertOp, x: Tensor) -> Tensor:
    target = element_of(op.result)
    if target == "bool" and x.element != "bool":
        return write.binary("NOT_EQUAL", x, 0, element="bool")
    return write.cast(x, target)


@elementwise(nn.SelectOp)
def select(
    write: TflWriter, op: nn.SelectOp, condition: Tensor, left: Tensor, right: Tensor
) -> Tensor:
    shape = broadcast(condition.shape, broadcast(left.shape, right.shape))
    return write.op("SELECT_V2", [condition, left, right], shape, element_of(op.result))


@elementwise(nn.EluOp)
def elu(write: TflWriter, op: nn.EluOp, x: Tensor) -> Tensor:
    if (alpha := op.alpha.value.data) == 1:
        return write.unary("ELU", x)
    negative = write.unary("ELU", write.binary("MINIMUM", x, 0))
    return write.binary("ADD", write.unary("RELU", x), write.binary("MUL", negative, alpha))


@elementwise(nn.GeluOp)
def gelu(write: TflWriter, op: nn.GeluOp, x: Tensor) -> Tensor:
    return write.unary("GELU", x, approximate=op.approximation_mode.data == "tanh")


@emits(nn.PReluOp)
def p_relu(write: TflWriter, op: nn.PReluOp) -> None:
    slope, rank = write.known(op.slope), len(shape_of(op.input))
    if slope is not None and slope.size == 1:
        x, order = as_it_lies(write, op.input)
        alpha = float(slope.reshape(-1)[0])
        write.set(op.result, write.unary("LEAKY_RELU", x, alpha=alpha), order)
        return
    slopes = write.plain(op.slope)
    order = channels_last_order(rank) if slopes.rank == 1 and rank > 2 else identity(rank)
    shape = op.slope_shape(shape_of(op.input), slopes.shape)
    slopes = write.reshaped(slopes, (*[1] * (rank - len(shape)), *shape))
    x, slopes = write.arranged(op.input, order), write.transposed(slopes, order)
    if slopes.data is not None and rank > 1 and slopes.shape[0] == 1:
        without_batch = write.reshaped(slopes, slopes.shape[1:])
        result = write.op("PRELU", [x, without_batch], x.shape)
    else:
        negative = write.binary("MUL", write.binary("MINIMUM", x, 0), slopes)
        result = write.binary("ADD", write.unary("RELU", x), negative)
    write.set(op.result, result, order)
