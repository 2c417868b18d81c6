"""LLVM reads what is written."""

from __future__ import annotations

import pytest
from llvmlite import binding

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.vectors import F32, F64, I1, I8, I32, I64, POINTER, VOID


def function_of(*arguments: ir.Type, result: ir.Type = VOID) -> tuple[ir.Module, ir.IRBuilder]:
    """A module and the builder of its function, which is begun."""
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(result, arguments), "function")
    return module, ir.IRBuilder(function.append_basic_block())


def read(module: ir.Module) -> str:
    """A module as LLVM prints it, once it was verified."""
    with binding.parse_assembly(str(module)) as parsed:
        parsed.verify()
        return str(parsed)


def test_equal_types_are_one():
    assert ir.VectorType(ir.IntType(8), 16) is ir.VectorType(I8, 16)
    assert ir.VectorType(I8, 16) is not ir.VectorType(I8, 8)
    assert ir.FloatType() is F32
    assert str(ir.ArrayType(ir.VectorType(I8, 16), 2)) == "[2 x <16 x i8>]"


@pytest.mark.parametrize(
    ("constant", "text"),
    [
        (ir.Constant(I1, True), "i1 1"),
        (ir.Constant(I64, -(2**63)), "i64 -9223372036854775808"),
        (ir.Constant(F32, 0.1), "float 0x3fb99999a0000000"),
        (ir.Constant(F64, -0.5), "double 0xbfe0000000000000"),
        (ir.Constant(ir.VectorType(I8, 2), [1, -1]), "<2 x i8> <i8 1, i8 -1>"),
        (ir.Constant(ir.ArrayType(I64, 2), [1, 2]), "[2 x i64] [i64 1, i64 2]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_constants(constant: ir.Constant, text: str):
    assert constant.typed == text


def test_types_of_operands_are_compared():
    _, b = function_of(I32, I64)
    with pytest.raises(AssertionError, match="add i32 %a0, i64 %a1"):
        b.add(*b.function.args)
    with pytest.raises(AssertionError, match="icmp slt i32 %a0, i64 %a1"):
        b.icmp_signed("<", *b.function.args)


def test_a_conversion_to_the_same_type_is_none():
    _, b = function_of(I32)
    (value,) = b.function.args
    assert b.zext(value, I32) is value
    assert b.zext(value, I64).type is I64


def test_memory_on_the_stack_is_allocated_once():
    """In the first block, before it ends, wherever it is asked for."""
    module, b = function_of(I1)
    with b.if_then(b.function.args[0]):
        b.store(ir.Constant(I64, 7), b.alloca(I64, 4, align=64), align=8)
    b.ret_void()
    first = read(module).split("define ")[1].split("br i1")[0]
    assert "alloca i64, i32 4, align 64" in first


def test_branches_meet():
    module, b = function_of(I1, F32, result=F32)
    condition, value = b.function.args
    with b.if_else(condition, is_unlikely=True) as (then, otherwise):
        with then:
            negative, first = b.fneg(value), b.block
        with otherwise:
            double, second = b.fadd(value, value), b.block
    result = b.phi(F32)
    result.add_incoming(negative, first)
    result.add_incoming(double, second)
    b.ret(result)
    text = read(module)
    assert '!{!"branch_weights", i32 1, i32 99}' in text
    assert "!prof" in text


def test_an_arm_that_ends_the_function_goes_nowhere():
    module, b = function_of(I1)
    with b.if_then(b.function.args[0]):
        b.ret_void()
    b.ret_void()
    assert read(module).count("ret void") == 2


def test_functions_are_declared_once():
    module, b = function_of(F32, result=F32)
    for flags in ("", "nsz"):
        root = module.declared("llvm.sqrt.f32", F32, [F32])
        value = b.call(root, b.function.args, flags)
    b.ret(value)
    assert read(module).count("declare float @llvm.sqrt.f32") == 1
    assert "call nsz float @llvm.sqrt.f32(float" in read(module)


def test_assembly_gives_several_values():
    module, b = function_of(POINTER, result=I64)
    struct = module.struct(I64, I64)
    assert module.struct(I64, I64) is struct
    signature = ir.FunctionType(struct, [POINTER])
    found = b.asm(signature, "mov $2, $0", "=r,=r,r", b.function.args)
    b.ret(b.add(b.extract_value(found, 0), b.extract_value(found, 1)))
    assert 'asm sideeffect "mov $2, $0", "=r,=r,r"' in read(module)


def test_a_table_is_constant():
    module, b = function_of(result=POINTER)
    words = ir.Constant(ir.ArrayType(I64, 3), [1, 2, 3])
    b.ret(ir.Table(module, "table", words, align=8))
    assert "@table = private constant [3 x i64] [i64 1, i64 2, i64 3], align 8" in read(module)
