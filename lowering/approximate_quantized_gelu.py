"""
`approximate-quantized-gelu`: approximates a GELU whose result is quantized in the same kernel, to a small part of a
code.

    x/2 erfc(-x/√2) = max(x, 0) - a p(a)⁸        with a = min(|x|, last)

The first polynomial of `TAILS`, or of `TANH_TAILS` where the GELU is the one with a hyperbolic tangent, is taken whose
error is less than `TOLERANCE` codes. The law holds where nothing but rounding to codes follows the GELU.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects.kernel import ErfcOp, KernelOp, outside_bodies
from ..dialects.walk import block_operations
from ..passes.erase_unused import erase_all_dead
from ..passes.interval import Interval
from .bodies import Clamp
from .expand_math.gelu import Gelu
from .range_analysis import Operands, RangeAnalysis

TOLERANCE = 2.0**-10
"""The largest error, as a part of a code: about one result in a thousand is rounded to the neighbouring code."""


@dataclass(frozen=True)
class ApproximateQuantizedGelu(ModulePass):
    """Rewrites GELUs of kernels that round them to codes."""

    name = "approximate-quantized-gelu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = False
        for kernel in outside_bodies(op):
            if not isinstance(kernel, KernelOp):
                continue
            for inner in block_operations(kernel.body.block):
                if isinstance(inner, ErfcOp | math.TanhOp) and (gelu := Gelu.on(inner)) is not None:
                    ranges = RangeAnalysis(Operands(kernel).interval)
                    codes = codes_for_one(gelu.result.result, ranges)
                    exact = (tail for tail in gelu.tails if codes * tail.error <= TOLERANCE)
                    if (tail := next(exact, None)) is not None:
                        gelu.approximate(tail)
                        changed = True
        if changed:
            erase_all_dead(op)


def codes_for_one(value: SSAValue, ranges: RangeAnalysis) -> float:
    """By how many codes results differ at most if this value differs by 1; infinity if it is not rounded to codes."""
    return max((_through(use.operation, value, ranges) for use in value.uses), default=0.0)


def _through(op: Operation, value: SSAValue, ranges: RangeAnalysis) -> float:
    """The same by way of one of its users."""
    match op:
        case math.RoundEvenOp():
            return 1.0
        case arith.MulfOp() | math.FmaOp():
            first, second, *terms = op.operands
            factors = [y for x, y in ((first, second), (second, first)) if x is value]
            growth = sum(_magnitude(ranges.of(y)) for y in factors) + terms.count(value)
            return growth * codes_for_one(op.results[0], ranges) if value not in factors else inf
        case arith.AddfOp() | arith.SubfOp():
            return op.operands.count(value) * codes_for_one(op.results[0], ranges)
        case arith.SelectOp() if (clamp := Clamp.of(op.result)) is not None and clamp.x is value:
            return codes_for_one(op.result, ranges)
        case arith.CmpfOp() if all(_clamps(use.operation, value) for use in op.result.uses):
            return 0.0  # the clamp uses the value itself
        case _:
            return inf


def _magnitude(interval: Interval) -> float:
    return inf if interval.may_be_nan else max(abs(interval.low), abs(interval.high))


def _clamps(op: Operation, value: SSAValue) -> bool:
    clamp = Clamp.of(op.results[0]) if isinstance(op, arith.SelectOp) else None
    return clamp is not None and clamp.x is value
