"""Models to measure, made here so that nothing has to be downloaded. Weights are random: results are right
or wrong against another runtime, never accurate."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino as ov
import openvino.opset15 as op

FRAME = 64
"""Numbers in a frame."""

LAYERS = 2
GATES = 4
LEVELS = 256
HIGHEST = 127
"""The greatest code of 8 bits."""


def streaming_lstm(hidden: int, seed: int = 0, bits: int = 8) -> ov.Model:
    """
    `frame` [1, 1, 64] -> `features` [1, 1, hidden]: two LSTM layers as TensorIterators of one iteration.

    Activations pass FakeQuantize, weights are i8 constants with a scale for each output, as quantizing tools
    leave a model, with codes of 4 or 8 bits. LowLatency2 makes states of the merged inputs.
    """
    rng = np.random.default_rng(seed)
    frame = op.parameter([1, 1, FRAME], np.float32)
    frame.output(0).set_names({"frame"})
    sequence = frame.output(0)
    for layer in range(LAYERS):
        sequence = _iterate(rng, sequence, hidden, f"layer{layer}", bits)
    features = op.result(sequence)
    features.output(0).set_names({"features"})
    return _model([features], [frame], f"streaming_lstm_{hidden}")


def _iterate(rng: np.random.Generator, sequence: Any, hidden: int, name: str, bits: int) -> Any:
    """One layer over axis 1 of the sequence, with `h` and `c` carried from step to step."""
    width = sequence.get_shape()[2]
    x = _parameter("x", 1, 1, width)
    h, c = _parameter("h", 1, hidden), _parameter("c", 1, hidden)
    h_next, c_next = _cell(rng, op.squeeze(x, _axis()), h, c, bits)
    step = op.result(op.unsqueeze(h_next, _axis()))
    carried = [op.result(h_next), op.result(c_next)]

    loop = op.tensor_iterator()
    loop.set_friendly_name(name)
    loop.set_body(_model([step, *carried], [x, h, c], "body"))
    loop.set_sliced_input(x, sequence, 0, 1, 1, -1, 1)
    zeros = op.constant(np.zeros((1, hidden), np.float32))
    for state, after in zip((h, c), carried, strict=True):
        loop.set_merged_input(state, zeros.output(0), after.output(0))
    return loop.get_concatenated_slices(step.output(0), 0, 1, 1, -1, 1)


def _cell(rng: np.random.Generator, x: Any, h: Any, c: Any, bits: int) -> tuple[Any, Any]:
    """
    i, f, g, o = split(x Wx + h Wh + b);  c' = sigmoid(f) c + sigmoid(i) tanh(g);  h' = sigmoid(o) tanh(c')
    """
    hidden = int(h.get_output_shape(0)[1])
    products = [
        op.matmul(
            _quantized(value),
            _weights(rng, GATES * hidden, int(value.get_output_shape(0)[1]), bits=bits),
            False,
            True,
        )
        for value in (x, h)
    ]
    bias = op.constant(rng.normal(0, 0.05, (1, GATES * hidden)).astype(np.float32))
    sums = op.add(op.add(*products), bias)
    gates = op.split(sums, op.constant(np.int64(1)), GATES)
    enter, forget, candidate, leave = gates.outputs()
    kept = op.multiply(op.sigmoid(forget), c)
    added = op.multiply(op.sigmoid(enter), op.tanh(candidate))
    c_next = op.add(kept, added)
    return op.multiply(op.sigmoid(leave), op.tanh(c_next)), c_next


def streaming_gru(
    hidden: int, linear_before_reset: bool, quantized: bool, seed: int = 0
) -> ov.Model:
    """`frame` [1, 1, 64] -> `features` [1, 1, hidden]: two GRUSequences of one step, whose states are kept."""
    rng = np.random.default_rng(seed)
    frame = op.parameter([1, 1, FRAME], np.float32)
    frame.output(0).set_names({"frame"})
    step: Any = frame
    states = list[Any]()
    for layer in range(LAYERS):
        zeros = op.constant(np.zeros((1, 1, hidden), np.float32))
        state = op.read_value(zeros, f"state{layer}", np.float32, [1, 1, hidden])
        widths = (hidden if layer else FRAME, hidden)
        weights = [_weights(rng, 3 * hidden, width, quantized) for width in widths]
        biases = rng.normal(0, 0.05, (1, (4 if linear_before_reset else 3) * hidden))
        gru = op.gru_sequence(
            *(_quantized(value) if quantized else value for value in (step, state)),
            op.constant(np.array([1], np.int32)),
            *(op.unsqueeze(weight, op.constant(np.int64(0))) for weight in weights),
            op.constant(biases.astype(np.float32)),
            hidden,
            "forward",
            linear_before_reset=linear_before_reset,
        )
        step = op.squeeze(gru.output(0), _axis())
        states.append(op.assign(step, f"state{layer}"))
    features = op.result(step)
    features.output(0).set_names({"features"})
    return _model([features], states, [frame], f"streaming_gru_{hidden}")


def _quantized(value: Any) -> Any:
    """Values from -1 to 1 in 8 bits."""
    low, high = (op.constant(np.float32(code / HIGHEST)) for code in (-HIGHEST - 1, HIGHEST))
    return op.fake_quantize(value, low, high, low, high, LEVELS)


def _weights(
    rng: np.random.Generator, outputs: int, inputs: int, quantized: bool = True, bits: int = 8
) -> Any:
    """i8 codes of so many bits and a scale for each output, dequantized; or the same numbers in f32."""
    exact = rng.normal(0, np.sqrt(2 / inputs), (outputs, inputs))
    scale = np.abs(exact).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
    codes = np.round(exact / scale).astype(np.int8)
    if not quantized:
        return op.constant((codes * scale).astype(np.float32))
    scales = op.constant(scale.astype(np.float32))
    return op.multiply(op.convert(op.constant(codes), "f32"), scales)


def _axis() -> Any:
    return op.constant(np.array([1], np.int64))


def _parameter(name: str, *shape: int) -> Any:
    parameter = op.parameter(shape, np.float32)
    parameter.set_friendly_name(name)
    return parameter


def _model(*parts: Any) -> ov.Model:
    """A model; OpenVINO's stubs know two classes of that name."""
    model: Any = ov.Model
    return model(*parts)
