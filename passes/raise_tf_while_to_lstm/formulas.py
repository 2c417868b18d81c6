"""
What the values in an iterator's body are, as formulas of its arguments. Two values that compute the same the same way
have equal formulas, whatever operations stand between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, shape_of, tensor


class Formula:
    """What a value of a body can be."""


@dataclass(frozen=True)
class Element(Formula):
    """The part of a sliced operand that a step takes: the operand's number."""

    operand: int


@dataclass(frozen=True)
class CarriedValue(Formula):
    """What the step before gave: the operand's number, and that of the body's result."""

    operand: int
    result: int


@dataclass(frozen=True)
class Outer(Formula):
    """A value that no step changes: the body's own, which may be computed before the iterator."""

    value: SSAValue


@dataclass(frozen=True)
class Cut:
    """Columns of a matrix, or elements of a vector, that no step changes; a transposed matrix has rows for columns."""

    value: SSAValue
    start: int
    stop: int
    transposed: bool = False


@dataclass(frozen=True)
class WeightedFactor:
    """`factor · weights`"""

    factor: Formula
    weights: Cut


@dataclass(frozen=True)
class AffineSum(Formula):
    """A sum of products and of vectors, `width` elements."""

    products: tuple[WeightedFactor, ...]
    vectors: tuple[Cut, ...]
    width: int

    def part(self, start: int, stop: int) -> AffineSum:
        """The elements from `start` up to `stop`."""

        def cut(whole: Cut) -> Cut:
            return Cut(whole.value, whole.start + start, whole.start + stop, whole.transposed)

        products = tuple(WeightedFactor(p.factor, cut(p.weights)) for p in self.products)
        return AffineSum(products, tuple(map(cut, self.vectors)), stop - start)


@dataclass(frozen=True)
class Activated(Formula):
    """`function(argument)`; parameters are those of `hard_sigmoid`, else 0."""

    function: str
    argument: Formula
    alpha: float = 0.0
    beta: float = 0.0


@dataclass(frozen=True)
class Sum(Formula):
    """A sum of what is no product with weights."""

    terms: frozenset[Formula]


@dataclass(frozen=True)
class Times(Formula):
    """An elementwise product; a square has one factor."""

    factors: frozenset[Formula]


@dataclass(frozen=True)
class Rest(Formula):
    """`1 - value`"""

    value: Formula


@dataclass(frozen=True)
class Linear(Formula):
    """`scale * value + shift`, with numbers."""

    value: Formula
    scale: float
    shift: float


@dataclass(frozen=True)
class Limited(Formula):
    """`min(max(value, low), high)`"""

    value: Formula
    low: float
    high: float


@dataclass(frozen=True)
class Chosen(Formula):
    """`yes` where `mask` holds, else `no`."""

    mask: Formula
    yes: Formula
    no: Formula


@dataclass(frozen=True)
class Other(Formula):
    """Anything else: equal only to itself."""

    value: SSAValue


