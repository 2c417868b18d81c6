"""Matrix products as machine code against their meaning in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerType, Signedness, f32, i8, i16, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering.codegen.mat_mul import mat_mul
from lowstream.lowering.codegen.mat_mul.mat_mul import MatMulKernel
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import AVX2, AVX512_VNNI, ISAS, Isa, available_isas
from lowstream.lowering.pack_weights.mat_mul import pack
from lowstream.test.unit.lowering.codegen.judge import check, check_results
from lowstream.test.unit.lowering.codegen.kernels import (
    BYTES,
    FLOATS,
    dense,
    each_isa,
    one_kernel,
    random_array,
    sampled,
    strided,
    ui8,
)
from lowstream.test.unit.lowering.codegen.mat_mul.case import Case
from lowstream.test.unit.lowering.codegen.mat_mul.case import sizes_at_run_time as sizes_at_run_time
from lowstream.test.unit.lowering.codegen.native import Native, assembly_of
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair

ui16 = IntegerType(16, Signedness.UNSIGNED)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of tiles, vectors and steps."""
    exact = draw(st.booleans())
    kinds = BYTES if exact else FLOATS[:1]
    bits = draw(st.sampled_from([8, 4])) if exact else 8
    kinds = [kind for kind in kinds if bits == 8 or kind[1] == i8]
    products = draw(st.integers(1, 2))
    packed = bits == 4 or draw(st.booleans())
    return Case(
        batch=tuple(draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2))),
        rows=draw(st.sampled_from([1, 1, 2, 3, 7, 13])),
        columns=draw(st.sampled_from([1, 3, 4, 8, 15, 16, 17, 32, 33, 50, 130])),
        groups=draw(st.sampled_from([1, 1, 2, 3, 4])),
        depths=tuple(
            draw(st.sampled_from([1, 2, 3, 4, 5, 7, 8, 31, 64, 67])) for _ in range(products)
        ),
        kinds=tuple(draw(st.sampled_from(kinds)) for _ in range(products)),
        packed=packed,
        k_by_n=not packed and draw(st.booleans()),
        broadcast_a=draw(st.booleans()),
        batched_b=draw(st.booleans()),
        bits=bits,
    )


@sampled(cases())
def test_sums_are_exact(isa: Isa, case: Case):
    case.check(isa)


@each_isa
def test_a_tail_behind_a_single_step_of_four_bits(isa: Isa):
    """Both lie in the same bytes."""
    Case(rows=2, columns=9, depths=(3,), kinds=((ui8, i8),), bits=4).check(isa)


@each_pair(
    isa=available_isas(),
    packed=[True, False],
    kind=[*BYTES, *FLOATS, (i16, i16), (ui16, i16), (i32, i32)],
)
def test_every_kind(isa: Isa, kind: Any, packed: bool):
    Case(rows=3, columns=21, groups=2, depths=(9,), kinds=(kind,), packed=packed).check(isa)


@each_isa
@pytest.mark.parametrize("kind", [*BYTES, *FLOATS], ids=lambda kind: f"{kind[0]}x{kind[1]}")
def test_every_kind_where_it_lies(isa: Isa, kind: Any):
    case = Case(rows=3, columns=21, groups=2, depths=(9,), kinds=(kind,), packed=False, k_by_n=True)
    case.check(isa)


@pytest.mark.parametrize("isa", [AVX2, AVX512_VNNI], ids=lambda isa: isa.name)
@pytest.mark.parametrize(
    ("k_by_n", "rest", "is_written"), [(True, 0, True), (True, 1, False), (False, 0, False)]
)
def test_whole_vectors_where_they_lie_are_assembly(
    isa: Isa, k_by_n: bool, rest: int, is_written: bool
):
    """Nearest misses: a last vector that is not full, and units that do not lie side by side."""
    columns = 3 * isa.lanes + rest
    case = Case(rows=3, columns=columns, kinds=((f32, f32),), packed=False, k_by_n=k_by_n)
    assert case.kernel_on(isa).is_assembly(isa) is is_written


@each_isa
def test_extremes(isa: Isa):
    """-128 x -128 and 255 x -128 in every place: nothing saturates on the way."""
    for x, y, left, right in ((i8, i8, -128, -128), (ui8, i8, 255, -128), (ui8, ui8, 255, 255)):
        case = Case(rows=2, columns=16, depths=(64,), kinds=((x, y),))
        program = case.program(isa)
        inputs = case.inputs(program, isa)
        inputs[0][...] = left
        inputs[1][...] = right
        check_results(Native(program, isa), inputs)


