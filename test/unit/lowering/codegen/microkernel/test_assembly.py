"""Register tiles that are written as assembly: the sums that the loops mean, and what is not written so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product as every

import numpy as np
import pytest
from llvmlite import binding

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.codegen.link import IS_HOST
from lowstream.lowering.codegen.load import Library
from lowstream.lowering.codegen.microkernel.assembly import (
    GENERAL_REGISTERS,
    TileInputs,
    emit_tile,
    is_written,
)
from lowstream.lowering.codegen.microkernel.operands import Rows
from lowstream.lowering.codegen.microkernel.tile import (
    FARTHEST,
    FIRST_BYTES,
    RowAddresses,
    Tile,
    TileLoop,
)
from lowstream.lowering.codegen.run_time import Number, later_unless_zero, table_of
from lowstream.lowering.codegen.vectors import F32, I32, POINTER, VOID, byte_offset, index
from lowstream.lowering.machine import AVX2, AVX512_VNNI, AVX_VNNI, NEON_DOT, Isa, available_isas
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.native import call

pytestmark = pytest.mark.x86

FLOATS = Tile(
    loops=(TileLoop(2, 132, 2304), TileLoop(3, 8, 512)),
    unroll=2,
    rest=1,
    tail=0,
    rows=Rows(1, 3, 0, 320),
    columns=(0, 64),
    x_step=4,
    y_step=256,
    kr=1,
    offset=0,
    accumulators=1,
    prefetched_lines=2,
    counted=0,
)
"""Loops over taps, 160 and 4096 bytes apart, and over the inner dimension, of f32."""

CODES = replace(FLOATS, kr=4, tail=3, accumulators=2)
"""The same of u8 times i8."""

BYTES = replace(
    FLOATS,
    loops=(TileLoop(2, 133, 1024), TileLoop(3, 8, 256)),
    unroll=4,
    tail=1,
    columns=(0, 16),
    x_step=2,
    y_step=64,
    kr=2,
    widened=("u8", "i8"),
)
"""The same of bytes that `vpmaddwd` multiplies."""

WORDS = replace(
    BYTES,
    loops=(TileLoop(2, 132, 1024), TileLoop(3, 16, 256)),
    columns=(0, 32),
    x_step=4,
    widened=("i16", "i16"),
)
"""The same of words."""

A_ROW = Rows(1, 1, 0, 0)

TILES = {
    "loops": FLOATS,
    "a row": replace(FLOATS, rows=A_ROW),
    "a column": replace(FLOATS, columns=(64,)),
    "two lines of rows": replace(FLOATS, rows=Rows(2, 7, 1500, 200)),
    "lines of two rows": replace(FLOATS, rows=Rows(6, 2, 300, 2000)),
    "lines of a row": replace(FLOATS, rows=Rows(14, 1, 300, 0)),
    "many rows of a column": replace(FLOATS, rows=Rows(1, 28, 0, 300), columns=(64,)),
    "many rows of codes": replace(CODES, rows=Rows(1, 9, 0, 300), columns=(64,)),
    "equal rows": replace(FLOATS, rows=Rows(2, 3, 0, 0)),
    "rows backwards": replace(FLOATS, rows=Rows(2, 3, -40, -4)),
    "one iteration": replace(FLOATS, loops=(TileLoop(1, 148, 3328), TileLoop(1, 8, 512))),
    "the rest alone": replace(FLOATS, loops=(TileLoop(0, 8, 512),)),
    "codes": CODES,
    "codes with an offset": replace(CODES, offset=128),
    "a row of codes": replace(CODES, rows=A_ROW, offset=-128),
    "codes, counted": replace(CODES, counted=1, offset=128),
    "two counted loops": replace(
        FLOATS,
        counted=2,
        loops=(TileLoop(3, 1000, 9000), TileLoop(4, 132, 2304), TileLoop(3, 8, 512)),
    ),
    "codes without a tail": replace(CODES, tail=0, rest=0),
    "live rows": replace(
        CODES,
        tail=0,
        live=((1, 2), (0, 1, 2), (), (0,)),
        loops=(TileLoop(2, 48, -3072), TileLoop(3, 8, 512)),
    ),
    "live rows of one iteration": replace(
        FLOATS, loops=(TileLoop(2, 136, 6656), TileLoop(1, 8, 512)), live=((0, 1), (2,))
    ),
    "live rows of the rest alone": replace(FLOATS, loops=(TileLoop(0, 8, 512),), live=((0,), (1,))),
    "sets of codes": replace(
        CODES,
        rows=Rows(1, 2, 0, 320),
        accumulators=1,
        sets=3,
        loops=(TileLoop(2, 136, 2560), TileLoop(3, -12, -768), TileLoop(2, 8, 512)),
    ),
    "sets of codes, one iteration": replace(
        CODES,
        rows=Rows(1, 2, 0, 320),
        tail=0,
        accumulators=1,
        sets=3,
        loops=(TileLoop(3, 148, 3328), TileLoop(1, 8, 512)),
    ),
    "sets of codes, counted": replace(
        CODES,
        accumulators=1,
        sets=2,
        counted=1,
        loops=(TileLoop(3, -160, -4096), TileLoop(2, 132, 2304), TileLoop(3, 8, 512)),
    ),
    "bytes": BYTES,
    "signed bytes": replace(BYTES, widened=("i8", "u8")),
    "six rows of bytes": replace(BYTES, rows=Rows(2, 3, 1500, 200)),
    "a row of bytes": replace(BYTES, rows=A_ROW, widened=("i8", "i8")),
    "a row of bytes and words": replace(BYTES, rows=A_ROW, columns=(0, 32), widened=("u8", "i16")),
    "bytes, odd steps": replace(BYTES, loops=(TileLoop(2, 6, 192),), unroll=3, rest=3),
    "bytes, a step at once": replace(BYTES, loops=(TileLoop(3, 2, 64),), unroll=1, rest=0),
    "a step of bytes alone": replace(BYTES, loops=(TileLoop(0, 2, 64),), rest=1),
    "bytes, counted": replace(BYTES, counted=1),
    "live rows of bytes": replace(
        BYTES,
        tail=0,
        live=((1, 2), (0, 1, 2), (), (0,)),
        loops=(TileLoop(2, 48, -3072), TileLoop(3, 8, 256)),
    ),
    "words": WORDS,
    "words and bytes": replace(WORDS, columns=(0, 16), widened=("i16", "i8")),
    "a row of words": replace(WORDS, rows=A_ROW),
    "half a column": replace(FLOATS, half_columns=(1,)),
    "half a column alone": replace(FLOATS, columns=(64,), half_columns=(0,)),
    "half a column of codes": replace(CODES, half_columns=(1,), offset=128),
    "half a column of a row of codes": replace(CODES, rows=A_ROW, half_columns=(0,)),
}
BEGIN, AHEAD = 64, 1 << 12

PAIRS = replace(
    WORDS,
    loops=(TileLoop(3, 16, 128),),
    unroll=4,
    rest=2,
    tail=0,
    rows=Rows(1, 4, 0, 320),
    columns=(0, 16),
    y_step=32,
    widened=("i16", "i8"),
    paired=True,
)
"""Of words and bytes, in pairs of steps, behind what sums begin with."""

PAIRED_TILES = {
    "pairs": PAIRS,
    "pairs of unsigned weights": replace(PAIRS, widened=("i16", "u8")),
    "a row of pairs": replace(PAIRS, rows=A_ROW),
    "pairs of a column": replace(PAIRS, columns=(0,), rows=Rows(1, 12, 0, 320)),
    "pairs of a column of two": replace(PAIRS, columns=(0,)),
    "pairs of the second column": replace(PAIRS, columns=(16,)),
    "pairs of three columns": replace(
        PAIRS,
        columns=(0, 16, 32),
        rows=Rows(1, 2, 0, 320),
        y_step=48,
        loops=(TileLoop(3, 16, 192),),
    ),
    "one iteration of pairs": replace(PAIRS, loops=(TileLoop(1, 16, 128),), rest=0),
}


def as_counted(tile: Tile) -> Tile:
    """A tile whose counted loops have other numbers, which are those that come with the pointers."""
    counted = [
        TileLoop(1 + level, known(loop.x_bytes) + 8, known(loop.y_bytes) - 64)
        for level, loop in enumerate(tile.loops[: tile.counted])
    ]
    return replace(tile, loops=(*counted, *tile.loops[tile.counted :]))


def at_run_time(tile: Tile) -> tuple[Tile, list[int]]:
    """The same with numbers from a table."""
    table: list[int] = []

    def later(number: Number) -> Number:
        assert isinstance(number, int)
        return later_unless_zero(number, table)

    loops = tuple(
        TileLoop(later(each.count), later(each.x_bytes), later(each.y_bytes)) for each in tile.loops
    )
    rows = replace(tile.rows, down=later(tile.rows.down), along=later(tile.rows.along))
    return replace(tile, loops=loops, rows=rows), table


def object_of(
    isa: Isa,
    tile: Tile,
    table: list[int],
    is_stored: bool = False,
    counted: Sequence[TileLoop] = (),
) -> bytes:
    """A function of pointers to sums, LHS and RHS. If they are stored, the sums come from the stack."""
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(VOID, [POINTER] * 3), "entry")
    b = ir.IRBuilder(function.append_basic_block())
    to, *pointers = function.args
    left, right = (byte_offset(b, pointer, BEGIN) for pointer in pointers)
    type = ir.VectorType(F32 if tile.kr == 1 else I32, isa.lanes)
    numbers = [
        known(number) for loop in counted for number in (loop.count, loop.x_bytes, loop.y_bytes)
    ]
    given = table_of(b, numbers) if counted else None
    stored = b.alloca(type, tile.sums // tile.accumulators) if is_stored else None
    inputs = TileInputs(left, right, index(AHEAD), given, table_of(b, table), stored)
    values = emit_tile(b, isa, tile, inputs, type)
    if stored is not None:
        assert not values
        places = [b.gep(stored, index(n), type) for n in range(tile.sums // tile.accumulators)]
        values = [b.load(place, type) for place in places]
    for n, value in enumerate(values):
        b.store(value, byte_offset(b, to, n * isa.lanes * 4), align=1)
    b.ret_void()
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    return machine_of(isa).emit_object(parsed)


def run_tile(
    isa: Isa,
    tile: Tile,
    table: list[int],
    x: Array,
    y: Array,
    is_stored: bool = False,
    counted: Sequence[TileLoop] = (),
) -> Array:
    """The sums, by set, accumulator, column and row; by row and column if they are stored."""
    sums = np.zeros((tile.sums, isa.lanes), np.float32 if tile.kr == 1 else np.int32)
    library = Library([object_of(isa, tile, table, is_stored, counted)], ["entry"])
    call(library["entry"], sums, x, y)
    if is_stored:
        rows, columns = tile.rows.total, len(tile.columns)
        return sums[: rows * columns].reshape(rows, columns, isa.lanes)
    return sums.reshape(tile.sets, tile.accumulators, len(tile.columns), tile.rows.total, isa.lanes)


def known(number: Number) -> int:
    assert isinstance(number, int)
    return number


def taps_apart(tile: Tile) -> list[tuple[int, int]]:
    """How many bytes lie between iterations of the outer loops, where the ones inside end at their last whole step."""
    *outer, inner = tile.loops
    steps = (known(inner.count) * tile.unroll + tile.rest) * max(1, len(tile.live))
    moved = steps * tile.x_step, steps * tile.y_step
    found: list[tuple[int, int]] = []
    for each in reversed(outer):
        apart = known(each.x_bytes) + moved[0], known(each.y_bytes) + moved[1]
        found.insert(0, apart)
        moved = known(each.count) * apart[0], known(each.count) * apart[1]
    return found


def expected(isa: Isa, tile: Tile, x: Array, y: Array) -> Array:
    """The same, one product at a time."""
    shape = tile.sets, tile.accumulators, len(tile.columns), tile.rows.total, isa.lanes
    distances = tile.distances
    assert distances is not None
    sums = np.zeros(shape, np.float32 if tile.kr == 1 else np.int32)
    *outer, inner = tile.loops
    counts = [known(loop.count) for loop in outer]
    for places in every(*map(range, counts)):
        at = [(p * x, p * y) for p, (x, y) in zip(places, taps_apart(tile), strict=True)]
        iterations = known(inner.count)
        steps = [(i, u, tile.kr) for i in range(iterations) for u in range(tile.unroll)]
        steps += [(iterations, u, tile.kr) for u in range(tile.rest)]
        steps += [(iterations, tile.rest, tile.tail)] if tile.tail else []
        parts = list(enumerate(tile.live or [range(tile.rows.total)]))
        for (part, live), (iteration, u, count) in every(parts, steps):
            step = part * (iterations * tile.unroll + tile.rest) + iteration * tile.unroll + u
            a = sum(p for p, _ in at) + step * tile.x_step
            b = sum(p for _, p in at) + step * tile.y_step
            for (c, column), r in every(enumerate(tile.columns), live):
                left = x[BEGIN + a + distances[r] :]
                right = y[BEGIN + b + column :]
                own = places[-1] if tile.sets > 1 else 0
                products = _products(isa, tile, left, right, count)
                if c in tile.half_columns and isa.vector == "zmm":
                    products[isa.lanes // 2 :] = 0
                sums[own, u % tile.accumulators, c, r] += products
    return sums


ELEMENTS = {"u8": np.uint8, "i8": np.int8, "i16": np.int16}


def _products(isa: Isa, tile: Tile, left: Array, right: Array, count: int) -> Array:
    if tile.kr == 1:
        return left[:4].view(np.float32) * right[: 4 * isa.lanes].view(np.float32)
    types = [np.dtype(ELEMENTS[each]) for each in tile.widened or ("u8", "i8")]
    bytes = [
        n * each.itemsize for n, each in zip((tile.kr, tile.kr * isa.lanes), types, strict=True)
    ]
    codes, weights = (
        side[:size].copy().view(each).astype(np.int32)
        for side, size, each in zip((left, right), bytes, types, strict=True)
    )
    codes[count:] = codes[0] if tile.widens_lhs else 0  # weights are 0 there
    if tile.offset:
        codes ^= 128
    return (weights.reshape(-1, tile.kr) * codes).sum(1)


def expected_of_pairs(tile: Tile, x: Array, y: Array) -> Array:
    """The sums, by column, row and lane: what they begin with, and products of sums of words and weights."""
    lanes, distances = AVX2.lanes, tile.distances
    assert distances is not None and tile.widened is not None
    weight = np.dtype(ELEMENTS[tile.widened[1]])
    (loop,) = tile.loops
    steps = known(loop.count) * tile.unroll + tile.rest
    sums = np.zeros((len(tile.columns), tile.rows.total, lanes), np.int32)
    for (c, column), (r, row) in every(enumerate(tile.columns), enumerate(distances)):
        left = x[BEGIN + row :][: FIRST_BYTES + steps * tile.x_step].copy()
        words = left[FIRST_BYTES:].view(np.int16).astype(np.int32).reshape(steps, 1, 2)
        first = 2 * tile.y_step
        ahead = y[BEGIN + 2 * column :][: 4 * lanes].copy().view(np.int32)
        right = y[BEGIN + first :][: steps * tile.y_step].reshape(steps, tile.y_step)
        own = right[:, column : column + 2 * lanes].copy().view(weight).astype(np.int32)
        own = own.reshape(steps, lanes, 2)
        one, other = words[0::2] + own[1::2], words[1::2] + own[0::2]
        sums[c, r] = left[:4].view(np.int32) + ahead + (one * other).sum((0, 2))
    return sums


@pytest.mark.host
@pytest.mark.parametrize("tile", PAIRED_TILES.values(), ids=PAIRED_TILES)
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "at run time"])
def test_sums_of_pairs_are_multiplied(tile: Tile, is_known: bool):
    """Of words between codes of both signs, and weights of all bytes; on the stack, too."""
    emitted, table = (tile, []) if is_known else at_run_time(tile)
    assert is_written(AVX2, emitted)
    rng = np.random.default_rng(0)
    x = rng.choice([-128, 255, *range(-128, 256)], 1 << 13).astype(np.int16).view(np.uint8)
    y = rng.choice([0, 255, 128, *range(256)], 1 << 14).astype(np.uint8)
    wanted = expected_of_pairs(tile, x, y)
    np.testing.assert_array_equal(run_tile(AVX2, emitted, table, x, y)[0, 0], wanted)
    stored = run_tile(AVX2, emitted, table, x, y, True)
    np.testing.assert_array_equal(stored, wanted.swapaxes(0, 1))


def test_pairs_need_registers():
    """Two for the weights of each column, two for an activation, and two for copies of it if there are more columns."""
    assert PAIRS.registers == AVX2.registers
    assert not is_written(AVX2, replace(PAIRS, rows=Rows(1, 5, 0, 320)))
    column = replace(PAIRS, columns=(0,), rows=Rows(1, 12, 0, 320))
    assert column.registers == AVX2.registers


WIDTHS = [each for isa in available_isas() for each in (isa, isa.shorter) if each is not None]


@pytest.mark.parametrize("isa", WIDTHS, ids=lambda isa: f"{isa.name} {isa.lanes}")
@pytest.mark.parametrize("tile", TILES.values(), ids=TILES)
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "at run time"])
def test_sums_are_those_of_the_loops(isa: Isa, tile: Tile, is_known: bool):
    if not is_written(isa, tile):
        assert isa.vector != "zmm" or tile.widened  # AVX-512 has instructions of bytes
        assert not (tile.kr == 1 and isa.has_evex)
        return
    emitted, table = (tile, []) if is_known else at_run_time(tile)
    assert is_written(isa, emitted)
    rng = np.random.default_rng(0)
    if tile.kr == 1:
        x, y = (rng.integers(-9, 10, 1 << 14).astype(np.float32).view(np.uint8) for _ in range(2))
    else:
        x, y = (rng.choice([0, 255, 128, *range(256)], 1 << 14).astype(np.uint8) for _ in range(2))
    meant = as_counted(tile)
    found = run_tile(isa, emitted, table, x, y, counted=meant.loops[: tile.counted])
    np.testing.assert_array_equal(found, expected(isa, meant, x, y))


@pytest.mark.parametrize("isa", WIDTHS, ids=lambda isa: f"{isa.name} {isa.lanes}")
@pytest.mark.parametrize("tile", TILES.values(), ids=TILES)
def test_sums_of_all_accumulators_are_stored_by_row(isa: Isa, tile: Tile):
    if tile.sets > 1 or not is_written(isa, tile):
        return
    emitted, table = at_run_time(tile)
    rng = np.random.default_rng(0)
    x, y = (rng.integers(0, 64, 1 << 14).astype(np.uint8) for _ in range(2))
    if tile.kr == 1:
        x, y = (each.astype(np.float32).view(np.uint8)[: 1 << 14] for each in (x, y))
    meant = as_counted(tile)
    found = run_tile(isa, emitted, table, x, y, True, meant.loops[: tile.counted])
    (wanted,) = expected(isa, meant, x, y).sum(1, dtype=found.dtype)
    np.testing.assert_array_equal(found, wanted.swapaxes(0, 1))


@pytest.mark.parametrize("tile", TILES.values(), ids=TILES)
def test_what_this_host_does_not_run_is_assembled(tile: Tile):
    if not is_written(AVX_VNNI, tile):
        assert tile.registers > AVX_VNNI.registers
        return
    if IS_HOST:
        counted = as_counted(tile).loops[: tile.counted]
        code = object_of(AVX_VNNI, *at_run_time(tile), counted=counted)
        assert code.startswith(b"\x7fELF")


def test_what_fits_no_registers_is_not_written():
    assert is_written(AVX512_VNNI, replace(FLOATS, rows=Rows(1, 14, 0, 4)))
    assert not is_written(AVX512_VNNI, replace(FLOATS, rows=Rows(1, 15, 0, 4)))
    assert not is_written(AVX2, replace(FLOATS, rows=Rows(1, 7, 0, 4)))


def test_an_offset_needs_a_register():
    codes = replace(CODES, accumulators=1, columns=(0,), rows=Rows(1, 30, 0, 4))
    assert is_written(AVX512_VNNI, codes)
    assert not is_written(AVX512_VNNI, replace(codes, offset=128))


def test_rows_of_any_register_tile_are_addressed():
    """Those of one that loops over taps and the inner dimension, and prefetches."""
    for lines, count in every(range(1, 31), range(1, 31)):
        if lines * count > 30:
            continue
        tile = replace(FLOATS, columns=(0,), rows=Rows(lines, count, 640, 4))
        emitted, _ = at_run_time(tile)
        assert emitted.general_registers <= GENERAL_REGISTERS


def test_few_registers_address_rows():
    assert RowAddresses.of(1, 1) == RowAddresses(multiples=0, pointers=1, reach=1)
    assert RowAddresses.of(3, 1) == RowAddresses(multiples=1, pointers=1, reach=3)
    assert RowAddresses.of(7, 2) == RowAddresses(multiples=3, pointers=1, reach=7)
    assert RowAddresses.of(14, 1) == RowAddresses(multiples=3, pointers=2, reach=7)
    assert RowAddresses.of(28, 1) == RowAddresses(multiples=3, pointers=4, reach=7)


@pytest.mark.parametrize(("isa", "floats", "codes"), [(AVX_VNNI, True, True), (AVX2, True, False)])
def test_instructions_are_those_of_the_set(isa: Isa, floats: bool, codes: bool):
    assert is_written(isa, FLOATS) is floats
    assert is_written(isa, replace(CODES, accumulators=1)) is codes
    assert not is_written(NEON_DOT, FLOATS)


def test_distances_fit_into_instructions():
    assert is_written(AVX512_VNNI, replace(FLOATS, rows=Rows(1, 2, 0, FARTHEST // 2)))
    assert not is_written(AVX512_VNNI, replace(FLOATS, rows=Rows(1, 2, 0, FARTHEST)))
    assert not is_written(AVX512_VNNI, replace(FLOATS, loops=(TileLoop(2, 0, -FARTHEST),)))
    assert not is_written(AVX512_VNNI, replace(FLOATS, loops=(TileLoop(0, 8, 8), *FLOATS.loops)))
