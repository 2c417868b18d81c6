"""Schedules of products are plain data from plain shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects.kernel import PackedLayout
from lowstream.lowering.codegen.schedule import register_tiles
from lowstream.lowering.codegen.schedule.costs import fills_registers
from lowstream.lowering.codegen.schedule.mat_mul import MatMulSchedule
from lowstream.lowering.codegen.schedule.register_tiles import MatMulShape
from lowstream.lowering.machine import (
    AVX2,
    AVX512_VNNI,
    AVX_VNNI,
    FIRST_LEVEL_WAYS,
    ISAS,
    Isa,
    ProductInstruction,
)
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
        assert fits(isa, plan.products, most * width, width)
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


def fits(isa: Isa, products: Sequence[ProductInstruction], sums: int, width: int) -> bool:
    """Whether a product's sums stay in registers; of several products, which wait for each other, in half of them."""
    if len(products) > 1 and sums > isa.registers // 2:
        return False
    return sums + width + 1 + (not fills_registers(isa, products[0])) <= isa.registers


@pytest.mark.parametrize(
    ("element", "depth", "nr_vectors", "most"),
    [
        (f32, 1023, 2, 14),
        (f32, 1024, 2, 8),
        (i8, 1024, 2, 14),
        (i8, 4096, 2, 8),
        (f32, 512, 2, 14),
        (f32, 512, 1, 16),
        (f32, 1536, 1, 16),
        (f32, 513, 1, 29),
    ],
)
def test_rows_that_compete_for_few_sets_of_the_cache(
    element: Any, depth: int, nr_vectors: int, most: int
):
    """
    Rows of a multiple of 4 KiB are in one set, of 2 KiB in two: a register tile has no more than there are lines for.
    """
    shape = MatMulShape(56, 768, [depth], 1, [(element, element)])
    ranked = MatMulSchedule.candidates(AVX512_VNNI, shape)
    assert (
        max(
            configuration.mr[0]
            for configuration in ranked
            if configuration.nr_vectors == nr_vectors
        )
        == most
    )


@pytest.mark.parametrize("depths", [(1023, 1024), (1024, 1023), (1024, 1024)])
def test_the_product_whose_rows_compete_most_limits_the_tile(depths: tuple[int, int]):
    shape = MatMulShape(56, 768, depths, 1, [(f32, f32)] * 2)
    ranked = MatMulSchedule.candidates(AVX512_VNNI, shape)
    assert max(configuration.mr[0] for configuration in ranked) == FIRST_LEVEL_WAYS
    apart = replace(shape, depths=(1023, 1023))
    ranked = MatMulSchedule.candidates(AVX512_VNNI, apart)
    assert max(configuration.mr[0] for configuration in ranked) > FIRST_LEVEL_WAYS


@pytest.mark.parametrize(("columns", "packed", "where_it_lies"), [(1024, 2, 3), (32, 2, 2)])
def test_lines_of_a_matrix_are_read_in_wide_tiles(columns: int, packed: int, where_it_lies: int):
    """As each costs what nothing has fetched ahead; a tile that stays near is chosen as if it were packed."""
    shape = MatMulShape(8, columns, [1024 if columns > 32 else 64], 1, [(f32, f32)])
    lines = replace(shape, k_by_n=True)
    found = [MatMulSchedule.choose(AVX512_VNNI, each).nr_vectors for each in (shape, lines)]
    assert found == [packed, where_it_lies]


def test_a_recurrent_step():
    """Four gates of 128 units: tiles of two vectors keep eight sums going."""
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(1, 128, [64, 128], 4, [(i8, i8)] * 2))
    assert (plan.nr_vectors, plan.mr, plan.kr, plan.offsets) == (2, (1,), 4, [128, 128])


def test_a_recurrent_step_of_few_registers():
    """Sums of a row that is prepared wait on the stack. Nearest miss: those of floats stay in registers."""
    codes, floats = (
        MatMulSchedule.choose(AVX2, MatMulShape(1, 128, [64, 128], 4, [(element, element)] * 2))
        for element in (i8, f32)
    )
    assert (codes.nr_vectors, codes.kr, codes.offsets) == (2, 4, [0, 0])
    assert floats.nr_vectors == 1


def test_a_recurrent_step_of_a_batch():
    """Four rows read the weights together, where sums of both products would have room for three."""
    plan = MatMulSchedule.choose(AVX512_VNNI, MatMulShape(64, 128, [64, 128], 4, [(i8, i8)] * 2))
    assert (plan.nr_vectors, plan.mr) == (1, (4, 2, 1))