@each_pair(isa=available_isas(), depth=[1, 2, 7, 64, 67], rows=[1, 3])
def test_extremes_of_words(isa: Isa, rows: int, depth: int):
    """-32768 x -32768 in every place: pairs of products wrap, as sums do."""
    case = Case(rows=rows, columns=33, depths=(depth,), kinds=((i16, i16),))
    inputs = case.inputs(program := case.program(isa), isa)
    inputs[0][...] = -32768
    inputs[1] = pack(np.full((33, depth), -32768, np.int16), case.layout(isa), 1, 33).joined()
    check_results(Native(program, isa), inputs)


@each_isa
def test_extremes_of_four_bits(isa: Isa):
    """255 x -8 and -128 x -8 in every place."""
    for x, left in ((i8, -128), (ui8, 255)):
        case = Case(columns=40, depths=(67,), kinds=((x, i8),), bits=4)
        inputs = case.inputs(program := case.program(isa), isa)
        inputs[0][...] = left
        inputs[1] = pack(np.full((40, 67), -8, np.int8), case.layout(isa), 1, 40).joined()
        check_results(Native(program, isa), inputs)


@each_isa
def test_panels_of_rows(isa: Isa, monkeypatch: pytest.MonkeyPatch):
    """Several of them, the last not full."""
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "panel_bytes", lambda weights: 1)
    Case(rows=47, columns=21, depths=(9,)).check(isa)


@each_isa
@pytest.mark.parametrize(("rows", "groups"), [(1, 1), (1, 4), (40, 1)])
@pytest.mark.parametrize("columns", [16, 325])
def test_tiles_in_turns(
    isa: Isa, rows: int, groups: int, columns: int, monkeypatch: pytest.MonkeyPatch
):
    """Forwards, then backwards: with a tile that is not full, with several register tiles of rows, with one tile."""
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "NEAR_BYTES", 1)
    Case(rows=rows, columns=columns, groups=groups, depths=(30,)).check(isa)


@each_isa
def test_long_bodies_end_in_a_loop(isa: Isa, monkeypatch: pytest.MonkeyPatch):
    """Accumulators that wait in memory are the same, also where bodies of two rows take turns, or of an odd number."""
    from lowstream.lowering.codegen import epilogue
    from lowstream.lowering.codegen.schedule import costs

    monkeypatch.setattr(costs, "LONGEST_EPILOGUE", 1)
    monkeypatch.setattr(epilogue, "PAIRED_BODY", 1)
    for rows, columns, groups in ((8, 21, 1), (8, 21, 2), (11, 9, 4)):
        case = Case(rows=rows, columns=columns, groups=groups, depths=(9, 5), kinds=((i8, i8),) * 2)
        case.check(isa)


@each_isa
def test_long_bodies_ask_for_their_operands(isa: Isa, monkeypatch: pytest.MonkeyPatch):
    """While sums are computed, where there are several rows: what they read and write of each lies far apart."""
    from lowstream.lowering.codegen import epilogue

    one, many = Case(rows=1, columns=21), Case(rows=5, columns=21)

    def prefetches(case: Case) -> int:
        return "".join(assembly_of(case.program(isa), isa)).count("prefetch")

    assert prefetches(many) == 0
    monkeypatch.setattr(epilogue, "LONG_BODY", 1)
    assert prefetches(one) == 0 < prefetches(many)
    many.check(isa)


@each_isa
@pytest.mark.parametrize("element", [i8, f32], ids=str)
def test_strided_operands(isa: Isa, element: Any):
    """Every second element of a's rows, b read across its rows: what a transpose leaves."""
    rows, columns, depth = 3, 19, 7
    left = strided(element, [rows, depth], [2 * depth, 2])
    right = strided(element, [columns, depth], [1, columns])
    accumulator = i32 if element == i8 else f32
    types = [left, right]
    out = dense(accumulator, rows, columns)

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        region = build_body([accumulator], lambda x: x)
        access = [Access.identity(2)]
        domain = [rows, columns]
        return kernel.MatMulOp(
            domain,
            1,
            ins[:1],
            ins[1:],
            kernel.Epilogue([], access, region),
            outs=outs,
        )

    program = one_kernel(types, [out], make)
    rng = np.random.default_rng(0)
    x = random_array(rng, dense(element, rows, depth))
    check(program, isa, [x, random_array(rng, dense(element, columns, depth))])


