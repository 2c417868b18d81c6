"""What is verified of a program once for all operations that are alike."""

from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    Builtin,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnrealizedConversionCastOp,
    f32,
    f64,
    i8,
)
from xdsl.dialects.func import Func
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from lowstream.dialects import kernel
from lowstream.dialects.verification import one_line, verify_program

TEXT = """
func.func @f(%x: f32) -> i1 {
  %a = arith.addf %x, %x : f32
  %b = arith.addf %a, %a : f32
  %c = arith.cmpf olt, %a, %b : f32
  %d = arith.cmpf olt, %b, %a : f32
  func.return %d : i1
}
"""


def parsed() -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, arith.Arith):
        context.load_dialect(dialect)
    return Parser(context, TEXT).parse_module()


def last_of(module: ModuleOp, name: str) -> arith.AddfOp | arith.CmpfOp:
    (*_, found) = (op for op in module.walk() if isinstance(op, arith.AddfOp | arith.CmpfOp))
    while found.name != name:
        found = found.prev_op
        assert isinstance(found, arith.AddfOp | arith.CmpfOp)
    return found


def test_what_is_alike_is_valid():
    verify_program(parsed())


def test_another_type_is_not_alike():
    module = parsed()
    Rewriter.replace_value_with_new_type(last_of(module, "arith.addf").result, f64)
    with pytest.raises(VerifyException, match="arith"):
        verify_program(module)


def test_another_property_is_not_alike():
    module = parsed()
    last_of(module, "arith.cmpf").properties["predicate"] = IntegerAttr(99, 64)
    with pytest.raises(VerifyException, match="predicate 99 is none"):
        verify_program(module)


def buffers(*types: MemRefType[Any]) -> tuple[ModuleOp, list[kernel.BufferOp]]:
    arena = UnrealizedConversionCastOp.get([], [MemRefType(i8, [64])])
    made = [kernel.BufferOp(arena.results[0], 0, type) for type in types]
    return ModuleOp([arena, *made]), made


def test_alike_places_in_memory_are_verified_once(monkeypatch: pytest.MonkeyPatch):
    row = MemRefType(f32, [8])
    module, (first, second, other) = buffers(row, row, MemRefType(f32, [4]))
    verified = list[Operation]()
    monkeypatch.setattr(kernel.BufferOp, "verify_", lambda op: verified.append(op))
    verify_program(module)
    assert verified == [first, other]
    assert second not in verified


def test_a_place_in_memory_of_another_type_is_not_alike():
    row = MemRefType(f32, [8])
    module, (_, second) = buffers(row, row)
    Rewriter.replace_value_with_new_type(second.result, f32)
    with pytest.raises(VerifyException, match=r"kernel.buffer.*f32"):
        verify_program(module)


def test_the_order_of_alike_operations_is_verified():
    module = parsed()
    last = last_of(module, "arith.addf")
    first, block = last.prev_op, last.parent
    assert first is not None and block is not None
    last.detach()
    block.insert_op_before(last, first)
    with pytest.raises(VerifyException, match="given by a later operation"):
        verify_program(module)


def test_names_do_not_steer_a_terminal():
    assert one_line("a\n  b\x1b[31m\x07\x9b 'ä\u4e2d'") == r"a b\x1b[31m\x07\x9b 'ä中'"
