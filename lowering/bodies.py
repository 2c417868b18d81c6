"""Builds the scalar bodies of kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import copysign, inf
from typing import Any, Self

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ..dialects.elements import bits_of, is_narrow_float, is_unsigned
from ..dialects.kernel import ErfcOp, SigmoidOp, YieldOp, body_type

Scalar = SSAValue

_OGT = arith.CMPF_COMPARISON_OPERATIONS.index("ogt")


@dataclass(frozen=True)
class Clamp:
    """A clamp on one side: `max(x, bound)` where `is_lower`, else `min(x, bound)`."""

    x: Scalar
    bound: Scalar
    is_lower: bool

    @classmethod
    def of(cls, value: Scalar) -> Self | None:
        """What `Body.at_least`, `Body.at_most`, `Body.maximum` or `Body.minimum` gave."""
        match value.owner:
            case arith.SelectOp(cond=cond, lhs=limit, rhs=x):
                compare = cond.owner
                if not isinstance(compare, arith.CmpfOp) or compare.predicate.value.data != _OGT:
                    return None
                if (compare.lhs, compare.rhs) not in ((limit, x), (x, limit)):
                    return None
                return cls(x, limit, compare.lhs is limit)
            case arith.MaximumfOp(lhs=x, rhs=limit) | arith.MinimumfOp(lhs=x, rhs=limit):
                return cls(x, limit, isinstance(value.owner, arith.MaximumfOp))
            case _:
                return None


def float_attr(value: float, type: AnyFloat) -> FloatAttr[Any]:
    """A number of a type: infinite where it lies beyond its range, as arithmetic in the type makes it."""
    try:
        return FloatAttr(value, type)
    except OverflowError:
        return FloatAttr(copysign(inf, value), type)


class Body:
    """
    Appends scalar operations to a block; each method gives the new value, by the type of its operands. Integers are
    signless there: where they are `unsigned`, all their bits count when they are ordered, divided or shifted.
    """

    def __init__(self, block: Block, unsigned: bool = False):
        self.block, self.unsigned = block, unsigned

    def emit(self, op: Operation) -> Scalar:
        """Appends an operation of one result."""
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: float, type: Attribute) -> Scalar:
        """A number of a scalar type."""
        if isinstance(type, Float32Type | Float64Type):
            return self.emit(arith.ConstantOp(float_attr(float(value), type)))
        assert isa(type, IntegerType)
        number, half = int(value), 2 ** (type.width.data - 1)
        if type.width.data > 1 and number >= half:  # of unsigned ones
            number -= 2 * half
        return self.emit(arith.ConstantOp(IntegerAttr(number, type)))

    def like(self, value: float, x: Scalar) -> Scalar:
        """A number of the type of `x`."""
        return self.constant(value, x.type)

    def add(self, x: Scalar, y: Scalar) -> Scalar:
        """`x + y`"""
        return self.emit((arith.AddfOp if _is_float(x) else arith.AddiOp)(x, y))

    def subtract(self, x: Scalar, y: Scalar) -> Scalar:
        """`x - y`"""
        return self.emit((arith.SubfOp if _is_float(x) else arith.SubiOp)(x, y))

    def multiply(self, x: Scalar, y: Scalar) -> Scalar:
        """`x * y`"""
        return self.emit((arith.MulfOp if _is_float(x) else arith.MuliOp)(x, y))

    def divide(self, x: Scalar, y: Scalar) -> Scalar:
        """`x / y`; integers toward minus infinity."""
        whole = arith.DivUIOp if self.unsigned else arith.FloorDivSIOp
        return self.emit((arith.DivfOp if _is_float(x) else whole)(x, y))

    def quotient(self, x: Scalar, y: Scalar) -> Scalar:
        """`x / y` of integers, toward zero; 0 where y is."""
        return self.emit((arith.DivUIOp if self.unsigned else arith.DivSIOp)(x, y))

    def remainder(self, x: Scalar, y: Scalar) -> Scalar:
        """What `quotient` leaves of integers: 0 where y is."""
        return self.emit((arith.RemUIOp if self.unsigned else arith.RemSIOp)(x, y))

    def fma(self, x: Scalar, y: Scalar, z: Scalar) -> Scalar:
        """`x * y + z`, rounded once."""
        return self.emit(math.FmaOp(x, y, z))

    def at_least(self, x: Scalar, limit: Scalar) -> Scalar:
        """`max(x, limit)`; NaN for a NaN x, as the vector unit's maximum has it in this order."""
        return self.select(self.greater(limit, x), limit, x)

    def at_most(self, x: Scalar, limit: Scalar) -> Scalar:
        """`min(x, limit)`; NaN for a NaN x."""
        return self.select(self.greater(x, limit), limit, x)

    def maximum(self, x: Scalar, y: Scalar) -> Scalar:
        """`max(x, y)`; NaN if either is."""
        whole = arith.MaxUIOp if self.unsigned else arith.MaxSIOp
        return self.emit((arith.MaximumfOp if _is_float(x) else whole)(x, y))

    def minimum(self, x: Scalar, y: Scalar) -> Scalar:
        """`min(x, y)`; NaN if either is."""
        whole = arith.MinUIOp if self.unsigned else arith.MinSIOp
        return self.emit((arith.MinimumfOp if _is_float(x) else whole)(x, y))

    def greater(self, x: Scalar, y: Scalar) -> Scalar:
        """`x > y` as i1."""
        return self.compare("gt", x, y)

    def compare(self, order: str, x: Scalar, y: Scalar) -> Scalar:
        """`x order y` as i1, where order is one of eq ne lt le gt ge; false for NaN (ne: true)."""
        if _is_float(x):
            return self.emit(arith.CmpfOp(x, y, ("u" if order == "ne" else "o") + order))
        sign = "" if order in ("eq", "ne") else "u" if self.unsigned else "s"
        return self.emit(arith.CmpiOp(x, y, sign + order))

    def logic(self, kind: str, x: Scalar, y: Scalar) -> Scalar:
        """`and`, `or` or `xor` of bits."""
        op = {"and": arith.AndIOp, "or": arith.OrIOp, "xor": arith.XOrIOp}[kind]
        return self.emit(op(x, y))

    def select(self, condition: Scalar, x: Scalar, y: Scalar) -> Scalar:
        """`condition ? x : y`"""
        return self.emit(arith.SelectOp(condition, x, y))

    def clamp(self, x: Scalar, low: float, high: float) -> Scalar:
        """`min(max(x, low), high)`; NaN for a NaN x."""
        return self.at_most(self.at_least(x, self.like(low, x)), self.like(high, x))

    def round_even(self, x: Scalar) -> Scalar:
        """To the nearest integer, halves to even."""
        return self.emit(math.RoundEvenOp(x))

    def square_root(self, x: Scalar) -> Scalar:
        """`√x`"""
        return self.emit(math.SqrtOp(x))

    def absolute(self, x: Scalar) -> Scalar:
        """`|x|`; the least integer stays as it is."""
        if _is_float(x):
            return self.emit(math.AbsFOp(x))
        if self.unsigned:
            return x
        return self.maximum(x, self.subtract(self.like(0, x), x))

    def negative(self, x: Scalar) -> Scalar:
        """`-x`"""
        return self.emit(arith.NegfOp(x)) if _is_float(x) else self.subtract(self.like(0, x), x)

    def floor(self, x: Scalar) -> Scalar:
        """The greatest whole number that is not above x."""
        return self.emit(math.FloorOp(x))

    def ceiling(self, x: Scalar) -> Scalar:
        """The least whole number that is not below x."""
        return self.emit(math.CeilOp(x))

    def truncate(self, x: Scalar) -> Scalar:
        """The whole number next to x toward zero."""
        return self.emit(math.TruncOp(x))

    def exp(self, x: Scalar) -> Scalar:
        """`exp(x)`"""
        return self.emit(math.ExpOp(x))

    def expm1(self, x: Scalar) -> Scalar:
        """`exp(x) - 1`"""
        return self.emit(math.ExpM1Op(x))

    def log(self, x: Scalar) -> Scalar:
        """`ln x`"""
        return self.emit(math.LogOp(x))

    def log1p(self, x: Scalar) -> Scalar:
        """`ln(1 + x)`"""
        return self.emit(math.Log1pOp(x))

    def erf(self, x: Scalar) -> Scalar:
        """The error function."""
        return self.emit(math.ErfOp(x))

    def power(self, x: Scalar, y: Scalar) -> Scalar:
        """`x ** y`"""
        return self.emit(math.PowFOp(x, y))

    def tanh(self, x: Scalar) -> Scalar:
        """`tanh(x)`"""
        return self.emit(math.TanhOp(x))

    def sigmoid(self, x: Scalar) -> Scalar:
        """`1 / (1 + exp(-x))`"""
        return self.emit(SigmoidOp(x))

    def erfc(self, x: Scalar) -> Scalar:
        """`1 - erf(x)`"""
        return self.emit(ErfcOp(x))

    def convert(self, x: Scalar, source: Attribute, target: Attribute) -> Scalar:
        """The scalar of an element of type `source` as one of type `target` (`nn.convert`)."""
        wanted = body_type(target)
        if target == i1:
            return self._is_nonzero(x)
        if isinstance(wanted, AnyFloat):
            if _is_float(x):
                is_narrow = is_narrow_float(target) and x.type == f64
                return self._to_odd(x) if is_narrow else self._resize_float(x, wanted)
            return self.emit((arith.UIToFPOp if is_unsigned(source) else arith.SIToFPOp)(x, wanted))
        assert isa(wanted, IntegerType)
        if _is_float(x):
            if bits_of(target) < 8:  # as OpenVINO and ONNX convert: what does not fit wraps around
                return self.wrap(self.emit(arith.FPToSIOp(x, wanted)), target)
            wide = is_unsigned(target) and bits_of(target) == wanted.width.data
            return self._to_unsigned(x, wanted) if wide else self.emit(arith.FPToSIOp(x, wanted))
        return self.wrap(self._resize_integer(x, source, wanted), target)

    def _to_unsigned(self, x: Scalar, wanted: IntegerType) -> Scalar:
        """To all the bits of a signless integer; the upper half of the numbers lies below 0 there."""
        middle = 2 ** (wanted.width.data - 1)
        x = self.at_least(x, self.like(0, x))
        above = self.subtract(x, self.like(middle, x))
        lower, upper = (self.emit(arith.FPToSIOp(part, wanted)) for part in (x, above))
        upper = self.add(upper, self.like(-middle, upper))
        return self.select(self.compare("ge", above, self.like(0, x)), upper, lower)

    def wrap(self, x: Scalar, target: Attribute) -> Scalar:
        """Keeps the low bits, as a C cast to a narrower integer does; storing would saturate."""
        spare = bits_of(x.type) - bits_of(target)
        if spare <= 0:
            return x
        amount = self.like(spare, x)
        shifted = self.emit(arith.ShLIOp(x, amount))
        right = arith.ShRUIOp if is_unsigned(target) else arith.ShRSIOp
        return self.emit(right(shifted, amount))

    def _is_nonzero(self, x: Scalar) -> Scalar:
        if x.type == i1:
            return x
        zero = self.like(0, x)
        if _is_float(x):
            return self.emit(arith.CmpfOp(x, zero, "une"))
        return self.emit(arith.CmpiOp(x, zero, "ne"))

    def _resize_float(self, x: Scalar, wanted: Attribute) -> Scalar:
        if x.type == wanted:
            return x
        return self.emit(arith.ExtFOp(x, f64) if wanted == f64 else arith.TruncFOp(x, f32))

    def _to_odd(self, x: Scalar) -> Scalar:
        """f64 to f32, odd in the last bit where that is not exact, so that rounding once more is right."""
        single = self.emit(arith.TruncFOp(x, f32))
        again = self.emit(arith.ExtFOp(single, f64))
        word = self.emit(arith.BitcastOp(single, i32))
        is_above = self.compare("gt", self.absolute(again), self.absolute(x))
        differs = self.emit(arith.CmpfOp(x, again, "one"))
        below = self.select(is_above, self.emit(arith.SubiOp(word, self.like(1, word))), word)
        odd = self.select(differs, self.logic("or", below, self.like(1, word)), word)
        return self.emit(arith.BitcastOp(odd, f32))

    def _resize_integer(self, x: Scalar, source: Attribute, wanted: IntegerType) -> Scalar:
        have, need = bits_of(x.type), bits_of(wanted)
        if have == need:
            return x
        if have > need:
            return self.emit(arith.TruncIOp(x, wanted))
        return self.emit((arith.ExtUIOp if is_unsigned(source) else arith.ExtSIOp)(x, wanted))


def _is_float(x: Scalar) -> bool:
    return isinstance(x.type, AnyFloat)


def same(body: Body, x: Scalar) -> Scalar:
    """What a body computes that gives what it gets."""
    return x


def build_body(
    types: Sequence[Attribute],
    compute: Callable[..., Scalar | Sequence[Scalar]],
    unsigned: bool = False,
) -> Region:
    """The region of a kernel: `compute(body, *arguments)` gives what it yields."""
    block = Block(arg_types=types)
    results = compute(Body(block, unsigned), *block.args)
    block.add_op(YieldOp(*(results if isinstance(results, Sequence) else [results])))
    return Region(block)
