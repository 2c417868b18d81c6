"""Schedules of convolutions are plain data from plain shapes."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects.kernel import ConvolutionLayout
from lowstream.lowering.codegen.schedule import ConvolutionSchedule
from lowstream.lowering.codegen.schedule.convolution import ConvolutionShape
from lowstream.lowering.codegen.schedule.costs import fills_registers
from lowstream.lowering.codegen.schedule.winograd import (
    WinogradSchedule,
    WinogradShape,
    reading_cycles,
    winograd_candidates,
)
from lowstream.lowering.machine import AVX2, AVX512_VNNI, ISAS, Isa, ProductInstruction
from lowstream.lowering.pack_weights.convolution import ConvolutionProblem
from lowstream.lowering.pack_weights.winograd import GAIN, GAIN_OF_CODES
from lowstream.lowering.tuning_configuration import TuningConfiguration
from lowstream.test.unit.lowering.codegen.kernels import ui8

SIZES = st.integers(1, 300)


def usable_registers(isa: Isa, product: ProductInstruction) -> int:
    """Those of a register tile."""
    return isa.registers - (not fills_registers(isa, product))


@given(
    isa=st.sampled_from(ISAS),
    positions=st.lists(SIZES, min_size=2, max_size=3),
    taps=st.lists(st.integers(1, 7), max_size=2),
    depth=SIZES,
    units=SIZES,
    element=st.sampled_from([i8, f32]),
)
def test_register_tiles_of_convolutions_fit_into_registers(
    isa: Isa, positions: list[int], taps: list[int], depth: int, units: int, element: Any
):
    """And into the positions there are; several lines only where they are whole."""
    shape = ConvolutionShape(1, tuple(positions), tuple(taps), depth, units, depth, 0)
    plan = ConvolutionSchedule.choose(isa, shape, (element, element))
    sums = plan.nr_vectors * plan.lines * plan.rows
    if plan.lines * plan.rows > 1:
        assert sums + plan.nr_vectors + 1 <= usable_registers(isa, plan.product)
    if plan.unroll > plan.accumulators:
        filters = plan.unroll * plan.nr_vectors
        assert sums * plan.accumulators + filters < isa.registers, "LLVM loads weights first"
    assert 1 <= plan.rows <= shape.rows
    assert 1 <= plan.lines <= shape.lines
    assert plan.lines == 1 or plan.rows == shape.rows
    assert plan.unroll % plan.accumulators == 0
    assert plan.accumulators == 1 or element == i8, "floats are summed in order"
    assert plan.panel >= 1
    assert plan.nr_vectors <= -(-units // isa.lanes), "no tile wider than what there is"


@pytest.mark.parametrize(
    ("isa", "is_packed", "expected"), [(AVX2, True, 8), (AVX2, False, 1), (AVX512_VNNI, True, 1)]
)
def test_steps_of_packed_floats_make_long_iterations(isa: Isa, is_packed: bool, expected: int):
    """With 16 registers, where LLVM does not write the loop."""
    shape = ConvolutionShape(1, (56, 84), (3, 3), 64, 64, 0, 0)
    layout = ConvolutionLayout(isa.lanes, 1, 2, 0) if is_packed else None
    plan = ConvolutionSchedule.follow(isa, shape, (f32, f32), layout, 0, 1)
    assert plan.nr_vectors == 2
    assert plan.unroll == expected


@pytest.mark.parametrize(
    ("positions", "depth", "units", "expected"),
    [
        # 14 positions share two vectors of filters, in a line or in two short ones;
        ((56, 56), 192, 64, (1, 14, 2)),
        ((7, 7), 1536, 512, (2, 7, 2)),
        # all positions of a dense 1x1 are one line, which is cut where it suits: shortly for few products;
        ((3136, 1), 64, 256, (7, 1, 2)),
        ((3136, 1), 256, 64, (14, 1, 2)),
        # 144 units are three tiles of three vectors.
        ((56, 54), 512, 144, (1, 9, 3)),
    ],
)
def test_register_tiles_of_a_convolution(
    positions: tuple[int, ...], depth: int, units: int, expected: tuple[int, int, int]
):
    shape = ConvolutionShape(1, positions, (), depth, units, depth, 0)
    plan = ConvolutionSchedule.choose(AVX512_VNNI, shape, (ui8, i8))
    assert (plan.lines, plan.rows, plan.nr_vectors) == expected


@pytest.mark.parametrize(
    ("positions", "depth", "units", "expected"),
    [
        ((784, 1), 64, 512, (6, 1, 2)),
        # 7 positions are two register tiles, of 4 and of 3;
        ((7, 7), 1152, 512, (1, 4, 3)),
        # one vector for 14 positions would be loaded more often than two are computed in a cycle;
        ((14, 14), 576, 256, (1, 5, 2)),
    ],
)
def test_register_tiles_of_floats_fill_16_registers(
    positions: tuple[int, ...], depth: int, units: int, expected: tuple[int, int, int]
):
    shape = ConvolutionShape(1, positions, (), depth, units, depth, 0)
    plan = ConvolutionSchedule.choose(AVX2, shape, (f32, f32))
    assert (plan.lines, plan.rows, plan.nr_vectors) == expected


@pytest.mark.parametrize(
    ("isa", "size", "units", "of_codes", "is_square"),
    [
        (AVX512_VNNI, 14, 256, True, True),
        (AVX512_VNNI, 28, 128, True, True),  # 49 tiles: one is left over
        (AVX512_VNNI, 12, 256, True, False),  # 9 tiles
        (AVX512_VNNI, 14, 224, True, False),  # two vectors are left over
        (AVX512_VNNI, 14, 256, False, False),
        (AVX2, 14, 256, True, False),  # 16 registers
    ],
)
def test_products_of_winograd(isa: Isa, size: int, units: int, of_codes: bool, is_square: bool):
    """Of codes, in register tiles of four vectors and four rows where these divide both."""
    shape = WinogradShape((1, size, size), 256, units, of_codes)
    _, layout = winograd_candidates(isa, shape)[0]
    product = WinogradSchedule.follow(isa, shape, layout).product
    assert ((product.nr_vectors, product.mr[0]) == (4, 4)) == is_square


@pytest.mark.parametrize(
    ("element", "size", "rows", "is_transformed"),
    [
        (ui8, 14, 16, False),  # 4.7 MB of transformed filters, which the first block waits for,
        (ui8, 32, 16, True),  # and others less, so that there are few
        (f32, 14, 16, True),  # 9.4 MB: of floats, four times fewer products are worth it,
        (f32, 32, 13, True),  # and hide what they read
    ],
)
def test_blocks_wait_for_filters_of_a_farther_cache(
    element: Any, size: int, rows: int, is_transformed: bool
):
    channels = 256
    kind = (f32, f32) if element == f32 else (ui8, i8)
    gain = GAIN if element == f32 else GAIN_OF_CODES
    winograd = WinogradShape((1, size, size), channels, channels, element != f32)
    direct = ConvolutionShape(
        1, (size, size), (3, 3), channels, channels, size * channels, channels
    )
    cost, layout = winograd_candidates(AVX512_VNNI, winograd)[0]
    assert (cost * gain < ConvolutionSchedule.cycles(AVX512_VNNI, direct, kind)) == is_transformed
    assert layout.rows == rows


@pytest.mark.parametrize(("isa", "bytes"), [(AVX2, 1 << 18), (AVX512_VNNI, 1 << 16)])
def test_a_panel_beside_filters_in_the_second_level_cache(isa: Isa, bytes: int):
    shape = ConvolutionShape(1, (3136, 1), (), 256, 128, 2048, 1024)
    plan = ConvolutionSchedule.choose(isa, shape, (f32, f32))
    tile = plan.lines * shape.line_bytes
    assert bytes // 2 < plan.panel * tile <= bytes


@pytest.mark.parametrize(
    ("channels", "units", "size", "tile", "rows"),
    [
        # 38 MB of filters for 4 tiles take longer to read than 17 MB for 16,
        (512, 512, 7, 2, 16),
        # which are read again for each block of many tiles;
        (512, 512, 16, 4, 8),
        # input of more than 28 tiles does not stay in the second-level cache.
        (64, 64, 56, 4, 28),
    ],
)
def test_winograd_on_a_core_with_slow_memory(
    channels: int, units: int, size: int, tile: int, rows: int
):
    _, layout = winograd_candidates(AVX2, WinogradShape((1, size, size), channels, units))[0]
    assert (layout.tile, layout.rows) == (tile, rows)


@pytest.mark.parametrize(
    ("channels", "units", "size", "tile", "rows"),
    [
        (128, 128, 28, 4, 12),  # 138 KB of transformed input; 17 rows have 196 KB
        (96, 128, 28, 4, 18),
        (512, 512, 7, 2, 16),  # 278 KB of a single block, which reads filters once
        (128, 256, 14, 4, 16),
    ],
)
def test_transformed_codes_stay_near_narrow_register_tiles(
    channels: int, units: int, size: int, tile: int, rows: int
):
    _, layout = winograd_candidates(AVX2, WinogradShape((1, size, size), channels, units, True))[0]
    assert (layout.tile, layout.rows, layout.nr_vectors) == (tile, rows, 2)


def test_filters_that_stay_in_a_shared_cache_come_from_memory_once():
    """17 MB of transformed filters, which 28 blocks of tiles of ten images read."""
    cost, layout = winograd_candidates(AVX2, WinogradShape((10, 14, 14), 512, 512))[0]
    shape = ConvolutionShape(1, (10, 14, 14), (3, 3), 512, 512, 16 * 512 * 4, 0)
    assert layout.tile == 2
    assert cost * GAIN < ConvolutionSchedule.cycles(AVX2, shape, (f32, f32))


@pytest.mark.parametrize(
    ("isa", "filters", "cycles"),
    [(AVX2, 4 << 20, 1 << 20), (AVX2, 1 << 19, 0), (AVX512_VNNI, 3 << 20, 1 << 18)],
)
def test_filters_in_memory_are_waited_for(isa: Isa, filters: int, cycles: int):
    """Those that do not stay in the second-level cache."""
    assert reading_cycles(isa, filters) == cycles


@pytest.mark.parametrize(
    ("element", "channels", "stride", "most"),
    [(f32, 512, 1, 14), (f32, 1024, 1, 8), (f32, 512, 2, 8), (i8, 1024, 1, 14)],
)
def test_positions_that_compete_for_one_set_of_the_cache(
    element: Any, channels: int, stride: int, most: int
):
    """Positions of a 1x1 a multiple of 4 KiB apart: a tile has no more of them than a set has lines."""
    window, sizes = ([1, 1], [stride] * 2, [1, 1]), [28 * stride, 28 * stride]
    problem = ConvolutionProblem((element,) * 2, [1, *sizes, channels], [28, 28], 512, 1, window)
    shape, _ = problem.shape(AVX512_VNNI)
    ranked = ConvolutionSchedule.candidates(AVX512_VNNI, shape, problem.kind)
    of_two = [configuration.mr for configuration in ranked if configuration.nr_vectors == 2]
    assert max(lines * rows for lines, rows in of_two) == most


@pytest.mark.parametrize(
    ("groups", "positions", "units", "split"),
    [
        (1, (56, 56), 64, "positions"),
        (1, (7, 7), 512, "tiles"),
        (1, (1, 1), 512, "tiles"),
        (8, (1, 1), 16, "groups"),
    ],
)
def test_what_threads_share(groups: int, positions: tuple[int, ...], units: int, split: str):
    shape = ConvolutionShape(groups, positions, (3,), 64, units, 64, 0)
    assert ConvolutionSchedule.choose(AVX512_VNNI, shape, (ui8, i8)).split == split


@pytest.mark.parametrize(
    ("positions", "depth", "units", "split"),
    [
        ((14, 14), 1024, 256, "positions"),  # each thread would read what the other has written,
        ((7, 7), 160, 960, "tiles"),  # which takes less than to read all filters for each line,
        ((7, 7), 2048, 512, "tiles"),  # or where 7 lines are 4 and 3.
    ],
)
def test_threads_read_less_of_what_others_write_or_of_filters(
    positions: tuple[int, ...], depth: int, units: int, split: str
):
    """1x1 convolutions of MobileNetV2 and ResNet-50."""
    line = positions[-1] * (depth + units)
    shape = ConvolutionShape(
        1, positions, (), depth, units, line, 0, input_bytes=positions[-1] * depth
    )
    assert ConvolutionSchedule.choose(AVX512_VNNI, shape, (ui8, i8)).split == split


@pytest.mark.parametrize(
    ("width", "units", "split"),
    [(14, 512, "tiles"), (14, 56, "positions"), (512, 512, "positions")],
)
def test_far_filters_are_not_read_for_each_row(width: int, units: int, split: str):
    """512 filters are 9 MiB, as much as 9 wide rows; 56 make too few tiles."""
    shape = ConvolutionShape(1, (4, 14, width), (3, 3), 512, units, (width + 2) * 512 * 4, 0)
    assert ConvolutionSchedule.choose(AVX2, shape, (f32, f32)).split == split


@given(
    isa=st.sampled_from(ISAS),
    positions=st.lists(SIZES, min_size=2, max_size=3),
    depth=SIZES,
    units=SIZES,
    element=st.sampled_from([i8, f32]),
    data=st.data(),
)
def test_every_candidate_of_a_convolution_can_be_followed(
    isa: Isa, positions: list[int], depth: int, units: int, element: Any, data: st.DataObject
):
    """The first is the cost model's; each fits into registers and is what is emitted."""
    shape, kind = (
        ConvolutionShape(1, tuple(positions), (3,), depth, units, depth, 0),
        (element,) * 2,
    )
    candidates = ConvolutionSchedule.candidates(isa, shape, kind)
    first = ConvolutionSchedule.choose(isa, shape, kind)
    assert candidates[0] == TuningConfiguration(first.nr_vectors, (first.lines, first.rows))
    assert len(set(candidates)) == len(candidates)
    configuration = data.draw(st.sampled_from(candidates))
    sums = configuration.nr_vectors * prod(configuration.mr)
    needed = sums + configuration.nr_vectors + 1
    assert prod(configuration.mr) == 1 or needed <= usable_registers(isa, first.product)
    step = first.product.mac.kr
    layout = ConvolutionLayout(isa.lanes, step, configuration.nr_vectors, 0)
    plan = ConvolutionSchedule.follow(
        isa, shape, kind, layout, first.product.offset, 1, configuration.mr
    )
    assert (plan.nr_vectors, (plan.lines, plan.rows)) == (
        configuration.nr_vectors,
        configuration.mr,
    )


