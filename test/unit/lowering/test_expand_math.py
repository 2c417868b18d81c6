"""Functions expanded into arithmetic, against those of the C library in higher precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, math, test
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.ir import Attribute, Operation

from lowstream.dialects.kernel import ErfcOp, SigmoidOp
from lowstream.lowering.expand_math import ExpandMath
from lowstream.lowering.expand_math.exponential import exp_of_negative
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.reference.arrays import Array
from lowstream.reference.scalar import run_body

TYPES = pytest.mark.parametrize(
    ("type", "dtype", "limit"), [(f32, np.float32, 90.0), (f64, np.float64, 720.0)], ids=str
)


def expanded(op: Callable[..., Operation], type: Attribute, *operands: Array) -> Array:
    """What the expansion of an operation gives."""
    return of_body(lambda x, *others: x.apply(op, *others), type, *operands)


def of_body(compute: Callable[..., Scalar], type: Attribute, *operands: Array) -> Array:
    """What the expansion of a body of `compute` gives."""
    body = build_body([type] * len(operands), compute)
    module = ModuleOp([test.TestOp(regions=[body])])
    ExpandMath().apply(Context(), module)
    (op,) = module.ops
    return run_body(op.regions[0].block, list(operands))[0]


def check(have: Array, want: Array, units: float) -> None:
    """At most so many units in the last place off; what is NaN, or infinite, is so on both sides."""
    wanted = want.astype(have.dtype)
    finite = np.isfinite(wanted) & np.isfinite(have)
    np.testing.assert_array_equal(have[~finite], wanted[~finite])
    size = np.maximum(np.abs(wanted[finite]), np.finfo(have.dtype).tiny)
    error = np.abs(have[finite] - want[finite]) / np.spacing(size)
    assert error.max() <= units


def numbers(dtype: Any, limit: float) -> Array:
    """Numbers of all sizes, and those that are special."""
    rng = np.random.default_rng(0)
    info = np.finfo(dtype)
    special = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 1e-30, -1e-30, info.max, info.tiny / 8]
    parts = [rng.uniform(-limit, limit, 5000), rng.normal(size=5000), rng.normal(size=500) / 1000]
    return np.concatenate([*parts, special]).astype(dtype)


@TYPES
@pytest.mark.parametrize(
    ("method", "function", "units"),
    [
        (math.ExpOp, np.exp, 1.5),
        (math.ExpM1Op, np.expm1, 2.5),
        (math.TanhOp, np.tanh, 5),
        (SigmoidOp, lambda x: 1 / (1 + np.exp(-x)), 6),
    ],
    ids=["exp", "expm1", "tanh", "sigmoid"],
)
def test_of_all_numbers(
    type: Any, dtype: Any, limit: float, method: Any, function: Any, units: float
):
    x = numbers(dtype, limit)
    with np.errstate(all="ignore"):
        check(expanded(method, type, x), function(x.astype(np.longdouble)), units)


@pytest.mark.parametrize(("low", "units"), [(-10, 2.5), (-87, 5)])
def test_exp_of_negative(low: float, units: float):
    """Of a softmax: nothing is above 0, most powers are near it; what is no normal number is 0, as is -∞'s."""
    x = np.linspace(low, 0, 20001).astype(np.float32)
    wanted = np.exp(x.astype(np.longdouble))
    check(of_negative(x), wanted, units)
    special = np.array([0, -0.0, -1e-30, -np.inf, -3e38, -88.5, np.nan], np.float32)
    np.testing.assert_array_equal(of_negative(special), [1, 1, 1, 0, 0, 0, np.nan])


def of_negative(x: Array) -> Array:
    return run_body(build_body([f32], exp_of_negative).block, [x])[0]


INVERSES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
INVERSES |= {f"{name}h": f"{inverse}h" for name, inverse in INVERSES.items()}


