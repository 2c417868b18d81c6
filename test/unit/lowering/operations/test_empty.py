"""Dimensions of size 0: each operation computes what it means, or is refused in one line that names it."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from lowstream import compile_model
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.interop.model import Model
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.dialects.sampling import Kind, module_of
from lowstream.test.unit.dialects.test_inference import draw_from, sampler_of
from lowstream.test.unit.lowering.codegen.scattered import Scattered
from lowstream.test.unit.lowering.operations.test_operations import (
    BY_NAME,
    SEARCH,
    is_structural,
    same,
)


def emptied(operands: Sequence[Array], data: st.DataObject) -> list[Array]:
    """One dimension of one operand, or those of one size of all that are no shapes or axes, made 0."""
    places = [(i, d) for i, operand in enumerate(operands) for d in range(operand.ndim)]
    if not places or data.draw(st.booleans()):
        sizes = sorted({operands[i].shape[d] for i, d in places}) or [0]
        size = data.draw(st.sampled_from(sizes))
        wide = {i for i, operand in enumerate(operands) if operand.ndim > 1 or i == 0}
        chosen = [(i, d) for i, d in places if operands[i].shape[d] == size and i in wide]
    else:
        chosen = [data.draw(st.sampled_from(places))]
    result = list(operands)
    for i, d in chosen:
        result[i] = np.take(result[i], [], axis=d)
    return result


@BY_NAME
@settings(max_examples=3, phases=SEARCH, deadline=None)
@given(data=st.data())
def test_no_elements(op: Kind, data: st.DataObject):
    sample = sampler_of(op)(op, draw_from(data))
    sample.operands = operands = emptied(sample.operands, data)
    constant = frozenset(
        i for i, operand in enumerate(operands) if is_structural(op, i, operand, sample)
    )
    try:
        module = module_of(op, sample, constant)
        module.verify()
    except (DiagnosticException, VerifyException) as error:
        if op.name in str(error) and "\n" not in str(error):
            return
        raise
    inputs = [operand for i, operand in enumerate(operands) if i not in constant]
    with np.errstate(all="ignore"):
        wanted = Executor(module).run(inputs)
    isa = available_isas()[0]
    program = lower(module, isa.name)
    planned = ProgramExecutor(program).run(inputs)
    same(planned, wanted)
    Scattered(program, isa).check(inputs, planned)


def compiled(text: str, *inputs: Array) -> list[Array]:
    """What the reference gives, if a compiled model gives the same."""
    module: ModuleOp = parse_module(text, "test.mlir", context())
    module.verify()
    wanted = Executor(module).run(inputs)
    results = compile_model(Model(module)).create_infer_request().infer(list(inputs))
    same([results[i] for i in range(len(wanted))], wanted)
    return wanted


@pytest.mark.parametrize("empty", ["", '"0x"', "1.0"])
def test_an_empty_constant_is_a_part_of_a_whole(empty: str):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    (y,) = compiled(
        f"""
        func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
          %c = nn.constant dense<{empty}> : tensor<0x3xf32>
          %y = nn.concat %c, %x {{axis = 0 : i64}} : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
          func.return %y : tensor<2x3xf32>
        }}""",
        x,
    )
    np.testing.assert_array_equal(y, x)


def test_a_broadcast_to_nothing_is_converted():
    compiled("""
    func.func @main() -> tensor<2x0xi32> {
      %zero = nn.constant dense<0.0> : tensor<f32>
      %shape = nn.constant dense<[2, 0]> : tensor<2xi64>
      %b = nn.broadcast %zero, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<2x0xf32>
      %y = nn.convert %b to i32 : tensor<2x0xf32> -> tensor<2x0xi32>
      func.return %y : tensor<2x0xi32>
    }""")


def test_a_part_without_columns_is_cut_from_a_product():
    compiled(
        """
        func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> (tensor<2x0xf32>, tensor<2x4xf32>) {
          %p = nn.mat_mul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
          %axis = nn.constant dense<1> : tensor<i64>
          %sizes = nn.constant dense<[0, 4]> : tensor<2xi64>
          %a, %b = nn.variadic_split %p, %axis, %sizes
              : (tensor<2x4xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<2x0xf32>, tensor<2x4xf32>)
          %c = nn.tanh %a : tensor<2x0xf32>
          %d = nn.tanh %b : tensor<2x4xf32>
          func.return %c, %d : tensor<2x0xf32>, tensor<2x4xf32>
        }""",
        np.ones((2, 3), np.float32),
        np.ones((3, 4), np.float32),
    )


@pytest.mark.parametrize("mode", ["bilinear_pillow", "bicubic_pillow"])
def test_half_of_one_row_is_none(mode: str):
    compiled(
        f"""
        func.func @main(%x: tensor<1x2xf32>) -> tensor<0x2xf32> {{
          %s = nn.constant dense<[0.5]> : tensor<1xf32>
          %a = nn.constant dense<[0]> : tensor<1xi64>
          %y = nn.interpolate %x, %s, %a {{
              mode = "{mode}", shape_calculation_mode = "scales", pads_begin = array<i64>, pads_end = array<i64>
            }} : (tensor<1x2xf32>, tensor<1xf32>, tensor<1xi64>) -> tensor<0x2xf32>
          func.return %y : tensor<0x2xf32>
        }}""",
        np.ones((1, 2), np.float32),
    )


PATCHES = """
func.func @main(%x: tensor<2x3x2x5xf32>) -> tensor<2x18x0x2xf32> {
  %a = nn.abs %x : tensor<2x3x2x5xf32>
  %y = nn.extract_image_patches %a {sizes = array<i64: 3, 2>, strides = array<i64: 2, 2>,
      rates = array<i64: 1, 1>, auto_pad = "valid"} : (tensor<2x3x2x5xf32>) -> tensor<2x18x0x2xf32>
  func.return %y : tensor<2x18x0x2xf32>
}
"""


def test_an_image_smaller_than_its_patches_has_none():
    module = parse_module(PATCHES, "patches", context())
    x = np.ones((2, 3, 2, 5), np.float32)
    assert Executor(module).run([x])[0].shape == (2, 18, 0, 2)
    assert compile_model(Model(module))([x])[0].shape == (2, 18, 0, 2)
