"""
`eliminate-redundant-clamps`: a clamp that the store repeats is eliminated where the value fits an i32.

    store(fptosi(round(min(max(x, 0), 255)))) = store(fptosi(round(x)))        for u8, where |x| < 2³⁰

A store saturates. The machine's conversion to i32 does not, so it has to be guarded against numbers that overflow.
Interval analysis shows that none can: sums of codes are integers of a known type, scales and biases are constants.
The conversion then carries a no-overflow flag and costs one instruction.
"""

from __future__ import annotations

import math as numbers
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, IntegerType, ModuleOp, UnitAttr, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.hints import isa

from ..dialects import nn
from ..dialects.elements import limits_of
from ..dialects.kernel import NO_OVERFLOW, KernelOp, YieldOp, shaped
from .bodies import Clamp
from .codegen.range_analysis import Interval, rounded_to

LARGEST = 2.0**30
"""Far enough inside the range of i32 that rounding errors cannot reach its ends."""

ANYTHING = (-numbers.inf, numbers.inf)


@dataclass(frozen=True)
class EliminateRedundantClamps(ModulePass):
    """Rewrites the codes that kernels on tensors store."""

    name = "eliminate-redundant-clamps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, KernelOp) and inner.results:
                _eliminate_redundant_clamps(inner)
        dce(op)


def _eliminate_redundant_clamps(op: KernelOp) -> None:
    block = op.body.block
    last = block.last_op
    assert isinstance(last, YieldOp)
    intervals = _IntervalAnalysis(op)
    for i, (value, output) in enumerate(zip(last.values, op.outputs, strict=True)):
        x = rounded_to(value, shaped(output).get_element_type())
        if x is None or value.type != i32:
            continue
        low, high = intervals.of(x)
        if low > -LARGEST and high < LARGEST:
            rounded = math.RoundEvenOp(x)
            converted = arith.FPToSIOp(rounded, i32)
            converted.attributes[NO_OVERFLOW] = UnitAttr()
            block.insert_ops_before([rounded, converted], last)
            last.operands[i] = converted.result


@dataclass
class _IntervalAnalysis:
    """Interval analysis of a kernel's body: an interval for each scalar; `ANYTHING` if unknown or possibly NaN."""

    op: KernelOp
    known: dict[SSAValue, Interval] = field(default_factory=dict[SSAValue, Interval])

    def of(self, value: SSAValue) -> Interval:
        if value not in self.known:
            low, high = self._found(value)
            self.known[value] = (low, high) if numbers.isfinite(high - low) else ANYTHING
        return self.known[value]

    def _found(self, value: SSAValue) -> Interval:
        if isa(value.type, IntegerType):
            return self._integer(value)
        if (clamp := Clamp.of(value)) is not None:
            # A clamp lets NaN pass, so it narrows only an interval that is known.
            (a, b), (c, d) = self.of(clamp.x), self.of(clamp.bound)
            return (max(a, c), max(b, d)) if clamp.is_lower else (min(a, c), min(b, d))
        match value.owner:
            case arith.ConstantOp(value=FloatAttr(value=number)):
                return number.data, number.data
            case arith.SIToFPOp(input=x) | arith.UIToFPOp(input=x):
                return self.of(x)
            case math.RoundEvenOp(operands=(x,)):
                return self.of(x)
            case arith.AddfOp(lhs=x, rhs=y):
                return _sum(self.of(x), self.of(y))
            case arith.SubfOp(lhs=x, rhs=y):
                low, high = self.of(y)
                return _sum(self.of(x), (-high, -low))
            case arith.MulfOp(lhs=x, rhs=y):
                return _product(self.of(x), self.of(y))
            case math.FmaOp(a=x, b=y, c=z):
                return _sum(_product(self.of(x), self.of(y)), self.of(z))
            case _:
                return self._constant(value)

    def _integer(self, value: SSAValue) -> Interval:
        """The range of its type; for a code, that of the type it has in memory."""
        if (source := self._source(value)) is not None:
            return limits_of(shaped(source).get_element_type())
        return limits_of(value.type)

    def _constant(self, value: SSAValue) -> Interval:
        """The least and the greatest element, if the operand is a constant."""
        source = self._source(value)
        blob = None if source is None else nn.constant_of(source)
        if blob is None:
            return ANYTHING
        from ..reference.arrays import array_of

        array = array_of(blob)
        return (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)

    def _source(self, value: SSAValue) -> SSAValue | None:
        """The operand whose elements this argument of the body takes."""
        block = self.op.body.block
        i = block.args.index(value) if value.owner is block else -1
        first = len(block.args) - len(self.op.ins)
        return self.op.ins[i - first] if i >= first else None


def _sum(x: Interval, y: Interval) -> Interval:
    return x[0] + y[0], x[1] + y[1]


def _product(x: Interval, y: Interval) -> Interval:
    corners = [a * b for a in x for b in y]
    return (min(corners), max(corners)) if all(map(numbers.isfinite, corners)) else ANYTHING
