"""
Single convolutions of every kind of shape, f32 and int8, against OpenVINO: one thread, in turns, by CPU time.

    python bench/convolutions.py [--only transposed] [--time 0.4]

Each has a bias and a relu; in int8, FakeQuantize on both sides. Inputs and outputs are channels first, in f32.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset15 as op

import lowstream
from lowstream.tools.peers import openvino
from lowstream.tools.table import print_table

HIGH = 6.0
"""Where activations end."""

LEVELS = 256
HIGHEST = 127

TURNS = 10
"""Turns in which both are measured, at least."""


@dataclass(frozen=True)
class Layer:
    """A convolution; sizes that are one number are so in each dimension. `pad` is half of the window by default."""

    kind: str
    inputs: int
    outputs: int
    sizes: tuple[int, ...]
    kernel: int | tuple[int, ...]
    stride: int = 1
    dilation: int = 1
    groups: int = 1
    pad: int | None = None
    batch: int = 1

    @property
    def name(self) -> str:
        """What the table calls it."""
        window = "x".join(map(str, self._each(self.kernel)))
        more = [
            f"{word}{number}"
            for word, number in (("/", self.stride), ("d", self.dilation), ("g", self.groups))
            if number != 1
        ]
        place = "x".join(map(str, self.sizes))
        batch = f"{self.batch}x" if self.batch > 1 else ""
        return " ".join(
            [self.kind, f"{self.inputs}-{self.outputs}", window, *more, f"@{batch}{place}"]
        )

    def _each(self, number: int | tuple[int, ...]) -> tuple[int, ...]:
        return (number,) * len(self.sizes) if isinstance(number, int) else number

    def model(self, quantized: bool) -> Any:
        """The layer between its quantizations."""
        rng = np.random.default_rng(0)
        input = x = op.parameter((self.batch, self.inputs, *self.sizes), np.float32)
        kernel = self._each(self.kernel)
        pads = [
            (taps - 1) * self.dilation // 2 if self.pad is None else self.pad for taps in kernel
        ]
        each = [[self.stride] * len(kernel), pads, pads, [self.dilation] * len(kernel)]
        weights, codes = self._weights(rng)
        if quantized:
            x = _quantized(x)
            filters = op.multiply(op.convert(op.constant(codes), "f32"), op.constant(weights))
        else:
            filters = op.constant(codes.astype(np.float32) * weights)
        if self.kind == "transposed":
            window = {"pads_begin": pads, "pads_end": pads, "dilations": each[3]}
            convolve: Any = (
                op.convolution_backprop_data
                if self.groups == 1
                else op.group_convolution_backprop_data
            )
            y = convolve(x, filters, strides=each[0], **window)
        else:
            convolve = op.convolution if self.groups == 1 else op.group_convolution
            y = convolve(x, filters, *each)
        bias = rng.normal(size=(1, self.outputs, *(1 for _ in kernel))).astype(np.float32)
        y = op.relu(op.add(y, op.constant(bias)))
        make: Any = ov.Model
        return make([_quantized(y) if quantized else y], [input])

    def _weights(self, rng: np.random.Generator) -> tuple[Any, Any]:
        """A scale for each output channel, and codes."""
        outputs, inputs = self.outputs // self.groups, self.inputs // self.groups
        kernel = self._each(self.kernel)
        is_transposed = self.kind == "transposed"
        channels = (inputs, outputs) if is_transposed else (outputs, inputs)
        kept = (1, outputs) if is_transposed else (outputs, 1)
        lead = (self.groups,) if self.groups > 1 else ()
        codes = rng.integers(-HIGHEST, HIGHEST, (*lead, *channels, *kernel), np.int8, True)
        scales = rng.uniform(0.5, 1, (*lead, *kept, *(1 for _ in kernel)))
        return (scales / 70 / np.sqrt(inputs * np.prod(kernel))).astype(np.float32), codes


def _quantized(x: Any) -> Any:
    ends = [op.constant(np.float32(end)) for end in (0, HIGH, 0, HIGH)]
    return op.fake_quantize(x, *ends, LEVELS)


def _plane(size: int) -> tuple[int, int]:
    return size, size


LAYERS = (
    *(Layer("transposed", 128, n, (1000,), 16, 8, pad=4) for n in (1, 8)),
    Layer("transposed", 192, 96, _plane(24), 2, 2, pad=0),
    Layer("transposed", 24, 1, _plane(160), 2, 2, pad=0),
    Layer("transposed", 64, 32, _plane(28), 3, 2, pad=1),
    Layer("transposed", 256, 256, _plane(14), 4, 2, pad=1),
    Layer("transposed", 21, 21, _plane(14), 16, 8, pad=4),
    Layer("transposed", 64, 64, _plane(28), 4, 2, groups=64, pad=1),
    Layer("transposed", 16, 8, (12, 12, 12), 2, 2, pad=0),
    *(Layer("dilated", 960, 256, _plane(14), 3, dilation=n) for n in (1, 2, 6, 12, 36)),
    *(Layer("dilated", 256, 256, _plane(33), 3, dilation=n) for n in (6, 12, 18)),
    Layer("dilated", 128, 128, (400,), 3, dilation=64),
    *(Layer("few", 3, n, _plane(112), 3) for n in (1, 3, 8, 12, 17)),
    *(Layer("few", n, 32, _plane(56), 3) for n in (1, 3, 8, 12, 17)),
    *(Layer("few", 64, n, _plane(56), 3) for n in (1, 3, 8, 12, 17)),
    *(Layer("few", n, n, _plane(56), 1) for n in (8, 12, 17)),
    *(Layer("strided", 64, 64, _plane(56), 3, n) for n in (2, 3, 4)),
    Layer("strided", 3, 64, _plane(224), 7, 2),
    Layer("strided", 3, 96, _plane(224), 4, 4, pad=0),
    Layer("strided", 3, 192, _plane(224), 16, 16, pad=0),
    Layer("strided", 64, 128, _plane(56), 1, 2),
    *(Layer("window", 64, 64, _plane(28), n) for n in ((1, 7), (7, 1), 5, 7)),
    Layer("signal", 1, 64, (16000,), 10, 5, pad=0),
    Layer("signal", 1, 1, (16000,), 64, pad=0),
    Layer("signal", 64, 64, (4000,), 3),
    Layer("signal", 8, 8, (16000,), 3),
    Layer("signal", 256, 256, (400,), 31, groups=256),
    Layer("depthwise", 32, 32, _plane(112), 3, groups=32),
    Layer("depthwise", 144, 144, _plane(56), 3, 2, groups=144),
    Layer("depthwise", 240, 240, _plane(28), 5, groups=240),
    Layer("depthwise", 96, 96, _plane(56), 7, groups=96),
    Layer("depthwise", 32, 64, _plane(56), 3, groups=32),
    *(Layer("groups", 128 * n, 128 * n, _plane(56 // n), 3, groups=32) for n in (1, 2, 4, 8)),
    Layer("small", 512, 512, _plane(7), 3),
    Layer("small", 2048, 512, _plane(7), 1),
    Layer("small", 256, 256, _plane(4), 3),
    Layer("large", 8, 8, _plane(320), 3),
    Layer("large", 24, 96, _plane(160), 1),
    Layer("large", 96, 24, _plane(160), 3),
    Layer("batch", 64, 64, _plane(14), 3, batch=8),
    Layer("batch", 128, 128, _plane(7), 1, batch=16),
    Layer("volume", 16, 16, (16, 16, 16), 3),
)


def measure(layer: Layer, quantized: bool, seconds: float) -> tuple[float, float]:
    """Microseconds of CPU time, ours and OpenVINO's. Exits where results differ by more than a rounding."""
    model = layer.model(quantized)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "layer.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        shape = (layer.batch, layer.inputs, *layer.sizes)
        x = np.random.default_rng(1).uniform(0, HIGH, shape).astype(np.float32)
        request = lowstream.compile_model(path, num_threads=1).create_infer_request()
        request.set_tensor(0, x)
        theirs = openvino(path, [x], 1, stateful=False)
        error = float(np.abs(request.infer()[0] - theirs()[0]).max())
    if not error <= (1.01 * HIGH / (LEVELS - 1) if quantized else 1e-3):
        sys.exit(f"{layer.name}: the results differ by {error:.1e}; there is nothing to compare")
    calls: tuple[Callable[[], object], ...] = request.infer, theirs
    once = [median(_times(call, 5)) for call in calls]
    count = max(1, int(seconds * 1e6 / sum(once) / TURNS))
    times: tuple[list[float], list[float]] = [], []
    for _ in range(TURNS):
        for call, found in zip(calls, times, strict=True):
            found += _times(call, count)
    return median(times[0]), median(times[1])


def _times(call: Callable[[], object], count: int) -> list[float]:
    found: list[float] = []
    for _ in range(count):
        begin = time.process_time_ns()
        call()
        found.append((time.process_time_ns() - begin) / 1e3)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="layers whose name holds this")
    parser.add_argument("--time", type=float, default=0.4, help="seconds for each measurement")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for layer in LAYERS:
        if options.only not in layer.name:
            continue
        row = [layer.name]
        for quantized in (False, True):
            ours, theirs = measure(layer, quantized, options.time)
            row += [f"{ours:.0f}", f"{theirs:.0f}", f"{theirs / ours:.2f}"]
        rows.append(row)
    head = [f"{kind} {what}" for kind in ("f32", "int8") for what in ("µs", "OpenVINO", "ratio")]
    print_table("Convolutions, one thread", ["layer", *head], rows)


if __name__ == "__main__":
    main()
