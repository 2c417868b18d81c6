"""Kernels touch their buffers alone: `guarded` says how that shows."""

import signal
import subprocess
import sys

FAULT = -signal.SIGSEGV

WANTED = f"""networks 0
light 0
over {FAULT}
not seen in the arena
inside {FAULT}
"""


def test_kernels_stay_inside_their_buffers_and_one_that_leaves_its_own_is_found():
    module = "lowstream.test.unit.lowering.codegen.guarded"
    command = [sys.executable, "-m", module, "networks", "light", "over", "inside"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, WANTED, "")
