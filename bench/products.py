"""
Matrix products and attention against OpenVINO, one thread: medians of process CPU time, in turns. Results are compared
with the reference, on average, since a weight that lies between two codes may become either: without VNNI, OpenVINO's
sums of 8-bit products saturate.

    .venv/bin/python bench/products.py [--only products | attention] [--time SECONDS]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import openvino as ov
from openvino import opset13 as opset

import lowstream
from lowstream.reference.executor import Executor
from lowstream.tools.peers import openvino
from lowstream.tools.table import print_table

TURNS = 12
"""How often each runtime has its turn."""

SAMPLE = 1e-4
"""Seconds that the calls between two looks at the clock take at least: a look costs less than a microsecond."""

Model = tuple[Any, list[Any]]
"""A model of OpenVINO's and its inputs."""


@dataclass(frozen=True)
class MatMulShape:
    """`rows` x `depth` numbers times constant weights, a bias and a relu."""

    rows: int
    columns: int
    depth: int

    def __str__(self) -> str:
        return f"FC {self.rows} x {self.depth} x {self.columns}"

    @property
    def macs(self) -> int:
        """Products of one call."""
        return self.rows * self.columns * self.depth

    def model(self, int8: bool) -> Model:
        """In f32, or with both sides quantized."""
        rng = np.random.default_rng(0)
        x = opset.parameter([self.rows, self.depth], np.float32)
        weights = rng.normal(size=(self.columns, self.depth)).astype(np.float32) * 0.05
        left, right = x, opset.constant(weights)
        if int8:
            left, right = _quantized(left, 0, 6), _quantized(right, -0.2, 0.2 * 127 / 128)
        bias = opset.constant(rng.normal(size=(1, self.columns)).astype(np.float32))
        y = opset.relu(opset.add(opset.matmul(left, right, False, True), bias))
        return _model(y, [x]), [_random(rng, x)]


@dataclass(frozen=True)
class Attention:
    """So many heads; as one operation, or as products and a softmax, of which int8 quantizes all."""

    heads: int
    queries: int
    keys: int
    depth: int
    whole: bool = False
    causal: bool = False

    def __str__(self) -> str:
        kind = "causal" if self.causal else "whole" if self.whole else "apart"
        return f"attention {self.heads} x {self.queries} x {self.keys} x {self.depth}, {kind}"

    @property
    def macs(self) -> int:
        """Products of one call."""
        return 2 * self.heads * self.queries * self.keys * self.depth

    def model(self, int8: bool) -> Model:
        """In f32, or with all operands of products quantized."""
        sizes = [self.queries, self.keys, self.keys]
        inputs = [opset.parameter([1, self.heads, n, self.depth], np.float32) for n in sizes]
        q, k, v = (_quantized(x, -4, 4 * 127 / 128) if int8 else x for x in inputs)
        if self.whole or self.causal:
            y = opset.scaled_dot_product_attention(q, k, v, causal=self.causal)
        else:
            scale = opset.constant(np.float32(self.depth**-0.5))
            scores = opset.multiply(opset.matmul(q, k, False, True), scale)
            weights = opset.softmax(scores, -1)
            y = opset.matmul(_quantized(weights, 0, 1) if int8 else weights, v, False, False)
        rng = np.random.default_rng(0)
        arrays = [rng.normal(size=tuple(x.shape)).astype(np.float32) for x in inputs]
        return _model(y, inputs), arrays


def _model(y: Any, inputs: Sequence[Any]) -> Any:
    make: Any = ov.Model
    return make([opset.result(y)], list(inputs), "model")


def _quantized(value: Any, low: float, high: float) -> Any:
    ends = [opset.constant(np.float32(end)) for end in (low, high)]
    return opset.fake_quantize(value, *ends, *ends, 256)


def _random(rng: np.random.Generator, x: Any) -> Any:
    return rng.uniform(0, 6, tuple(x.shape)).astype(np.float32)


PRODUCTS = tuple(
    MatMulShape(*sizes)
    for sizes in (
        (1, 768, 768),
        (2, 768, 3072),
        (4, 768, 768),
        (8, 768, 3072),
        (16, 768, 768),
        (49, 96, 384),
        (49, 768, 768),
        (49, 768, 3072),
        (49, 3072, 768),
        (197, 384, 384),
        (784, 32, 384),
        (784, 96, 384),
        (784, 128, 3072),
        (3136, 8, 64),
        (3136, 32, 96),
        (3136, 96, 384),
        (3136, 384, 96),
    )
)
ATTENTIONS = (
    Attention(6, 1500, 1500, 64),
    Attention(6, 1500, 1500, 64, whole=True),
    Attention(3, 197, 197, 64),
    Attention(3, 197, 197, 64, whole=True),
    Attention(12, 128, 128, 64),
    Attention(12, 256, 256, 64, causal=True),
    Attention(8, 1024, 1024, 64),
    Attention(8, 1, 512, 64, whole=True),
)
CASES = {"products": PRODUCTS, "attention": ATTENTIONS}


def medians(calls: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """Microseconds of CPU time of each call."""
    now, found = time.process_time_ns, [list[float]() for _ in calls]
    for turn in range(TURNS + 1):
        for call, samples in zip(calls, found, strict=True):
            began = now()
            call()
            count = max(1, int(SAMPLE * 1e9 / max(now() - began, 1)))
            end = time.perf_counter() + seconds / TURNS / len(calls)
            while True:
                began = now()
                for _ in range(count):
                    call()
                if turn:  # the first one warms up
                    samples.append((now() - began) / count / 1000)
                if time.perf_counter() > end:
                    break
    return [median(samples) for samples in found]


def measured(case: MatMulShape | Attention, int8: bool, seconds: float) -> list[str]:
    """The cells of one layer. Exits where the results differ."""
    model, inputs = case.model(int8)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        request = lowstream.compile_model(path, num_threads=1).create_infer_request()
        for number, array in enumerate(inputs):
            request.set_tensor(number, array)
        theirs = openvino(path, inputs, 1, stateful=False)
        have, (want,) = request.infer()[0], Executor(lowstream.read_model(path).module).run(inputs)
        if not np.abs(have - want).mean() <= 1e-3 * np.abs(want).max():
            sys.exit(f"{case}: the result is wrong; there is nothing to measure")
        mine, other = medians([request.infer, theirs], seconds)
    speed = case.macs / mine / 1000
    return [f"{mine:.1f}", f"{other:.1f}", f"{speed:.0f}", f"{other / mine:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Products and attention against OpenVINO.")
    parser.add_argument("--only", choices=CASES, help="measure one kind")
    parser.add_argument("--time", type=float, default=0.6, help="seconds for each layer")
    args = parser.parse_args()
    columns = ["layer", "f32, µs", "OpenVINO", "GMAC/s", "ratio"]
    columns += ["int8, µs", "OpenVINO", "GMAC/s", "ratio"]
    for kind, cases in CASES.items():
        if args.only in (None, kind):
            rows = [
                [str(case), *measured(case, False, args.time), *measured(case, True, args.time)]
                for case in cases
            ]
            print_table(f"{kind}: µs of CPU time, one thread", columns, rows)
            print()


if __name__ == "__main__":
    main()
