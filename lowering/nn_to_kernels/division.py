"""
Quotients and remainders. Vector units divide floats alone: integers of at most 16 bits are divided as f32, which holds
them, and which is exact; longer ones as `lowering/codegen/integer_division.py` has it.
"""

from __future__ import annotations

from math import inf
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import UnitAttr, f32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import nn
from ...dialects.elements import bits_of
from ...dialects.inferred import tensor
from ...dialects.kernel import NO_OVERFLOW, RemainderOp
from ..kernel_bodies.bodies import Scalar, select
from .elementwise import arithmetic_of
from .rule import is_integer, kernel_rule, uniform
from .writer import KernelWriter

NARROW = 16
"""
Bits of integers that are divided as f32. Where `x / y` is no integer, it is at least `1 / |y|` away from one; a
quotient of numbers that the float holds is rounded by less.
"""


@kernel_rule(nn.DivideOp)
def divide(op: nn.DivideOp, write: KernelWriter) -> SSAValue:
    element, is_floor = tensor(op.result).element_type, bool(op.m_pythondiv)
    if _divides_as_float(op):
        return write.elementwise(lambda x, y: Division(element, x, y, is_floor).quotient())
    truncates = is_integer(element) and not is_floor
    return arithmetic_of(op, write, Scalar.quotient if truncates else Scalar.__truediv__)


@kernel_rule(nn.FloorModOp)
def floor_mod(op: nn.FloorModOp, write: KernelWriter) -> SSAValue:
    """`x - floor(x / y) y`; of integers 0 where y is 0."""
    element = tensor(op.result).element_type
    if _divides_as_float(op):
        return write.elementwise(lambda x, y: Division(element, x, y, True).remainder())

    return arithmetic_of(op, write, _floor_mod if is_integer(element) else _float_mod)


@kernel_rule(nn.ModOp)
def mod(op: nn.ModOp, write: KernelWriter) -> SSAValue:
    """`x - truncate(x / y) y`; of integers 0 where y is 0."""
    element = tensor(op.result).element_type
    if _divides_as_float(op):
        return write.elementwise(lambda x, y: Division(element, x, y, False).remainder())
    if is_integer(element):
        return arithmetic_of(op, write, Scalar.remainder)
    return arithmetic_of(op, write, _remainder)


def _divides_as_float(op: nn.BinaryOp) -> bool:
    """By a number that is known, LLVM multiplies."""
    element = tensor(op.result).element_type
    return is_integer(element) and 1 < bits_of(element) <= NARROW and uniform(op.rhs) is None


class Division:
    """
    `x / y` of integers of at most 16 bits, rounded toward minus infinity (`is_floor`) or zero. Where y is 0, the
    quotient and the remainder are 0. The least integer divided by -1 is itself, since integers wrap around.
    """

    def __init__(self, element: Attribute, x: Scalar, y: Scalar, is_floor: bool):
        self.element, self.type, self.is_zero = element, x.type, y.equals(0)
        self.rounding = math.FloorOp if is_floor else math.TruncOp
        self.x, self.y = self._number(x), y

    def quotient(self) -> Scalar:
        """What is divided by infinity is 0."""
        ratio = self.x / select(self.is_zero, inf, self._number(self.y))
        return self._integer(ratio.apply(self.rounding)).wrap(self.element)

    def remainder(self) -> Scalar:
        """Exact: it is less than y. Of 1, it is 0."""
        y = self._number(select(self.is_zero, 1, self.y))
        return self._integer((-(self.x / y).apply(self.rounding)).fma(y, self.x))

    def _number(self, integer: Scalar) -> Scalar:
        return integer.convert(self.element, f32)

    def _integer(self, whole: Scalar) -> Scalar:
        """A whole number that the type has."""
        found = whole.cast(arith.FPToSIOp, self.type)
        cast(Operation, found.value.owner).attributes[NO_OVERFLOW] = UnitAttr()
        return found


def _floor_mod(x: Scalar, y: Scalar) -> Scalar:
    """What division toward zero leaves, and y more where its sign is not that of y."""
    rest = x.remainder(y)
    if x.body.unsigned:
        return rest
    differs = (rest ^ y) < 0
    return select(differs & rest.compare("ne", 0), rest + y, rest)


def _float_mod(x: Scalar, y: Scalar) -> Scalar:
    """What C's `fmod` leaves, and y more where its sign is not that of y."""
    rest = _remainder(x, y)
    sign = select(y < 0, y.number(-1), 1)
    moved = select(rest * sign < 0, rest + y, rest)
    return select(rest.equals(0), 0 * sign, moved)


REDUCTIONS = 6
"""Each takes 53 bits off a quotient."""


def _remainder(x: Scalar, y: Scalar) -> Scalar:
    """C's `fmod`; in f64 quotients of more than 318 bits are too long."""
    if x.type == f32:
        return x.apply(RemainderOp, y)
    size, whole = abs(y), abs(x)
    rest = whole
    for _ in range(REDUCTIONS):
        # Exact: the quotient has no more bits than a number has, and what is left needs fewer.
        quotient = (rest / size).truncate()
        rest = (-quotient).fma(size, rest)
    # A quotient may have been rounded to the next integer.
    rest = select(rest < 0, rest + size, rest)
    rest = select(size > whole, whole, rest)
    return select(x < 0, -rest, rest)
