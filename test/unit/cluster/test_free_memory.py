"""A process that keeps free memory takes pages from the system once."""

import subprocess
import sys

FAULTS = """
from resource import RUSAGE_SELF, getrusage
import numpy as np
from lowstream.cluster.free_memory import keep_free_memory

keep_free_memory()
for _ in range(2):
    before = getrusage(RUSAGE_SELF).ru_minflt
    arrays = [np.ones(1 << 24, np.uint8) for _ in range(8)]
    print(getrusage(RUSAGE_SELF).ru_minflt - before)
    del arrays
"""


def test_large_arrays_begin_with_page_faults_only_once():
    command = [sys.executable, "-P", "-c", FAULTS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, again = map(int, done.stdout.split())
    assert again < first / 10
