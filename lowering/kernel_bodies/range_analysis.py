"""Range (interval) analysis of a body's scalars, and which of them are quantized when they are stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from xdsl.dialects import arith
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import Float32Type, FloatAttr, IntegerAttr, IntegerType, f32
from xdsl.ir import Attribute, SSAValue

from ...dialects import nn
from ...dialects.elements import is_integer, largest_of, limits_of
from ...dialects.kernel import ConvolutionOp, KernelOp, LookupOp, SigmoidOp, shaped
from ...passes.interval import ANYTHING, Interval
from .bodies import Clamp

EQUAL = 1
"""The predicate `oeq` of a comparison: equal, and none is NaN."""

ROUNDING = 2.0**-24
"""The relative error of rounding to f32. Bodies compute in that or in f64."""


def nothing_known(argument: SSAValue) -> Interval | None:
    """No interval: the kernel around the body is not known."""
    return None


@dataclass(frozen=True)
class Operands:
    """The arguments of a kernel's body, as `given` of an analysis."""

    op: KernelOp

    def interval(self, value: SSAValue) -> Interval | None:
        """
        The interval of an argument. A code has that of its type in memory; an element of a constant, that from the
        least to the greatest element; a sum, that of codes times constant floats.
        """
        source = self._source(value)
        if source is None:
            return self._sum() if value.owner is self.op.body.block else None
        if isinstance(value.type, IntegerType):
            return Interval.of_type(shaped(source).get_element_type())
        if (blob := nn.constant_of(source)) is None:
            return None
        from ...reference.arrays import array_of

        return Interval.of_array(array_of(blob))

    def _sum(self) -> Interval | None:
        """
        A sum of codes times constant floats is at most the largest code times the sum of the floats' magnitudes, apart
        from roundings.
        """
        op = self.op
        if not isinstance(op, ConvolutionOp) or op.layout is not None:
            return None
        element, blob = shaped(op.a).get_element_type(), nn.constant_of(op.b)
        if not is_integer(element) or blob is None or blob.type.element_type != f32:
            return None
        from ...reference.arrays import array_of

        filters = abs(array_of(blob).astype(float)).reshape(op.shape[-1], -1)
        farthest = max(map(abs, limits_of(element))) * float(filters.sum(1).max())
        farthest *= 1 + filters.shape[1] * ROUNDING
        return Interval(-farthest, farthest) if farthest < largest_of(f32) else None

    def _source(self, value: SSAValue) -> SSAValue | None:
        """The operand whose elements this argument of the body takes."""
        block = self.op.body.block
        i = block.args.index(value) if value.owner is block else -1
        first = len(block.args) - len(self.op.ins)
        return self.op.ins[i - first] if i >= first else None


