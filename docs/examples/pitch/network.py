"""The pitch network in NumPy: two LSTM layers and a head, their gradients, and their quantization.

    x -> [lstm0] -> [lstm1] -> answers = FQ(h) @ head.w + head.bias
    gates = FQ(x) @ wx + FQ(h) @ wh + bias;  forget, enter, candidate, leave = split(gates)
    c = sigmoid(forget) * c + sigmoid(enter) * tanh(candidate);  h = sigmoid(leave) * tanh(c)

FQ is FakeQuantize to the 256 values of an i8 (absent until the network is `quantized`), and every
weight then is an i8 with one scale per output channel. Gradients pass through both rounding steps
as if they were not there, except where FQ clips (the straight-through estimator).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from voice import LINES, Array

HIDDEN = 128
LAYERS = ("lstm0", "lstm1")
WEIGHTS = ("lstm0.wx", "lstm0.wh", "lstm1.wx", "lstm1.wh", "head.w")  # each [out, in]
GATES = 4
STATE_RANGE = 1.0  # |h| < 1 by its equation: nothing to calibrate
LARGEST_CODE = 127  # of a weight

Slope = Callable[[Array], tuple[float, Array]]


def fake_quantize(x: Array, high: float) -> Array:
    """The nearest of the 256 steps from `-high * 128 / 127` to `high`, of which 0 is one."""
    step = np.float32(high / 127)
    return (np.clip(np.rint(x / step), -128, 127) * step).astype(np.float32)


def codes(weights: Array) -> tuple[NDArray[np.int8], Array]:
    """Weights [out, in] as i8 codes and a scale [out, 1], symmetric."""
    largest = np.abs(weights).max(axis=1, keepdims=True)
    scale = np.maximum(largest / np.float32(LARGEST_CODE), np.float32(1e-9))
    return np.clip(np.rint(weights / scale), -LARGEST_CODE, LARGEST_CODE).astype(np.int8), scale


def sigmoid(x: Array) -> Array:
    return np.reciprocal(1 + np.exp(-x))


@dataclass
class Trace:
    """What one layer's forward pass leaves for its gradient, [time, batch, channels] each."""

    x: Array
    gates: Array  # after sigmoid and tanh
    h: Array  # one longer than time: entry t is the state that step t reads
    c: Array