class BodyFormulas:
    """The formulas of the values of one body."""

    def __init__(self, op: infra.IteratorOp):
        self.op = op
        self.known: dict[SSAValue, Formula] = {}

    def formula(self, value: SSAValue) -> Formula:
        """The formula of a value."""
        pending = [value]
        while pending:
            current = pending[-1]
            owner = current.owner
            needed = list(owner.operands) if isinstance(owner, Operation) else []
            missing = [each for each in needed if each not in self.known]
            pending += missing
            if not missing:
                pending.pop()
                if current not in self.known:
                    self.known[current] = self._formula(current)
        return self.known[value]

    def _formula(self, value: SSAValue) -> Formula:
        if isinstance(value, BlockArgument):
            return self._argument(value)
        op = cast(Operation, value.owner)
        if all(isinstance(self.known[operand], Outer) for operand in op.operands):
            return Outer(value)
        match op:
            case nn.MatMulOp():
                return self._product(op)
            case nn.AddOp():
                return self._sum(op)
            case nn.SubtractOp() | nn.MultiplyOp() | nn.DivideOp():
                return self._arithmetic(op)
            case nn.SigmoidOp() | nn.TanhOp() | nn.ReluOp():
                return Activated(op.name.removeprefix("nn."), self.known[op.operands[0]])
            case nn.ClampOp():
                limits = [cast(FloatAttr, a).value.data for a in (op.min, op.max)]
                return _hardened(Limited(self.known[op.operands[0]], *limits))
            case nn.MaximumOp() | nn.MinimumOp():
                return self._limited(op)
            case nn.SplitOp() | nn.VariadicSplitOp():
                return self._part(value, op, self._split(op, value))
            case nn.SliceOp():
                return self._part(value, op, _slice(op))
            case nn.SelectOp():
                mask, yes, no = (self.known[operand] for operand in op.operands)
                return Chosen(mask, yes, no)
            case nn.SqueezeOp() | nn.UnsqueezeOp() | nn.ReshapeOp():
                return self._reshaped(value, op)
            case _:
                return Other(value)

    def _argument(self, value: BlockArgument) -> Formula:
        if value.index >= len(self.op.inputs):
            return Other(value)  # the number of the iteration
        match self.op.inputs.data[value.index]:
            case infra.InvariantAttr():
                return Outer(value)
            case infra.SlicedAttr():
                return Element(value.index)
            case infra.MergedAttr() as port:
                return CarriedValue(value.index, port.result.data)
            case _:
                return Other(value)

    # --- sums and products ---

    def _product(self, op: nn.MatMulOp) -> Formula:
        factor, weights = self.known[op.a], self.known[op.b]
        shape = shape_of(op.b)
        if not isinstance(weights, Outer) or len(shape) != 2 or bool(op.transpose_a):
            return Other(op.result)
        flipped = bool(op.transpose_b)
        width = shape[0] if flipped else shape[1]
        if width < 0:
            return Other(op.result)
        cut = Cut(weights.value, 0, width, flipped)
        return AffineSum((WeightedFactor(factor, cut),), (), width)

    def _affine(self, formula: Formula, width: int) -> AffineSum | None:
        """A formula as a term of an affine sum; None where it is none."""
        if isinstance(formula, AffineSum):
            return formula
        if not isinstance(formula, Outer):
            return None
        shape = shape_of(formula.value)
        is_row = bool(shape) and shape[-1] == width and all(n == 1 for n in shape[:-1])
        return AffineSum((), (Cut(formula.value, 0, width),), width) if is_row else None

    def _sum(self, op: nn.AddOp) -> Formula:
        left, right = self.known[op.lhs], self.known[op.rhs]
        for value, formula, other in ((op.lhs, left, right), (op.rhs, right, left)):
            if isinstance(formula, Outer) and (number := _number(value)) is not None:
                return _linear(other, 1.0, number)
        width = shape_of(op.result)[-1] if shape_of(op.result) else 0
        a, b = self._affine(left, width), self._affine(right, width)
        if a is not None and b is not None:
            products = tuple(sorted((*a.products, *b.products), key=_order))
            return AffineSum(products, (*a.vectors, *b.vectors), width)
        terms = [*_terms(left), *_terms(right)]
        return Sum(frozenset(terms)) if len(set(terms)) == len(terms) else Other(op.result)

    def _arithmetic(self, op: nn.BinaryOp) -> Formula:
        left, right = self.known[op.lhs], self.known[op.rhs]
        a, b = _number(op.lhs), _number(op.rhs)
        match op:
            case nn.SubtractOp() if a == 1.0:
                return Rest(right)
            case nn.SubtractOp() if b is not None:
                return _linear(left, 1.0, -b)
            case nn.MultiplyOp() if a is not None:
                return _linear(right, a, 0.0)
            case nn.MultiplyOp() if b is not None:
                return _linear(left, b, 0.0)
            case nn.MultiplyOp():
                return Times(frozenset((left, right)))
            case nn.DivideOp() if b:
                return _linear(left, 1.0 / b, 0.0)
            case _:
                return Other(op.result)

    def _limited(self, op: nn.BinaryOp) -> Formula:
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if (number := _number(value)) is not None:
                inner = self.known[other]
                low, high = (
                    (number, float("inf"))
                    if isinstance(op, nn.MaximumOp)
                    else (float("-inf"), number)
                )
                if isinstance(inner, Limited) and max(low, inner.low) <= min(high, inner.high):
                    inner, low, high = inner.value, max(low, inner.low), min(high, inner.high)
                return _hardened(Limited(inner, low, high))
        return Other(op.result)

    # --- parts ---

    def _split(
        self, op: nn.SplitOp | nn.VariadicSplitOp, value: SSAValue
    ) -> tuple[int, int, int] | None:
        axis = constant_integers(op.axis)
        sizes = [shape_of(result)[-1] for result in op.results]
        if axis is None or min(sizes) < 0:
            return None
        number = [id(result) for result in op.results].index(id(value))
        return axis[0], sum(sizes[:number]), sum(sizes[: number + 1])

    def _part(self, value: SSAValue, op: Operation, where: tuple[int, int, int] | None) -> Formula:
        whole = self.known[op.operands[0]]
        rank = len(shape_of(op.operands[0]))
        if not isinstance(whole, AffineSum) or where is None or where[0] % rank != rank - 1:
            return Other(value)
        return whole.part(where[1], where[2])

    def _reshaped(self, value: SSAValue, op: Operation) -> Formula:
        """The same elements, where only dimensions of 1 come or go."""
        given = op.operands[0]
        before = [n for n in shape_of(given) if n != 1]
        after = [n for n in shape_of(value) if n != 1]
        return self.known[given] if before == after else Other(value)


