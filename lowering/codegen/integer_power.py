"""Emits `kernel.integer_power`: by squaring, as many times as the longest exponent among the lanes has bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from . import ir
from .vectors import any_lane, lanes_of, loop_while, splat, zero


def emit_integer_power(b: ir.IRBuilder, operands: Sequence[ir.Value]) -> ir.Value:
    """`x^y`, exactly but for the high bits."""
    x, y = operands
    one = splat(cast(ir.VectorType, x.type).element, lanes_of(x), 1)

    def is_left(carried: list[ir.Value]) -> ir.Value:
        return any_lane(b, b.icmp_signed("!=", carried[2], zero(x.type)))

    def square(carried: list[ir.Value]) -> list[ir.Value]:
        result, factor, exponent = carried
        is_odd = b.icmp_signed("!=", b.and_(exponent, one), zero(x.type))
        product = b.select(is_odd, b.mul(result, factor), result)
        return [product, b.mul(factor, factor), b.lshr(exponent, one)]

    return loop_while(b, [one, x, y], is_left, square)[0]
