"""Copies that differ in what their code reads from a table are one kernel."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import f32

from lowstream.dialects import kernel
from lowstream.lowering.codegen.map import MapKernel
from lowstream.lowering.machine import AVX2, AVX512_VNNI, Isa
from lowstream.test.unit.lowering.codegen.kernels import dense, one_kernel, strided


def _copy_to(target: Any, *shape: int, isa: Isa = AVX512_VNNI) -> MapKernel:
    program = one_kernel([dense(f32, *shape)], [target], lambda x, y: kernel.CopyOp(x[0], y[0]))
    (copy,) = (op for op in program.body.block.ops if isinstance(op, kernel.CopyOp))
    return MapKernel.of_copy(copy, isa)


@pytest.mark.parametrize(
    ("strides", "shares"),
    [([400, 10, 1], True), ([200, 20, 1], False), ([300, 30, 1], False)],
)
def test_strides_of_one_point_decide_no_code(strides: list[int], shares: bool):
    """As of the parts of concatenations, whose batches are of one."""
    kernel_to = _copy_to(strided(f32, [1, 3, 10], strides), 1, 3, 10)
    dense_one = _copy_to(dense(f32, 1, 3, 10), 1, 3, 10)
    assert (kernel_to == dense_one) is shares
    assert kernel_to.table == (dense_one.table if shares else (3, 10, strides[1], 0, 0, 0))


@pytest.mark.parametrize(
    ("shape", "shares"), [((5, 42), True), ((5, 43), False), ((5, 26), False), ((5, 10), False)]
)
def test_sizes_decide_no_code(shape: tuple[int, int], shares: bool):
    """But whether there are vectors, and what is left of the last one."""
    strides = [2 * shape[1], 1]
    expected = _copy_to(strided(f32, [7, 58], [128, 1]), 7, 58)
    found = _copy_to(strided(f32, [*shape], strides), *shape)
    assert (found == expected) is shares
    assert (found.table != expected.table) is True


def test_the_loop_that_threads_divide_decides_no_code():
    """The rows of one, the vectors of the other."""
    few, many = (
        _copy_to(strided(f32, [rows, columns], [2 * columns, 1]), rows, columns)
        for rows, columns in ((3, 512), (512, 32))
    )
    assert few == many
    assert few.table != many.table


@pytest.mark.parametrize(("rows", "columns"), [(75, 96), (70, 75), (65, 70)])
def test_edges_of_transposes_decide_no_code(rows: int, columns: int):
    """Where a mask says what is there; wherever both sizes are whole tiles, there is none."""

    def kernel_of(rows: int, columns: int) -> MapKernel:
        return _copy_to(strided(f32, [rows, columns], [1, rows]), rows, columns)

    assert kernel_of(rows, columns) == kernel_of(70, 71) != kernel_of(64, 96)
    assert kernel_of(rows, columns).table[:2] != kernel_of(70, 71).table[:2]


@pytest.mark.parametrize(("rows", "columns"), [(75, 96), (64, 72), (66, 80)])
def test_without_masks_sizes_of_transposes_decide_no_code(rows: int, columns: int):
    """Tiles at the edges are whole, and overlap others."""

    def kernel_of(rows: int, columns: int) -> MapKernel:
        return _copy_to(strided(f32, [rows, columns], [1, rows]), rows, columns, isa=AVX2)

    assert kernel_of(rows, columns) == kernel_of(70, 71)
    assert kernel_of(rows, columns).table[:2] == (rows, columns)
