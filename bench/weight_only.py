"""
Products of f32 with weights of 4 and 8 bits against OpenVINO and against memory, one thread.

    .venv/bin/python bench/weight_only.py [--only 4096] [--time SECONDS]

So many copies of each layer run one after the other that their weights do not stay in the last cache, as those of a
large network do not, in turns with a plain read of as many bytes; medians of process CPU time. A ratio is OpenVINO's
time by ours: at its default, which quantizes activations, and with an f32 hint, where it does not.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import openvino as ov
from llvmlite import binding
from openvino import opset13 as opset

import lowstream
from lowstream.tools.table import print_table

LAST_CACHE = 32 << 20
"""Bytes that may stay in the last cache."""

MOST_COPIES = 12
"""Of small layers, which then stay in a cache."""

READ = """
define i32 @read(ptr %data, i64 %bytes) {
  br label %body
body:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %a = phi <64 x i32> [ zeroinitializer, %0 ], [ %sum, %body ]
  %at = getelementptr i8, ptr %data, i64 %i
  %x = load <64 x i32>, ptr %at, align 64
  %sum = add <64 x i32> %a, %x
  %next = add i64 %i, 256
  %more = icmp slt i64 %next, %bytes
  br i1 %more, label %body, label %end
end:
  %total = call i32 @llvm.vector.reduce.add.v64i32(<64 x i32> %sum)
  ret i32 %total
}
declare i32 @llvm.vector.reduce.add.v64i32(<64 x i32>)
"""
"""Four cache lines an iteration, added up."""


@dataclass(frozen=True)
class Layer:
    """`rows` of activations, and weights with a scale for each `group` of a column, or with one for each column."""

    rows: int
    columns: int
    depth: int
    element: str = "i4"
    group: int = 128

    def __str__(self) -> str:
        scales = f"groups of {self.group}" if self.group else "columns"
        return f"{self.rows} x {self.depth} x {self.columns} {self.element}, {scales}"

    @property
    def bytes(self) -> int:
        """Of codes and scales, zero points left out."""
        groups = self.depth // self.group if self.group else 1
        return self.columns * (self.depth * int(self.element[1:]) // 8 + 4 * groups)

    def model(self, seed: int) -> Any:
        """As OpenVINO writes compressed weights; unsigned ones have zero points."""
        rng = np.random.default_rng(seed)
        bits, unsigned = int(self.element[1:]), self.element[0] == "u"
        low = 0 if unsigned else -(1 << (bits - 1))
        group = self.group or self.depth
        shape = (self.columns, self.depth // group, group)
        codes = rng.integers(low, low + (1 << bits), shape, np.int16)
        w = self._f32(codes)
        if unsigned:
            w = opset.subtract(w, self._f32(rng.integers(6, 10, (*shape[:2], 1))))
        scale = rng.uniform(0.001, 0.01, (*shape[:2], 1)).astype(np.float32)
        w = opset.multiply(w, opset.constant(scale))
        w = opset.reshape(w, opset.constant(np.array([self.columns, self.depth])), False)
        x = opset.parameter([self.rows, self.depth], np.float32)
        make: Any = ov.Model
        return make([opset.result(opset.matmul(x, w, False, True))], [x], "model")

    def _f32(self, codes: Any) -> Any:
        kind: Any = getattr(ov.Type, self.element)
        if self.element.endswith("4"):
            flat = (codes.reshape(-1) & 15).astype(np.uint8)
            tensor: Any = ov.Tensor(kind, ov.Shape(list(codes.shape)))
            tensor.data.reshape(-1)[:] = (flat[0::2] | flat[1::2] << 4).view(tensor.data.dtype)
            constant = opset.constant(tensor, shared_memory=False)
        else:
            constant = opset.constant(codes.astype(np.uint8 if self.element[0] == "u" else np.int8))
        return opset.convert(constant, "f32")


LAYERS = (
    Layer(1, 4096, 4096),
    Layer(1, 4096, 4096, "u4"),
    Layer(1, 4096, 4096, "i4", 32),
    Layer(1, 4096, 4096, "i4", 64),
    Layer(1, 4096, 4096, "i4", 0),
    Layer(1, 4096, 4096, "i8", 0),
    Layer(1, 4096, 4096, "u8", 128),
    Layer(2, 4096, 4096),
    Layer(3, 4096, 4096),
    Layer(4, 4096, 4096),
    Layer(8, 4096, 4096),
    Layer(8, 4096, 4096, "i8", 0),
    Layer(1, 11008, 4096),
    Layer(1, 1024, 1024, "i8", 0),
    Layer(2, 1024, 1024, "i8", 0),
    Layer(3, 1024, 1024, "i8", 0),
    Layer(4, 1024, 1024, "i8", 0),
)


def reader() -> Callable[[Any], object]:
    """What reads an array."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=3
    )
    engine = binding.create_mcjit_compiler(binding.parse_assembly(READ), machine)
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
    read = kind(engine.get_function_address("read"))

    def call(array: Any, keep: object = engine) -> object:
        return read(array.ctypes.data, array.nbytes)

    return call


