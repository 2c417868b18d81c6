"""What LLVM is asked to do, and that others who use it in this process find it as it was."""

import pytest
from llvmlite import binding

from lowstream.lowering.codegen.compile import machine_of, without_address_passes
from lowstream.lowering.machine import choose_isa

STRIDED = """
define void @sum(ptr %x, ptr %y, i64 %count, i64 %stride) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %a = mul i64 %i, %stride
  %from = getelementptr float, ptr %x, i64 %a
  %value = load float, ptr %from
  %to = getelementptr float, ptr %y, i64 %i
  store float %value, ptr %to
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
"""


FAR = """
define float @either(ptr %x, i64 %i, i1 %twice) {
entry:
  %from = getelementptr float, ptr %x, i64 %i
  br i1 %twice, label %double, label %once
once:
  %value = load float, ptr %from
  ret float %value
double:
  %half = load float, ptr %from
  %sum = fadd float %half, %half
  ret float %sum
}
"""
"""A load could compute the address, which stands in another block."""


def code(assembly: str) -> bytes:
    with binding.parse_assembly(assembly) as module:
        return machine_of(choose_isa()).emit_object(module)


@pytest.mark.host
@pytest.mark.parametrize("assembly", [STRIDED, FAR])
def test_addresses_are_improved_again_afterwards(assembly: str):
    before = code(assembly)
    with without_address_passes():
        inside = code(assembly)
    assert inside != before
    assert code(assembly) == before
