"""No call computes what is known while compiling: however weights are stored, and whatever they pass through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from lowstream import compile_model
from lowstream.dialects import context, infra, kernel, nn
from lowstream.interop.mlir import parse_module
from lowstream.interop.model import Model
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import choose_isa
from lowstream.lowering.separate_results import SINKS
from lowstream.reference.executor import Executor
from lowstream.runtime.build import AUTO, prepared

COMPUTING = (kernel.KernelOp, kernel.ConcatOp, kernel.PadOp, kernel.SliceOp)


def is_known(value: SSAValue) -> bool:
    """Whether a value is a constant, or one that a body is given."""
    if isinstance(value, BlockArgument):
        match value.owner.parent_op():
            case infra.IfOp() as op:
                return is_known(op.inputs[value.index])
            case infra.IteratorOp() as op if value.index in op.invariant_inputs():
                return is_known(op.operands_[value.index])
            case _:
                return False
    return nn.constant_of(value) is not None


def computed_of_constants(module: ModuleOp) -> Iterator[Operation]:
    """The kernels of a compiled module that read constants alone, but for copies to where results belong."""
    fused = Fused.of(prepared(module, AUTO), choose_isa()).module
    for op in fused.walk():
        known = op.operands and all(map(is_known, op.operands))
        leaves = any(isinstance(use.operation, SINKS) for r in op.results for use in r.uses)
        if isinstance(op, COMPUTING) and known and not leaves:
            yield op


M = "tensor<4x4xf32>"
V = "tensor<1xi64>"
CODES = "dense<[[1, -2, 3, 4], [5, 6, -7, 8], [9, 1, 2, -128], [127, 4, 5, 6]]>"
UNSIGNED = "dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 1, 2, 0], [255, 4, 5, 6]]>"
NUMBERS = "dense<[[1.5, 2.0, 3.0, 4.0], [0.5, 6.0, -7.0, 8.0], [9.0, 1.0, 2.0, 0.0], [2.0, 4.0, 5.0, 6.0]]>"
GROUPS = "dense<[[[1, -2], [3, 4]], [[5, 6], [-7, 7]], [[-8, 1], [2, 3]], [[3, 4], [5, 6]]]>"
STORED = {
    "i8": f"""
    %q = nn.constant {CODES} : tensor<4x4xi8>
    %w0 = nn.convert %q to f32 : tensor<4x4xi8> -> {M}""",
    "u8 with a zero point": f"""
    %q = nn.constant {UNSIGNED} : tensor<4x4xui8>
    %f = nn.convert %q to f32 : tensor<4x4xui8> -> {M}
    %k = nn.constant dense<[[3], [100], [7], [128]]> : tensor<4x1xui8>
    %kf = nn.convert %k to f32 : tensor<4x1xui8> -> tensor<4x1xf32>
    %s = nn.subtract %f, %kf : ({M}, tensor<4x1xf32>) -> {M}
    %c = nn.constant dense<[[0.5], [0.25], [1.0], [0.125]]> : tensor<4x1xf32>
    %w0 = nn.multiply %s, %c : ({M}, tensor<4x1xf32>) -> {M}""",
    "i4 in groups": f"""
    %q = nn.constant {GROUPS} : tensor<4x2x2xi4>
    %f = nn.convert %q to f16 : tensor<4x2x2xi4> -> tensor<4x2x2xf16>
    %c = nn.constant dense<[[[0.5], [0.25]], [[1.0], [0.125]], [[2.0], [0.5]], [[0.5], [0.5]]]> : tensor<4x2x1xf16>
    %g = nn.multiply %f, %c : (tensor<4x2x2xf16>, tensor<4x2x1xf16>) -> tensor<4x2x2xf16>
    %to = nn.constant dense<[4, 4]> : tensor<2xi64>
    %r = nn.reshape %g, %to : (tensor<4x2x2xf16>, tensor<2xi64>) -> tensor<4x4xf16>
    %w0 = nn.convert %r to f32 : tensor<4x4xf16> -> {M}""",
    "f16": f"""
    %q = nn.constant {NUMBERS} : tensor<4x4xf16>
    %w0 = nn.convert %q to f32 : tensor<4x4xf16> -> {M}""",
    "dequantized": f"""
    %q = nn.constant {CODES} : tensor<4x4xi8>
    %w0 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4x4xi8> -> {M}""",
    "quantized and back": f"""
    %q = nn.constant {NUMBERS} : {M}
    %low = nn.constant dense<-8.0> : tensor<f32>
    %high = nn.constant dense<8.0> : tensor<f32>
    %w0 = qnn.fake_quantize %q, %low, %high, %low, %high {{levels = 255 : i64}}
        : ({M}, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> {M}""",
    "in parts": f"""
    %q = nn.constant dense<[[1, -2, 3, 4, 5, 6], [5, 6, -7, 8, 9, 1], [9, 1, 2, -3, 4, 5]]> : tensor<3x6xi8>
    %f = nn.convert %q to f32 : tensor<3x6xi8> -> tensor<3x6xf32>
    %o = nn.constant dense<[1, 0]> : tensor<2xi64>
    %t = nn.transpose %f, %o : (tensor<3x6xf32>, tensor<2xi64>) -> tensor<6x3xf32>
    %one = nn.constant dense<[1]> : {V}
    %five = nn.constant dense<[5]> : {V}
    %zero = nn.constant dense<[0]> : {V}
    %a = nn.slice %t, %one, %five, %one, %zero : (tensor<6x3xf32>, {V}, {V}, {V}, {V}) -> tensor<4x3xf32>
    %b = nn.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
    %w0 = nn.concat %a, %b {{axis = 1 : i64}} : (tensor<4x3xf32>, tensor<4x1xf32>) -> {M}""",
}
"""Weights `%w0` of four by four."""


def convolution(name: str, more: str = "") -> str:
    """A convolution of `%x` with filters `%w`."""
    return f"""
    %shape = nn.constant dense<[4, 4, 1]> : tensor<3xi64>
    %filters = nn.reshape %w, %shape : ({M}, tensor<3xi64>) -> tensor<4x4x1xf32>
    %image = nn.constant dense<[1, 4, 4]> : tensor<3xi64>
    %in = nn.reshape %x, %image : ({M}, tensor<3xi64>) -> tensor<1x4x4xf32>
    %out = nn.{name} %in, %filters {{strides = array<i64: 1>, pads_begin = array<i64: 0>,
        pads_end = array<i64: 0>, dilations = array<i64: 1>{more}}}
        : (tensor<1x4x4xf32>, tensor<4x4x1xf32>) -> tensor<1x4x4xf32>
    %back = nn.constant dense<[4, 4]> : tensor<2xi64>
    %y = nn.reshape %out, %back : (tensor<1x4x4xf32>, tensor<2xi64>) -> {M}"""


USES = {
    "mat_mul": f"""
    %y = nn.mat_mul %x, %w : ({M}, {M}) -> {M}""",
    "mat_mul transposed": f"""
    %y = nn.mat_mul %x, %w {{transpose_b = true}} : ({M}, {M}) -> {M}""",
    "gather": f"""
    %rows = nn.constant dense<0> : tensor<i64>
    %at = nn.convert %x to i64 : {M} -> tensor<4x4xi64>
    %all = nn.gather %w, %at, %rows {{batch_dims = 0 : i64}} : ({M}, tensor<4x4xi64>, tensor<i64>) -> tensor<4x4x4xf32>
    %first = nn.constant dense<0> : {V}
    %y = nn.reduce_sum %all, %first : (tensor<4x4x4xf32>, {V}) -> {M}""",
    "convolution": convolution("convolution"),
    "convolution_backprop_data": convolution(
        "convolution_backprop_data", ", output_padding = array<i64: 0>"
    ),
}
"""What makes `%y` of `%x` and of weights `%w`."""

YIELD = f"""
    infra.yield %y : {M}
  """
ARGUMENTS = f"%x: {M}, %w: {M}"
PLACES = {
    "function": lambda use: re.sub("%[wx]\\b", r"\g<0>0", use).replace("%y", "%z"),
    "if": lambda use: (
        f"""
    %z = infra.if %on, %x0, %w0 : (tensor<i1>, {M}, {M}) -> {M} {{
    ^bb0({ARGUMENTS}):{use}{YIELD} }} else {{
    ^bb0({ARGUMENTS}):{use}{YIELD} }}"""
    ),
    "tensor_iterator": lambda use: (
        f"""
    %z = infra.tensor_iterator %x0, %w0 inputs [#infra.merged<result = 0>, #infra.invariant]
        outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "W"] : ({M}, {M}) -> {M} {{
    ^bb0({ARGUMENTS}):{use}{YIELD} }}"""
    ),
    "loop that carries them": lambda use: (
        f"""
    %n = nn.constant dense<3> : tensor<i64>
    %z = infra.loop %n, %on, %w0, %x0 inputs [#infra.merged<result = 1>, #infra.merged<result = 0>]
        outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["W", "X"]
        : (tensor<i64>, tensor<i1>, {M}, {M}) -> {M} {{
    ^bb0(%w: {M}, %x: {M}):{use}
      infra.yield %y, %w : {M}, {M} }}"""
    ),
}


def pairs() -> Iterator[tuple[str, str, str]]:
    """Every two of a form, a use and a place together."""
    places = [*PLACES]
    for (i, stored), (j, use) in product(enumerate(STORED), enumerate(USES)):
        yield stored, use, places[(i + j) % len(places)]


@pytest.mark.parametrize(("stored", "use", "place"), [*pairs()])
def test_weights_are_there_when_a_call_begins(stored: str, use: str, place: str):
    text = f"""func.func @main(%x0: {M}, %on: tensor<i1>) -> {M} {{{STORED[stored]}{PLACES[place](USES[use])}
    func.return %z : {M}
    }}"""
    module = parse_module(text, "test.mlir", context())
    module.verify()
    assert not list(computed_of_constants(module))
    inputs = [np.arange(16, dtype=np.float32).reshape(4, 4) % 3 / 4, np.array(True)]
    (wanted,) = Executor(module).run(inputs)
    result = compile_model(Model(module)).create_infer_request().infer(inputs)[0]
    np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-4)


def test_half_precision_weights_are_widened_once():
    """A product of halves is made of the f32 numbers that they are."""
    text = """func.func @main(%x: tensor<2x4xf16>) -> tensor<2x2xf16> {
      %w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf16>
      %y = nn.mat_mul %x, %w : (tensor<2x4xf16>, tensor<4x2xf16>) -> tensor<2x2xf16>
      func.return %y : tensor<2x2xf16>
    }"""
    module = parse_module(text, "test.mlir", context())
    assert not list(computed_of_constants(module))
    x = np.arange(8, dtype=np.float16).reshape(2, 4)
    result = compile_model(Model(module)).create_infer_request().infer([x])[0]
    np.testing.assert_array_equal(result, Executor(module).run([x])[0])
