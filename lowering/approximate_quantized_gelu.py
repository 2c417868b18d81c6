"""
`approximate-quantized-gelu`: a GELU that is quantized where it is computed is as exact as codes can tell.

    x/2 erfc(-x/√2) = max(x, 0) - a p(a)⁸        with a = min(|x|, 5.75)

The eighth root of the normal distribution's upper tail, `erfc(a/√2)/2`, is nearly a polynomial: no division, no
exponential function. It is `ERROR` off at most, of results about 1 as much as f32 rounds them; what is lost are the
last bits of results near 0. So it stands where nothing but rounding to codes follows, and the error is less than
`TOLERANCE` codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isclose, sqrt

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.transforms.dead_code_elimination import dce

from ..dialects.kernel import ErfcOp, KernelOp, outside_bodies
from ..passes.interval import Interval
from .bodies import BodyBuilder, Clamp, Scalar
from .expand_math.polynomial import horner
from .range_analysis import Operands, RangeAnalysis, number_of

LAST = 5.75
"""From where on `a erfc(a/√2)/2` is 0: it is 3e-8 there."""

ROOT = (
    -2.9587999961e-07,
    7.4795270848e-06,
    -6.0257498262e-05,
    3.4294636862e-05,
    1.5043630265e-03,
    -6.7195628071e-04,
    -3.192807734e-02,
    -9.1457411647e-02,
    9.1700398922e-01,
)
"""Coefficients of p, the highest power first: a minimax fit for the product, 3e-9 off, and as f32 rounds 1.3e-7."""

ERROR = 1.3e-7
TOLERANCE = 2.0**-12


@dataclass(frozen=True)
class ApproximateQuantizedGelu(ModulePass):
    """Rewrites GELUs of kernels that round them to codes."""

    name = "approximate-quantized-gelu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = False
        for kernel in outside_bodies(op):
            if not isinstance(kernel, KernelOp):
                continue
            for inner in list(kernel.body.block.ops):
                if isinstance(inner, ErfcOp) and (gelu := _Gelu.on(inner)) is not None:
                    ranges = RangeAnalysis(Operands(kernel).interval)
                    if _codes_for_one(gelu.result.result, ranges) * ERROR <= TOLERANCE:
                        gelu.approximate()
                        changed = True
        if changed:
            dce(op)


@dataclass(frozen=True)
class _Gelu:
    """`result = (x · ½) · erfc(x · -√½)` in f32, factors in any order."""

    x: SSAValue
    result: arith.MulfOp

    @classmethod
    def on(cls, erfc: ErfcOp) -> _Gelu | None:
        """That of an error function's complement which nothing else uses."""
        product = erfc.result.get_user_of_unique_use()
        if erfc.result.type != f32 or not isinstance(product, arith.MulfOp):
            return None
        half = product.lhs if product.rhs is erfc.result else product.rhs
        x, other = _factor(erfc.x, -sqrt(0.5)), _factor(half, 0.5)
        return None if x is None or x is not other else cls(x, product)

    def approximate(self) -> None:
        """The polynomial takes its place."""
        assert self.result.parent is not None, "the operation is in a body"
        (x,) = BodyBuilder(self.result.parent, before=self.result).scalars([self.x])
        Rewriter.replace_op(self.result, [], [approximate_gelu(x).value])


def approximate_gelu(x: Scalar) -> Scalar:
    """`max(x, 0) - a p(a)⁸`"""
    size = abs(x).at_most(LAST)
    tail = horner(size, ROOT)
    for _ in range(3):
        tail = tail * tail
    return (-size).fma(tail, x.at_least(0))


def _factor(product: SSAValue, number: float) -> SSAValue | None:
    """x of `x · number`."""
    if isinstance(op := product.owner, arith.MulfOp):
        for x, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            found = number_of(other)
            if found is not None and isclose(found, number, rel_tol=1e-6):
                return x
    return None


def _codes_for_one(value: SSAValue, ranges: RangeAnalysis) -> float:
    """By how many codes results differ at most where this value differs by 1; infinity where it is not rounded."""
    return max((_through(use.operation, value, ranges) for use in value.uses), default=0.0)


def _through(op: Operation, value: SSAValue, ranges: RangeAnalysis) -> float:
    """The same by way of one of its users."""
    match op:
        case math.RoundEvenOp():
            return 1.0
        case arith.MulfOp() | math.FmaOp():
            first, second, *terms = op.operands
            factors = [y for x, y in ((first, second), (second, first)) if x is value]
            growth = sum(_magnitude(ranges.of(y)) for y in factors) + terms.count(value)
            return growth * _codes_for_one(op.results[0], ranges) if value not in factors else inf
        case arith.AddfOp() | arith.SubfOp():
            return op.operands.count(value) * _codes_for_one(op.results[0], ranges)
        case arith.SelectOp() if (clamp := Clamp.of(op.result)) is not None and clamp.x is value:
            return _codes_for_one(op.result, ranges)
        case arith.CmpfOp() if all(_clamps(use.operation, value) for use in op.result.uses):
            return 0.0  # the clamp uses the value itself
        case _:
            return inf


def _magnitude(interval: Interval) -> float:
    return inf if interval.may_be_nan else max(abs(interval.low), abs(interval.high))


def _clamps(op: Operation, value: SSAValue) -> bool:
    clamp = Clamp.of(op.results[0]) if isinstance(op, arith.SelectOp) else None
    return clamp is not None and clamp.x is value