@pytest.mark.parametrize(
    ("depth", "columns", "expected"),
    [(1, 1024, (3, 4)), (2, 256, (2, 6)), (2, 8, (1, 14))],
)
def test_short_products_write_whole_cache_lines(
    depth: int, columns: int, expected: tuple[int, int]
):
    """By tiles of more than one vector of units, where there are more."""
    plan = MatMulSchedule.choose(AVX2, MatMulShape(448, columns, [depth], 1, [(f32, f32)]))
    assert (plan.nr_vectors, plan.mr[0]) == expected


@pytest.mark.parametrize(("rows", "depth"), [(64, 64), (64, 256), (256, 256)])
def test_tiles_of_words_load_little(rows: int, depth: int):
    """Six rows of two vectors load 8 words for 12 sums, where 13 rows of one load 14 for 13."""
    plan = MatMulSchedule.choose(AVX2, MatMulShape(rows, 1024, [depth], 1, [(i8, i8)]))
    assert (plan.nr_vectors, plan.mr[0]) == (2, 6)


@pytest.mark.parametrize(
    ("nr_vectors", "operations", "rows"), [(1, 4, 0), (1, 150, 4), (2, 150, 1)]
)
def test_long_bodies_of_rows_overlap(nr_vectors: int, operations: int, rows: int):
    """Those of some rows, where each has one vector; short ones are written out."""
    shape = MatMulShape(64, 128, [64], 4, [(i8, i8)])
    layout = PackedLayout(16, 4, nr_vectors)
    plan = MatMulSchedule.follow(AVX512_VNNI, shape, layout, [128], operations)
    assert plan.epilogue_rows == rows
    if rows == 4:
        assert [plan.rows_at_once(mr) for mr in (2, 3, 4, 5, 6, 8, 9)] == [2, 3, 4, 1, 3, 4, 3]


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
    monkeypatch.setattr(register_tiles, "cheapest_first", register_tiles.cheapest_first.__wrapped__)
    monkeypatch.setattr(register_tiles, "rows_cycles", register_tiles.rows_cycles.__wrapped__)
    for bytes, wanted in ((1 << 30, near), (0, far)):
        monkeypatch.setattr(register_tiles, "NEAR_BYTES", bytes)
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
    assert mr == 1 or fits(isa, isa.products(shape.kinds), mr * width, width)
    layout = PackedLayout(isa.lanes, first.kr, configuration.nr_vectors)
    plan = MatMulSchedule.follow(isa, shape, layout, first.offsets, 1, configuration.mr)
    assert (plan.nr_vectors, plan.mr[:1]) == (configuration.nr_vectors, configuration.mr)


def test_register_tiles_that_rows_do_not_have():
    """More rows than there are: the cost model chooses."""
    sizes = AVX512_VNNI, MatMulShape(5, 32, [64], 1, [(ui8, i8)])
    packed = PackedLayout(16, 4, 2)
    plans = [MatMulSchedule.follow(*sizes, packed, [0], 1, mr) for mr in (None, (6,), (3,))]
    assert plans[0] == plans[1] != plans[2]


def test_register_tiles_that_do_not_fit_into_registers():
    """Decided for sixteen lanes and more registers, or by hand."""
    kinds, packed = [(ui8, i8)] * 2, PackedLayout(8, 2, 1)
    shape = MatMulShape(9, 32, [64, 64], 3, kinds)
    with pytest.raises(
        DiagnosticException, match=r"kernel\.mat_mul: a register tile of 4 x 6 vectors of sums"
    ):
        MatMulSchedule.follow(AVX2, shape, packed, [0, 0], 1, (4,))


def test_products_that_differ_in_rows_alone_share_costs(monkeypatch: pytest.MonkeyPatch):
    """The cycles of so many rows do not depend on how many there are."""
    computed = list[tuple[int, int]]()
    at_once = register_tiles.tiles_cycles

    def counted(*given: Any) -> float:
        computed.append((given[3], given[4]))
        return at_once(*given)

    monkeypatch.setattr(register_tiles, "tiles_cycles", counted)
    shapes = [MatMulShape(rows, 77, [1234], 1, [(f32, f32)]) for rows in (96, 192, 288)]
    found = [MatMulSchedule.choose(AVX2, shape) for shape in shapes]
    assert len(computed) == len(set(computed)) > 0
    assert len({plan.mr[0] for plan in found}) == 1
