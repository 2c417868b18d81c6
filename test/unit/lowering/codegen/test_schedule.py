"""Schedules are plain data from plain shapes."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects.kernel import ConvolutionLayout, DepthwiseLayout, PackedLayout
from lowstream.dialects.kernel.packed_layout import taps_beside
from lowstream.lowering.codegen.schedule import ConvolutionSchedule, MapSchedule, mat_mul
from lowstream.lowering.codegen.schedule.convolution import ConvolutionShape
from lowstream.lowering.codegen.schedule.depthwise import (
    DepthwiseSchedule,
    DepthwiseShape,
    loop_order,
)
from lowstream.lowering.codegen.schedule.mat_mul import MatMulSchedule, MatMulShape
from lowstream.lowering.codegen.schedule.merging import merge_loops
from lowstream.lowering.codegen.schedule.winograd import (
    WinogradSchedule,
    WinogradShape,
    winograd_candidates,
)
from lowstream.lowering.machine import AVX2, AVX512_VNNI, AVX_VNNI, ISAS, PORTABLE, Isa
from lowstream.lowering.pack_weights.convolution import ConvolutionProblem
from lowstream.lowering.tuning_configuration import TuningConfiguration
from lowstream.test.unit.lowering.codegen.kernels import ui8

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
    """Accumulators of a product, the weights of one step, an activation; and loops that make progress."""
    kinds = [(element, element)] * len(depths)
    plan = MatMulSchedule.choose(isa, MatMulShape(rows, columns, depths, groups, kinds))
    width = plan.nr_vectors * groups
    most = plan.mr[0]
    if most > 1:
        assert fits(isa, most * width, width, len(depths))
    assert 1 <= most <= rows
    assert plan.mr[-1] == 1, "any number of rows is a sum of register tiles"
    assert plan.unroll % plan.accumulators == 0
    if plan.unroll > plan.accumulators:
        sums = most * plan.accumulators * (len(depths) if most == 1 else 1)
        assert (sums + plan.unroll) * width < isa.registers, "LLVM loads weights first"
    assert plan.accumulators == 1 or element == i8, "floats are summed in order of k"
    assert plan.nr_vectors <= -(-columns // isa.lanes), "no tile wider than what there is"


@given(isa=st.sampled_from(ISAS), rows=SIZES, block=SIZES, columns=SIZES, depth=SIZES)
def test_tiles_for_known_rows(isa: Isa, rows: int, block: int, columns: int, depth: int):
    """Of blocks and of the last one: the largest tiles, and at most one for what they leave."""
    block = min(block, rows)
    shape = MatMulShape(block, columns, [depth], 1, [(f32, f32)])
    plan = MatMulSchedule.choose(isa, shape).for_rows(block, rows % block)
    assert plan.mr[0] == MatMulSchedule.choose(isa, shape).mr[0]
    for left in (block, rows % block):
        used: list[int] = []
        for mr in plan.mr:
            count, left = divmod(left, mr)
            used += [mr] * (count if mr != plan.mr[0] else 0)
        assert left == 0 and len(used) <= 1
    assert len(plan.mr) <= 3


def fits(isa: Isa, sums: int, width: int, products: int) -> bool:
    """Whether a product's sums stay in registers; of several products, which wait for each other, in half of them."""
    return sums + width + 1 < isa.registers and (products == 1 or sums <= isa.registers // 2)


@pytest.mark.parametrize(
    ("element", "depth", "most"), [(f32, 1023, 14), (f32, 1024, 8), (i8, 1024, 14), (i8, 4096, 8)]
)
def test_rows_that_compete_for_one_set_of_the_cache(element: Any, depth: int, most: int):
    """Rows of a multiple of 4 KiB: a block has no more of them than a set has lines."""
    shape = MatMulShape(56, 768, [depth], 1, [(element, element)])
    ranked = MatMulSchedule.candidates(AVX512_VNNI, shape)
    assert (
        max(configuration.mr[0] for configuration in ranked if configuration.nr_vectors == 2)
        == most
    )


def test_a_recurrent_step():
    """Four gates of 128 units: tiles of two vectors keep eight sums going."""
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(1, 128, [64, 128], 4, [(i8, i8)] * 2))
    assert (plan.nr_vectors, plan.mr, plan.kr, plan.offsets) == (2, (1,), 4, [128, 128])


