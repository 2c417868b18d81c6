"""Schedules are plain data from plain shapes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8

from lowstream.lowering.codegen.isa import AVX512_VNNI, ISAS, PORTABLE, Isa
from lowstream.lowering.codegen.schedule import MapSchedule, MatMulSchedule

SIZES = st.integers(1, 300)


@given(
    isa=st.sampled_from(ISAS),
    rows=SIZES,
    columns=SIZES,
    depths=st.lists(SIZES, min_size=1, max_size=3),
    groups=st.integers(1, 4),
    element=st.sampled_from([i8, f32]),
)
def test_tiles_fit_into_registers(
    isa: Isa, rows: int, columns: int, depths: list[int], groups: int, element: Any
):
    """Accumulators of all products, the weights of one step, an activation; and loops that make progress."""
    plan = MatMulSchedule.choose(
        isa, rows, columns, depths, groups, [(element, element)] * len(depths)
    )
    width = plan.vectors * groups
    most = plan.rows[0]
    if most > 1:
        assert most * width * len(depths) + width + 1 < isa.registers
    assert 1 <= most <= rows
    assert plan.rows[-1] == 1, "any number of rows is a sum of blocks"
    assert plan.unroll % plan.chains == 0
    assert plan.chains == 1 or element == i8, "floats are summed in order of k"
    assert plan.vectors <= -(-columns // isa.lanes), "no tile wider than what there is"


def test_a_recurrent_step():
    """Four gates of 128 units: tiles of two vectors keep eight sums going."""
    plan = MatMulSchedule.choose(AVX512_VNNI, 1, 128, [64, 128], 4, [(i8, i8)] * 2)
    assert (plan.vectors, plan.rows, plan.step, plan.offsets) == (2, (1,), 4, [128, 128])


def test_a_narrow_product_is_split_into_chains():
    plan = MatMulSchedule.choose(AVX512_VNNI, 1, 16, [256], 1, [(i8, i8)])
    assert (plan.vectors, plan.chains) == (1, 10)
    plan = MatMulSchedule.choose(AVX512_VNNI, 1, 16, [256], 1, [(f32, f32)])
    assert (plan.vectors, plan.chains) == (1, 1)


@pytest.mark.parametrize(
    ("domain", "strides", "expected"),
    [
        # One row of 6 x 8 elements …
        ([6, 8], [[8, 1], [8, 1]], ((), 48)),
        # … but not if one of the operands repeats,
        ([6, 8], [[8, 1], [0, 1]], ((6,), 8)),
        # has gaps,
        ([6, 8], [[8, 1], [9, 1]], ((6,), 8)),
        # or is transposed: then along what most read in a row.
        ([6, 8], [[1, 6], [1, 6], [8, 1]], ((8,), 6)),
        ([1, 1], [[1, 1]], ((), 1)),
        ([3, 0], [[0, 1]], ((), 0)),
    ],
)
def test_dimensions_that_are_one(domain: list[int], strides: list[list[int]], expected: Any):
    plan = MapSchedule.choose(PORTABLE, domain, strides)
    assert (plan.outer, plan.inner) == expected
