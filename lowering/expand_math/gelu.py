"""
GELU in f32 without division and exponential function.

    x/2 erfc(-x/√2) = max(x, 0) - a p(a)⁸        with a = min(|x|, last)

The eighth root of the normal distribution's upper tail, `erfc(a/√2)/2`, is nearly a polynomial. Results are off by as
much as f32 rounds numbers about 1, as in `x/2 (1 + erf(x/√2))`; what is lost are the last bits of those near 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose, sqrt

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.kernel import ErfcOp
from ..bodies import BodyBuilder, Scalar
from ..range_analysis import number_of
from .polynomial import horner


@dataclass(frozen=True)
class Tail:
    """
    Coefficients of p, the highest power first: a minimax fit for the product. From `last` on, that is taken to be what
    it is there; `error` is by how much results are off at most, where they are less than 1/2.
    """

    last: float
    root: tuple[float, ...]
    error: float


TAILS = (
    Tail(
        5.0,
        (
            -1.9094234481e-04,
            1.9396287172e-03,
            -1.1081260736e-03,
            -3.1721663404e-02,
            -9.1490969837e-02,
            9.1700344965e-01,
        ),
        1.5e-6,
    ),
    Tail(
        5.75,
        (
            -2.9587999961e-07,
            7.4795270848e-06,
            -6.0257498262e-05,
            3.4294636862e-05,
            1.5043630265e-03,
            -6.7195628071e-04,
            -3.192807734e-02,
            -9.1457411647e-02,
            9.1700398922e-01,
        ),
        1.3e-7,
    ),
)
"""The cheapest first; the last is 3e-9 off, but for f32's rounding."""


@dataclass(frozen=True)
class Gelu:
    """`result = (x · ½) · erfc(x · -√½)` in f32, factors in any order."""

    x: SSAValue
    result: arith.MulfOp

    @classmethod
    def on(cls, erfc: ErfcOp) -> Gelu | None:
        """That of an error function's complement which nothing else uses."""
        product = erfc.result.get_user_of_unique_use()
        if erfc.result.type != f32 or not isinstance(product, arith.MulfOp):
            return None
        half = product.lhs if product.rhs is erfc.result else product.rhs
        x, other = _factor(erfc.x, -sqrt(0.5)), _factor(half, 0.5)
        return None if x is None or x is not other else cls(x, product)

    def approximate(self, tail: Tail) -> None:
        """The polynomial takes its place."""
        assert self.result.parent is not None, "the operation is in a body"
        (x,) = BodyBuilder(self.result.parent, before=self.result).scalars([self.x])
        Rewriter.replace_op(self.result, [], [approximate_gelu(x, tail).value])


def approximate_gelu(x: Scalar, tail: Tail) -> Scalar:
    """`max(x, 0) - a p(a)⁸`"""
    size = abs(x).at_most(tail.last)
    power = horner(size, tail.root)
    for _ in range(3):
        power = power * power
    return (-size).fma(power, x.at_least(0))


def expand_gelu(lhs: Scalar, rhs: Scalar) -> Scalar | None:
    """Where one factor is an error function's complement, and both make a GELU."""
    for factor in (lhs, rhs):
        if isinstance(erfc := factor.value.owner, ErfcOp) and (gelu := Gelu.on(erfc)) is not None:
            (x,) = lhs.body.scalars([gelu.x])
            return approximate_gelu(x, TAILS[-1])
    return None


def _factor(product: SSAValue, number: float) -> SSAValue | None:
    """x of `x · number`."""
    if isinstance(op := product.owner, arith.MulfOp):
        for x, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            found = number_of(other)
            if found is not None and isclose(found, number, rel_tol=1e-6):
                return x
    return None