@dataclass
class RangeAnalysis:
    """
    An interval for each scalar of a body. `given` says the interval of an argument; where it gives None, the argument
    has that of its type.
    """

    given: Callable[[SSAValue], Interval | None] = nothing_known
    known: dict[SSAValue, Interval] = field(default_factory=dict[SSAValue, Interval])

    def of(self, value: SSAValue) -> Interval:
        if (found := self.known.get(value)) is None:
            is_integer = isinstance(value.type, IntegerType)
            found = self._integer(value) if is_integer else self._float(value)
            self.known[value] = found
        return found

    def _float(self, value: SSAValue) -> Interval:
        if (clamp := Clamp.of(value)) is not None:
            x, bound = self.of(clamp.x), self.of(clamp.bound)
            return x.maximum(bound) if clamp.is_lower else x.minimum(bound)
        match value.owner:
            case arith.ConstantOp() if (
                number := number_of(value)
            ) is not None and number == number:
                return Interval(number, number)
            case arith.SIToFPOp(input=x):
                found = self.of(x)
                return _rounded(value.type, found, found)
            case arith.UIToFPOp(input=x) if (found := self.of(x)).low >= 0:
                return _rounded(value.type, found, found)
            case math_dialect.RoundEvenOp(operands=(x,)):
                return self.of(x).round_to_integers()
            case math_dialect.AbsFOp(operands=(x,)):
                found = self.of(x)
                return found.maximum(-found).maximum(Interval(0, 0))
            case arith.NegfOp(operand=x):
                return -self.of(x)
            case arith.AddfOp(lhs=lhs, rhs=rhs):
                x, y = self.of(lhs), self.of(rhs)
                return _rounded(value.type, x + y, x, y)
            case arith.SubfOp(lhs=lhs, rhs=rhs):
                x, y = self.of(lhs), self.of(rhs)
                return _rounded(value.type, x - y, x, y)
            case arith.MulfOp(lhs=lhs, rhs=rhs):
                x, y = self.of(lhs), self.of(rhs)
                return _rounded(value.type, x * y, x, y)
            case math_dialect.FmaOp(a=a, b=b, c=c):
                x, y, z = self.of(a), self.of(b), self.of(c)
                return _rounded(value.type, x * y + z, x, y, z)
            case SigmoidOp(x=x):
                return Interval(0, 1, self.of(x).may_be_nan)
            case math_dialect.TanhOp(operand=x):
                return Interval(-1, 1, self.of(x).may_be_nan)
            case arith.SelectOp() if (x := number_or_zero(value)) is not None:
                return replace(self.of(x) | Interval(0, 0), may_be_nan=False)
            case _:
                return self.given(value) or ANYTHING

    def _integer(self, value: SSAValue) -> Interval:
        every = Interval.of_type(value.type)
        match value.owner:
            case arith.FPToSIOp(input=x):
                found = self.of(x) | Interval(0, 0)  # which NaN becomes
                low, high = max(every.low, found.low), min(every.high, found.high)
                return Interval(low, high)
            case arith.MaxSIOp(lhs=x, rhs=y):
                return self.of(x).maximum(self.of(y))
            case arith.MinSIOp(lhs=x, rhs=y):
                return self.of(x).minimum(self.of(y))
            case arith.ConstantOp() if (number := number_of(value)) is not None:
                return Interval(number, number)
            case LookupOp(codes=codes):
                return Interval(min(codes), max(codes))
            case _:
                return self.given(value) or every


def _rounded(type: Attribute, exact: Interval, *operands: Interval) -> Interval:
    """The interval of arithmetic in a floating-point type. Infinities and overflow may give NaN."""
    low, high = (_rounded_away(type, end, side) for end, side in ((exact.low, -1), (exact.high, 1)))
    largest = largest_of(type)
    is_finite = all(each.is_finite for each in operands) and -largest < low and high < largest
    return replace(exact, low=low, high=high) if is_finite else ANYTHING


def _rounded_away(type: Attribute, end: float, side: int) -> float:
    """An end of an interval behind rounding, which keeps the order: a number of f32 stays the end."""
    is_kept = (
        type == f32 and abs(end) <= largest_of(f32) and f32.unpack(f32.pack([end]), 1)[0] == end
    )
    return end if is_kept else end + side * abs(end) * ROUNDING


def constant_clamp(value: SSAValue) -> tuple[Clamp, float] | None:
    """A clamp with a constant bound, and the bound."""
    clamp = Clamp.of(value)
    bound = None if clamp is None else number_of(clamp.bound)
    return None if clamp is None or bound is None else (clamp, bound)


def number_of(value: SSAValue) -> float | None:
    """The number of a constant."""
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr | IntegerAttr):
        return op.value.value.data
    return None


def number_or_zero(value: SSAValue) -> SSAValue | None:
    """x of `x == x ? x : 0`, which is 0 where x is NaN."""
    select = value.owner
    if not isinstance(select, arith.SelectOp) or number_of(select.rhs) != 0:
        return None
    compare, x = select.cond.owner, select.lhs
    if not isinstance(compare, arith.CmpfOp) or compare.predicate.value.data != EQUAL:
        return None
    return x if compare.lhs is x and compare.rhs is x else None


def rounded_to(value: SSAValue, element: Attribute) -> SSAValue | None:
    """
    The f32 scalar x if storing `value` to this integer type stores the nearest code of x: rounded to even, clamped to
    the codes of the type, 0 where x is NaN.
    """
    convert = value.owner
    is_code = isinstance(element, IntegerType)
    if not isinstance(convert, arith.FPToSIOp) or not is_code:
        return None
    lowest, highest = limits_of(element)
    x, is_rounded = convert.input, False
    if not isinstance(x.type, Float32Type):
        return None
    while True:
        found = constant_clamp(x)
        if found is not None and (found[1] <= lowest if found[0].is_lower else found[1] >= highest):
            # The saturating store repeats this clamp; before or after rounding makes no difference.
            x = found[0].x
        elif isinstance(x.owner, math_dialect.RoundEvenOp):
            x, is_rounded = x.owner.operands[0], True
        else:
            return x if is_rounded else None