def _slice(op: nn.SliceOp) -> tuple[int, int, int] | None:
    """Axis and limits of a slice along one axis, without gaps."""
    limits = [constant_integers(value) for value in op.operands[1:]]
    if any(limit is None or len(limit) != 1 for limit in limits):
        return None
    start, stop, step, axis = (cast(Sequence[int], limit)[0] for limit in limits)
    size = shape_of(op.input)[axis]
    if step != 1 or size < 0:
        return None
    first, last, _ = slice(start, stop).indices(size)
    return axis, first, max(first, last)


def _terms(formula: Formula) -> list[Formula]:
    return list(formula.terms) if isinstance(formula, Sum) else [formula]


def _order(product: WeightedFactor) -> tuple[str, int, int]:
    return type(product.factor).__name__, id(product.weights.value), product.weights.start


def _number(value: SSAValue) -> float | None:
    """The one number that a constant repeats; None of other values."""
    if not isinstance(value.owner, nn.ConstantOp):
        return None
    blob = value.owner.value
    shape = blob.type.get_shape()
    if not isinstance(tensor(value).element_type, AnyFloat):
        return None
    if not (blob.data.splat or all(n == 1 for n in shape)):
        return None
    return float(next(iter(blob.data.values())))


def _linear(value: Formula, scale: float, shift: float) -> Formula:
    if isinstance(value, Linear):
        scale, shift, value = scale * value.scale, scale * value.shift + shift, value.value
    if isinstance(value, Activated) and value.function == "ramp":
        # a limit to [0, top], divided by top
        top = value.alpha
        if shift == 0.0 and abs(scale * top - 1) < 1e-6:
            return Activated("hard_sigmoid", value.argument, scale, value.beta * scale)
    return value if (scale, shift) == (1.0, 0.0) else Linear(value, scale, shift)


def _hardened(limited: Limited) -> Formula:
    """A hard sigmoid where the limits are 0 and 1, or what becomes one by a division."""
    inner = limited.value
    line = inner if isinstance(inner, Linear) else Linear(inner, 1.0, 0.0)
    if limited.low != 0.0 or limited.high == float("inf"):
        return limited
    if limited.high == 1.0:
        return Activated("hard_sigmoid", line.value, line.scale, line.shift)
    if line.scale == 1.0:
        return Activated("ramp", line.value, limited.high, line.shift)
    return limited
