"""Functions that LiteRT has no operator for, by those that it has; close to zero they are as exact as elsewhere."""

from __future__ import annotations

from ...dialects import nn
from .elementwise import elementwise
from .tensors import Tensor
from .writer import TflWriter


@elementwise(nn.SoftPlusOp)
def soft_plus(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """`max(x, 0) + ln(1 + exp(-|x|))`, which never overflows."""
    small = write.unary("EXP", write.unary("NEG", write.unary("ABS", x)))
    return write.binary("ADD", write.unary("RELU", x), _log1p(write, small))


@elementwise(nn.TanOp)
def tan(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    return write.binary("DIV", write.unary("SIN", x), write.unary("COS", x))


@elementwise(nn.AtanOp)
def atan(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """The kernel wants two operands of one shape."""
    ones = write.cast(write.binary("EQUAL", x, x, element="bool"), x.element)
    return write.binary("ATAN2", x, ones)


@elementwise(nn.AsinOp)
def asin(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    return write.binary("ATAN2", x, _other_leg(write, x))


@elementwise(nn.AcosOp)
def acos(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    return write.binary("ATAN2", _other_leg(write, x), x)


@elementwise(nn.CoshOp)
def cosh(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """By `exp(|x| / 2)`, as `exp(|x|)` is infinite before its half is."""
    root = write.unary("EXP", write.binary("MUL", write.unary("ABS", x), 0.5))
    half = write.binary("MUL", root, 0.5)
    rest = write.binary("DIV", write.binary("DIV", write.scalar(x, 0.5), root), root)
    return write.binary("ADD", write.binary("MUL", half, root), rest)


@elementwise(nn.SinhOp)
def sinh(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """`tanh(x) cosh(x)`: a difference of powers is inexact for small x."""
    return write.binary("MUL", write.unary("TANH", x), cosh(write, op, x))


@elementwise(nn.AsinhOp)
def asinh(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """`±ln(1 + |x| + x² / (1 + √(x² + 1)))`"""
    size = write.unary("ABS", x)
    square = write.binary("MUL", x, x)
    root = write.unary("SQRT", write.binary("ADD", square, 1))
    more = write.binary("DIV", square, write.binary("ADD", root, 1))
    found = _log1p(write, write.binary("ADD", size, more))
    return write.binary("MUL", write.unary("SIGN", x), found)


@elementwise(nn.AcoshOp)
def acosh(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """`ln(1 + t + √(t (t + 2)))`, of `t = x - 1`"""
    above = write.binary("SUB", x, 1)
    square = write.binary("MUL", above, write.binary("ADD", above, 2))
    return _log1p(write, write.binary("ADD", above, write.unary("SQRT", square)))


@elementwise(nn.AtanhOp)
def atanh(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    """`ln(1 + 2x / (1 - x)) / 2`"""
    below = write.binary("SUB", write.scalar(x, 1), x)
    ratio = write.binary("DIV", write.binary("ADD", x, x), below)
    return write.binary("MUL", _log1p(write, ratio), 0.5)


def _other_leg(write: TflWriter, x: Tensor) -> Tensor:
    """`√(1 - x²)`, exact close to ±1."""
    below = write.binary("SUB", write.scalar(x, 1), x)
    return write.unary("SQRT", write.binary("MUL", below, write.binary("ADD", x, 1)))


def _log1p(write: TflWriter, x: Tensor) -> Tensor:
    """
    `ln(1 + x) = x ln(u) / (u - 1)` where u is 1 + x as rounded: what is rounded away is divided away (W. Kahan).
    """
    u = write.binary("ADD", x, 1)
    exact = write.binary("EQUAL", u, 1, element="bool")
    over = write.binary("DIV", x, write.binary("SUB", u, 1))
    found = write.binary("MUL", write.unary("LOG", u), over)
    return write.op("SELECT_V2", [exact, x, found], x.shape, like=x)
