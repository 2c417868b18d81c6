"""How elements are stored."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.elements import memory_type, store_raw
from lowstream.lowering.codegen.vectors import POINTER
from lowstream.lowering.machine import AVX2, AVX512_VNNI, Isa


@pytest.mark.parametrize("element", [f32, i8], ids=str)
@pytest.mark.parametrize(
    ("isa", "masked", "parts"), [(AVX2, 0, 3), (AVX512_VNNI, 1, 0)], ids=["avx2", "avx512_vnni"]
)
def test_only_instructions_with_masks_store_by_masks(
    isa: Isa, masked: int, parts: int, element: Attribute
):
    """Seven lanes are four, two and one."""
    module = ir.Module()
    vector = ir.VectorType(memory_type(element), isa.lanes)
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [vector, POINTER]), "entry")
    builder = ir.IRBuilder(function.append_basic_block())
    value, place = function.args
    store_raw(builder, isa, place, element, 1, value, 7)
    builder.ret_void()
    lines = str(module).splitlines()
    assert sum("call" in line and "masked.store" in line for line in lines) == masked
    assert sum(line.strip().startswith("store") for line in lines) == parts