def test_a_recurrent_step_of_a_batch():
    """Four rows read the weights together, where sums of both products would have room for three."""
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(64, 128, [64, 128], 4, [(i8, i8)] * 2))
    assert (plan.nr_vectors, plan.mr) == (1, (4, 2, 1))


@pytest.mark.parametrize(
    ("nr_vectors", "operations", "rows"), [(1, 4, 0), (1, 150, 2), (2, 150, 1)]
)
def test_long_bodies_overlap_in_pairs(nr_vectors: int, operations: int, rows: int):
    """Those of two rows, where each has one vector; short ones are written out."""
    shape = MatMulShape(64, 128, [64], 4, [(i8, i8)])
    layout = PackedLayout(16, 4, nr_vectors)
    plan = MatMulSchedule.follow(AVX512_VNNI, shape, layout, [128], operations)
    assert plan.epilogue_rows == rows


@pytest.mark.parametrize(
    ("rows", "columns", "near", "far"),
    [(16, 4096, (6, 4), (3, 8)), (25, 1024, (5, 5), (2, 13))],
)
def test_weights_that_are_far_are_read_for_more_rows(
    rows: int,
    columns: int,
    near: tuple[int, int],
    far: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
):
    """A register tile of few rows would wait for them."""
    shape = MatMulShape(rows, columns, [512], 1, [(f32, f32)])
    monkeypatch.setattr(mat_mul, "cheapest_first", mat_mul.cheapest_first.__wrapped__)
    for bytes, wanted in ((1 << 30, near), (0, far)):
        monkeypatch.setattr(mat_mul, "NEAR_BYTES", bytes)
        plan = MatMulSchedule.choose(AVX512_VNNI, shape)
        assert (plan.nr_vectors, plan.mr[0]) == wanted


@pytest.mark.parametrize("isa", [AVX512_VNNI, AVX_VNNI], ids=lambda isa: isa.name)
def test_weights_that_are_far_are_read_for_more_rows_of_shifted_codes(isa: Isa):
    """A broadcast activation that is shifted is no reason for few rows of many weights."""
    shape = MatMulShape(128, 768, [3072], 1, [(i8, i8)])
    plan = MatMulSchedule.choose(isa, shape)
    assert plan.offsets == [128] and plan.mr[0] >= plan.nr_vectors


@given(isa=st.sampled_from(ISAS), columns=SIZES, depth=SIZES, groups=st.integers(1, 4))
def test_one_row_goes_on_in_steps_that_are_prefetched(
    isa: Isa, columns: int, depth: int, groups: int
):
    """An iteration reads 512 bytes at most, or one step for each accumulator."""
    plan = MatMulSchedule.choose(isa, MatMulShape(1, columns, [depth], groups, [(i8, i8)]))
    read = plan.unroll * plan.nr_vectors * groups * isa.lanes * plan.kr
    assert read <= 512 or plan.unroll == plan.accumulators


@pytest.mark.parametrize(
    ("rows", "units", "expected"), [(1, 512, True), (1, 16, False), (10000, 512, False)]
)
def test_weights_in_turns(rows: int, units: int, expected: bool):
    """Where all tiles are met once in a call, and do not stay near anyway."""
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(rows, units, [512], 1, [(i8, i8)]))
    assert plan.serpentine == expected


def test_a_narrow_product_has_independent_accumulators():
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(1, 16, [256], 1, [(i8, i8)]))
    assert (plan.nr_vectors, plan.accumulators) == (1, 10)
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(1, 16, [256], 1, [(f32, f32)]))
    assert (plan.nr_vectors, plan.accumulators) == (1, 1)


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


def test_what_is_read_often_is_contiguous():
    """A window of an input that lies across its output."""
    strides = [[1, 32], [32, 1]]
    assert MapSchedule.choose(PORTABLE, [16, 32], strides).inner == 32
    assert MapSchedule.choose(PORTABLE, [16, 32], strides, often=[9]).inner == 16


def test_what_is_looked_up_is_contiguous_where_its_indices_stay():
    """Rows of 17 at 64 indices: each row is read in two vectors, though columns fill only half of them."""
    strides = [[0, 1], [1, 0], [17, 1]]
    assert MapSchedule.choose(AVX512_VNNI, [64, 17], strides).inner == 64
    assert MapSchedule.choose(AVX512_VNNI, [64, 17], strides, lookups=1).inner == 17


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
        assert sums + plan.nr_vectors + 1 < isa.registers
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
    assert prod(configuration.mr) == 1 or sums + configuration.nr_vectors + 1 < isa.registers
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


