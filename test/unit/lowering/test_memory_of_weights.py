"""Weights are not in memory for longer than they are read, also while the garbage collector is paused."""

import gc
from weakref import ref

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, kernel, nn
from lowstream.dialects.blob import Blob, DeferredBlob
from lowstream.lowering.codegen.compile import compile_program
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import choose_isa
from lowstream.reference import arrays
from lowstream.runtime.build import build
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


def test_what_is_compiled_goes():
    gc.collect()
    before = large_blobs()
    with collector_paused():
        build(module(), None, profiling=False, threads=1)
        assert large_blobs() <= before


def large_blobs() -> set[int]:
    """Those in memory that are as large as the weights."""
    found = (each for each in gc.get_objects() if isinstance(each, Blob))
    return {id(blob) for blob in found if blob.nbytes >= 4 * ELEMENTS}


def test_large_weights_are_computed_for_the_image_alone(monkeypatch: pytest.MonkeyPatch):
    isa = choose_isa()
    expected = compile_program(Fused.of(module(), isa).finished({}), isa).weights.in_memory()
    monkeypatch.setattr(arrays, "PAGED", 4 * ELEMENTS)
    program = Fused.of(module(), isa).finished({})
    assert compile_program(program, isa).weights.in_memory() == expected
    blobs = [op.value.data for op in constants(program)]
    assert len(blobs) == 2
    for blob in blobs:
        assert isinstance(blob, DeferredBlob)
        assert "buffer" not in vars(blob)


def constants(program: kernel.ProgramOp) -> list[kernel.ConstantOp]:
    return [op for op in program.walk() if isinstance(op, kernel.ConstantOp)]
