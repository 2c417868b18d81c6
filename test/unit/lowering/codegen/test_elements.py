"""How elements are stored."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.elements import load_raw, memory_type, store_raw
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


@pytest.mark.parametrize("element", [f32, i8], ids=str)
@pytest.mark.parametrize(("active", "masked"), [(2, 0), (3, 1), (8, 0), (9, 1)])
def test_a_power_of_two_of_lanes_needs_no_mask(element: Attribute, active: int, masked: int):
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, POINTER]), "entry")
    builder = ir.IRBuilder(function.append_basic_block())
    x, y = function.args
    value = load_raw(builder, x, element, 1, AVX512_VNNI.lanes, active)
    store_raw(builder, AVX512_VNNI, y, element, 1, value, active)
    builder.ret_void()
    lines = str(module).splitlines()
    for name in ("masked.load", "masked.store"):
        assert sum("call" in line and name in line for line in lines) == masked
