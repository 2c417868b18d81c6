"""Shuffles of transposes: as few as columns need."""

from __future__ import annotations

import pytest

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.interleave import interleave, transposed
from lowstream.lowering.codegen.vectors import F16, F32, I8, I16, VOID, zero
from lowstream.lowering.machine import AVX2, AVX512_VNNI, PORTABLE, Isa


@pytest.mark.parametrize(
    ("element", "size", "rows", "columns", "expected"),
    [
        (I8, 8, 8, 8, 4 + 4 + 4 + 8),  # pairs of rows, two steps, and the halves of vectors
        (I8, 8, 2, 8, 2 + 4 + 4 + 8),  # two pairs hold a row each; the others are zeros
        (I8, 8, 8, 2, 4 + 2 + 1 + 2),
        (F32, 8, 8, 8, 3 * 8),  # two rows do not fit into a block
        (F32, 4, 4, 1, 2 + 1),
        (F32, 4, 1, 4, 2 + 4),
    ],
)
def test_zeros_and_what_no_column_needs_are_not_shuffled(
    element: ir.Type, size: int, rows: int, columns: int, expected: int
):
    lines = lines_of_transpose(PORTABLE, element, size, rows, columns)
    assert sum("shufflevector" in line for line in lines) == expected


@pytest.mark.parametrize(
    ("isa", "element", "size", "shuffles", "pairs"),
    [
        (AVX512_VNNI, F32, 16, 0, 4 * 8),
        (AVX512_VNNI, I16, 16, 0, 4 * 8),
        (AVX512_VNNI, I8, 16, 0, 4 * 8),
        (AVX512_VNNI, F16, 16, 4 * 16, 0),  # assembly has no registers of these
        (AVX2, I16, 8, 0, 3 * 4),
        (AVX2, F32, 8, 3 * 8, 0),  # no instruction puts halves of 256 bits side by side
    ],
)
def test_a_pair_of_rows_is_one_piece_of_assembly(
    isa: Isa, element: ir.Type, size: int, shuffles: int, pairs: int
):
    lines = lines_of_transpose(isa, element, size, size, size)
    assert sum("shufflevector" in line for line in lines) == shuffles
    assert sum(" asm " in line for line in lines) == pairs


@pytest.mark.parametrize(("vectors", "unpacks"), [(2, 4), (3, 7), (4, 8)])
def test_four_rows_are_unpacked_for_the_vectors_that_are_wanted(vectors: int, unpacks: int):
    rows = [ir.VectorType(I8, 64)] * 4
    function = ir.Function(ir.Module(), ir.FunctionType(VOID, rows), "interleave")
    b = ir.IRBuilder(function.append_basic_block())
    assert len(interleave(b, AVX512_VNNI, function.args, 16, vectors)) == vectors
    assert sum(str(line).count("vpunpck") for line in b.block.lines) == unpacks


def test_blocks_need_no_permutation():
    rows = [ir.VectorType(I8, 64)] * 3
    function = ir.Function(ir.Module(), ir.FunctionType(VOID, rows), "interleave")
    b = ir.IRBuilder(function.append_basic_block())
    whole = [*function.args, zero(rows[0])]
    assert len(interleave(b, AVX512_VNNI, whole, 16, 4, in_blocks=True)) == 4
    (text,) = [str(line) for line in b.block.lines if "asm" in str(line)]
    assert (text.count("vpunpck"), text.count("vpermd"), text.count("vpxord")) == (8, 0, 1)


def lines_of_transpose(isa: Isa, element: ir.Type, size: int, rows: int, columns: int) -> list[str]:
    """What is emitted for the first columns of a square of which so many rows are given."""
    signature = ir.FunctionType(VOID, [ir.VectorType(element, size)] * rows)
    function = ir.Function(ir.Module(), signature, "transpose")
    b = ir.IRBuilder(function.append_basic_block())
    assert len(transposed(b, isa, function.args, size, columns)) == columns
    return [str(line) for line in b.block.lines]
