"""Kernels touch their buffers alone: `guarded` says how that shows."""

import signal
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "lowstream.test.unit.lowering.codegen.guarded"]


@pytest.mark.parametrize("mode", [[], ["light"]])
def test_kernels_stay_inside_their_buffers(mode: list[str]):
    result = subprocess.run([*COMMAND, *mode], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "all inside\n", "")


@pytest.mark.parametrize(("mode", "printed"), [("over", ""), ("inside", "not seen in the arena\n")])
def test_a_kernel_that_leaves_its_buffer_is_found(mode: str, printed: str):
    result = subprocess.run([*COMMAND, mode], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (-signal.SIGSEGV, printed)