@pytest.mark.parametrize(
    ("positions", "is_loop"), [((60, 80), True), ((60, 56), True), ((60, 24), False)]
)
def test_few_tiles_with_fewer_positions_end_in_a_loop(positions: tuple[int, int], is_loop: bool):
    """Tiles of seven positions: 11 of a line and a rest, 8 without one, and 3 and a rest."""
    shape = ConvolutionShape(1, positions, (), 24, 64, 24, 24)
    layout = ConvolutionLayout(16, 4, 2, 0)
    plan = ConvolutionSchedule.follow(AVX512_VNNI, shape, (ui8, i8), layout, 0, 17, (1, 7))
    assert (plan.lines, plan.rows, plan.epilogue_in_loop) == (1, 7, False)
    assert plan.rest_in_loop == is_loop


def test_register_tiles_that_positions_do_not_have():
    """Lines that are not whole as they lie in memory, more rows than there are: the cost model chooses."""
    shape, layout = ConvolutionShape(1, (8, 5), (), 64, 32, 64, 0), ConvolutionLayout(16, 4, 2, 0)
    plans = [
        ConvolutionSchedule.follow(AVX512_VNNI, shape, (ui8, i8), layout, 0, 1, mr)
        for mr in (None, (2, 3), (9, 1), (1, 6), (1, 4))
    ]
    assert plans[0] == plans[1] == plans[2] == plans[3] != plans[4]


def test_register_tiles_that_do_not_fit_into_registers():
    """Decided for sixteen lanes and more registers, or by hand."""
    shape, layout = ConvolutionShape(1, (8, 5), (), 64, 32, 64, 0), ConvolutionLayout(8, 2, 2, 0)
    with pytest.raises(DiagnosticException) as error:
        ConvolutionSchedule.follow(AVX2, shape, (ui8, i8), layout, 0, 1, (2, 5))
    assert str(error.value) == (
        "kernel.convolution: a register tile of 2 x 5 x 2 vectors of sums does not fit into the 16 registers of avx2; "
        "run pack-weights for avx2"
    )
