"""Interval analysis of computed sizes: between which numbers the elements of a value lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from math import prod, trunc

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialects import infra, nn
from ...dialects.elements import bits_of, is_float, is_integer
from ...dialects.inferred import constant_integers, shape_of, tensor
from ...dialects.traits import MovesOrFillsWithZero, moved_data
from ...passes.interval import ANYTHING, Interval
from ...passes.shapes.sum_of_sizes import Sum

DEEPEST = 100
"""The most operations that are looked at on a path from a value back."""

ROUNDING = 1e-5
"""More than the relative error of a few operations in float32."""


@dataclass
class IntervalAnalysis:
    """Intervals of values, each found once."""

    known: dict[SSAValue, Interval] = field(default_factory=dict[SSAValue, Interval])

    def of(self, value: SSAValue, depth: int = DEEPEST) -> Interval:
        """The interval of all elements."""
        if (found := self.known.get(value)) is None:
            found = self._of(value, depth)
            if is_integer(element := tensor(value).element_type):
                found, every = found.round_to_integers(), Interval.of_type(element)
                may_wrap = found.is_finite and found | every != every
                found = every if may_wrap or found == ANYTHING else found
            self.known[value] = found
        return found

    def of_sum(self, total: Sum) -> Interval:
        found = Interval(total.constant, total.constant)
        for value, factor in total.terms:
            found = found + self.of(value) * Interval(factor, factor)
        return found

    def _of(self, value: SSAValue, depth: int) -> Interval:
        from ...reference.arrays import array_of

        if (blob := nn.constant_of(value)) is not None:
            return Interval.of_array(array_of(blob))
        if is_integer(tensor(value).element_type) and prod(shape_of(value)) == 1:
            total = Sum.of(value)
            if all(term is not value for term, _ in total.terms):
                return self.of_sum(total)
        if isinstance(value, BlockArgument) and (operand := _outside(value)) is not None:
            return self.of(operand, depth)
        if not isinstance(value, OpResult) or not depth or (law := _law(value.op)) is None:
            return ANYTHING
        operands, combine = law
        return combine(*(self.of(each, depth - 1) for each in operands))


def _outside(argument: BlockArgument) -> SSAValue | None:
    """The operand of a loop that an argument of its body is, or is a part of."""
    loop = argument.block.parent_op()
    if not isinstance(loop, infra.LoopOp) or argument.index >= len(loop.inputs):
        return None
    is_merged = isinstance(loop.inputs.data[argument.index], infra.MergedAttr)
    return None if is_merged else loop.operands_[argument.index]


def _law(op: Operation) -> tuple[Sequence[SSAValue], Callable[..., Interval]] | None:
    """The values that decide an operation's interval, and the function that combines theirs, if there is a law."""
    match op:
        case nn.AddOp() | nn.SubtractOp() | nn.MultiplyOp() | nn.MaximumOp() | nn.MinimumOp():
            return op.operands, COMBINED[type(op)]
        case nn.ReduceMaxOp() | nn.ReduceMinOp():
            joined = op.input.owner
            if isinstance(joined, nn.ConcatOp) and len(shape_of(op.input)) == 1:
                return joined.operands, COMBINED[type(op)]
            return [op.input], _any
        case nn.DivideOp():
            return op.operands, _divided
        case nn.ShapeOfOp() if tensor(op.input).has_static_shape():
            shape = shape_of(op.input)
            return [], partial(Interval, min(shape, default=0), max(shape, default=0))
        case nn.ClampOp():
            low, high = (Interval(each, each) for each in op.limits)
            return [op.input], partial(_clamped, low, high)
        case nn.FloorOp() | nn.CeilingOp() | nn.RoundOp():
            return op.operands, _rounded
        case nn.ConvertOp() if is_float(tensor(op.input).element_type) and _counts(op):
            return [op.input], partial(_truncated, Interval.of_type(op.destination_type))
        case nn.ConvertOp():
            return [op.input], _widened
        case nn.CumSumOp() if _has_exact_sums(op.input):
            (axis,) = constant_integers(op.axis) or [0]
            count = shape_of(op.input)[axis]
            terms = Interval(0, count - 1) if op.exclusive else Interval(1, count)
            return [op.input], partial(Interval.__mul__, terms)
        case nn.ReduceSumOp() if _has_exact_sums(op.input) and 0 not in shape_of(op.result):
            count = prod(shape_of(op.input)) // prod(shape_of(op.result))
            return [op.input], partial(Interval.__mul__, Interval(count, count))
        case _ if op.has_trait(MovesOrFillsWithZero):
            return op.operands[:1], partial(_any, Interval(0, 0))
        case _ if moved := moved_data(op):
            return moved, _any
        case _:
            return None


def _widened(x: Interval) -> Interval:
    """What may be a little outside, as it was rounded."""
    most = max(abs(x.low), abs(x.high)) * ROUNDING if x.is_finite and x.low < x.high else 0.0
    return x + Interval(-most, most)


def _counts(op: nn.ConvertOp) -> bool:
    """Whether this gives integers other than booleans."""
    return is_integer(op.destination_type) and bits_of(op.destination_type) > 1


def _truncated(every: Interval, x: Interval) -> Interval:
    """Rounded toward zero, and clamped to the integers of a type; NaN becomes 0."""
    low, high = (Interval(end, end) for end in (every.low, every.high))
    nearest = _clamped(low, high, _widened(x))
    found = Interval(trunc(nearest.low), trunc(nearest.high))
    return found | Interval(0, 0) if x.may_be_nan else found


def _has_exact_sums(terms: SSAValue) -> bool:
    """Whether sums are not rounded, and it is known of how many terms."""
    type = tensor(terms)
    return is_integer(type.element_type) and type.has_static_shape()


def _clamped(low: Interval, high: Interval, x: Interval) -> Interval:
    return x.maximum(low).minimum(high)


def _rounded(x: Interval) -> Interval:
    return _widened(x).round_to_integers()


def _divided(x: Interval, y: Interval) -> Interval:
    """Where the divisor cannot be 0; of integers, the ends of the exact quotient, which the caller rounds."""
    if y.low <= 0 <= y.high or not y.is_finite:
        return ANYTHING
    return x * Interval(1 / y.high, 1 / y.low, y.may_be_nan)


def _any(*parts: Interval) -> Interval:
    return reduce(Interval.__or__, parts)


def _largest(*parts: Interval) -> Interval:
    return reduce(Interval.maximum, parts)


def _smallest(*parts: Interval) -> Interval:
    return reduce(Interval.minimum, parts)


COMBINED: dict[type[Operation], Callable[..., Interval]] = {
    nn.AddOp: Interval.__add__,
    nn.SubtractOp: Interval.__sub__,
    nn.MultiplyOp: Interval.__mul__,
    nn.MaximumOp: _largest,
    nn.MinimumOp: _smallest,
    nn.ReduceMaxOp: _largest,
    nn.ReduceMinOp: _smallest,
}


def always(op: nn.MaximumOp | nn.MinimumOp) -> SSAValue | None:
    """The operand that a maximum or minimum of two integers always is. None if intervals do not decide that."""
    left, right = op.operands
    if not is_integer(tensor(op.result).element_type) or prod(shape_of(op.result)) != 1:
        return None
    apart = IntervalAnalysis().of_sum(Sum.of(left).plus(Sum.of(right), -1))
    if apart.low < 0 < apart.high:
        return None
    found = left if (apart.low >= 0) == isinstance(op, nn.MaximumOp) else right
    return found if found.type == op.result.type else None
