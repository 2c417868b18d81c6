"""The scalar bodies of kernels, written as equations."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import copysign, inf
from typing import Any, Self, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ...dialects.accessors import operands_of
from ...dialects.elements import bits_of, is_float, is_narrow_float, is_unsigned
from ...dialects.kernel import Access, MapOp, SigmoidOp, YieldOp, body_type
from ...dialects.operation import NOTHING, initialize
from ...dialects.properties import MANY, integer
from ...dialects.rewriter import append, insert_before

OGT = arith.CMPF_COMPARISON_OPERATIONS.index("ogt")


@dataclass(frozen=True)
class Clamp:
    """A clamp on one side: `max(x, bound)` where `is_lower`, else `min(x, bound)`."""

    x: SSAValue
    bound: SSAValue
    is_lower: bool

    @classmethod
    def of(cls, value: SSAValue) -> Self | None:
        """The clamp that an operation is: what `Scalar.at_least`, `at_most`, `maximum` and `minimum` write."""
        owner = cast(Operation, value.owner)  # or a block, of another type than all below
        match type(owner):
            case arith.SelectOp:
                cond, limit, x = operands_of(owner)
                compare = cond.owner
                if not isinstance(compare, arith.CmpfOp) or compare.predicate.value.data != OGT:
                    return None
                lhs, rhs = operands_of(compare)
                if (lhs, rhs) not in ((limit, x), (x, limit)):
                    return None
                return cls(x, limit, lhs is limit)
            case arith.MaximumfOp | arith.MinimumfOp:
                x, limit = operands_of(owner)
                return cls(x, limit, isinstance(owner, arith.MaximumfOp))
            case _:
                return None


def float_attr(value: float, type: AnyFloat) -> FloatAttr[Any]:
    """A number of a floating-point type: infinite where it is out of range, as arithmetic in the type makes it."""
    return _float_attr(struct.pack("d", value), type)


@lru_cache(MANY)
def _float_attr(bits: bytes, type: AnyFloat) -> FloatAttr[Any]:
    """Cached by its bits, since both zeros are equal."""
    (number,) = struct.unpack("d", bits)
    try:
        return FloatAttr(number, type)
    except OverflowError:
        return FloatAttr(copysign(inf, number), type)


class BodyBuilder:
    """
    Appends scalar operations to a block, or inserts them before an operation in it. Integers are signless: `unsigned`
    says how they are compared, divided and shifted.
    """

    def __init__(self, block: Block, unsigned: bool = False, before: Operation | None = None):
        self.block, self.unsigned, self.before = block, unsigned, before

    def emit(
        self,
        kind: type[Operation],
        operands: Sequence[Scalar],
        type: Attribute,
        properties: Mapping[str, Attribute] = NOTHING,
    ) -> Scalar:
        """Writes an operation with one result of this type."""
        op = kind.__new__(kind)
        initialize(op, [operand.value for operand in operands], (type,), properties)
        if self.before is None:
            append(self.block, op)
        else:
            insert_before(op, self.before)
        return Scalar(self, op.results[0])

    def constant(self, value: float, type: Attribute) -> Scalar:
        """A number of a scalar type."""
        if isinstance(type, Float32Type | Float64Type):
            return self._constant(float_attr(float(value), type), type)
        assert isa(type, IntegerType)
        number, half = int(value), 2 ** (type.width.data - 1)
        if type.width.data > 1 and number >= half:  # of unsigned ones
            number -= 2 * half
        return self._constant(IntegerAttr(number, type), type)

    def _constant(self, value: Attribute, type: Attribute) -> Scalar:
        return self.emit(arith.ConstantOp, (), type, {"value": value})

    def scalars(self, values: Iterable[SSAValue]) -> list[Scalar]:
        """Values as scalars to compute with."""
        return [Scalar(self, value) for value in values]

    def region(self, *results: Scalar) -> Region:
        """The region of a kernel whose body yields these."""
        append(self.block, YieldOp(*(result.value for result in results)))
        return Region(self.block)


@dataclass(frozen=True, eq=False)
class Scalar:
    """
    A value in a body. Its operators append operations to the body, which depend on the type. A Python number beside it
    is a constant of the same type.
    """

    body: BodyBuilder
    value: SSAValue

    @property
    def type(self) -> Attribute:
        """The scalar type."""
        return self.value.type

    @property
    def _is_float(self) -> bool:
        return is_float(self.type)

    def number(self, value: float) -> Scalar:
        """A number of the same type."""
        return self.body.constant(value, self.type)

    def _like(self, other: Scalar | float) -> Scalar:
        return other if isinstance(other, Scalar) else self.number(other)

    def apply(self, op: type[Operation], *others: Scalar | float) -> Scalar:
        """An operation of `arith` or `math` on this and other values, whose result has the same type."""
        return self.body.emit(op, [self, *map(self._like, others)], self.type)

    def _by_sign(
        self, signed: type[Operation], unsigned: type[Operation], other: Scalar | float
    ) -> Scalar:
        return self.apply(unsigned if self.body.unsigned else signed, other)

    def __add__(self, other: Scalar | float) -> Scalar:
        return self.apply(arith.AddfOp if self._is_float else arith.AddiOp, other)

    def __sub__(self, other: Scalar | float) -> Scalar:
        return self.apply(arith.SubfOp if self._is_float else arith.SubiOp, other)

    def __mul__(self, other: Scalar | float) -> Scalar:
        return self.apply(arith.MulfOp if self._is_float else arith.MuliOp, other)

    def __truediv__(self, other: Scalar | float) -> Scalar:
        """Of integers, rounded toward minus infinity."""
        if self._is_float:
            return self.apply(arith.DivfOp, other)
        return self._by_sign(arith.FloorDivSIOp, arith.DivUIOp, other)

    def __radd__(self, number: float) -> Scalar:
        return self.number(number) + self

    def __rsub__(self, number: float) -> Scalar:
        return self.number(number) - self

    def __rmul__(self, number: float) -> Scalar:
        return self.number(number) * self

    def __rtruediv__(self, number: float) -> Scalar:
        return self.number(number) / self

    def __neg__(self) -> Scalar:
        return self.apply(arith.NegfOp) if self._is_float else 0 - self

    def __abs__(self) -> Scalar:
        """The least integer has no positive counterpart and stays as it is."""
        if self._is_float:
            return self.apply(math.AbsFOp)
        return self if self.body.unsigned else self.maximum(-self)

    def __and__(self, other: Scalar | int) -> Scalar:
        return self.apply(arith.AndIOp, other)

    def __or__(self, other: Scalar | int) -> Scalar:
        return self.apply(arith.OrIOp, other)

    def __xor__(self, other: Scalar | int) -> Scalar:
        return self.apply(arith.XOrIOp, other)

    def __lshift__(self, other: Scalar | int) -> Scalar:
        return self.apply(arith.ShLIOp, other)

    def __rshift__(self, other: Scalar | int) -> Scalar:
        """An arithmetic shift; `arith.ShRUIOp` is the logical one."""
        return self.apply(arith.ShRSIOp, other)

    def __gt__(self, other: Scalar | float) -> Scalar:
        return self.compare("gt", other)

    def __ge__(self, other: Scalar | float) -> Scalar:
        return self.compare("ge", other)

    def __lt__(self, other: Scalar | float) -> Scalar:
        return self._like(other) > self

    def equals(self, other: Scalar | float) -> Scalar:
        """`this == other` as i1; false for NaN."""
        return self.compare("eq", other)

    def compare(self, order: str, other: Scalar | float) -> Scalar:
        """
        `this order other` as i1, where order is one of eq ne lt le gt ge; false for NaN (ne: true). Of floating-point
        numbers also a predicate of `arith.cmpf`, such as ueq.
        """
        op, prefix = arith.CmpiOp, "u" if self.body.unsigned else "s"
        if order in arith.CMPF_COMPARISON_OPERATIONS:
            op, prefix = arith.CmpfOp, ""
        elif self._is_float:
            op, prefix = arith.CmpfOp, "u" if order == "ne" else "o"
        elif order in ("eq", "ne"):
            prefix = ""
        return self.body.emit(op, (self, self._like(other)), i1, _predicate(op, prefix + order))

    def quotient(self, other: Scalar) -> Scalar:
        """`this / other` of integers, toward zero; 0 if the divisor is 0."""
        return self._by_sign(arith.DivSIOp, arith.DivUIOp, other)

    def remainder(self, other: Scalar) -> Scalar:
        """The remainder of `quotient` of integers; 0 if the divisor is 0."""
        return self._by_sign(arith.RemSIOp, arith.RemUIOp, other)

    def fma(self, factor: Scalar | float, term: Scalar | float) -> Scalar:
        """`this * factor + term`, rounded once."""
        return self.apply(math.FmaOp, factor, term)

    def at_least(self, limit: Scalar | float) -> Scalar:
        """`max(this, limit)`; NaN where this is, as the vector unit's maximum has it in this order."""
        limit = self._like(limit)
        return select(limit > self, limit, self)

    def at_most(self, limit: Scalar | float) -> Scalar:
        """`min(this, limit)`; NaN where this is."""
        limit = self._like(limit)
        return select(self > limit, limit, self)

    def clamp(self, low: float, high: float) -> Scalar:
        """`min(max(this, low), high)`; NaN where this is."""
        return self.at_least(low).at_most(high)

    def maximum(self, other: Scalar | float) -> Scalar:
        """The greater of both; NaN if either is NaN."""
        if self._is_float:
            return self.apply(arith.MaximumfOp, other)
        return self._by_sign(arith.MaxSIOp, arith.MaxUIOp, other)

    def minimum(self, other: Scalar | float) -> Scalar:
        """The smaller of both; NaN if either is NaN."""
        if self._is_float:
            return self.apply(arith.MinimumfOp, other)
        return self._by_sign(arith.MinSIOp, arith.MinUIOp, other)

    def round_even(self) -> Scalar:
        """To the nearest integer, halves to even."""
        return self.apply(math.RoundEvenOp)

    def truncate(self) -> Scalar:
        """Rounds toward zero."""
        return self.apply(math.TruncOp)

    def square_root(self) -> Scalar:
        """`√this`"""
        return self.apply(math.SqrtOp)

    def exp(self) -> Scalar:
        """`exp(this)`"""
        return self.apply(math.ExpOp)

    def sigmoid(self) -> Scalar:
        """`1 / (1 + exp(-this))`"""
        return self.apply(SigmoidOp)

    def tanh(self) -> Scalar:
        """`tanh(this)`"""
        return self.apply(math.TanhOp)

    def cast(self, op: type[Operation], type: Attribute) -> Scalar:
        """An operation of `arith` whose result has another type."""
        return self.body.emit(op, (self,), type)

    def bitcast(self, type: Attribute) -> Scalar:
        """The same bits as another type."""
        return self.cast(arith.BitcastOp, type)

    def convert(self, source: Attribute, target: Attribute) -> Scalar:
        """Converts the scalar of an element of type `source` to that of an element of type `target` (`nn.convert`)."""
        wanted = body_type(target)
        if target == i1:
            return self._is_nonzero()
        if is_float(wanted):
            if self._is_float:
                is_narrow = is_narrow_float(target) and self.type == f64
                return self._to_odd() if is_narrow else self._resize_float(wanted)
            return self.cast(arith.UIToFPOp if is_unsigned(source) else arith.SIToFPOp, wanted)
        assert isa(wanted, IntegerType)
        if self._is_float:
            if bits_of(target) < 8:  # as OpenVINO and ONNX convert: what does not fit wraps around
                return self.cast(arith.FPToSIOp, wanted).wrap(target)
            is_wide = is_unsigned(target) and bits_of(target) == wanted.width.data
            return self._to_unsigned(wanted) if is_wide else self.cast(arith.FPToSIOp, wanted)
        return self._resize_integer(source, wanted).wrap(target)

    def _to_unsigned(self, wanted: IntegerType) -> Scalar:
        """
        Converts to an unsigned integer of all the bits of a signless one: the upper half of the range is negative
        there.
        """
        middle = 2 ** (wanted.width.data - 1)
        x = self.at_least(0)
        above = x - middle
        lower, upper = (part.cast(arith.FPToSIOp, wanted) for part in (x, above))
        return select(above >= 0, upper + -middle, lower)

    def wrap(self, target: Attribute) -> Scalar:
        """Keeps the low bits, as a C cast to a narrower integer does. A store would saturate."""
        spare = bits_of(self.type) - bits_of(target)
        if spare <= 0:
            return self
        right = arith.ShRUIOp if is_unsigned(target) else arith.ShRSIOp
        amount = self.number(spare)
        return (self << amount).apply(right, amount)

    def _is_nonzero(self) -> Scalar:
        return self if self.type == i1 else self.compare("ne", 0)

    def _resize_float(self, wanted: Attribute) -> Scalar:
        if self.type == wanted:
            return self
        return self.cast(arith.ExtFOp if wanted == f64 else arith.TruncFOp, wanted)

    def _to_odd(self) -> Scalar:
        """f64 to f32 by rounding to odd, so that rounding once more gives the right result."""
        single = self.cast(arith.TruncFOp, f32)
        again = single.cast(arith.ExtFOp, f64)
        word = single.bitcast(i32)
        is_above = abs(again) > abs(self)
        differs = self.body.emit(arith.CmpfOp, (self, again), i1, _predicate(arith.CmpfOp, "one"))
        below = select(is_above, word - 1, word)
        return select(differs, below | 1, word).bitcast(f32)

    def _resize_integer(self, source: Attribute, wanted: IntegerType) -> Scalar:
        have, need = bits_of(self.type), bits_of(wanted)
        if have == need:
            return self
        if have > need:
            return self.cast(arith.TruncIOp, wanted)
        return self.cast(arith.ExtUIOp if is_unsigned(source) else arith.ExtSIOp, wanted)


