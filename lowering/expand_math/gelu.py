"""
GELU in f32 without division and exponential function.

    x/2 erfc(-x/√2) = max(x, 0) - a p(a)⁸        with a = min(|x|, last)

The eighth root of the normal distribution's upper tail, `erfc(a/√2)/2`, is nearly a polynomial; so is that of the one
which takes its place in `x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))`. Results are off by as
much as f32 rounds numbers about 1, as in `x/2 (1 + erf(x/√2))`; what is lost are the last bits of those near 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose, pi, sqrt

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from ...dialects.kernel import ErfcOp
from ...dialects.rewriter import Rewriter
from ..kernel_bodies.bodies import BodyBuilder, Scalar
from ..kernel_bodies.range_analysis import number_of
from .polynomial import horner

CUBIC = 0.044715
"""The factor of x³ in GELU by the hyperbolic tangent."""


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


TANH_TAILS = (
    Tail(
        5.2,
        (
            3.6973739532e-05,
            -4.6756892798e-04,
            2.4421675826e-03,
            -1.3788006561e-03,
            -3.1604712504e-02,
            -9.1504972139e-02,
            9.1700388353e-01,
        ),
        1.5e-6,
    ),
    Tail(
        5.4,
        (
            5.9958629439e-07,
            -1.3082759006e-05,
            1.0881756150e-04,
            -4.2489130647e-04,
            6.3469899352e-04,
            9.2951944694e-04,
            -2.2139533266e-04,
            -3.2051578501e-02,
            -9.1437991042e-02,
            9.1700298508e-01,
        ),
        1.8e-7,
    ),
)
"""The same of the hyperbolic tangent's GELU."""


@dataclass(frozen=True)
class Gelu:
    """
    `result = (x · ½) · erfc(x · -√½)` or `(x · ½) · (1 + tanh((x + x³ · 0.044715) · √(2/π)))` in f32, terms and factors
    in any order; `tails` are those of it.
    """

    x: SSAValue
    result: arith.MulfOp
    tails: tuple[Tail, ...]

    @classmethod
    def on(cls, op: ErfcOp | math.TanhOp) -> Gelu | None:
        """The GELU that this function is part of, if nothing else uses it."""
        if op.results[0].type != f32:
            return None
        return cls._on_erfc(op) if isinstance(op, ErfcOp) else cls._on_tanh(op)

    @classmethod
    def _on_tanh(cls, tanh: math.TanhOp) -> Gelu | None:
        more = tanh.result.get_user_of_unique_use()
        if not isinstance(more, arith.AddfOp):
            return None
        if not _is_number(more.lhs if more.rhs is tanh.result else more.rhs, 1):
            return None
        product = more.result.get_user_of_unique_use()
        inner = _factor(tanh.operand, sqrt(2 / pi))
        if not isinstance(product, arith.MulfOp) or inner is None:
            return None
        x = _factor(product.lhs if product.rhs is more.result else product.rhs, 0.5)
        return cls(x, product, TANH_TAILS) if x is not None and _is_cubic(inner, x) else None

    @classmethod
    def _on_erfc(cls, erfc: ErfcOp) -> Gelu | None:
        product = erfc.result.get_user_of_unique_use()
        if not isinstance(product, arith.MulfOp):
            return None
        half = product.lhs if product.rhs is erfc.result else product.rhs
        x, other = _factor(erfc.x, -sqrt(0.5)), _factor(half, 0.5)
        return None if x is None or x is not other else cls(x, product, TAILS)

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
    """Where one factor is an error function's complement, or 1 and a tangent, and both make a GELU."""
    for factor in (lhs, rhs):
        op = factor.value.owner
        functions = [op, *(x.owner for x in op.operands)] if isinstance(op, Operation) else []
        for function in functions:
            if not isinstance(function, ErfcOp | math.TanhOp):
                continue
            gelu = Gelu.on(function)
            if gelu is not None and {gelu.result.lhs, gelu.result.rhs} == {lhs.value, rhs.value}:
                (x,) = lhs.body.scalars([gelu.x])
                return approximate_gelu(x, gelu.tails[-1])
    return None


def _is_cubic(sum: SSAValue, x: SSAValue) -> bool:
    """Whether this is `x + x³ · 0.044715`."""
    match sum.owner:
        case math.FmaOp(a=a, b=b, c=c) if c is x:
            cube = next((v for v, k in ((a, b), (b, a)) if _is_number(k, CUBIC)), None)
        case arith.AddfOp(lhs=lhs, rhs=rhs):
            cube = _factor(lhs if rhs is x else rhs, CUBIC) if x in (lhs, rhs) else None
        case _:
            return False
    if (
        cube is None
        or not isinstance(product := cube.owner, arith.MulfOp)
        or x not in product.operands
    ):
        return False
    square = product.lhs if product.rhs is x else product.rhs
    return isinstance(square.owner, arith.MulfOp) and set(square.owner.operands) == {x}


def _is_number(value: SSAValue, number: float) -> bool:
    found = number_of(value)
    return found is not None and isclose(found, number, rel_tol=1e-6)


def _factor(product: SSAValue, number: float) -> SSAValue | None:
    """x of `x · number`."""
    if isinstance(op := product.owner, arith.MulfOp):
        for x, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if _is_number(other, number):
                return x
    return None