def in_turns(calls: Sequence[Sequence[Callable[[], object]]], seconds: float) -> list[float]:
    """Microseconds of CPU time of each kind of call, whose copies follow each other."""
    now, found = time.process_time_ns, [list[float]() for _ in calls]
    copies: list[Iterator[Callable[[], object]]] = [cycle(kind) for kind in calls]
    for kind in calls:
        for call in kind:
            call()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for kind, samples, count in zip(copies, found, map(len, calls), strict=True):
            for _ in range(count):
                call = next(kind)
                began = now()
                call()
                samples.append((now() - began) / 1000)
    return [median(samples) for samples in found]


def measured(layer: Layer, seconds: float, read: Callable[[Any], object]) -> list[str]:
    """The cells of one layer. Exits where the results differ."""
    copies = max(1, min(MOST_COPIES, -(-3 * LAST_CACHE // 2 // layer.bytes)))
    x = np.random.default_rng(0).normal(size=(layer.rows, layer.depth)).astype(np.float32)
    core: Any = ov.Core()
    options: dict[str, Any] = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1}
    mine: list[Any] = []
    theirs: list[list[Any]] = [[], []]
    room: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(copies):
            path = Path(folder) / f"model{seed}.xml"
            ov.save_model(layer.model(seed), path, compress_to_fp16=False)
            request = lowstream.compile_model(path, num_threads=1).create_infer_request()
            request.set_tensor(0, x)
            mine.append(request)
            for requests, hint in zip(
                theirs, ({}, {"INFERENCE_PRECISION_HINT": "f32"}), strict=True
            ):
                if hint:
                    hint = hint | {"DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
                other = core.compile_model(path, "CPU", options | hint).create_infer_request()
                other.set_tensor(other.model_inputs[0], ov.Tensor(x))
                requests.append(other)
            room.append(np.full(-(-layer.bytes // 256) * 64 + 16, seed, np.uint32))
    room = [each[-each.ctypes.data % 64 // 4 :][: each.size // 64 * 64] for each in room]
    want = theirs[1][0]
    want.infer()
    have, want = mine[0].infer()[0], want.get_output_tensor().data
    if not np.abs(have - want).max() <= 1e-2 * np.abs(want).max():
        sys.exit(f"{layer}: the results differ; there is nothing to compare")

    def reads(array: Any) -> Callable[[], object]:
        return lambda: read(array)

    calls = [
        [request.infer for request in mine],
        *[[request.infer for request in requests] for requests in theirs],
        [reads(array) for array in room],
    ]
    ours, default, f32, memory = in_turns(calls, seconds)
    speed = layer.bytes / ours / 1000
    cells = [f"{ours:.0f}", f"{speed:.1f}", f"{100 * memory / ours:.0f} %"]
    return [*cells, f"{default:.0f}", f"{default / ours:.2f}", f"{f32:.0f}", f"{f32 / ours:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Weight-only products against OpenVINO.")
    parser.add_argument("--only", default="", help="layers whose description has this in it")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each layer")
    args = parser.parse_args()
    columns = ["layer", "µs", "GB/s", "of memory", "OpenVINO", "ratio", "f32 hint", "ratio"]
    read = reader()
    rows = [
        [str(layer), *measured(layer, args.time, read)]
        for layer in LAYERS
        if args.only in str(layer)
    ]
    print_table("weight-only products: µs of CPU time, one thread", columns, rows)


if __name__ == "__main__":
    main()
