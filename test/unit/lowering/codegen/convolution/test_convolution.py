"""Convolutions as machine code against their meaning in NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8, i32

from lowstream.dialects import kernel
from lowstream.dialects.kernel import GroupedLayout
from lowstream.lowering.codegen.convolution import convolution
from lowstream.lowering.codegen.convolution.convolution import ConvolutionKernel
from lowstream.lowering.codegen.convolution.im2col import im2col_kernel
from lowstream.lowering.codegen.convolution.live_columns import LiveColumns
from lowstream.lowering.codegen.convolution.live_taps import LiveTaps
from lowstream.lowering.codegen.mat_mul.mat_mul import MatMulKernel
from lowstream.lowering.codegen.run_time import RunTime
from lowstream.lowering.machine import AVX2, AVX512_VNNI, Isa, available_isas
from lowstream.lowering.pack_weights.convolution import (
    ConvolutionProblem,
    convolution_schedule,
)
from lowstream.test.unit.lowering.codegen.convolution.convolutions import ConvolutionCase as Case
from lowstream.test.unit.lowering.codegen.kernels import (
    BYTES,
    FLOATS,
    each_isa,
    sampled,
    ui8,
)
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair


@pytest.fixture(autouse=True, scope="module")
def sizes_at_run_time() -> Iterator[None]:
    """Also for short sums, which most cases here have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(convolution, "LONG_SUM", 0)
        yield


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of register tiles, vectors and steps."""
    rank = draw(st.integers(1, 3))

    def each(*sizes: int) -> tuple[int, ...]:
        return tuple(draw(st.sampled_from(sizes)) for _ in range(rank))

    packed = draw(st.booleans())
    channels = draw(st.sampled_from([2, 3, 4, 5, 8, 31, 33]))
    taps, dilations = each(1, 1, 2, 3), each(1, 1, 2)
    room = draw(st.sampled_from([0, 0, 3]))
    groups = draw(st.sampled_from([1, 1, 2, 3]))
    return Case(
        batch=draw(st.sampled_from([1, 1, 2])),
        positions=each(1, 2, 3, 5, 7) if rank < 3 else each(1, 2, 3),
        taps=taps,
        strides=each(1, 1, 2, 3),
        dilations=dilations,
        groups=groups,
        channels=channels,
        units=draw(st.sampled_from([1, 3, 8, 15, 16, 17, 33, 50])),
        kind=draw(st.sampled_from([*BYTES, *FLOATS[:1]])),
        packed=packed,
        codes=draw(st.sampled_from([i8, ui8])),
        # Taps that are merged with channels lie side by side.
        room=0 if packed and groups == 1 else room,
        over=draw(st.sampled_from([0, 0, 2])),
    )


@sampled(cases())
def test_sums_are_exact(isa: Isa, case: Case):
    case.check(isa)


@each_isa
@pytest.mark.parametrize("units", [8, 9, 24, 25])
def test_the_last_vector_may_be_wanted_by_half(isa: Isa, units: int):
    Case(channels=8, units=units).check(isa)


@st.composite
def grouped(draw: st.DrawFn) -> Case:
    """Groups whose units fill vectors, or a part of one that others fill up."""
    return Case(
        batch=draw(st.sampled_from([1, 2])),
        positions=(draw(st.integers(1, 4)), draw(st.sampled_from([1, 2, 7, 30]))),
        taps=(draw(st.integers(1, 2)), draw(st.integers(1, 3))),
        strides=(1, draw(st.integers(1, 2))),
        dilations=(1, draw(st.integers(1, 2))),
        groups=draw(st.integers(2, 11)),
        channels=draw(st.sampled_from([1, 2, 3, 4, 5, 8, 9, 16])),
        units=draw(st.sampled_from([1, 2, 4, 4, 8, 16, 24, 32])),
        kind=draw(st.sampled_from([*BYTES, *FLOATS])),
        codes=draw(st.sampled_from([i8, ui8])),
        room=draw(st.sampled_from([0, 3])),
    )


@sampled(grouped())
def test_sums_of_groups_are_exact(isa: Isa, case: Case):
    case.check(isa)


@st.composite
def of_columns(draw: st.DrawFn) -> Case:
    """Codes whose last taps are summed apart: of groups that fill vectors, share one, or do neither, and of one."""
    case = draw(st.one_of(cases(), grouped()).filter(lambda case: case.kind in BYTES))
    taps = (*case.taps[:-1], draw(st.integers(1, 4)))
    channels = max(2, case.channels)
    return replace(case, taps=taps, channels=channels, column_sums=True, room=0)


@sampled(of_columns())
def test_sums_of_columns_are_exact(isa: Isa, case: Case):
    case.check(isa)


@pytest.mark.parametrize(
    ("units", "channels", "kind", "layout"),
    [
        (4, 4, (ui8, i8), GroupedLayout(16, 4, 1, 0, 4)),
        (4, 4, (f32, f32), GroupedLayout(16, 1, 1, 0, 4)),
        (16, 64, (ui8, i8), GroupedLayout(16, 4, 1, 0, 1)),
        (32, 8, (f32, f32), GroupedLayout(16, 1, 2, 0, 1)),
        (8, 40, (f32, f32), GroupedLayout(8, 1, 1, 0, 1)),  # Short vectors of f32 are as fast;
        (24, 8, (f32, f32), GroupedLayout(8, 1, 3, 0, 1)),
        (8, 8, (ui8, i8), GroupedLayout(16, 4, 1, 0, 2)),  # those of codes are not.
        (4, 16, (f32, f32), None),  # Two vectors hold what is shuffled;
        (8, 40, (ui8, i8), None),  # eight steps are shuffled;
        (12, 4, (ui8, i8), None),  # units fill vectors,
        (128, 4, (ui8, i8), None),  # but no more than registers have room for.
    ],
)
def test_tiles_have_whole_groups(
    units: int, channels: int, kind: tuple[Any, Any], layout: GroupedLayout | None
):
    window = ((3, 3), (1, 1), (1, 1))
    problem = ConvolutionProblem(kind, [1, 16, 16, 6 * channels], [14, 14], units, 6, window)
    found, _ = convolution_schedule(AVX512_VNNI, problem)
    assert (found if isinstance(found, GroupedLayout) else None) == layout


@pytest.mark.parametrize(
    ("units", "layout"),
    [
        (4, GroupedLayout(16, 4, 1, 0, 4)),
        (32, GroupedLayout(16, 4, 2, 0, 1)),
        (80, None),  # The sums of 3 columns of 5 vectors take up half of the registers.
    ],
)
def test_columns_share_registers(units: int, layout: GroupedLayout | None):
    window = ((3, 3), (1, 1), (1, 1))
    kind, input = (ui8, i8), [1, 16, 16, 24]
    problem = ConvolutionProblem(kind, input, [14, 14], units, 6, window, column_sums=True)
    found, _ = convolution_schedule(AVX512_VNNI, problem)
    assert (found if isinstance(found, GroupedLayout) else None) == layout
    case = Case(positions=(14, 14), groups=6, units=units, column_sums=True)
    (op,) = case.program(AVX512_VNNI).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    schedule = ConvolutionKernel.of(op, AVX512_VNNI).schedule
    sums = 3 * schedule.nr_vectors * schedule.lines * schedule.rows
    assert sums + schedule.nr_vectors + 1 <= AVX512_VNNI.registers


@st.composite
def bordered(draw: st.DrawFn) -> Case:
    """Zeros around the input, which some taps see alone."""
    outer, rank = draw(st.integers(0, 2)), 2
    rank += outer
    kind = draw(st.sampled_from([*BYTES, (f32, f32)]))
    return Case(
        batch=draw(st.integers(1, 2)),
        positions=(
            *(draw(st.integers(1, 4)) for _ in range(outer)),
            draw(st.integers(1, 7)),
            draw(st.sampled_from([1, 3, 7, 14, 33, 60])),
        ),
        taps=(*(draw(st.integers(1, 3)) for _ in range(outer + 1)), draw(st.integers(1, 4))),
        strides=tuple(draw(st.integers(1, 3)) for _ in range(rank)),
        dilations=tuple(draw(st.integers(1, 3)) for _ in range(rank)),
        groups=draw(st.sampled_from([1, 1, 4])),
        channels=draw(st.sampled_from([3, 4, 8, 20])),
        units=draw(st.sampled_from([4, 16, 33])),
        kind=kind,
        packed=draw(st.sampled_from([True, True, False])),
        zeros=tuple((draw(st.integers(0, 4)), draw(st.integers(0, 4))) for _ in range(rank)),
        column_sums=kind != (f32, f32) and draw(st.booleans()),
    )


@sampled(bordered())
def test_zeros_add_nothing(isa: Isa, case: Case):
    if all(sum(ends) <= size for ends, size in zip(case.zeros, case.input[1:-1], strict=True)):
        case.check(isa)


@each_pair(
    isa=available_isas(), kind=[(ui8, i8), (f32, f32)], packed=[True, False], dilation=[1, 2]
)
def test_zeros_around_volumes_add_nothing(
    isa: Isa, kind: tuple[Any, Any], packed: bool, dilation: int
):
    zeros = ((2, 2), (2, 1), (1, 2))
    dilations = (1, 1, dilation)
    Case(
        positions=(4, 3, 5),
        taps=(3, 3, 3),
        strides=(1, 1, 1),
        dilations=dilations,
        kind=kind,
        packed=packed,
        zeros=zeros,
    ).check(isa)


def test_each_loop_over_taps_of_a_volume_has_limits():
    case = Case(
        positions=(4, 5, 14),
        taps=(3, 2, 3),
        strides=(2, 1, 1),
        dilations=(1, 1, 1),
        zeros=((2, 1), (0, 1), (1, 1)),
    )
    (op,) = case.program(AVX512_VNNI).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    live = ConvolutionKernel.of(op, AVX512_VNNI).live
    assert live == (
        LiveTaps(positions=0, first=2, last=7, stride=2, dilation=1),
        LiveTaps(positions=1, first=0, last=4, stride=1, dilation=1),
    )
    one = replace(case, positions=(1, 5, 14), zeros=((2, 1), (1, 1), (1, 1)))
    (op,) = one.program(AVX512_VNNI).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    outer, inner = ConvolutionKernel.of(op, AVX512_VNNI).live
    assert outer is None  # all positions need the same taps
    assert inner is not None and inner.positions == 0


@pytest.mark.parametrize(
    ("fewest", "zeros", "is_limited"), [(1, 1, True), (2, 1, False), (2, 2, True), (3, 2, False)]
)
def test_lines_of_a_register_tile_that_reach_beyond_the_zeros_need_all_taps(
    fewest: int, zeros: int, is_limited: bool
):
    case = Case(positions=(6, 5), zeros=((0, zeros), (0, 0)))
    (op,) = case.program(AVX512_VNNI).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    lines = (3, 0, 0)
    assert bool(LiveTaps.of(op, case.positions, [lines], [fewest, 5])) == is_limited


@pytest.mark.parametrize(
    ("case", "first_and_last"),
    [
        (Case(positions=(5, 14)), (1, 14)),
        (Case(positions=(5, 14), kind=(i8, i8)), None),  # read as u8, zeros are 128;
        (Case(positions=(5, 14), channels=3), None),  # a step has channels of two columns;
        (Case(positions=(5, 14), dilations=(1, 2)), None),  # taps are a loop of their own;
        (Case(positions=(5, 14), taps=(1, 1), over=2), None),  # lines and rows are one loop.
    ],
)
def test_taps_that_see_columns_of_zeros_are_left_out(
    case: Case, first_and_last: tuple[int, int] | None
):
    (op,) = replace(case, zeros=((0, 0), (1, 1))).program(AVX512_VNNI).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    live = ConvolutionKernel.of(op, AVX512_VNNI).live_columns
    assert (live and (live.first, live.last)) == first_and_last


def test_rows_of_a_tile_that_need_a_tap():
    live = LiveColumns(first=1, last=14, stride=1, taps=3)  # one column on each side of 14
    assert live.of_tile(column=0, lines=2, rows=3) == (
        (1, 2, 4, 5),
        (0, 1, 2, 3, 4, 5),
        (0, 1, 2, 3, 4, 5),
    )
    assert live.of_tile(column=3, lines=1, rows=11) == (
        tuple(range(11)),
        tuple(range(11)),
        tuple(range(10)),
    )
    assert live.of_tile(column=3, lines=1, rows=5) == ()
    assert replace(live, stride=2, last=99).of_tile(0, 1, 2) == ((1,), (0, 1), (0, 1))


@pytest.mark.parametrize(
    ("case", "first_and_last"),
    [
        (Case(positions=(5, 14)), (1, 5)),
        (Case(positions=(5, 14), kind=(i8, i8)), None),  # read as u8, zeros are 128;
        (Case(positions=(5, 14), taps=(1, 1), over=2), None),  # lines and rows are one loop.
    ],
)
def test_taps_that_see_lines_of_zeros_are_left_out(
    case: Case, first_and_last: tuple[int, int] | None
):
    (op,) = replace(case, zeros=((1, 1), (0, 0))).program(AVX512_VNNI).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    found = [(each.first, each.last) for each in ConvolutionKernel.of(op, AVX512_VNNI).live if each]
    assert found == ([] if first_and_last is None else [first_and_last])


@each_pair(isa=available_isas(), packed=[True, False], kind=[*BYTES, *FLOATS, (i32, i32)])
def test_every_kind(isa: Isa, packed: bool, kind: tuple[Any, Any]):
    Case(kind=kind, packed=packed, channels=5, units=19).check(isa)


@each_pair(
    isa=available_isas(),
    parts=[1, 2, 3, 7],
    divided=[
        ("positions", Case(positions=(9, 5), units=5)),
        ("tiles", Case(positions=(1, 3), units=500, channels=8)),
        ("positions", Case(positions=(40, 3), units=3, taps=(1, 1), batch=2)),
        ("groups", Case(positions=(1, 1), units=5, groups=8, channels=3)),
    ],
)
def test_shares_are_everything(isa: Isa, parts: int, divided: tuple[str, Case]):
    """Each partition once, in any order: together they do what the whole does."""
    split, case = divided
    program = case.program(isa)
    inputs = case.inputs(program, isa)
    (op,) = program.body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    assert ConvolutionKernel.of(op, isa).schedule.split == split
    check_shares(ConvolutionKernel, program, isa, inputs, parts)


@pytest.mark.parametrize(
    ("channels", "kind", "dilation", "merged"),
    [
        (3, (ui8, i8), 1, 1),  # 21 bytes in a row, not 3 and 1 of nothing seven times
        (4, (ui8, i8), 1, 0),  # channels fill steps,
        (3, (f32, f32), 1, 0),  # as they do where a step is one
        (3, (ui8, i8), 2, 0),  # and dilated taps do not lie side by side.
    ],
)
def test_taps_are_merged_where_channels_leave_gaps(
    channels: int, kind: tuple[Any, Any], dilation: int, merged: int
):
    dilations = (dilation, dilation)
    window = ((7, 7), (2, 2), dilations)
    problem = ConvolutionProblem(kind, [1, 30, 30, channels], [9, 9], 16, 1, window)
    layout, _ = convolution_schedule(AVX512_VNNI, problem)
    assert layout.merged == merged


@each_isa
def test_long_bodies_end_in_a_loop(isa: Isa, monkeypatch: pytest.MonkeyPatch):
    """Accumulators that wait in memory are the same, in a line and in several."""
    from lowstream.lowering.codegen.schedule import costs

    monkeypatch.setattr(costs, "LONGEST_EPILOGUE", 1)
    Case(positions=(3, 9), units=21).check(isa)
    Case(positions=(5, 2), units=21).check(isa)


@each_isa
@pytest.mark.parametrize("kind", [(ui8, i8), (f32, f32)], ids=["codes", "floats"])
@pytest.mark.parametrize(
    "case",
    [
        Case(batch=2, positions=(9, 20), units=40, channels=5),
        Case(positions=(7, 7), taps=(1, 1), units=70, channels=7, over=1, room=1),
        Case(positions=(1, 1), units=50),
    ],
    ids=["lines", "whole lines", "a position"],
)
def test_sizes_of_short_sums_are_known(
    isa: Isa, kind: tuple[Any, Any], case: Case, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(convolution, "LONG_SUM", 1 << 10)
    case = replace(case, kind=kind)
    sizes = case.kernel(isa).sizes
    assert all(isinstance(number, int) for number in (*sizes.by_column, sizes.whole_rows))
    case.check(isa)


@pytest.mark.host
@pytest.mark.parametrize("kind", [(ui8, i8), (i8, i8)], ids=str)
def test_one_tap_of_codes_is_a_product_where_words_are_multiplied(kind: tuple[Any, Any]):
    """
    Whose rows are widened: those of all lines together, or of each line where lines lie apart, as strides and room
    between them have it. Nearest misses: lines of few rows, groups, more taps, floats, few units, and an instruction
    set that multiplies bytes.
    """
    case = Case(batch=2, positions=(5, 9), taps=(1, 1), channels=70, units=130, kind=kind)
    strided, apart = replace(case, strides=(2, 2)), replace(case, over=1)
    short = replace(case, positions=(5, 7))

    def product(case: Case, isa: Isa = AVX2) -> MatMulKernel | None:
        (op,) = case.program(isa).body.block.ops
        assert isinstance(op, kernel.ConvolutionOp)
        return im2col_kernel(op, isa)

    for hit, lines in ((case, 0), (short, 0), (strided, 2), (apart, 2)):
        found = product(hit)
        assert found is not None and len(found.sizes.batch) == lines
        hit.check(AVX2)
    replace(case, batch=1, room=3).check(AVX2)
    replace(apart, room=3).check(AVX2)
    misses = [
        replace(short, strides=(2, 2)),
        replace(short, over=1),
        replace(case, groups=2),
        replace(case, taps=(1, 3)),
        replace(case, kind=(f32, f32)),
        replace(case, units=44),
    ]
    assert not any(map(product, misses))
    assert product(case, AVX512_VNNI) is None


@pytest.mark.host
def test_short_sums_whose_lines_lie_elsewhere_share_a_function(monkeypatch: pytest.MonkeyPatch):
    """If register tiles have one line each: those of several look at the next."""
    monkeypatch.setattr(convolution, "LONG_SUM", 1 << 10)
    case = Case(positions=(28, 9), taps=(1, 3), channels=16, units=32, kind=(ui8, i8), room=4)
    wider = replace(case, over=1)
    here, there = case.kernel(AVX512_VNNI), wider.kernel(AVX512_VNNI)
    assert here.schedule.lines == 1
    assert here == there and here.table != there.table
    wider.check(AVX512_VNNI)
    several = replace(case, taps=(1, 1)).kernel(AVX512_VNNI)
    assert several.schedule.lines > 1 and not several.table


def test_convolutions_that_differ_in_sizes_share_a_function():
    """If register tiles leave as much."""
    case = Case(positions=(28, 28), taps=(1, 1), channels=192, units=128, kind=(f32, f32), room=1)
    one = case.kernel(AVX512_VNNI)
    for other in (
        replace(case, channels=480),
        replace(case, units=512),
        replace(case, positions=(56, 28), room=2),
    ):
        found = other.kernel(AVX512_VNNI)
        assert found == one
        assert found.table != one.table
    assert replace(case, positions=(27, 27)).kernel(AVX512_VNNI) != one
    assert replace(case, units=120).kernel(AVX512_VNNI) != one


@each_isa
def test_panels(isa: Isa, monkeypatch: pytest.MonkeyPatch):
    """Several of them, the last not full (what follows is closed), filters fetched ahead."""
    from lowstream.lowering.codegen.schedule import convolution as schedule

    monkeypatch.setattr(schedule, "panel_bytes", lambda *_: 18000)
    monkeypatch.setattr(schedule, "NEAR_BYTES", 0)
    case = Case(positions=(9, 5), units=50, batch=3)
    found = case.kernel(isa)
    assert isinstance(found.sizes.rows, RunTime)
    rows = found.table[found.sizes.rows.place]
    assert 1 < found.schedule.panel < rows
    assert rows % found.schedule.panel
    case.check(isa)


def test_filters_for_another_machine():
    """Packed for 4 lanes, compiled for 16."""
    Case().check_refused_elsewhere()
