"""Shuffles of transposes: as few as columns need."""

from __future__ import annotations

import pytest

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.interleave import transposed
from lowstream.lowering.codegen.vectors import F32, I8, VOID


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
    signature = ir.FunctionType(VOID, [ir.VectorType(element, size)] * rows)
    function = ir.Function(ir.Module(), signature, "transpose")
    b = ir.IRBuilder(function.append_basic_block())
    assert len(transposed(b, function.args, size, columns)) == columns
    assert sum("shufflevector" in str(line) for line in b.block.lines) == expected
