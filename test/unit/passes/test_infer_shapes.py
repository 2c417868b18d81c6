"""`infer-shapes`: what it knows of values while compiling is what they are when they run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.dialects.inferred import shape_of
from lowstream.dialects.module import entry_of
from lowstream.passes.infer_shapes import MOST_ELEMENTS, infer_types
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

SIZES = st.integers(1, 4)


def parse(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


def result_shape(module: ModuleOp) -> tuple[int, ...]:
    returned = entry_of(module).get_return_op()
    assert returned is not None
    return shape_of(returned.operands[0])


def scaled(rows: int, columns: int, parts: list[int]) -> ModuleOp:
    """A broadcast to the shape of the input, multiplied with one constant after the other."""
    type = f"tensor<{rows}x{columns}xf32>"
    lines = [f"%s0 = nn.shape_of %x : {type} -> tensor<2xi64>"]
    for i, part in enumerate(parts):
        lines += [
            f"%c{i} = nn.constant dense<{part}> : tensor<i64>",
            f"%s{i + 1} = nn.multiply %s{i}, %c{i} : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>",
        ]
    return parse(f"""
    func.func @main(%x: {type}, %one: tensor<f32>) -> tensor<?x?xf32> {{
      {" ".join(lines)}
      %y = nn.broadcast %one, %s{len(parts)} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
      func.return %y : tensor<?x?xf32>
    }}""")


@given(rows=SIZES, columns=SIZES, parts=st.lists(SIZES, min_size=1, max_size=3))
def test_a_computed_shape_is_the_one_at_run_time(rows: int, columns: int, parts: list[int]):
    module = scaled(rows, columns, parts)
    (array,) = Executor(module).run([np.ones((rows, columns), np.float32), np.array(1, np.float32)])
    run_passes(module, "infer-shapes")
    assert result_shape(module) == array.shape


def test_a_long_chain_needs_no_stack():
    module = scaled(2, 3, [1] * 1500)
    infer_types(module)
    assert result_shape(module) == (2, 3)


@pytest.mark.parametrize("size", [MOST_ELEMENTS, MOST_ELEMENTS + 1])
def test_what_is_too_large_for_a_shape_is_not_computed(size: int):
    module = parse(f"""
    func.func @main(%x: tensor<f32>) -> tensor<?x?xf32> {{
      %many = nn.constant dense<2> : tensor<{size}xi64>
      %sum = nn.add %many, %many : (tensor<{size}xi64>, tensor<{size}xi64>) -> tensor<{size}xi64>
      %zero = nn.constant dense<[0]> : tensor<1xi64>
      %two = nn.constant dense<[2]> : tensor<1xi64>
      %one = nn.constant dense<[1]> : tensor<1xi64>
      %shape = nn.slice %sum, %zero, %two, %one, %zero
          : (tensor<{size}xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
      %y = nn.broadcast %x, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
      func.return %y : tensor<?x?xf32>
    }}""")
    infer_types(module)
    assert result_shape(module) == ((4, 4) if size == MOST_ELEMENTS else (DYNAMIC_INDEX,) * 2)


@pytest.mark.parametrize("keep", [False, True])
def test_only_rewrites_keep_what_old_types_knew(keep: bool):
    """`keep` meets the old type with the inferred one; a type that contradicts is replaced anyway."""
    module = parse("""
    func.func @main(%x: tensor<?x?xf32>) -> tensor<?x3xf32> {
      %y = nn.add %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
      func.return %y : tensor<?x3xf32>
    }""")
    infer_types(module, keep)
    assert result_shape(module) == (DYNAMIC_INDEX, 3 if keep else DYNAMIC_INDEX)
    module.verify()


def test_a_function_keeps_a_type_that_fits():
    """Inferring types again makes no new ones."""
    module = parse(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  func.return %x : tensor<2xf32>\n}"
    )
    entry = entry_of(module)
    before = entry.function_type
    infer_types(module)
    assert entry.function_type is before