@TYPES
@pytest.mark.parametrize("name", ["sin", "cos", "tan", *INVERSES, "sinh", "cosh", "log1p"])
def test_of_numbers_of_all_sizes(type: Any, dtype: Any, limit: float, name: str):
    """Angles beside multiples of π/2, where all but the last bits cancel, among them."""
    (kind,) = (op for op in math.Math.operations if op.name == f"math.{name}")
    info = np.finfo(dtype)
    sizes = np.exp2(np.linspace(info.minexp, info.maxexp - 0.1, 4000))
    quadrants = np.arange(1, 3000) * np.pi / 2
    parts = [numbers(dtype, limit), sizes, -sizes, quadrants, np.linspace(-1, 1, 3001)]
    x = np.concatenate(parts).astype(dtype)

    # The C library's long double knows no better angles than its double, of which it knows every bit.
    wide = np.float64 if name in ("sin", "cos", "tan") else np.longdouble
    with np.errstate(all="ignore"):
        wanted = getattr(np, INVERSES.get(name, name))(x.astype(wide))
        check(expanded(kind, type, x), wanted, 4)


@TYPES
def test_logarithm(type: Any, dtype: Any, limit: float):
    with np.errstate(all="ignore"):
        positive = np.exp(numbers(dtype, limit))
        x = np.concatenate([numbers(dtype, limit), positive, np.linspace(0.5, 2, 999, dtype=dtype)])
        check(expanded(math.LogOp, type, x), np.log(x.astype(np.longdouble)), 2.5)


def test_softplus_in_f32():
    """As good where it is next to 0 as where it is large."""
    x = np.concatenate([numbers(np.float32, 80.0), np.linspace(-20, 20, 40001, dtype=np.float32)])
    x = x[~(x < -85)]

    def softplus(x: Scalar) -> Scalar:
        return x.at_least(0) + (-abs(x)).exp().apply(math.Log1pOp)

    wide = x.astype(np.longdouble)
    with np.errstate(all="ignore"):
        check(of_body(softplus, f32, x), np.maximum(wide, 0) + np.log1p(np.exp(-np.abs(wide))), 8)


@TYPES
def test_error_function(type: Any, dtype: Any, limit: float):
    from math import erf

    x = np.concatenate([numbers(dtype, 6.0), np.linspace(-1.5, 1.5, 30001, dtype=dtype)])
    units = 1.5 if dtype == np.float32 else 6
    check(expanded(math.ErfOp, type, x), np.vectorize(erf, otypes=["f8"])(x.astype("f8")), units)


@TYPES
def test_what_lies_beyond_the_error_function(type: Any, dtype: Any, limit: float):
    from math import erfc

    x = numbers(dtype, 9.0 if dtype == np.float32 else 25.0)
    check(expanded(ErfcOp, type, x), np.vectorize(erfc, otypes=["f8"])(x.astype("f8")), 8)


@TYPES
def test_sigmoid_comes_near_to_1_as_it_comes_near_to_0(type: Any, dtype: Any, limit: float):
    x = np.linspace(4, 16, 5000, dtype=dtype)
    rest = 1 - expanded(SigmoidOp, type, x).astype(np.longdouble)
    error = np.abs(rest - 1 / (1 + np.exp(x.astype(np.longdouble))))
    assert error.max() < 0.52 * np.finfo(dtype).epsneg


def test_sigmoid_is_nearly_as_good_where_it_is_least():
    """Of each 4th number whose result is normal, where errors are largest."""
    first, last = np.array([64, 87.3], np.float32).view(np.int32)
    x = -np.arange(first, last, 4, dtype=np.int32).view(np.float32)
    check(expanded(SigmoidOp, f32, x), 1 / (1 + np.exp(-x.astype(np.longdouble))), 6.2)


