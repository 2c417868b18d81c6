"""
`eliminate-redundant-clamps`: a clamp that the store repeats is eliminated where the value fits an i32, and one that
changes nothing anywhere.

    store(fptosi(round(min(max(x, 0), 255)))) = store(fptosi(round(x)))        for u8, where |x| < 2³⁰
    max(x, c) = x                                                              where x >= c; so for min and integers
    sitofp(fptosi(round(x))) = round(x)                                        where |x| < 2³⁰; 0 where x is NaN

A store saturates. The machine's conversion to i32 does not, so it has to be guarded against numbers that overflow.
Interval analysis shows that none can: sums of codes are integers of a known type, scales and biases are constants.
The conversion then carries a no-overflow flag and costs one instruction. Codes that a kernel computes with itself need
no conversion to integers and back.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp, UnitAttr, f32, i32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from ...dialects.kernel import NO_OVERFLOW, KernelOp, YieldOp, outside_bodies, shaped
from ...dialects.rewriter import Rewriter
from ...dialects.walk import block_operations
from ...passes.erase_unused import erase_all_dead
from ...passes.interval import Interval
from .bodies import BodyBuilder, select
from .range_analysis import Operands, RangeAnalysis, constant_clamp, number_of, rounded_to

LARGEST = 2.0**30
"""The largest magnitude from which rounding errors cannot reach the ends of i32's range."""


class EliminateRedundantClamps(ModulePass):
    """Rewrites the codes that kernels store."""

    name = "eliminate-redundant-clamps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in outside_bodies(op):
            if isinstance(inner, KernelOp):
                _eliminate_redundant_clamps(inner)
        erase_all_dead(op)


def _eliminate_redundant_clamps(op: KernelOp) -> None:
    block = op.body.block
    last = block.last_op
    assert isinstance(last, YieldOp)
    ranges = RangeAnalysis(Operands(op).interval)
    _eliminate_without_effect(block, ranges)
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


def _eliminate_without_effect(block: Block, ranges: RangeAnalysis) -> None:
    """Eliminates clamps of numbers that are all in bounds, and conversions of whole numbers to integers and back."""
    for inner in block_operations(block):
        same: SSAValue | None = None
        if isinstance(inner, arith.SelectOp):
            same = _clamped(inner.result, ranges)
        elif isinstance(inner, arith.MaxSIOp | arith.MinSIOp):
            same = _clamped_integer(inner, ranges)
        elif isinstance(inner, arith.SIToFPOp | arith.UIToFPOp) and inner.result.type == f32:
            same = _converted(inner, ranges)
            if same is not None and ranges.of(same).may_be_nan:
                (number,) = BodyBuilder(block, before=inner).scalars([same])
                same = select(number.equals(number), number, 0).value
        if same is not None:
            Rewriter.replace_op(inner, [], [same])


def _clamped(value: SSAValue, ranges: RangeAnalysis) -> SSAValue | None:
    """The argument of a clamp that has no effect. It returns NaN unchanged anyway."""
    if (found := constant_clamp(value)) is None:
        return None
    clamp, bound = found
    return clamp.x if _is_inside(ranges.of(clamp.x), bound, clamp.is_lower) else None


def _clamped_integer(op: arith.MaxSIOp | arith.MinSIOp, ranges: RangeAnalysis) -> SSAValue | None:
    """The argument of a clamp of integers that has no effect."""
    if (bound := number_of(op.rhs)) is None:
        return None
    return op.lhs if _is_inside(ranges.of(op.lhs), bound, isinstance(op, arith.MaxSIOp)) else None


def _converted(op: arith.SIToFPOp | arith.UIToFPOp, ranges: RangeAnalysis) -> SSAValue | None:
    """
    The whole number in f32, or NaN, that was converted to an integer, perhaps clamped, and is converted back by `op`.
    """
    bounds: list[tuple[float, bool]] = [(0, True)] if isinstance(op, arith.UIToFPOp) else []
    value = op.input
    while isinstance(clamp := value.owner, arith.MaxSIOp | arith.MinSIOp):
        if (bound := number_of(clamp.rhs)) is None:
            return None
        bounds.append((bound, isinstance(clamp, arith.MaxSIOp)))
        value = clamp.lhs
    if not isinstance(convert := value.owner, arith.FPToSIOp) or convert.input.type != f32:
        return None
    rounded, found = convert.input, ranges.of(convert.input)
    if not isinstance(rounded.owner, math.RoundEvenOp):
        return None
    if found.may_be_nan:
        found |= Interval(0, 0)
    bounds += [(-LARGEST, True), (LARGEST, False)]
    return rounded if all(_is_inside(found, *each) for each in bounds) else None


def _is_inside(found: Interval, bound: float, is_lower: bool) -> bool:
    return found.low >= bound if is_lower else found.high <= bound
