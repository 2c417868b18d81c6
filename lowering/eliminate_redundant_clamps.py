"""
`eliminate-redundant-clamps`: a clamp that the store repeats is eliminated where the value fits an i32.

    store(fptosi(round(min(max(x, 0), 255)))) = store(fptosi(round(x)))        for u8, where |x| < 2³⁰

A store saturates. The machine's conversion to i32 does not, so it has to be guarded against numbers that overflow.
Interval analysis shows that none can: sums of codes are integers of a known type, scales and biases are constants.
The conversion then carries a no-overflow flag and costs one instruction.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp, UnitAttr, i32
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import dce

from ..dialects.kernel import NO_OVERFLOW, KernelOp, YieldOp, outside_bodies, shaped
from .range_analysis import Operands, RangeAnalysis, rounded_to

LARGEST = 2.0**30
"""Far enough inside the range of i32 that rounding errors cannot reach its ends."""


class EliminateRedundantClamps(ModulePass):
    """Rewrites the codes that kernels store."""

    name = "eliminate-redundant-clamps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in outside_bodies(op):
            if isinstance(inner, KernelOp):
                _eliminate_redundant_clamps(inner)
        dce(op)


def _eliminate_redundant_clamps(op: KernelOp) -> None:
    block = op.body.block
    last = block.last_op
    assert isinstance(last, YieldOp)
    ranges = RangeAnalysis(Operands(op).interval)
    for i, (value, output) in enumerate(zip(last.values, op.outputs, strict=True)):
        x = rounded_to(value, shaped(output).get_element_type())
        if x is None or value.type != i32:
            continue
        found = ranges.of(x)
        if not found.may_be_nan and found.low > -LARGEST and found.high < LARGEST:
            rounded = math.RoundEvenOp(x)
            converted = arith.FPToSIOp(rounded, i32)
            converted.attributes[NO_OVERFLOW] = UnitAttr()
            block.insert_ops_before([rounded, converted], last)
            last.operands[i] = converted.result
