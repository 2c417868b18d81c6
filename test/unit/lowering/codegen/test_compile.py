"""What LLVM is asked to do, and that others who use it in this process find it as it was."""

from llvmlite import binding

from lowstream.lowering.codegen.compile import machine_of, without_strength_reduction
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


def code() -> bytes:
    with binding.parse_assembly(STRIDED) as module:
        return machine_of(choose_isa()).emit_object(module)


def test_strength_is_reduced_again_afterwards():
    before = code()
    with without_strength_reduction():
        inside = code()
    assert inside != before
    assert code() == before