def select(condition: Scalar, then: Scalar | float, otherwise: Scalar | float) -> Scalar:
    """`condition ? then : otherwise`; if one of them is a Python number, the other one says its type."""
    known = then if isinstance(then, Scalar) else otherwise
    assert isinstance(known, Scalar), "no operand says what type the numbers have"
    values = (
        each if isinstance(each, Scalar) else known.number(each) for each in (then, otherwise)
    )
    return condition.body.emit(arith.SelectOp, (condition, *values), known.type)


@cache
def _predicate(op: type[arith.CmpfOp | arith.CmpiOp], order: str) -> Mapping[str, Attribute]:
    """The property of a comparison that holds its predicate."""
    names = arith.CMPF_COMPARISON_OPERATIONS
    if op is arith.CmpiOp:
        names = arith.CMPI_COMPARISON_OPERATIONS
    return {"predicate": integer(names.index(order))}


def conversion(source: Attribute, target: Attribute) -> Callable[[Scalar], Scalar]:
    """A body function that converts elements from one type to another."""
    return lambda x: x.convert(source, target)


def same(x: Scalar) -> Scalar:
    """A body function that returns its argument."""
    return x


def movement(value: SSAValue, access: Access, result: TensorType[Any]) -> MapOp:
    """A kernel that only moves elements: `result[p] = value[access(p)]`."""
    body, shape = build_body([body_type(result.element_type)], same), result.get_shape()
    return MapOp(shape, [value], [access, Access.identity(len(shape))], body, results=[result])


def build_body(
    types: Sequence[Attribute],
    compute: Callable[..., Scalar | Sequence[Scalar]],
    unsigned: bool = False,
) -> Region:
    """The region of a kernel; `compute(*arguments)` gives what it yields."""
    body = BodyBuilder(Block(arg_types=types), unsigned)
    results = compute(*body.scalars(body.block.args))
    return body.region(*([results] if isinstance(results, Scalar) else results))