@pytest.mark.parametrize(("rows", "fetches"), [(128, True), (85, False)])
def test_operands_that_do_not_stay_near_are_fetched(rows: int, fetches: bool):
    """A residual and a result of 768 numbers a row, and half of 1 MiB."""
    shape = MatMulShape(rows, 768, [768], 1, [(ui8, i8)], 2 * 768 * 4)
    assert MatMulSchedule.choose(AVX512_VNNI, shape).prefetches_operands is fetches


@given(
    isa=st.sampled_from(ISAS),
    rows=SIZES,
    columns=SIZES,
    depths=st.lists(SIZES, min_size=1, max_size=2),
    groups=st.integers(1, 4),
    data=st.data(),
)
def test_every_candidate_of_a_product_can_be_followed(
    isa: Isa, rows: int, columns: int, depths: list[int], groups: int, data: st.DataObject
):
    kinds = [(i8, i8)] * len(depths)
    shape = MatMulShape(rows, columns, depths, groups, kinds)
    candidates = MatMulSchedule.candidates(isa, shape)
    first = MatMulSchedule.choose(isa, shape)
    assert candidates[0] == TuningConfiguration(first.nr_vectors, first.mr[:1])
    configuration = data.draw(st.sampled_from(candidates))
    width, (mr,) = configuration.nr_vectors * groups, configuration.mr
    assert mr == 1 or fits(isa, mr * width, width, len(depths))
    layout = PackedLayout(isa.lanes, first.kr, configuration.nr_vectors)
    plan = MatMulSchedule.follow(isa, shape, layout, first.offsets, 1, configuration.mr)
    assert (plan.nr_vectors, plan.mr[:1]) == (configuration.nr_vectors, configuration.mr)


@pytest.mark.parametrize(
    ("taps", "size", "expected"),
    [(3, 56, (1, 14)), (5, 80, (1, 10)), (7, 7, (2, 7)), (5, 13, (1, 13))],
)
def test_floats_of_a_depthwise_tile_are_loaded_for_several_columns(
    taps: int, size: int, expected: tuple[int, int]
):
    """As many as sums leave registers for, and few are computed twice; where there are few, several vectors of each."""
    shape = DepthwiseShape((size, size), 96, ((taps, taps), (1, 1), (1, 1)), (f32, f32))
    plan = DepthwiseSchedule.choose(AVX512_VNNI, shape)
    assert (plan.layout.nr_vectors, plan.columns) == expected
    assert plan.layout.mr == 1


@pytest.mark.parametrize(
    ("width", "channels", "element", "expected"),
    [
        (16, 64, 4, ("rows", "tiles", "columns")),
        (160, 64, 4, ("columns", "rows", "tiles")),
        (16, 1024, 4, ("tiles", "rows", "columns")),
        (16, 1024, 1, ("rows", "tiles", "columns")),
    ],
    ids=["all near", "some columns", "some channels", "parts of cache lines"],
)
def test_rows_that_a_depthwise_tile_reads_stay_near(
    width: int, channels: int, element: int, expected: tuple[str, ...]
):
    """Those of all columns, of some columns, or of some channels; outputs of bytes fill no cache line."""
    layout, window = DepthwiseLayout(16, 1, 1, 1, 0, 1), ((3, 3), (1, 1), (1, 1))
    strides = width * channels * 4, channels * 4
    assert loop_order(layout, window, 14, strides, element) == expected


@pytest.mark.parametrize(
    ("taps", "positions", "expected"),
    [
        ((3, 3), (1, 8), (0, 1)),
        ((1, 3), (8, 8), (0, 1)),
        ((3, 1), (8, 8), (0, 1)),
        ((3, 1), (8, 1), (1, 0)),
        ((1, 99), (1, 8), (1, 0)),
        ((3,), (8,), (0, -1)),
    ],
)
def test_along_which_dimension_a_depthwise_tile_slides(
    taps: tuple[int, ...], positions: tuple[int, ...], expected: tuple[int, int]
):
    """Along the last one with several taps, if floats are summed in the order of few taps; else along another."""
    ones = (1,) * len(taps)
    shape = DepthwiseShape(positions, 96, (taps, ones, ones), (f32, f32))
    layout = DepthwiseSchedule.choose(AVX512_VNNI, shape).layout
    assert (layout.down, layout.across) == expected