@dataclass
class Network:
    """Parameters by name, and the ranges of the quantizers in front of each layer's input."""

    parameters: dict[str, Array]
    quantized: bool = False
    ranges: dict[str, float] = field(default_factory=lambda: dict.fromkeys((*LAYERS, "head"), 1.0))

    @classmethod
    def random(cls, seed: int) -> "Network":
        random = np.random.default_rng(seed)

        def weights(out: int, depth: int) -> Array:
            return random.uniform(-1, 1, (out, depth)).astype(np.float32) / np.float32(depth**0.5)

        parameters: dict[str, Array] = {}
        for name, inputs in zip(LAYERS, (LINES, HIDDEN), strict=True):
            parameters[f"{name}.wx"] = weights(GATES * HIDDEN, inputs)
            parameters[f"{name}.wh"] = weights(GATES * HIDDEN, HIDDEN)
            parameters[f"{name}.bias"] = np.zeros(GATES * HIDDEN, np.float32)
            parameters[f"{name}.bias"][:HIDDEN] = 1  # remember, until taught to forget
        parameters["head.w"] = weights(2, HIDDEN)
        parameters["head.bias"] = np.zeros(2, np.float32)
        return cls(parameters)

    def as_executed(self) -> dict[str, Array]:
        """The parameters, weights rounded to their codes when quantized."""
        if not self.quantized:
            return self.parameters
        rounded = dict(self.parameters)
        for name in WEIGHTS:
            code, scale = codes(self.parameters[name])
            rounded[name] = code * scale
        return rounded

    def float_twin(self) -> "Network":
        """The network without FakeQuantize, with exactly the weights this one executes."""
        return replace(self, parameters=self.as_executed(), quantized=False)

    def quantize(self, x: Array, name: str) -> Array:
        return fake_quantize(x, self.ranges[name]) if self.quantized else x

    def answer(self, frames: Array) -> Array:
        """Answers [time, batch, 2] to frames [time, batch, LINES], from states of zero."""
        return self.forward(frames, self.as_executed())[0]

    def forward(self, frames: Array, p: dict[str, Array]) -> tuple[Array, list[Trace]]:
        traces: list[Trace] = []
        x = frames
        for name in LAYERS:
            traces.append(self.layer(x, name, p))
            x = traces[-1].h[1:]
        return self.quantize(x, "head") @ p["head.w"].T + p["head.bias"], traces

    def layer(self, x: Array, name: str, p: dict[str, Array]) -> Trace:
        time, batch, _ = x.shape
        wh = np.ascontiguousarray(p[f"{name}.wh"].T)
        gates = self.quantize(x, name) @ p[f"{name}.wx"].T + p[f"{name}.bias"]
        h, c = np.zeros((2, time + 1, batch, HIDDEN), np.float32)
        for t in range(time):
            g = gates[t]
            g += self.quantize_state(h[t]) @ wh
            forget, enter, candidate, leave = np.split(g, GATES, axis=1)
            for gate in (forget, enter, leave):
                gate[:] = sigmoid(gate)
            candidate[:] = np.tanh(candidate)
            c[t + 1] = forget * c[t] + enter * candidate
            h[t + 1] = leave * np.tanh(c[t + 1])
        return Trace(x, gates, h, c)

    def quantize_state(self, h: Array) -> Array:
        return fake_quantize(h, STATE_RANGE) if self.quantized else h

    def gradient(self, frames: Array, slope: Slope) -> tuple[float, dict[str, Array]]:
        """The loss and its derivative by each parameter; `slope`: answers -> loss, d answers."""
        p = self.as_executed()
        answers, traces = self.forward(frames, p)
        loss, d_answers = slope(answers)
        last = self.quantize(traces[-1].h[1:], "head")
        grads = {
            "head.w": np.einsum("tbo,tbi->oi", d_answers, last, optimize=True),
            "head.bias": d_answers.sum(axis=(0, 1)),
        }
        d_out = d_answers @ p["head.w"]
        for name, trace in zip(reversed(LAYERS), reversed(traces), strict=True):
            d_out = self.layer_gradient(d_out, name, trace, p, grads)
        return loss, grads

    def layer_gradient(
        self, d_out: Array, name: str, trace: Trace, p: dict[str, Array], grads: dict[str, Array]
    ) -> Array:
        """Adds the layer's gradients to `grads` and returns the one of its input."""
        time, batch, _ = d_out.shape
        d_gates = np.empty_like(trace.gates)
        d_h, d_c = np.zeros((2, batch, HIDDEN), np.float32)
        for t in reversed(range(time)):
            forget, enter, candidate, leave = np.split(trace.gates[t], GATES, axis=1)
            squashed = np.tanh(trace.c[t + 1])
            d_h = d_h + d_out[t]
            d_c = d_c + d_h * leave * (1 - squashed**2)
            parts = np.split(d_gates[t], GATES, axis=1)
            parts[0][:] = d_c * trace.c[t] * forget * (1 - forget)
            parts[1][:] = d_c * candidate * enter * (1 - enter)
            parts[2][:] = d_c * enter * (1 - candidate**2)
            parts[3][:] = d_h * squashed * leave * (1 - leave)
            d_h = d_gates[t] @ p[f"{name}.wh"]
            d_c = d_c * forget
        flat = d_gates.reshape(time * batch, -1)
        grads[f"{name}.wx"] = flat.T @ self.quantize(trace.x, name).reshape(time * batch, -1)
        grads[f"{name}.wh"] = flat.T @ self.quantize_state(trace.h[:-1]).reshape(time * batch, -1)
        grads[f"{name}.bias"] = flat.sum(axis=0)
        d_x = d_gates @ p[f"{name}.wx"]
        return d_x * (np.abs(trace.x) <= self.ranges[name]) if self.quantized else d_x
