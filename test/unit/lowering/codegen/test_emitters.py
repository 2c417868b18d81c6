"""The registry of emitters: each kernel has one, and no other operation."""

from dataclasses import replace

from lowstream.dialects import kernel
from lowstream.lowering.codegen.emitters import EMITTERS
from lowstream.lowering.codegen.fill import FillKernel


def test_every_kernel_has_an_emitter():
    kernels = {op for op in kernel.Kernel.operations if issubclass(op, kernel.EmittedOp)}
    assert EMITTERS.keys() == kernels | {kernel.CopyOp}


def test_emitters_with_the_same_code_are_equal_and_have_the_same_hash():
    fill, longer, other = (
        FillKernel(1, 0, 1, 8, 0),
        FillKernel(1, 0, 2, 9, 16),
        FillKernel(1, 5, 1, 8, 0),
    )
    assert hash(fill) == hash(fill) == hash(longer) and fill == longer
    assert hash(fill) != hash(other) and fill != other
    assert hash(replace(fill, element=5)) == hash(other)
    assert repr(fill) == "FillKernel(size=1, element=0)"
