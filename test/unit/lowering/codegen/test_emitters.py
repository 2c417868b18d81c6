"""The registry of emitters: each kernel has one, and no other operation."""

from lowstream.dialects import kernel
from lowstream.lowering.codegen.emitters import EMITTERS


def test_every_kernel_has_an_emitter():
    kernels = {op for op in kernel.Kernel.operations if issubclass(op, kernel.EmittedOp)}
    assert EMITTERS.keys() == kernels | {kernel.CopyOp}
