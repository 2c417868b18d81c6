"""
Single int8 layers against OpenVINO and ONNX Runtime, one thread: what a chain of many takes longer than one of few,
so that neither the call nor the first and the last layer, which have floats on one side, count.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from networks import Builder, Value, save
from ratios import RUNTIMES, draw_ratios

import lowstream
from lowstream.tools.measure import Contender, take_turns
from lowstream.tools.peers import onnxruntime, openvino
from lowstream.tools.table import print_table

FEW, MANY = 2, 22
"""Layers of the chains."""

HIGH = 6.0
"""Where activations end."""


@dataclass(frozen=True)
class Layer:
    """
    A convolution of `channels` in turn, each number to the next and the last to the first, over a square; or, with
    no `size`, a product of so many `rows`.
    """

    name: str
    channels: tuple[int, ...]
    size: int = 0
    kernel: int = 1
    depthwise: bool = False
    rows: int = 1

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the chain's input, and of its output."""
        first = self.channels[0]
        return (1, first, self.size, self.size) if self.size else (self.rows, first)

    @property
    def macs(self) -> float:
        """Multiply-accumulates of one layer, on average."""
        points = self.size**2 * self.kernel**2 if self.size else self.rows
        if self.depthwise:
            return float(points * self.channels[0])
        following = (*self.channels[1:], self.channels[0])
        pairs = [a * b for a, b in zip(self.channels, following, strict=True)]
        return points * sum(pairs) / len(pairs)

    def chain(self, count: int) -> Any:
        """A network of so many layers."""

        def network(b: Builder, x: Value) -> Value:
            y = b.quantize(x)
            for i in range(count):
                inputs, outputs = (
                    self.channels[place % len(self.channels)] for place in (i, i + 1)
                )
                if not self.size:
                    y = b.connect(y, inputs, outputs)
                else:
                    groups = inputs if self.depthwise else 1
                    y = b.conv(y, inputs, outputs, self.kernel, groups=groups)
                y = b.quantize(b.clamp(y, HIGH))
            return y

        return network


LAYERS = (
    Layer("GEMM 512x1024x1024", (1024,), rows=512),
    Layer("GEMM 16x1024x1024", (1024,), rows=16),
    Layer("GEMV 1x1024x1024", (1024,)),
    Layer("conv 3x3 64 @56", (64,), 56, 3),
    Layer("conv 1x1 256 and 64 @56", (256, 64), 56),
    Layer("depthwise 3x3 144 @56", (144,), 56, 3, depthwise=True),
    Layer("depthwise 3x3 192 @28", (192,), 28, 3, depthwise=True),
)


def measure(layer: Layer, seconds: float) -> dict[str, Any]:
    """Times both chains, prints a table and gives the numbers of one layer."""
    few, many = (_contenders(layer, count) for count in (FEW, MANY))
    take_turns([*few, *many], seconds)
    each = {
        short.name: (long.percentiles[0] - short.percentiles[0]) / (MANY - FEW)
        for short, long in zip(few, many, strict=True)
    }
    speed = {name: layer.macs / time / 1000 for name, time in each.items()}
    ratio = {name: round(each[name] / each["lowstream"], 2) for name in RUNTIMES}
    rows = [
        [name, f"{each[name]:.1f}", f"{speed[name]:.1f}", f"{ratio[name]:.2f}"] for name in RUNTIMES
    ]
    print_table(f"{layer.name}: one of a chain", ["runtime", "µs", "GMAC/s", "ratio"], rows)
    print()
    return {"layer": layer.name, "microseconds": each, "ratio": ratio}


def _contenders(layer: Layer, count: int) -> list[Contender]:
    """A chain in each runtime. Exits where results differ by more than roundings add up to."""
    with tempfile.TemporaryDirectory() as folder:
        shape = layer.shape
        ranges = [HIGH] * (count + 1)
        ir, proto = save(layer.chain(count), "chain", ranges, shape, shape, Path(folder))
        x = np.random.default_rng(1).uniform(0, HIGH, shape).astype(np.float32)
        request = lowstream.compile_model(ir, num_threads=1).create_infer_request()
        request.set_tensor(0, x)
        theirs = openvino(ir, [x], 1, stateful=False)
        others = onnxruntime(proto, [x], 1, stateful=False)
        error = float(np.abs(request.infer()[0] - theirs()[0]).mean()) / HIGH
        if not error <= count / 255:
            sys.exit(
                f"{layer.name}: the results differ by {error:.1%}; there is nothing to compare"
            )
        calls = zip(RUNTIMES, (request.infer, theirs, others), strict=True)
        return [Contender(name, call) for name, call in calls]


def draw(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """Times in parts of OpenVINO's."""
    parts = {
        name: [r["microseconds"][name] / r["microseconds"]["openvino"] for r in results]
        for name in RUNTIMES
    }
    labels = [r["layer"].replace(" ", "\n", 2) for r in results]
    draw_ratios("Time of one int8 layer, one thread", parts, labels, conditions, path)