@each_isa
@pytest.mark.parametrize("rows", [1, 5])
def test_parts_of_one_memory_have_one_base_pointer(isa: Isa, rows: int):
    """Parts of rows, and of a line for all rows. Nearest miss: the line for all rows is the first of the others."""
    parts, columns, depth = 3, 21, 9
    units, line = parts * columns, [Term(None), Term(1)]
    moving = [Access(2, (Term(0), Term(1, 1, columns * part))) for part in range(parts)]
    still = [Access(2, (Term(None), Term(1, 1, columns * part))) for part in range(parts)]

    def total(found: Scalar, *others: Scalar) -> Scalar:
        for each in others:
            found = found + each
        return found

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        a, b, matrix, bias = ins
        region = build_body([f32] * (2 * parts + 2), total)
        access = [*moving, *still, Access(2, tuple(line)), Access.identity(2)]
        read = [*[matrix] * parts, *[bias] * parts, matrix]
        return kernel.MatMulOp(
            [rows, columns], 1, [a], [b], kernel.Epilogue(read, access, region), outs=outs
        )

    shapes = [(rows, depth), (columns, depth), (rows, units), (1, units)]
    types = [dense(f32, *shape) for shape in shapes]
    program = one_kernel(types, [dense(f32, rows, columns)], make)
    rng = np.random.default_rng(0)
    check(program, isa, [random_array(rng, type) for type in types])
    (op,) = program.body.block.ops
    assert isinstance(op, kernel.MatMulOp)
    assert MatMulKernel.of(op, isa).bases == (0, 0, 0, 1, 1, 1, 2, 3)


def test_weights_for_another_machine():
    """Packed for 4 lanes, compiled for 16."""
    Case().check_refused_elsewhere()


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
def test_equal_kernels_are_emitted_once(isa: Isa):
    """Whatever their number of rows, of which tiles leave none."""
    one, other = (Case(rows=rows).kernel_on(isa) for rows in (84, 168))
    assert (one.rows, other.rows) == (84, 168)
    assert one == other


@each_isa
@pytest.mark.parametrize("batch", [(), (3,)], ids=["alone", "batch"])
def test_single_rows_with_long_bodies_know_their_sizes(
    isa: Isa, batch: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
):
    """Whoever shares their tiles. Nearest misses: another row, and a short body where no row is prepared."""
    case = Case(batch, 1, 8 * 96 + 5, 2, (12, 7), ((i8, i8),) * 2, batched_b=True)
    assert case.kernel_on(isa).single_row == bool(case.kernel_on(isa).prepared)
    monkeypatch.setattr(mat_mul, "LONG_BODY", 3)
    assert replace(case, rows=2).kernel_on(isa).table
    found = case.kernel_on(isa)
    assert found.single_row
    assert not found.table
    case.check(isa)
    program = case.program(isa)
    check_shares(MatMulKernel, program, isa, case.inputs(program, isa), 3)


BATCHED = Case((3,), rows=24, columns=96, depths=(64,), batched_b=True)


@each_isa
@pytest.mark.parametrize(
    "other",
    [
        replace(BATCHED, batch=(9,)),
        replace(BATCHED, columns=192),
        replace(BATCHED, depths=(128,)),
        replace(BATCHED, kinds=((f32, f32),)),
    ],
    ids=["batch", "columns", "depth", "element"],
)
def test_sizes_decide_no_code(isa: Isa, other: Case):
    """Where register tiles are the same, as they are not of other elements."""
    one, found = BATCHED.kernel_on(isa), other.kernel_on(isa)
    assert (one == found) is (one.schedule == found.schedule)
    assert one.table != found.table
    other.check(isa)


@each_pair(
    isa=available_isas(),
    parts=[1, 3],
    case=[
        Case((9,), rows=3, columns=21, depths=(12,), batched_b=True),
        Case(rows=2, columns=8 * 96 + 5, depths=(12,)),
        Case(rows=61, columns=21, depths=(12,)),
        Case(rows=1, columns=40, depths=(12,)),
    ],
)
def test_shares_are_everything(isa: Isa, case: Case, parts: int):
    """Each partition once, in any order: together they do what the whole does."""
    program = case.program(isa)
    check_shares(MatMulKernel, program, isa, case.inputs(program, isa), parts)
