"""Maps and copies as machine code against their meaning in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.elements import SMALL_FLOATS, bits_of, i4, ui4
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.lowering.codegen.map import MapKernel
from lowstream.lowering.codegen.schedule import MapSchedule
from lowstream.lowering.codegen.schedule import map as map_schedule
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body, same
from lowstream.lowering.machine import AVX2, AVX512_VNNI, Isa
from lowstream.reference.arrays import Array
from lowstream.reference.narrow_floats import of_codes
from lowstream.test.unit.lowering.codegen.judge import check, check_results
from lowstream.test.unit.lowering.codegen.kernels import (
    VECTOR_ISAS,
    dense,
    each_vector_isa,
    one_kernel,
    program_of,
    random_array,
    strided,
    ui8,
    ui16,
)
from lowstream.test.unit.lowering.codegen.native import assembly_of
from lowstream.test.unit.lowering.codegen.partitions import Partitions, check_shares
from lowstream.test.unit.pairwise import each_pair

ELEMENTS: list[Attribute] = [i1, i8, ui8, i16, ui16, i32, i64, f16, bf16, f32, f64]
ELEMENTS += [i4, ui4, *SMALL_FLOATS]


# --- elements -------------------------------------------------------------------------------


@each_vector_isa
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_load_and_store(isa: Isa, element: Any):
    """Every element type goes in, and comes out saturated or rounded, odd counts included."""
    inner = body_type(element)

    def body(x: Scalar, wide: Scalar) -> Sequence[Scalar]:
        return x, wide

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        accesses = [Access.identity(1)] * 4
        return kernel.MapOp([37], ins, accesses, build_body([inner, inner], body), outs=outs)

    rng = np.random.default_rng(0)
    wide = random_array(rng, dense(inner, 37))
    if inner == f32 and element != f32:
        edges = [
            65519.0,
            65520.0,
            -1e9,
            np.inf,
            -np.inf,
            np.nan,
            6e-8,
            2.9e-8,
            3e-8,
            -1e-7,
            0.0,
            6.1e-5,
        ]
        wide[: len(edges)] = edges
        wide[20:] = rng.integers(0x33000000, 0x47800000, 17).astype(np.uint32).view(np.float32)
    types = [dense(element, 37), dense(inner, 37)]
    program = one_kernel(types, [dense(inner, 37), dense(element, 37)], make)
    check(program, isa, [random_array(rng, types[0]), wide])


@each_vector_isa
def test_every_narrow_float(isa: Isa):
    """All codes of all of them to f32; and to all of them f32 that are equal to one, between two, or anything."""
    count, narrow = 2**16, [f16, bf16, *SMALL_FLOATS]

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        accesses = [Access.identity(1)] * (len(ins) + len(outs))
        region = build_body([f32] * len(ins), lambda x, *codes: [x] * len(narrow) + list(codes))
        return kernel.MapOp([count], ins, accesses, region, outs=outs)

    types = [dense(element, count) for element in narrow]
    program = one_kernel([dense(f32, count), *types], [*types, *[dense(f32, count)] * 8], make)
    words = np.arange(count, dtype=np.uint32)
    codes = [words.astype(np.uint16).view(np.float16)]
    codes += [of_codes((words % 2 ** bits_of(each)).astype(np.uint16), each) for each in narrow[1:]]
    # Three bits of a fraction with a tail of 0 or 1 are between any two floats of a byte.
    single = np.where(words & 1, words << 16 | 1, words << 16).view(np.float32)
    check(program, isa, [single, *codes])


@each_vector_isa
def test_half_inside_a_body(isa: Isa):
    """A value rounded to f16 on the way."""

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        def body(x: Scalar) -> Scalar:
            return x.cast(arith.TruncFOp, f16).cast(arith.ExtFOp, f32)

        accesses = [Access.identity(1)] * 2
        return kernel.MapOp([33], ins, accesses, build_body([f32], body), outs=outs)

    x = random_array(np.random.default_rng(0), dense(f32, 33))
    check(one_kernel([dense(f32, 33)], [dense(f32, 33)], make), isa, [x])


# --- domains --------------------------------------------------------------------------------


SIZES = (1, 2, 3, 5, 16, 17, 33)


@st.composite
def maps(
    draw: st.DrawFn, sizes: Sequence[int] = SIZES
) -> tuple[list[int], list[tuple[Access, list[int]]]]:
    """A domain, and an access and a shape for two inputs and the output, in any order of dimensions."""
    domain = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=3))
    operands: list[tuple[Access, list[int]]] = []
    for is_output in (False, False, True):
        order = draw(st.permutations(range(len(domain))))
        terms: list[Term] = []
        shape: list[int] = []
        for d in order:
            if not is_output and draw(st.booleans()):
                terms.append(Term(None, 1, draw(st.integers(0, 1))))
                shape.append(2)
                continue
            step, offset = draw(st.sampled_from([1, 1, 1, 2, -1])), draw(st.integers(0, 2))
            reach = abs(step) * (domain[d] - 1)
            terms.append(Term(d, step, offset + (reach if step < 0 else 0)))
            shape.append(offset + reach + 1)
        operands.append((Access(len(domain), tuple(terms)), shape))
    return domain, operands


def sums(
    case: Any, left: Attribute, result: Attribute, rounds: bool = False
) -> tuple[kernel.ProgramOp, list[Array]]:
    """A program that adds two inputs of a case of `maps`, and perhaps rounds the sums; inputs for it."""
    domain, operands = case
    accesses = [access for access, _ in operands]
    shapes = [shape for _, shape in operands]

    def body(x: Scalar, y: Scalar) -> Scalar:
        total = x.convert(x.type, f32) + y
        total = total.round_even() if rounds else total
        return total.convert(f32, body_type(result))

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        region = build_body([body_type(left), f32], body)
        return kernel.MapOp(domain, ins, accesses, region, outs=outs)

    types = [dense(left, *shapes[0]), dense(f32, *shapes[1])]
    rng = np.random.default_rng(len(domain))
    inputs = [random_array(rng, type) for type in types]
    return one_kernel(types, [dense(result, *shapes[2])], make), inputs


@each_vector_isa
@settings(max_examples=25)
@given(case=maps(), left=st.sampled_from([f32, i8]))
def test_domains(isa: Isa, case: Any, left: Any):
    """Broadcasts, transposes, slices with steps, either way."""
    program, inputs = sums(case, left, f32)
    check(program, isa, inputs)


@each_vector_isa
@settings(max_examples=25, deadline=None)
@given(
    case=maps((4, 5, 8, 16, 17, 33)),
    left=st.sampled_from(ELEMENTS),
    result=st.sampled_from([f32, ui8, i1]),
    parts=st.integers(1, 3),
)
def test_squares(isa: Isa, case: Any, left: Any, result: Any, parts: int):
    """What is contiguous along another dimension is transposed; any number of threads divides the squares."""
    program, inputs = sums(case, left, result)
    with patch.object(map_schedule, "FEWEST_TRANSPOSE_TILES", 0):
        check(program, isa, inputs)
        check_shares(MapKernel, program, isa, inputs, parts)


@each_vector_isa
@settings(max_examples=25, deadline=None)
@given(
    case=maps((1, 3, 16, 17, 64, 65, 130)),
    left=st.sampled_from([f32, i8]),
    result=st.sampled_from([ui8, i8]),
    parts=st.integers(1, 3),
)
def test_codes(isa: Isa, case: Any, left: Any, result: Any, parts: int):
    """Rounded, saturated, 0 for NaN; vectors that are narrowed together, and what is left of these."""
    program, (x, y) = sums(case, left, result, rounds=True)
    y.flat[:] *= 100
    y.flat[:3] = [np.nan, np.inf, -np.inf][: y.size]
    check(program, isa, [x, y])
    check_shares(MapKernel, program, isa, [x, y], parts)


@each_pair(
    isa=VECTOR_ISAS,
    element=[f32, i8, f16],
    shape=[(17, 33), (32, 35), (31, 64), (9, 70)],
)
def test_edges_of_transposes(isa: Isa, element: Any, shape: tuple[int, int]):
    """Nothing but the points there are is read and written, also where several threads divide them."""
    rows, columns = shape
    across = strided(element, [rows, columns], [1, rows])
    with patch.object(map_schedule, "FEWEST_TRANSPOSE_TILES", 0):
        program = one_kernel(
            [dense(element, rows, columns)], [across], lambda x, y: kernel.CopyOp(x[0], y[0])
        )
        x = random_array(np.random.default_rng(rows), dense(element, rows, columns))
        check(program, isa, [x])
        (copy,) = (op for op in program.body.block.ops if isinstance(op, kernel.CopyOp))
        check_results(Partitions(program, isa, MapKernel.of_copy(copy, isa), parts=2), [x])


@each_pair(isa=VECTOR_ISAS, element=[f32, i8, f16], rows=[2, 3, 4], columns=[37, 40])
def test_few_rows_are_interleaved(isa: Isa, element: Any, rows: int, columns: int):
    """And taken apart, as channels of an image are; nothing behind them is read or written."""
    planes = dense(element, rows, columns)
    pixels = strided(element, [rows, columns], [1, rows])
    x = random_array(np.random.default_rng(rows), planes)
    with patch.object(map_schedule, "FEWEST_TRANSPOSE_TILES", 0):
        for source, target in ((planes, pixels), (pixels, planes)):
            program = one_kernel([source], [target], lambda x, y: kernel.CopyOp(x[0], y[0]))
            check(program, isa, [x])
            (copy,) = (op for op in program.body.block.ops if isinstance(op, kernel.CopyOp))
            found = MapKernel.of_copy(copy, isa)
            is_along_columns = rows < isa.lanes or columns % isa.lanes == 0
            assert found.loops.interleaved == is_along_columns
            check_results(Partitions(program, isa, found, parts=2), [x])


@each_pair(isa=VECTOR_ISAS, element=[ui8, i8], rows=[2, 3, 4, 5, 16, 19], columns=[37, 48])
def test_codes_are_transposed(isa: Isa, element: Any, rows: int, columns: int):
    """Numbers of planes become codes of pixels: rounded, saturated, 0 for NaN; nothing else is written."""
    planes, pixels = dense(f32, rows, columns), strided(element, [rows, columns], [1, rows])

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        def body(x: Scalar) -> Scalar:
            return (x * 100).round_even().convert(f32, body_type(element))

        accesses = [Access.identity(2)] * 2
        return kernel.MapOp([rows, columns], ins, accesses, build_body([f32], body), outs=outs)

    x = random_array(np.random.default_rng(rows), planes)
    x.flat[:4] = [np.nan, np.inf, -np.inf, 0.025]
    with patch.object(map_schedule, "FEWEST_TRANSPOSE_TILES", 0):
        program = one_kernel([planes], [pixels], make)
        check(program, isa, [x])
        check_shares(MapKernel, program, isa, [x], 2)


@pytest.mark.parametrize(("subtracted", "saturates"), [(0, False), (1, True)])
@pytest.mark.parametrize("element", [ui8, i8, ui16], ids=str)
def test_codes_that_only_move_are_not_clamped(element: Any, subtracted: int, saturates: bool):
    source, target = dense(element, 64, 48), strided(element, [64, 48], [1, 64])

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        body = build_body([i32], lambda x: x - subtracted if subtracted else x)
        return kernel.MapOp([64, 48], ins, [Access.identity(2)] * 2, body, outs=outs)

    emitted, *_ = assembly_of(one_kernel([source], [target], make), AVX2)
    assert ("@llvm.smax" in emitted) == saturates


@each_vector_isa
@pytest.mark.parametrize(
    ("element", "count", "width", "term", "size"),
    [
        (i8, 4, 4, Term(2), 4),
        (i8, 4, 8, Term(2, offset=4), 4),
        (i8, 4, 8, Term(2, offset=2), 2),
        (i8, 4, 8, Term(2, step=2), 1),
        (i8, 4, 5, Term(2), 1),
        (ui8, 2, 2, Term(2), 2),
        (i8, 2, 6, Term(2, offset=4), 2),
        (i8, 2, 6, Term(2, offset=3), 1),
        (i8, 2, 4, Term(2, step=2), 1),
        (i8, 3, 3, Term(2), 1),
        (i16, 2, 4, Term(2, offset=2), 4),
        (i16, 4, 4, Term(2), 4),
        (i16, 3, 3, Term(2), 2),
        (ui8, 36, 36, Term(2), 4),
        (ui8, 38, 38, Term(2), 2),
    ],
    ids=str,
)
def test_integers_that_move_together(
    isa: Isa, element: IntegerType, count: int, width: int, term: Term, size: int
):
    """
    Integers side by side, as steps of packed weights or channels, move as numbers of 16 or 32 bits, `size` bytes, where
    none begins inside of another.
    """
    source, target = dense(element, 19, 33, width), dense(element, 33, 19, count)
    accesses = [Access(3, (Term(1), Term(0), term)), Access.identity(3)]

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        body = build_body([i32], lambda x: x)
        return kernel.MapOp([33, 19, count], ins, accesses, body, outs=outs)

    program = one_kernel([source], [target], make)
    x = random_array(np.random.default_rng(width), source)
    check(program, isa, [x])
    (op,) = (op for op in program.body.block.ops if isinstance(op, kernel.MapOp))
    found = MapKernel.of(op, isa)
    assert found.operands[0].size == size
    check_results(Partitions(program, isa, found, parts=2), [x])


@each_vector_isa
def test_channels_of_images_that_are_repeated_move_together(isa: Isa):
    """Along whichever dimension they lie."""
    source, target = dense(ui8, 5, 24), dense(ui8, 5, 2, 24)
    accesses = [Access(3, (Term(1), Term(0))), Access(3, (Term(1), Term(2), Term(0)))]

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        body = build_body([i32], lambda x: x)
        return kernel.MapOp([24, 5, 2], ins, accesses, body, outs=outs)

    program = one_kernel([source], [target], make)
    check(program, isa, [random_array(np.random.default_rng(0), source)])
    (op,) = (op for op in program.body.block.ops if isinstance(op, kernel.MapOp))
    assert MapKernel.of(op, isa).operands[0].size == 4


def test_what_is_interleaved_has_no_gaps():
    for columns, step, expected in ((1366, 3, 3), (1366, 4, 0), (1365, 3, 0)):
        strides = [[columns, 1], [1, step]]
        plan = MapSchedule.choose(AVX512_VNNI, [3, columns], strides, 1)
        assert (plan.transposed, plan.is_interleaved) == (expected, expected > 0)


@pytest.mark.parametrize(
    ("channels", "transposed_output", "expected"),
    [(64, False, 4), (64, True, 1), (256, False, 2), (512, False, 1)],
)
def test_squares_that_follow_each_other(channels: int, transposed_output: bool, expected: int):
    """Planes are written in whole cache lines, while the pixels that are read stay in the cache."""
    pixels, planes, points = [1, channels], [4096, 1], [channels, 4096]
    if transposed_output:
        pixels, planes, points = planes[::-1], pixels[::-1], points[::-1]
    strides = [planes, pixels] if transposed_output else [pixels, planes]
    plan = MapSchedule.choose(AVX2, points, strides, 1)
    assert (plan.inner, plan.transposed) == (points[1], points[0])
    assert plan.tiles_along(AVX2, [4, 4]) == expected


@each_vector_isa
def test_lines_of_planes(isa: Isa):
    """Squares that follow each other, in both directions, and those that are left."""
    source, target = dense(f32, 45, 19), strided(f32, [45, 19], [1, 45])
    x = random_array(np.random.default_rng(0), source)
    with patch.object(map_schedule, "FEWEST_TRANSPOSE_TILES", 0):
        program = one_kernel([source], [target], lambda x, y: kernel.CopyOp(x[0], y[0]))
        check(program, isa, [x])


def test_squares_are_for_many_points():
    """An input is transposed, an output, both, and none."""
    transposed, straight = [1, 64], [64, 1]
    for strides, across in (
        ([transposed, straight], 64),
        ([straight, transposed], 64),
        ([transposed, transposed], 0),
        ([straight, straight], 0),
        ([[2, 128], straight], 0),
    ):
        assert MapSchedule.choose(AVX512_VNNI, [64, 64], strides, 1).transposed == across
    assert not MapSchedule.choose(AVX512_VNNI, [64, 63], [[1, 64], [64, 1]], 1).transposed
    repeated = [transposed, straight, [0, 1]]
    assert not MapSchedule.choose(AVX512_VNNI, [64, 64], repeated, 1).transposed


@pytest.mark.parametrize(
    ("isa", "rows", "columns", "pays"),
    [
        (AVX512_VNNI, 12, 128, True),
        (AVX512_VNNI, 7, 128, False),
        (AVX512_VNNI, 17, 128, True),
        (AVX512_VNNI, 17, 65, False),
        (AVX2, 7, 128, False),
    ],
)
def test_squares_are_half_full(isa: Isa, rows: int, columns: int, pays: bool):
    """As many as there are in all, each of a part of the lanes where masks say which."""
    outer = 1000
    strides = [[columns, outer * columns, 1], [rows, 1, outer * rows]]
    plan = MapSchedule.choose(isa, [outer, rows, columns], strides, 1)
    assert (plan.transposed == rows) is pays


@each_vector_isa
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_copies_keep_every_bit(isa: Isa, element: Any):
    """Of dense and of strided memory."""
    part = strided(element, [3, 5], [10, 2])

    def make(block: Any, ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> None:
        view = kernel.ViewOp(ins[0], part)
        block.add_ops([view, kernel.CopyOp(view.result, outs[0]), kernel.CopyOp(ins[0], outs[1])])

    program = program_of(
        [dense(element, 3, 10)], [dense(element, 3, 5), dense(element, 3, 10)], make
    )
    x = random_array(np.random.default_rng(0), dense(element, 3, 10))
    check(program, isa, [x])


@each_vector_isa
@pytest.mark.parametrize("element", [i8, f16, f32, f64], ids=str)
def test_elements_that_lie_close_are_loaded_together(isa: Isa, element: Any):
    """Forward and back, in parts of vectors and in several; nothing beside them is touched."""
    counts = [
        2,
        3,
        4,
        5,
        isa.lanes - 1,
        isa.lanes,
        isa.lanes + 1,
        isa.lanes * 3 // 2,
        2 * isa.lanes + 3,
    ]
    cases = [*product((2, 3, 4, 5, -1, -2, -4), counts)]
    ins = [dense(element, abs(step) * (count - 1) + 1) for step, count in cases]
    outs = [dense(element, count) for _, count in cases]

    def make(block: Block, x: Sequence[SSAValue], y: Sequence[SSAValue]) -> None:
        for (step, count), source, target in zip(cases, x, y, strict=True):
            reach = abs(step) * (count - 1) if step < 0 else 0
            access = Access(1, (Term(0, step, reach),)), Access.identity(1)
            body = build_body([body_type(element)], same)
            block.add_op(kernel.MapOp([count], [source], access, body, outs=[target]))

    rng = np.random.default_rng(1)
    check(program_of(ins, outs, make), isa, [random_array(rng, each) for each in ins])
