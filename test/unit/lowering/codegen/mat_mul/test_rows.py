"""Codes of left operands, made ready once for all columns: one or few rows, or many that become words."""

from __future__ import annotations

from dataclasses import replace
from itertools import product as every
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i8

from lowstream.dialects.elements import limits_of
from lowstream.lowering.codegen.mat_mul.mat_mul import MatMulKernel
from lowstream.lowering.codegen.mat_mul.sizes import MANY, WIDENED_UNITS, split_of
from lowstream.lowering.machine import AVX2, AVX512_VNNI
from lowstream.lowering.pack_weights.mat_mul import pack
from lowstream.test.unit.lowering.codegen.judge import check_results
from lowstream.test.unit.lowering.codegen.kernels import ui8
from lowstream.test.unit.lowering.codegen.mat_mul.case import Case
from lowstream.test.unit.lowering.codegen.mat_mul.case import sizes_at_run_time as sizes_at_run_time
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair


@pytest.mark.host
@each_pair(bits=[4, 8], x=[i8, ui8], columns=[8, 43], depth=[1, 4, 29, 32, 36, 67, 200])
def test_prepared_rows(bits: int, x: Any, columns: int, depth: int):
    """
    Extremes in every place, where pairs of products of bytes would saturate, and random ones; by two products, in
    groups. Nearest misses: two rows, and weights that are not packed.
    """
    case = Case((), 1, columns, 2, (depth, 31), ((x, i8), (i8, i8)), bits=bits)
    assert len(case.kernel_on(AVX2).prepared) == 2
    assert not replace(case, rows=2, bits=8).kernel_on(AVX2).prepared
    assert not replace(case, packed=False).kernel_on(AVX2).prepared
    native = case.check(AVX2)
    inputs = case.inputs(native.program, AVX2)
    ends = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    for code, left in every(ends, limits_of(x)):
        inputs[0][...] = left
        weights = np.full((2 * columns, depth), code, np.int8)
        inputs[2] = pack(weights, case.layout(AVX2), 2, columns).joined()
        check_results(native, inputs)


@pytest.mark.host
@each_pair(
    x=[i8, ui8],
    depth=[16, 17, 31, 64, 97],
    sizes=[((), 8, 48), ((2,), 31, 130), ((), 49, 261)],
)
def test_widened_rows(
    x: Any,
    depth: int,
    sizes: tuple[tuple[int, ...], int, int],
    monkeypatch: pytest.MonkeyPatch,
):
    """
    Random codes, and extremes in every place, in several panels. Nearest misses: fewer rows, columns or codes, several
    products, and weights that are not packed.
    """
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "WIDENED_BYTES", 1)
    batch, rows, columns = sizes
    case = Case(batch, rows, columns, 1, (depth,), ((x, i8),), batched_b=bool(batch))
    assert case.kernel_on(AVX2).widened is not None
    assert case.kernel_on(AVX2).is_prepared
    for miss in (
        replace(case, batch=(), batched_b=False, rows=7),
        replace(case, columns=47),
        replace(case, depths=(15,)),
        replace(case, depths=(depth, depth), kinds=((x, i8), (x, i8))),
        replace(case, packed=False),
    ):
        assert miss.kernel_on(AVX2).widened is None
        assert not miss.kernel_on(AVX2).is_prepared
    native = case.check(AVX2)
    inputs = case.inputs(native.program, AVX2)
    for code, left in every(limits_of(i8), limits_of(x)):
        inputs[0][...] = left
        weights = np.full((*batch, columns, depth), code, np.int8)
        inputs[1] = pack(weights, case.layout(AVX2), 1, columns).joined()
        check_results(native, inputs)


@pytest.mark.host
@each_pair(
    kind=[(i8, i8), (ui8, i8), (ui8, ui8)],
    depth=[64, 68, 76, 140],
    sizes=[((), 9, 64), ((2,), 31, 83), ((), 49, 261)],
)
def test_fast_inner_product(
    kind: tuple[Any, Any],
    depth: int,
    sizes: tuple[tuple[int, ...], int, int],
    monkeypatch: pytest.MonkeyPatch,
):
    """Random codes, and extremes in every place, in several panels."""
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "WIDENED_BYTES", 1)
    batch, rows, columns = sizes
    case = Case(batch, rows, columns, 1, (depth,), (kind,), batched_b=bool(batch), paired=True)
    assert case.kernel_on(AVX2).schedule.paired
    native = case.check(AVX2)
    inputs = case.inputs(native.program, AVX2)
    for code, left in every(*map(limits_of, kind[::-1])):
        inputs[0][...] = left
        weights = np.full((*batch, columns, depth), code, inputs[1].dtype)
        inputs[1] = pack(weights, case.layout(AVX2), 1, columns).joined()
        check_results(native, inputs)


@pytest.mark.host
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(33, 261), (9, 261)])
def test_shares_of_widened_rows(rows: int, columns: int, paired: bool):
    """Divided by rows, which are many, and by columns."""
    case = Case(rows=rows, columns=columns, depths=(68,), kinds=((ui8, i8),), paired=paired)
    assert case.kernel_on(AVX2).widened is not None
    program = case.program(AVX2)
    for parts in (2, 3):
        check_shares(MatMulKernel, program, AVX2, case.inputs(program, AVX2), parts)


def test_rows_are_widened_once_unless_weights_are_long_to_read():
    rows, columns, width = 128, 128 * WIDENED_UNITS, 16
    case = Case(rows=rows, columns=columns, depths=(64,), kinds=((ui8, i8),))
    schedule = case.schedule(AVX2)
    assert schedule.widens
    assert split_of((), (rows, columns), width, schedule) == "rows"
    assert split_of((), (rows - 1, columns), width, schedule) == "tiles"
    assert split_of((MANY,), (rows, columns), width, schedule) == "batch"
    others = replace(schedule, widens=False)
    assert split_of((), (rows, columns), width, others) == "tiles"
    assert split_of((), (rows, MANY * width - 1), width, others) == "rows"


@pytest.mark.host
@each_pair(bits=[4, 8], batch=[(), (3,)], rows=[2, 5, 9])
def test_prepared_rows_of_a_batch(
    bits: int, batch: tuple[int, ...], rows: int, monkeypatch: pytest.MonkeyPatch
):
    """
    In panels of four rows, divided by threads, and of codes of both signs. Nearest misses: one product, and groups that
    leave room for more rows in a register tile.
    """
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "panel_bytes", lambda weights: 4 * 98)
    case = Case(batch, rows, 21, 4, (67, 31), ((ui8, i8), (i8, i8)), batched_b=True, bits=bits)
    kernel = case.kernel_on(AVX2)
    assert len(kernel.prepared) == 2
    assert not kernel.table
    assert kernel.schedule.panel == 4
    program = case.check(AVX2).program
    check_shares(MatMulKernel, program, AVX2, case.inputs(program, AVX2), 3)
    alone = replace(case, depths=(67,), kinds=((i8, i8),), bits=8)
    assert not alone.kernel_on(AVX2).prepared
    assert not replace(case, groups=3, bits=8).kernel_on(AVX512_VNNI).prepared
    assert not replace(case, groups=1, bits=8).kernel_on(AVX2).prepared
