"""
How the time of `lpt` grows with the model: chains of quantized convolutions.

The lengths take turns, and the least time of the process counts: what else the machine does only adds to it.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, TensorType, f32, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from lowstream.dialects.nn import ConstantOp, ConvolutionOp, ReluOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import blob_of
from lowstream.tools.plot import COLORS, new_figure, save_figure
from lowstream.tools.table import print_table

LENGTHS = (1000, 2000, 4000)
LARGEST_RATIO = 2.3
"""How much longer the longest chain may take than the one half as long."""
CHANNELS, SIZE = 4, 4
WINDOW = {"strides": 1, "pads_begin": 0, "pads_end": 0, "dilations": 1}


class ConvolutionChain:
    """Convolutions, each with quantized data, quantized filters and a Relu behind it."""

    def __init__(self, length: int):
        shape = TensorType(f32, (1, CHANNELS, SIZE, SIZE))
        self.block = Block(arg_types=[shape])
        window = {name: DenseArrayBase.from_list(i64, [size] * 2) for name, size in WINDOW.items()}
        filters = np.random.default_rng(0).uniform(-1.27, 1.27, (CHANNELS, CHANNELS, 1, 1))
        value: SSAValue = self.block.args[0]
        for _ in range(length):
            data = self.quantize(value, 0.0, 2.55, 256)
            weights = self.quantize(self.constant(filters), -1.27, 1.27, 255)
            value = self.add(ReluOp.of(self.add(ConvolutionOp.of(data, weights, **window))))
        self.block.add_op(func.ReturnOp(value))
        entry = func.FuncOp("main", ([shape], [shape]), Region(self.block))
        self.module = ModuleOp([entry])

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def constant(self, array: Any) -> SSAValue:
        return self.add(ConstantOp(blob_of(np.asarray(array, np.float32))))

    def quantize(self, value: SSAValue, low: float, high: float, levels: int) -> SSAValue:
        limits = [self.constant(limit) for limit in (low, high, low, high)]
        return self.add(FakeQuantizeOp.of(value, *limits, levels=IntegerAttr(levels, i64)))


def measure(rounds: int = 3) -> list[dict[str, Any]]:
    """Times each length, prints a table and gives its numbers. Exits where the time is not linear."""
    seconds: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for _ in range(rounds):
        for length, times in seconds.items():
            module = ConvolutionChain(length).module
            gc.collect()
            start = time.process_time()
            run_passes(module, "lpt")
            times.append(time.process_time() - start)
            low = sum(isinstance(op, ConvolutionOp) and _is_low(op) for op in module.walk())
            assert low == length, f"{low} of {length} convolutions multiply codes"
    best = {length: min(times) for length, times in seconds.items()}
    results = [
        {"convolutions": length, "seconds": least, "ratio": least / best.get(length // 2, least)}
        for length, least in best.items()
    ]
    rows = [[f"{least:.2f}", f"{1e3 * least / length:.2f}"] for length, least in best.items()]
    names = [f"{length} convolutions" for length in best]
    print_table(
        "lpt", ["", "s", "ms each"], [[n, *row] for n, row in zip(names, rows, strict=True)]
    )
    print()
    *_, half, longest = LENGTHS
    if (ratio := best[longest] / best[half]) > LARGEST_RATIO:
        sys.exit(f"lpt on {longest} convolutions takes {ratio:.2f} times as long as on {half}")
    return results


def _is_low(op: ConvolutionOp) -> bool:
    """Whether a convolution multiplies codes."""
    return op.input.type != op.filters.type and "xi8" in str(op.filters.type)


def draw(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """Time over length, and the line that a linear pass stays on."""
    figure, axes = new_figure("lpt on chains of quantized convolutions")
    lengths = [result["convolutions"] for result in results]
    seconds = [result["seconds"] for result in results]
    line = [length * seconds[0] / lengths[0] for length in (0, lengths[-1])]
    axes.plot((0, lengths[-1]), line, color=COLORS[2], linestyle="--", label="linear")
    axes.plot(lengths, seconds, color=COLORS[0], marker="o", label="lowstream")
    for length, time_ in zip(lengths, seconds, strict=True):
        axes.annotate(f"{time_:.1f} s", (length, time_), (0, 8), textcoords="offset points")
    axes.set_xlabel("convolutions")
    axes.set_ylabel("s, least of some")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    figure.supxlabel(f"{conditions['cpu']}, Python {conditions['python']}", fontsize=8)
    save_figure(figure, path)
