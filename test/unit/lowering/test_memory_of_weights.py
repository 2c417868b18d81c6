"""Weights are not in memory for longer than they are read, also while the garbage collector is paused."""

import gc
from weakref import ref

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, kernel, nn
from lowstream.dialects.blob import Blob
from lowstream.lowering.codegen.compile import compile_program
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import choose_isa
from lowstream.runtime.collector import collector_paused

ELEMENTS = 3 * 5

MODEL = f"""
func.func @main(%x: tensor<1x3x4x4xf32>, %y: tensor<2x3xf32>) -> (tensor<1x5x4x4xf32>, tensor<2x5xf32>) {{
  %filters = nn.constant dense<"0x{np.arange(ELEMENTS, dtype=np.float32).tobytes().hex()}"> : tensor<5x3x1x1xf32>
  %a = nn.convolution %x, %filters {{
    strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>
  }} : (tensor<1x3x4x4xf32>, tensor<5x3x1x1xf32>) -> tensor<1x5x4x4xf32>
  %weights = nn.constant dense<"0x{np.arange(ELEMENTS, dtype=np.float32)[::-1].tobytes().hex()}"> : tensor<3x5xf32>
  %b = nn.mat_mul %y, %weights : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  func.return %a, %b : tensor<1x5x4x4xf32>, tensor<2x5xf32>
}}
"""


def module() -> ModuleOp:
    return Parser(context(), MODEL).parse_module()


def weights_of(module: ModuleOp) -> list[ref[Blob]]:
    """What a module has of constants that are as large as the weights."""
    constants = (op for op in module.walk() if isinstance(op, nn.ConstantOp | kernel.ConstantOp))
    return [ref(op.value.data) for op in constants if op.value.data.nbytes >= 4 * ELEMENTS]


def test_what_is_packed_goes():
    gc.collect()
    with collector_paused():
        fused = Fused.of(module(), choose_isa())
        before = weights_of(fused.module)
        assert len(before) == 2
        fused.finished({})
        assert [blob() for blob in before] == [None, None]


def test_a_program_reads_its_weights_in_the_image():
    fused = Fused.of(module(), choose_isa())
    program = fused.finished({})
    before = weights_of(fused.module)
    contents = [bytes(op.value.data.expanded()) for op in constants(program)]
    with collector_paused():
        image = np.frombuffer(compile_program(program, choose_isa()).weights, np.uint8)
        assert [blob() for blob in before] == [None, None]
    assert [bytes(op.value.data.expanded()) for op in constants(program)] == contents
    for op in constants(program):
        assert np.shares_memory(image, np.frombuffer(memoryview(op.value.data.buffer), np.uint8))


def constants(program: kernel.ProgramOp) -> list[kernel.ConstantOp]:
    return [op for op in program.walk() if isinstance(op, kernel.ConstantOp)]
