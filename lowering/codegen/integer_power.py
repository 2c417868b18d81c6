"""Emits `kernel.integer_power`: by squaring, as many times as the longest exponent among the lanes has bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from . import ir
from .vectors import lanes_of, loop_while, splat, zero


def emit_integer_power(b: ir.IRBuilder, operands: Sequence[ir.Value]) -> ir.Value:
    """`x^y`, exactly but for the high bits."""
    x, y = operands
    lanes = lanes_of(x)
    one = splat(cast(ir.VectorType, x.type).element, lanes, 1)

    def is_left(carried: list[ir.Value]) -> ir.Value:
        mask = b.bitcast(b.icmp_signed("!=", carried[2], zero(x.type)), ir.IntType(lanes))
        return b.icmp_signed("!=", mask, ir.Constant(ir.IntType(lanes), 0))

    def square(carried: list[ir.Value]) -> list[ir.Value]:
        result, factor, exponent = carried
        is_odd = b.icmp_signed("!=", b.and_(exponent, one), zero(x.type))
        product = b.select(is_odd, b.mul(result, factor), result)
        return [product, b.mul(factor, factor), b.lshr(exponent, one)]

    return loop_while(b, [one, x, y], is_left, square)[0]
