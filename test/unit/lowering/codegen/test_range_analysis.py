"""What is told of a body's scalars without computing them holds when they are computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i8, i32

from lowstream.dialects.kernel import YieldOp
from lowstream.lowering.codegen.body import yielded
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body, select
from lowstream.lowering.kernel_bodies.range_analysis import RangeAnalysis, rounded_to
from lowstream.passes.interval import ANYTHING, Interval
from lowstream.reference.scalar import run_body, stored
from lowstream.test.unit.lowering.codegen.kernels import ui8

Write = Callable[[Scalar], Scalar]

LIMITS: list[tuple[Write, tuple[float, float]]] = [
    (lambda x: x, (-math.inf, math.inf)),
    (lambda x: x.clamp(-1.5, 7), (-1.5, 7)),
    (lambda x: x.clamp(-1.5, 6.5).round_even(), (-2, 7)),
    (lambda x: x.at_least(3), (3, math.inf)),
    (lambda x: x.minimum(3), (-math.inf, 3)),
    (lambda x: x.clamp(0, 6).clamp(2, 9), (2, 6)),
    (lambda x: x.tanh(), (-1, 1)),
    (lambda x: x.sigmoid() * x.tanh() * 127, (-127, 127)),
    (
        lambda x: select(x > 0, x, 9),
        (-math.inf, math.inf),
    ),
]


@pytest.mark.parametrize(("write", "limits"), LIMITS)
def test_limits(write: Write, limits: tuple[float, float]):
    (value,) = yielded(build_body([f32], write).block)
    found = RangeAnalysis().of(value)
    assert (found.low, found.high) == limits and found.may_be_nan


@pytest.mark.parametrize(
    ("write", "limits"),
    [
        (lambda x: select(x.equals(x), x, 0), (0, 7)),
        (lambda x: select(x.equals(x), x, 1), (-math.inf, math.inf)),
        (lambda x: select(x.equals(x + 1), x, 0), (-math.inf, math.inf)),
        (lambda x: select(x <= x, x, 0), (-math.inf, math.inf)),
    ],
)
def test_numbers_or_zero(write: Write, limits: tuple[float, float]):
    """0 in the place of NaN, and nothing that looks like it."""
    (value,) = yielded(build_body([f32], lambda x: write(x.clamp(3, 7))).block)
    found = RangeAnalysis().of(value)
    assert (found.low, found.high, found.may_be_nan) == (*limits, limits != (0, 7))


def test_limits_of_integers():
    """NaN becomes 0."""

    def whole(low: float, high: float) -> tuple[float, float]:
        region = build_body([f32], lambda x: x.clamp(low, high).convert(f32, i32))
        (value,) = yielded(region.block)
        found = RangeAnalysis().of(value)
        return found.low, found.high

    assert whole(3, 7) == (0, 7)
    assert whole(-300, -200) == (-300, 0)
    assert whole(-1e20, 1e20) == (-(2**31), 2**31 - 1)


def test_arithmetic_holds_what_rounding_makes():
    """Of an i8 argument by a scale, plus a number; what overflows, and what infinity makes, may be anything."""

    def ends(scale: float, shift: float) -> Interval:
        def line(x: Scalar) -> Scalar:
            y = x.convert(i8, f32)
            return y.fma(scale, shift)

        (value,) = yielded(build_body([i8], line).block)
        return RangeAnalysis().of(value)

    found = ends(0.1, 1e-3)
    tenth, small = (float(np.float32(number)) for number in (0.1, 1e-3))
    assert found.low < -128 * tenth + small < found.low + 1e-5 and not found.may_be_nan
    assert found.high > 127 * tenth + small > found.high - 1e-5
    assert ends(0.5, 3) == Interval(-61, 66.5)  # f32 has these numbers
    assert ends(1e37, 0) == ends(math.inf, 0) == ANYTHING


CODES: list[tuple[Write, Any, bool]] = [
    (lambda x: x.round_even().clamp(0, 255), ui8, True),
    (lambda x: x.clamp(0, 255).round_even(), ui8, True),
    (lambda x: x.round_even(), i8, True),
    (lambda x: x.clamp(-128, 200).round_even().clamp(-300, 127.5), i8, True),
    # A limit that storing does not have stays.
    (lambda x: x.clamp(0, 255).round_even(), i8, True),
    (lambda x: x.clamp(3, 9).round_even(), ui8, True),
    # Toward zero is not to the nearest.
    (lambda x: x.clamp(0, 255), ui8, False),
    (lambda x: x.round_even().clamp(3.5, 255), ui8, False),
]


@pytest.mark.parametrize(("write", "element", "found"), CODES)
def test_codes_of_what(write: Write, element: Any, found: bool):
    """Storing the body's value is storing the nearest code of the scalar that was found."""
    block = build_body([f32], lambda x: write(x).convert(f32, i32)).block
    (value,) = yielded(block)
    source = rounded_to(value, element)
    assert (source is not None) == found
    if source is None:
        return
    edges = [np.nan, np.inf, -np.inf, -0.5, 0.5, 1.5, 2.5, 126.5, 127.5, 254.5, 255.5, -128.5]
    x = np.array([*edges, 1e10, -1e10, 5, 300], np.float32)
    with np.errstate(all="ignore"):
        (want,) = run_body(block, [x])
        last = block.last_op
        assert isinstance(last, YieldOp)
        last.operands = [source]
        (kept,) = run_body(block, [x])
    dtype = np.dtype(np.int8 if element == i8 else np.uint8)
    limits = np.iinfo(dtype)
    codes = np.where(np.isnan(kept), 0, np.clip(np.rint(kept), limits.min, limits.max))
    np.testing.assert_array_equal(codes.astype(dtype), stored(want, element))