def test_tanh_stays_below_1():
    """Of each 16th number up to 16, where errors are largest, and beyond; and it is odd."""
    first, last = np.array([2, 16], np.float32).view(np.int32)
    numbers = np.arange(first, last, 16, dtype=np.int32).view(np.float32)
    x = np.append(numbers, [1e30, np.inf]).astype(np.float32)
    y = expanded(math.TanhOp, f32, x)
    check(y, np.tanh(x.astype(np.longdouble)), 4.8)
    assert y.max() < 1
    np.testing.assert_array_equal(expanded(math.TanhOp, f32, -x), -y)


@TYPES
def test_gates_are_as_good_as_their_factors(type: Any, dtype: Any, limit: float):
    x = np.repeat(numbers(dtype, limit)[::25], 60)
    sizes = [numbers(dtype, 10.0)[-600:], np.logspace(-37, 1, 400), np.linspace(-10, 10, 201)]
    y = np.resize(np.concatenate(sizes), x.size).astype(dtype)

    def gate(x: Scalar, y: Scalar) -> Scalar:
        return x.sigmoid() * y.tanh()

    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)
        check(of_body(gate, type, x, y), np.tanh(y.astype(np.longdouble)) / (1 + np.exp(-wide)), 9)


@TYPES
def test_what_a_gate_lets_through(type: Any, dtype: Any, limit: float):
    """Where the sigmoid is a normal number."""
    x = numbers(dtype, 0.95 * limit)
    x = x[abs(x) < limit]

    def swish(x: Scalar) -> Scalar:
        return x * x.sigmoid()

    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)
        check(of_body(swish, type, x), wide / (1 + np.exp(-wide)), 7)


@TYPES
def test_power(type: Any, dtype: Any, limit: float):
    rng = np.random.default_rng(0)
    x, y = rng.uniform(0, 30, 5000).astype(dtype), rng.uniform(-8, 8, 5000).astype(dtype)
    units = 1 if dtype == np.float32 else 60
    check(expanded(math.PowFOp, type, x, y), np.power(x.astype(np.longdouble), y), units)
    bases, exponents = (
        [-2, -1, -0.0, 0, 1, 2, 0.5, np.inf, -np.inf, np.nan],
        [-3, -2, -0.5, 0, 0.5, 1, 2, 2.5, 3, np.inf, -np.inf, np.nan],
    )
    x, y = (side.reshape(-1).astype(dtype) for side in np.meshgrid(bases, exponents))
    with np.errstate(all="ignore"):
        wanted = np.power(x, y)
    have = expanded(math.PowFOp, type, x, y)
    np.testing.assert_allclose(have, wanted, rtol=1e-6)
    numbers = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(have[numbers]), np.signbit(wanted[numbers]))


@pytest.mark.parametrize("divisor", [3, 0.1, 255, -7, 1e30, 1e-30, 1.5e-38, 1.9999999, 0.25, 8e37])
def test_division_by_a_constant_rounds_as_division_does(divisor: float):
    """Bit by bit; where the rest of the division is subnormal, to the last bit."""
    bits = np.random.default_rng(0).integers(0, 1 << 32, 10_000, dtype=np.uint32)
    x = np.concatenate([bits.view(np.float32), numbers(np.float32, 1e4)])
    with np.errstate(all="ignore"):
        have, want = of_body(lambda x: x / divisor, f32, x), x / np.float32(divisor)
    np.testing.assert_array_max_ulp(have[np.isfinite(want)], want[np.isfinite(want)], 1)
    is_exact = ~(np.abs(x) < 2.0**-100)
    np.testing.assert_array_equal(have[is_exact], want[is_exact])
    zeros = want == 0
    np.testing.assert_array_equal(np.signbit(have[zeros]), np.signbit(want[zeros]))


@pytest.mark.parametrize("divisor", [0, float("inf"), float("nan"), 1e-39, 1.2e38])
def test_no_other_constants_have_a_reciprocal(divisor: float):
    def divided(x: Scalar) -> Scalar:
        return x / divisor

    module = ModuleOp([test.TestOp(regions=[build_body([f32], divided)])])
    ExpandMath().apply(Context(), module)
    assert any(isinstance(op, arith.DivfOp) for op in module.walk())
