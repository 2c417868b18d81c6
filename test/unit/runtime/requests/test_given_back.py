"""What a model that is compiled and dropped leaves in a process: nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MOST_BYTES, MOST_BLOCKS = 1500, 40
"""What a round may leave of LLVM's memory and of Python's objects, of tables that grow now and then. A program has ten
times as much."""

COUNTER = """
import ctypes, gc, itertools, json, sys
import numpy as np, lowstream
from lowstream.test.unit.runtime import runtime_models

class Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Memory

def held():
    gc.collect()
    memory = mallinfo()
    with open("/proc/self/maps") as maps:
        return memory.uordblks + memory.hblkhd, sys.getallocatedblocks(), sum(1 for _ in maps)

sums = runtime_models.module(runtime_models.SUMS)
products = runtime_models.module(runtime_models.PRODUCTS)
unknown = lowstream.compile_model(runtime_models.module(runtime_models.UNKNOWN))
request = unknown.create_infer_request()
rows = itertools.count(1)

def cached():
    lowstream.compile_model(sums)([np.ones((1, 4), np.float32)])

def threads():
    compiled = lowstream.compile_model(products, num_threads=2, profiling=True)
    compiled([np.ones((4, 16), np.float32)])

def shapes():
    request.infer([np.zeros((next(rows), 2), np.float32)])

round = globals()[sys.argv[1]]
for _ in range(20):
    round()
before = held()
for _ in range(int(sys.argv[2])):
    round()
print(json.dumps([after - first for after, first in zip(held(), before)]))
"""


@pytest.mark.parametrize(("kind", "rounds"), [("cached", 100), ("threads", 50), ("shapes", 20)])
def test_what_is_dropped_is_given_back(kind: str, rounds: int, tmp_path: Path):
    run = [sys.executable, "-P", "-c", COUNTER, kind, str(rounds)]
    environment = {**os.environ, "LOWSTREAM_CACHE_DIR": str(tmp_path / "cache")}
    counted = subprocess.run(run, env=environment, check=True, capture_output=True, text=True)
    grown, blocks, maps = json.loads(counted.stdout)
    assert grown < rounds * MOST_BYTES
    assert blocks < rounds * MOST_BLOCKS
    assert maps < rounds
