"""
Emits quotients and remainders of integers. Vector units divide floats alone: where all lanes hold numbers that a float
of as many bits holds, it divides them, which is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from . import ir
from .intrinsics import call_intrinsic
from .vectors import F32, F64, any_lane, lanes_of, splat, unless, zero

WHOLE = {32: (F32, 24), 64: (F64, 53)}
"""
By the bits of integers: the float of as many, and the bits of the whole numbers that it holds. Where `x / y` of such
numbers is no integer, it is at least `1 / |y|` away from one; it is rounded by less.
"""


@dataclass(frozen=True)
class IntegerDivision:
    """
    The quotient, or the remainder, of two vectors of integers, rounded toward zero or (`is_floor`) minus infinity. It
    is 0 where the divisor is. The least integer divided by -1 is itself.
    """

    is_unsigned: bool = False
    is_floor: bool = False
    is_remainder: bool = False

    def __call__(self, b: ir.IRBuilder, operands: Sequence[ir.Value]) -> ir.Value:
        """By floats, unless a lane holds a longer number."""
        x, y = operands
        if (bits := _bits(x)) not in WHOLE:
            return self.of_any(b, operands)
        number, whole = WHOLE[bits]

        def exact() -> ir.Value:
            safe = self._divisor(b, x, y)
            if number is F64:
                return self._whole(b, x, safe)
            return self._by(b, F64, not self.is_unsigned, x, safe)

        is_long, short = self._any_long(b, x, y, whole), self._by(b, number, True, x, y)
        return _or_zero(b, y, unless(b, is_long, short, exact))

    def of_any(self, b: ir.IRBuilder, operands: Sequence[ir.Value]) -> ir.Value:
        """By instructions for integers: by a number that is known, LLVM multiplies."""
        x, y = operands
        return _or_zero(b, y, self._whole(b, x, self._divisor(b, x, y)))

    def _any_long(self, b: ir.IRBuilder, x: ir.Value, y: ir.Value, whole: int) -> ir.Value:
        """Whether a number of either has more bits than `whole`, beside its sign."""
        if not self.is_unsigned:
            middle = _number(x, 2**whole)
            x, y, whole = b.add(x, middle), b.add(y, middle), whole + 1
        above = b.lshr(b.or_(x, y), _number(x, whole))
        return any_lane(b, b.icmp_signed("!=", above, zero(x.type)))

    def _by(
        self, b: ir.IRBuilder, number: ir.Type, has_sign: bool, x: ir.Value, y: ir.Value
    ) -> ir.Value:
        """Of integers that the float holds; what is divided by 0 is undefined."""
        vector = ir.VectorType(number, lanes_of(x))
        to_float, to_integer = (b.sitofp, b.fptosi) if has_sign else (b.uitofp, b.fptoui)
        left, right = to_float(x, vector), to_float(y, vector)
        rounding = "llvm.floor" if self.is_floor else "llvm.trunc"
        found = call_intrinsic(b, rounding, vector, [b.fdiv(left, right)], [vector])
        if self.is_remainder:
            found = call_intrinsic(b, "llvm.fma", vector, [b.fneg(found), right, left], [vector])
        return to_integer(found, x.type)

    def _divisor(self, b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
        """y, but 1 where division would trap: no lane may trap, not even one that nobody stores."""
        traps = b.icmp_signed("==", y, zero(y.type))
        if not self.is_unsigned:
            is_lowest = b.icmp_signed("==", x, _number(x, -(2 ** (_bits(x) - 1))))
            overflows = b.and_(is_lowest, b.icmp_signed("==", y, _number(y, -1)))
            traps = b.or_(overflows, traps)
        return b.select(traps, _number(y, 1), y)

    def _whole(self, b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
        if self.is_remainder:
            return (b.urem if self.is_unsigned else b.srem)(x, y)
        quotient = (b.udiv if self.is_unsigned else b.sdiv)(x, y)
        if not self.is_floor:
            return quotient
        remains = b.sub(x, b.mul(quotient, y))
        differ = b.icmp_signed("<", b.xor(remains, y), zero(x.type))
        is_inexact = b.icmp_signed("!=", remains, zero(x.type))
        lower = b.sub(quotient, _number(quotient, 1))
        return b.select(b.and_(differ, is_inexact), lower, quotient)


def _or_zero(b: ir.IRBuilder, y: ir.Value, result: ir.Value) -> ir.Value:
    return b.select(b.icmp_signed("==", y, zero(y.type)), zero(result.type), result)


def _number(like: ir.Value, value: int) -> ir.Value:
    vector = cast(ir.VectorType, like.type)
    return splat(vector.element, vector.count, value)


def _bits(x: ir.Value) -> int:
    return cast(ir.IntType, cast(ir.VectorType, x.type).element).width


DIVISIONS: dict[str, IntegerDivision] = {
    "arith.divsi": IntegerDivision(),
    "arith.divui": IntegerDivision(is_unsigned=True),
    "arith.floordivsi": IntegerDivision(is_floor=True),
    "arith.remsi": IntegerDivision(is_remainder=True),
    "arith.remui": IntegerDivision(is_unsigned=True, is_remainder=True),
}
"""By the operations' names."""
