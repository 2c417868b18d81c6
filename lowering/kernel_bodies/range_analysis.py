"""Range (interval) analysis of a body's scalars, and which of them are quantized when they are stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from struct import Struct
from typing import Any

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

_F32 = Struct("f")


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
            found = self.known[value] = self._found(value)
        return found

    def _found(self, value: SSAValue) -> Interval:
        if (clamp := Clamp.of(value)) is not None:
            x, bound = self.of(clamp.x), self.of(clamp.bound)
            return x.maximum(bound) if clamp.is_lower else x.minimum(bound)
        owner = value.owner
        if (law := _LAWS.get(type(owner))) is not None and (found := law(self, owner)) is not None:
            return found
        if (found := self.given(value)) is not None:
            return found
        return Interval.of_type(value.type) if is_integer(value.type) else ANYTHING


# --- the laws: each gives the interval of an operation's result, if it knows one --------------


def _constant(known: RangeAnalysis, op: arith.ConstantOp) -> Interval | None:
    number = number_of(op.result)
    return None if number is None or number != number else Interval(number, number)


def _sitofp(known: RangeAnalysis, op: arith.SIToFPOp) -> Interval:
    found = known.of(op.input)
    return _rounded(op.result.type, found, found)


def _uitofp(known: RangeAnalysis, op: arith.UIToFPOp) -> Interval | None:
    found = known.of(op.input)
    return _rounded(op.result.type, found, found) if found.low >= 0 else None


def _fptosi(known: RangeAnalysis, op: arith.FPToSIOp) -> Interval:
    every = Interval.of_type(op.result.type)
    found = known.of(op.input) | Interval(0, 0)  # which NaN becomes
    return Interval(max(every.low, found.low), min(every.high, found.high))


def _addf(known: RangeAnalysis, op: arith.AddfOp) -> Interval:
    x, y = known.of(op.lhs), known.of(op.rhs)
    return _rounded(op.result.type, x + y, x, y)


def _subf(known: RangeAnalysis, op: arith.SubfOp) -> Interval:
    x, y = known.of(op.lhs), known.of(op.rhs)
    return _rounded(op.result.type, x - y, x, y)


def _mulf(known: RangeAnalysis, op: arith.MulfOp) -> Interval:
    x, y = known.of(op.lhs), known.of(op.rhs)
    return _rounded(op.result.type, x * y, x, y)


def _fma(known: RangeAnalysis, op: math_dialect.FmaOp) -> Interval:
    x, y, z = known.of(op.a), known.of(op.b), known.of(op.c)
    return _rounded(op.result.type, x * y + z, x, y, z)


def _absf(known: RangeAnalysis, op: math_dialect.AbsFOp) -> Interval:
    found = known.of(op.operand)
    return found.maximum(-found).maximum(Interval(0, 0))


def _select(known: RangeAnalysis, op: arith.SelectOp) -> Interval | None:
    if (x := number_or_zero(op.result)) is None:
        return None
    return replace(known.of(x) | Interval(0, 0), may_be_nan=False)


_LAWS: dict[type[Any], Callable[[RangeAnalysis, Any], Interval | None]] = {
    arith.ConstantOp: _constant,
    arith.SIToFPOp: _sitofp,
    arith.UIToFPOp: _uitofp,
    arith.FPToSIOp: _fptosi,
    arith.NegfOp: lambda known, op: -known.of(op.operand),
    arith.AddfOp: _addf,
    arith.SubfOp: _subf,
    arith.MulfOp: _mulf,
    arith.MaxSIOp: lambda known, op: known.of(op.lhs).maximum(known.of(op.rhs)),
    arith.MinSIOp: lambda known, op: known.of(op.lhs).minimum(known.of(op.rhs)),
    arith.SelectOp: _select,
    math_dialect.FmaOp: _fma,
    math_dialect.AbsFOp: _absf,
    math_dialect.RoundEvenOp: lambda known, op: known.of(op.operand).round_to_integers(),
    math_dialect.TanhOp: lambda known, op: Interval(-1, 1, known.of(op.operand).may_be_nan),
    SigmoidOp: lambda known, op: Interval(0, 1, known.of(op.x).may_be_nan),
    LookupOp: lambda known, op: Interval(min(op.codes), max(op.codes)),
}
"""By the operation's class, since a lookup is much faster than one `isinstance` after the other."""


def _rounded(type: Attribute, exact: Interval, *operands: Interval) -> Interval:
    """The interval of arithmetic in a floating-point type. Infinities and overflow may give NaN."""
    low, high = _rounded_away(type, exact.low, -1), _rounded_away(type, exact.high, 1)
    largest = largest_of(type)
    is_finite = all(each.is_finite for each in operands) and -largest < low and high < largest
    return Interval(low, high, exact.may_be_nan) if is_finite else ANYTHING


def _rounded_away(type: Attribute, end: float, side: int) -> float:
    """An end of an interval behind rounding, which keeps the order: a number of f32 stays the end."""
    is_kept = type == f32 and abs(end) <= largest_of(f32) and end == _F32.unpack(_F32.pack(end))[0]
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
