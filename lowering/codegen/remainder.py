"""Emits `kernel.remainder`: what division of floats by each other leaves, exactly."""

from __future__ import annotations

from collections.abc import Sequence

from . import ir
from .intrinsics import call_intrinsic
from .vectors import F32, F64, any_lane, lanes_of, loop, splat, unless, zero

SHORT = 2.0**24
"""Quotients below are whole numbers of f32, at most one too great: rounding leaves what is left of one step exact."""

REDUCTIONS = 6
"""Each takes 53 bits off a quotient in f64; that of two f32 has at most 277."""


def emit_remainder(b: ir.IRBuilder, operands: Sequence[ir.Value]) -> ir.Value:
    """`x - truncate(x / y) y`, one step in f32 unless a lane has a long quotient."""
    x, _ = operands
    whole, size = (_unary(b, "llvm.fabs", each) for each in operands)
    quotient, rest = _reduced(b, whole, size)
    are_long = b.fcmp_ordered(">=", quotient, splat(F32, lanes_of(x), SHORT))
    left = unless(b, any_lane(b, are_long), rest, lambda: _of_long(b, whole, size))
    # a quotient may have been rounded to the next integer
    found = b.select(b.fcmp_ordered("<", left, zero(x.type)), b.fadd(left, size), left)
    found = b.select(b.fcmp_ordered(">", size, whole), whole, found)
    return call_intrinsic(b, "llvm.copysign", x.type, [found, x], [x.type])


def _of_long(b: ir.IRBuilder, whole: ir.Value, size: ir.Value) -> ir.Value:
    """The quotient has no more bits than a number has, and what is left needs fewer: each step is exact."""
    double = ir.VectorType(F64, lanes_of(whole))
    start, divisor = b.fpext(whole, double), b.fpext(size, double)
    (rest,) = loop(b, REDUCTIONS, [start], lambda i, at: [_reduced(b, at[0], divisor)[1]])
    return b.fptrunc(rest, whole.type)


def _reduced(b: ir.IRBuilder, rest: ir.Value, size: ir.Value) -> tuple[ir.Value, ir.Value]:
    """A whole quotient, and what it leaves."""
    quotient = _unary(b, "llvm.trunc", b.fdiv(rest, size))
    arguments = [b.fneg(quotient), size, rest]
    return quotient, call_intrinsic(b, "llvm.fma", rest.type, arguments, [rest.type])


def _unary(b: ir.IRBuilder, name: str, value: ir.Value) -> ir.Value:
    return call_intrinsic(b, name, value.type, [value], [value.type])
