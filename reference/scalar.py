"""The meaning of the scalar operations in kernel bodies, over whole arrays of points at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.elements import CODES, limits_of
from ..dialects.kernel import ErfcOp, IntegerPowerOp, LookupOp, RemainderOp, SigmoidOp, YieldOp
from .arrays import Array, dtype_of, rounded
from .functions import (
    complement,
    error_function,
    logistic,
    power_of,
    to_integer,
    truncated_quotient,
)

Unary = Callable[[Array], Array]
Binary = Callable[[Array, Array], Array]


def run_body(block: Block, arguments: list[Array]) -> list[Array]:
    """What a body yields, at every point. Raises DiagnosticException on an operation bodies do not have."""
    *operations, last = block.ops
    assert isinstance(last, YieldOp), "a body without kernel.yield passed verification"
    values = run_operations(operations, dict(zip(block.args, arguments, strict=True)))
    return [values[value] for value in last.operands]


def run_operations(
    operations: Iterable[Operation], values: dict[SSAValue, Array]
) -> dict[SSAValue, Array]:
    """Adds the results of operations, in order, to the values at every point."""
    with np.errstate(all="ignore"):
        for op in operations:
            values[op.results[0]] = _evaluate(op, [values[value] for value in op.operands])
    return values


def _evaluate(op: Operation, operands: list[Array]) -> Array:
    if isinstance(op, arith.ConstantOp):
        number = op.value
        assert isinstance(number, IntegerAttr | FloatAttr)
        return np.array(number.value.data).astype(dtype_of(op.result.type))
    if isinstance(op, arith.CmpfOp):
        return _FLOAT_ORDER[op.predicate.value.data](*operands)
    if isinstance(op, arith.CmpiOp):
        return _INTEGER_ORDER[op.predicate.value.data](*operands)
    if isinstance(op, LookupOp):
        return np.array(op.codes, np.int32)[operands[0] % CODES]
    if isinstance(op, arith.TruncFOp):
        return _narrowed(operands[0], op.result.type)
    kind = type(op)
    if (cast := CASTS.get(kind)) is not None:
        return cast(operands[0], dtype_of(op.results[0].type))
    if (function := UNARY.get(kind) or BINARY.get(kind) or TERNARY.get(kind)) is not None:
        return function(*operands)
    raise DiagnosticException(f"{op.name}: is no operation of kernel bodies")


def fma(x: Array, y: Array, z: Array) -> Array:
    """
    `x * y + z` with one rounding; in float64 as long as neither the product nor its error overflows or
    underflows. A float64 product is a sum of two (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
    """
    if x.dtype == np.float32:
        return _fma_of_singles(x, y, z)
    high, low = _two_product(x, y)
    inner, rest = two_sum(z, low)
    total, error = two_sum(high, inner)
    fused = total + _odd_sum(error, rest)
    return np.where(np.isfinite(fused), fused, x * y + z)


def _fma_of_singles(x: Array, y: Array, z: Array) -> Array:
    """
    float64 holds the product; rounding their sum twice is wrong only where the first time leaves it halfway between
    two float32. There it is rounded to odd first, and all below the normal numbers, whose halves lie at other bits.
    """
    product = np.asarray(x.astype(np.float64) * y)
    total = np.asarray(product + z)
    fused = total.astype(np.float32)
    is_unsure = (total.view(np.int64) & 2**29 - 1) == 2**28
    is_unsure |= np.abs(fused) <= np.finfo(np.float32).tiny
    if is_unsure.any():
        places = is_unsure & (total != 0)
        addend = np.broadcast_to(z, total.shape)[places].astype(np.float64)
        fused[places] = _odd_sum(product[places], addend).astype(np.float32)
    return fused


def two_sum(x: Array, y: Array) -> tuple[Array, Array]:
    """Knuth: the rounded sum and what rounding took."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _odd_sum(x: Array, y: Array) -> Array:
    """The sum of float64, rounded to odd: where it is not exact, its last bit is set."""
    total, error = two_sum(x, y)
    total = np.asarray(total)
    even = (total.view(np.int64) & 1) == 0
    inexact = even & (error != 0) & np.isfinite(total)
    return np.where(inexact, np.nextafter(total, np.copysign(np.inf, error)), total)


def _two_product(x: Array, y: Array) -> tuple[Array, Array]:
    """Dekker: the rounded product and what rounding took."""
    (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
    product = x * y
    error = x_high * y_high - product
    return product, ((error + x_high * y_low) + x_low * y_high) + x_low * y_low


def _halves(x: Array) -> tuple[Array, Array]:
    """Veltkamp: the upper and the lower bits of a float64."""
    scaled = x * np.float64(2**27 + 1)
    high = scaled - (scaled - x)
    return high, x - high


def _unsigned(x: Array) -> Array:
    return x.view(f"u{x.dtype.itemsize}") if x.dtype.kind == "i" else x.astype(np.uint8)


UNARY: Mapping[type[Operation], Unary] = {
    arith.NegfOp: np.negative,
    math.RoundEvenOp: np.rint,
    math.SqrtOp: np.sqrt,
    math.AbsFOp: np.abs,
    math.FloorOp: np.floor,
    math.CeilOp: np.ceil,
    math.TruncOp: np.trunc,
    math.TanhOp: np.tanh,
    math.ExpOp: np.exp,
    math.ExpM1Op: np.expm1,
    math.LogOp: np.log,
    math.Log1pOp: np.log1p,
    math.SinOp: np.sin,
    math.CosOp: np.cos,
    math.TanOp: np.tan,
    math.AsinOp: np.arcsin,
    math.AcosOp: np.arccos,
    math.AtanOp: np.arctan,
    math.SinhOp: np.sinh,
    math.CoshOp: np.cosh,
    math.AsinhOp: np.arcsinh,
    math.AcoshOp: np.arccosh,
    math.AtanhOp: np.arctanh,
    math.ErfOp: lambda x: error_function(x.astype(np.float64)).astype(x.dtype),
    ErfcOp: lambda x: complement(x.astype(np.float64)).astype(x.dtype),
    SigmoidOp: logistic,
}
BINARY: Mapping[type[Operation], Binary] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.DivSIOp: truncated_quotient,
    arith.DivUIOp: lambda x, y: (_unsigned(x) // _unsigned(y)).view(x.dtype),
    arith.FloorDivSIOp: np.floor_divide,
    arith.RemSIOp: np.fmod,
    arith.RemUIOp: lambda x, y: (_unsigned(x) % _unsigned(y)).view(x.dtype),
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.ShLIOp: np.left_shift,
    arith.ShRSIOp: np.right_shift,
    arith.ShRUIOp: lambda x, y: np.right_shift(_unsigned(x), _unsigned(y)).view(x.dtype),
    arith.MinSIOp: np.minimum,
    arith.MaxSIOp: np.maximum,
    arith.MinUIOp: lambda x, y: np.minimum(_unsigned(x), _unsigned(y)).view(x.dtype),
    arith.MaxUIOp: lambda x, y: np.maximum(_unsigned(x), _unsigned(y)).view(x.dtype),
    arith.AddfOp: np.add,
    arith.SubfOp: np.subtract,
    arith.MulfOp: np.multiply,
    arith.DivfOp: np.divide,
    IntegerPowerOp: lambda x, y: (_unsigned(x) ** _unsigned(y)).view(x.dtype),
    RemainderOp: np.fmod,
    arith.MaximumfOp: np.maximum,
    arith.MinimumfOp: np.minimum,
    math.PowFOp: power_of,
}
TERNARY: Mapping[type[Operation], Callable[[Array, Array, Array], Array]] = {
    arith.SelectOp: np.where,
    math.FmaOp: fma,
}
"""Operations whose result has the type of their operands, by the number of these."""

CASTS: Mapping[type[Operation], Callable[[Array, np.dtype[Any]], Array]] = {
    arith.SIToFPOp: lambda x, dtype: x.astype(dtype),
    arith.UIToFPOp: lambda x, dtype: _unsigned(x).astype(dtype),
    arith.FPToSIOp: to_integer,
    arith.ExtFOp: lambda x, dtype: x.astype(dtype),
    arith.ExtSIOp: lambda x, dtype: x.astype(dtype),
    arith.ExtUIOp: lambda x, dtype: _unsigned(x).astype(dtype),
    arith.TruncIOp: lambda x, dtype: x.astype(dtype),
    arith.BitcastOp: lambda x, dtype: x.view(dtype),
}
"""Operations that change the type, with the NumPy type of the result."""

_FLOAT_ORDER: Mapping[int, Binary] = {
    0: lambda x, y: np.zeros_like(x, bool),
    1: np.equal,
    2: np.greater,
    3: np.greater_equal,
    4: np.less,
    5: np.less_equal,
    6: lambda x, y: (x != y) & ~np.isnan(x) & ~np.isnan(y),
    7: lambda x, y: ~(np.isnan(x) | np.isnan(y)),
    8: lambda x, y: (x == y) | np.isnan(x) | np.isnan(y),
    9: lambda x, y: ~(x <= y),
    10: lambda x, y: ~(x < y),
    11: lambda x, y: ~(x >= y),
    12: lambda x, y: ~(x > y),
    13: np.not_equal,
    14: lambda x, y: np.isnan(x) | np.isnan(y),
    15: lambda x, y: np.ones_like(x, bool),
}
"""The predicates of `arith.cmpf` by number."""

_INTEGER_ORDER: Mapping[int, Binary] = {
    0: np.equal,
    1: np.not_equal,
    2: np.less,
    3: np.less_equal,
    4: np.greater,
    5: np.greater_equal,
    6: lambda x, y: _unsigned(x) < _unsigned(y),
    7: lambda x, y: _unsigned(x) <= _unsigned(y),
    8: lambda x, y: _unsigned(x) > _unsigned(y),
    9: lambda x, y: _unsigned(x) >= _unsigned(y),
}
"""The predicates of `arith.cmpi` by number."""


def stored(x: Array, element: Attribute) -> Array:
    """A body's scalar as an element in memory: narrow integers saturate, narrow floats round."""
    dtype = dtype_of(element)
    if dtype.kind in "iu" and dtype.itemsize < x.dtype.itemsize:
        return np.clip(x, *limits_of(element)).astype(dtype)
    return _narrowed(x, element)


def _narrowed(x: Array, element: Attribute) -> Array:
    """`x` as a type that may be narrower; what NumPy lacks stays in float32, rounded."""
    with np.errstate(over="ignore"):
        return rounded(x, element).astype(dtype_of(element))
