"""Right operands that are packed in each call: the same products, on every instruction set, inside their buffers."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context, kernel
from lowstream.dialects.inferred import shape_of
from lowstream.dialects.module import entry_of
from lowstream.interop.mlir import parse_module
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import AVX512_VNNI, Isa, available_isas
from lowstream.lowering.nn_to_kernels import NnToKernels
from lowstream.lowering.pack_weights import at_run_time, in_place, pack_weights
from lowstream.lowering.pack_weights.dot_products import (
    LONG,
    MOST_ROWS,
    MOST_SHORT_COLUMNS,
    pays_to_read_again,
)
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.pairwise import each_pair

ELEMENTS = {"f32": (np.float32, "f32"), "f64": (np.float64, "f64"), "i8": (np.int8, "i32")}


def tensor(element: str, *shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def product(
    element: str,
    batch: tuple[int, ...],
    sizes: tuple[int, int, int],
    transposed: tuple[bool, bool],
    shared: bool,
) -> str:
    """`y = a b`, both given and transposed or not; with `shared`, one b for the whole batch."""
    (m, n, k), (transpose_a, transpose_b) = sizes, transposed
    a = tensor(element, *batch, *((k, m) if transpose_a else (m, k)))
    b = tensor(element, *(() if shared else batch), *((n, k) if transpose_b else (k, n)))
    y = tensor(ELEMENTS[element][1], *batch, m, n)
    flags = (
        f"{{transpose_a = {str(transpose_a).lower()}, transpose_b = {str(transpose_b).lower()}}}"
    )
    return f"""func.func @main(%a: {a}, %b: {b}) -> {y} {{
      %y = nn.mat_mul %a, %b {flags} : ({a}, {b}) -> {y}
      func.return %y : {y}
    }}"""


def module_of(text: str) -> ModuleOp:
    module = parse_module(text, "test.mlir", context())
    module.verify()
    return module


def whole_numbers(module: ModuleOp, element: str) -> list[Array]:
    """Inputs of which products and sums are exact, in whatever order."""
    random = np.random.default_rng(1)
    return [
        random.integers(-9, 10, shape_of(value)).astype(ELEMENTS[element][0])
        for value in entry_of(module).args
    ]


MOST_IN_PLACE = 12
"""Rows up to which right operands are read where they lie, here: more are packed."""


@pytest.fixture(autouse=True)
def pack_all(monkeypatch: pytest.MonkeyPatch):
    """Small operands are packed, too."""
    monkeypatch.setattr(at_run_time, "NEAR", 0)
    monkeypatch.setattr(at_run_time, "MANY_ROWS", 0)
    monkeypatch.setattr(in_place, "MOST_ROWS", MOST_IN_PLACE)


@each_isa
@given(
    element=st.sampled_from(sorted(ELEMENTS)),
    batch=st.lists(st.integers(1, 3), max_size=2).map(tuple),
    sizes=st.tuples(st.integers(1, 20), st.integers(1, 70), st.integers(1, 20)),
    transposed=st.tuples(st.booleans(), st.booleans()),
    shared=st.booleans(),
)
@example("f32", (2,), (1, 61, 20), (False, True), False)
@example("f32", (), (1, 61, 20), (False, False), False)
@example("f32", (2,), (2, 61, 20), (True, False), True)
@example("f32", (3, 2), (20, 1, 61), (False, False), False)
@example("f32", (2,), (20, 2, 61), (True, True), True)
@example("f32", (2,), (4, 20, 61), (False, True), False)
@example("f32", (2,), (5, 20, 61), (False, True), False)
@example("f32", (), (4, 300, 5), (False, False), False)
@example("f32", (), (3, 200, 5), (False, False), False)
@example("f32", (1,), (1, 61, 20), (False, False), False)
@example("f32", (1, 3), (1, 61, 20), (False, False), False)
def test_packed_operands_give_the_same_products(
    isa: Isa,
    element: str,
    batch: tuple[int, ...],
    sizes: tuple[int, int, int],
    transposed: tuple[bool, bool],
    shared: bool,
):
    module = module_of(product(element, batch, sizes, transposed, shared))
    inputs = whole_numbers(module, element)
    (wanted,) = Executor(module).run(inputs)
    NnToKernels().apply(context(), module)
    pack_weights(module, isa, {})
    module.verify()
    m, n, k = sizes
    rows, fills = m * (prod(batch) if shared else 1), 2 * n >= isa.lanes
    found = [op for op in module.walk() if isinstance(op, kernel.MatMulOp)]
    lies_in_both_orders = {"rows": 1 in (n, k), "columns": 1 in (m, k)}
    if element == "f32" and (rows <= MOST_ROWS or n <= MOST_ROWS):
        if rows <= MOST_ROWS:
            which, is_reduced = "rows", transposed[1] and k >= isa.lanes
        else:
            short = isa.lanes if n <= MOST_SHORT_COLUMNS else LONG * isa.lanes
            which, is_reduced = "columns", (m >= short if transposed[0] else k >= isa.lanes)
        assert lies_in_both_orders[which] or bool(found) != is_reduced
    if found and fills and not lies_in_both_orders["rows"]:
        is_in_place = not transposed[1] and rows <= MOST_IN_PLACE
        assert (found[0].k_by_n is not None) == is_in_place
        assert (found[0].layout is not None) != is_in_place
    if found and not fills:
        assert found[0].layout is found[0].k_by_n is None
    np.testing.assert_array_equal(Executor(module).run(inputs)[0], wanted)


@each_pair(isa=available_isas(), rows=[1, 5, MOST_IN_PLACE + 1], columns=[1, 3, 8, 33])
def test_operands_that_are_dequantized_give_the_same_products(isa: Isa, rows: int, columns: int):
    """Dequantization writes the matrix in the order of its codes, where that is read in place."""
    w, f = tensor("i8", 2, 20, columns), tensor("f32", 2, 20, columns)
    x, y = tensor("f32", 2, rows, 20), tensor("f32", 2, rows, columns)
    module = module_of(f"""func.func @main(%x: {x}, %w: {w}) -> {y} {{
      %s = nn.constant dense<5.0e-01> : tensor<f32>
      %c = nn.convert %w to f32 : {w} -> {f}
      %d = nn.multiply %c, %s : ({f}, tensor<f32>) -> {f}
      %y = nn.mat_mul %x, %d : ({x}, {f}) -> {y}
      func.return %y : {y}
    }}""")
    random = np.random.default_rng(1)
    inputs = [
        random.integers(-9, 10, (2, rows, 20)).astype(np.float32),
        random.integers(-9, 10, (2, 20, columns)).astype(np.int8),
    ]
    (wanted,) = Executor(module).run(inputs)
    program = lower(module, isa.name)
    check(program, isa, inputs)
    np.testing.assert_array_equal(ProgramExecutor(program).run(inputs)[0], wanted)
    (product,) = (op for op in program.walk() if isinstance(op, kernel.MatMulOp | kernel.ReduceOp))
    is_in_place = isinstance(product, kernel.MatMulOp) and product.k_by_n is not None
    assert is_in_place or not (2 * columns >= isa.lanes and columns > 4 and rows <= MOST_IN_PLACE)


ODD = [((), (1, 1)), ((), (9, 0)), ((2,), (5, 1)), ((3, 2), (7, 3))]
"""Batches, and how many rows and columns there are beside whole vectors."""


@each_isa
@pytest.mark.parametrize("element", ELEMENTS)
def test_packing_stays_inside_its_buffers(isa: Isa, element: str):
    for batch, (rows, more) in ODD:
        for transposed in ((False, False), (True, True)):
            sizes = rows, 2 * isa.lanes + more, 6 + more
            module = module_of(product(element, batch, sizes, transposed, not batch))
            program, inputs = lower(module, isa.name), whole_numbers(module, element)
            check(program, isa, inputs)
            (wanted,) = Executor(module).run(inputs)
            np.testing.assert_array_equal(ProgramExecutor(program).run(inputs)[0], wanted)


def check_products(text: str, isa: Isa) -> None:
    """The machine and the program of a model give what the model says, bit by bit."""
    module = module_of(text)
    program, inputs = lower(module, isa.name), whole_numbers(module, "f32")
    check(program, isa, inputs)
    (wanted,) = Executor(module).run(inputs)
    np.testing.assert_array_equal(ProgramExecutor(program).run(inputs)[0], wanted)


@each_isa
@pytest.mark.parametrize("batch", [(1, 3), (2, 1), (1, 1)])
@pytest.mark.parametrize("rows", [1, 20])
def test_a_matrix_of_several_products_is_read_again(isa: Isa, batch: tuple[int, int], rows: int):
    x, w, y = (tensor("f32", *s) for s in ((2, 3, rows, 61), (*batch, 20, 61), (2, 3, rows, 20)))
    check_products(
        f"""func.func @main(%x: {x}, %w: {w}) -> {y} {{
          %y = nn.mat_mul %x, %w {{transpose_b = true}} : ({x}, {w}) -> {y}
          func.return %y : {y}
        }}""",
        isa,
    )


@each_isa
def test_units_of_one_product_that_another_gates(isa: Isa):
    """Both are one product of two groups, which no reduction gives."""
    check_products(
        """func.func @main(%x: tensor<1x61xf32>, %w: tensor<40x61xf32>) -> tensor<1x20xf32> {
          %both = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x61xf32>, tensor<40x61xf32>) -> tensor<1x40xf32>
          %axis = nn.constant dense<1> : tensor<i64>
          %a, %b = nn.split %both, %axis {num_splits = 2 : i64}
              : (tensor<1x40xf32>, tensor<i64>) -> (tensor<1x20xf32>, tensor<1x20xf32>)
          %gate = nn.relu %b : tensor<1x20xf32>
          %y = nn.multiply %a, %gate : (tensor<1x20xf32>, tensor<1x20xf32>) -> tensor<1x20xf32>
          func.return %y : tensor<1x20xf32>
        }""",
        isa,
    )


@pytest.mark.parametrize(
    ("rows", "depth", "is_far", "wanted"),
    [
        (8, 64, False, True),
        (9, 64, False, False),
        (16, 1024, True, True),
        (64, 1024, True, False),
        (5, 8, True, False),  # shorter than a vector
        (11, 1024, True, False),  # no block divides the rows
    ],
)
def test_packing_pays_for_many_rows_and_short_ones(
    rows: int, depth: int, is_far: bool, wanted: bool
):
    assert pays_to_read_again(AVX512_VNNI, rows, depth, is_far) == wanted