@given(
    isa=st.sampled_from(ISAS),
    positions=st.tuples(SIZES, SIZES),
    channels=SIZES,
    stride=st.integers(1, 2),
    data=st.data(),
)
def test_every_candidate_of_a_depthwise_convolution_fits(
    isa: Isa, positions: tuple[int, int], channels: int, stride: int, data: st.DataObject
):
    window, kind = ((3, 3), (stride, stride), (1, 1)), (ui8, i8)
    shape = DepthwiseShape(positions, channels, window, kind)
    candidates = DepthwiseSchedule.candidates(isa, shape)
    first = DepthwiseSchedule.choose(isa, shape)
    assert candidates[0] == TuningConfiguration(first.layout.nr_vectors, (first.layout.mr,))
    configuration = data.draw(st.sampled_from(candidates))
    plan = DepthwiseSchedule.choose(isa, shape, configuration)
    assert (plan.layout.nr_vectors, (plan.layout.mr,)) == (
        configuration.nr_vectors,
        configuration.mr,
    )
    assert plan.layout.mr <= positions[0]
    assert plan == DepthwiseSchedule.follow(isa, shape, plan.layout, plan.product.offset)


def test_register_tiles_that_positions_do_not_have():
    """Lines that are not whole as they lie in memory, more rows than there are: the cost model chooses."""
    shape, layout = ConvolutionShape(1, (8, 5), (), 64, 32, 64, 0), ConvolutionLayout(16, 4, 2, 0)
    plans = [
        ConvolutionSchedule.follow(AVX512_VNNI, shape, (ui8, i8), layout, 0, 1, mr)
        for mr in (None, (2, 3), (9, 1), (1, 6), (1, 4))
    ]
    assert plans[0] == plans[1] == plans[2] == plans[3] != plans[4]
    sizes = AVX512_VNNI, MatMulShape(5, 32, [64], 1, [(ui8, i8)])
    packed = PackedLayout(16, 4, 2)
    plans = [MatMulSchedule.follow(*sizes, packed, [0], 1, mr) for mr in (None, (6,), (3,))]
    assert plans[0] == plans[1] != plans[2]


def test_register_tiles_that_do_not_fit_into_registers():
    """Decided for sixteen lanes and more registers, or by hand."""
    shape, layout = ConvolutionShape(1, (8, 5), (), 64, 32, 64, 0), ConvolutionLayout(8, 2, 2, 0)
    with pytest.raises(DiagnosticException) as error:
        ConvolutionSchedule.follow(AVX2, shape, (ui8, i8), layout, 0, 1, (2, 5))
    assert str(error.value) == (
        "kernel.convolution: a register tile of 2 x 5 x 2 vectors of sums does not fit into the 16 registers of avx2; "
        "run pack-weights for avx2"
    )
    kinds, packed = [(ui8, i8)] * 2, PackedLayout(8, 2, 1)
    shape = MatMulShape(9, 32, [64, 64], 3, kinds)
    with pytest.raises(
        DiagnosticException, match=r"kernel\.mat_mul: a register tile of 4 x 6 vectors of sums"
    ):
        MatMulSchedule.follow(AVX2, shape, packed, [0, 0], 1, (4,))


def test_loops_that_are_one():
    """What goes on where the next loop ends; taps that lie beside the channels."""
    assert merge_loops([2, 3, 4], [[12, 24], [4, 8], [1, 2]]) == ([24], [[1, 2]])
    assert merge_loops([2, 3, 4], [[12, 25], [4, 8], [1, 2]]) == ([2, 12], [[12, 25], [1, 2]])
    assert merge_loops([1, 3, 1], [[5], [2], [7]]) == ([3], [[2]])
    assert taps_beside([(3, 30), (3, 4)], 4) == 1
    assert taps_beside([(3, 12), (3, 4)], 4) == 2, "the window is as wide as the input"
    assert taps_beside([(3, 30), (3, 8)], 4) == 0, "dilated"
    assert taps_beside([(1, 30), (1, 99)], 4) == 2
