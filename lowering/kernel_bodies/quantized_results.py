"""How far an approximation within a kernel moves the codes that the kernel rounds its results to."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.kernel import KernelOp, outside_bodies
from ...dialects.walk import block_operations
from ...passes.erase_unused import erase_all_dead
from ...passes.interval import Interval
from .bodies import Clamp
from .range_analysis import Operands, RangeAnalysis

TOLERANCE = 2.0**-10
"""The largest error, as a part of a code: about one result in a thousand is rounded to the neighbouring code."""


def approximate_in_kernels(
    module: ModuleOp, approximate: Callable[[Operation, KernelOp], bool]
) -> None:
    """Offers each operation in the body of a kernel to `approximate`, which tells whether it rewrote the operation."""
    changed = False
    for kernel in outside_bodies(module):
        if isinstance(kernel, KernelOp):
            for inner in block_operations(kernel.body.block):
                changed |= approximate(inner, kernel)
    if changed:
        erase_all_dead(module)


def codes_for_one(value: SSAValue, kernel: KernelOp) -> float:
    """
    By how many codes the results of a kernel differ at most if a value in its body differs by 1; infinity if the value
    is not rounded to codes.
    """
    return _codes_for_one(value, RangeAnalysis(Operands(kernel).interval))


def _codes_for_one(value: SSAValue, ranges: RangeAnalysis) -> float:
    return max((_through(use.operation, value, ranges) for use in value.uses), default=0.0)


def _through(op: Operation, value: SSAValue, ranges: RangeAnalysis) -> float:
    """The same by way of one user of the value."""
    match op:
        case math.RoundEvenOp():
            return 1.0
        case arith.MulfOp() | math.FmaOp():
            first, second, *terms = op.operands
            factors = [y for x, y in ((first, second), (second, first)) if x is value]
            growth = sum(_magnitude(ranges.of(y)) for y in factors) + terms.count(value)
            return growth * _codes_for_one(op.results[0], ranges) if value not in factors else inf
        case arith.AddfOp() | arith.SubfOp():
            return op.operands.count(value) * _codes_for_one(op.results[0], ranges)
        case arith.SelectOp() if (clamp := Clamp.of(op.result)) is not None and clamp.x is value:
            return _codes_for_one(op.result, ranges)
        case arith.CmpfOp() if all(_clamps(use.operation, value) for use in op.result.uses):
            return 0.0  # the clamp uses the value itself
        case _:
            return inf


def _magnitude(interval: Interval) -> float:
    return inf if interval.may_be_nan else max(abs(interval.low), abs(interval.high))


def _clamps(op: Operation, value: SSAValue) -> bool:
    clamp = Clamp.of(op.results[0]) if isinstance(op, arith.SelectOp) else None
    return clamp is not None and clamp.x is value
