"""The machine as data: it loads without LLVM, and code generation knows what it names."""

import subprocess
import sys
from dataclasses import replace

import pytest

from lowstream.lowering.codegen.instructions import MACS, NARROWS
from lowstream.lowering.machine import ISAS


@pytest.mark.parametrize("module", ["machine", "codegen.schedule", "fusion", "lower_to_kernels"])
def test_import_does_without_llvm(module: str):
    """Passes and schedules decide by the record; only emitting takes LLVM."""
    program = f"import sys; import lowstream.lowering.{module}; print(*sys.modules)"
    run = [sys.executable, "-P", "-c", program]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert not {"llvmlite", "numpy"}.intersection(loaded)


def test_every_instruction_is_emitted():
    assert MACS.keys() == {mac.name for isa in ISAS for mac in isa.macs}
    assert NARROWS.keys() == {isa.narrow.name for isa in ISAS if isa.narrow is not None}


def test_an_instruction_set_is_hashed_by_its_name():
    """Schedules are cached by it: hashing all its fields was a hundredth of compiling a network."""
    for isa in ISAS:
        other = replace(isa, macs=())
        assert hash(other) == hash(isa) and other != isa
    assert len({hash(isa) for isa in ISAS}) == len(ISAS)
