"""The trained network as an OpenVINO model, the form that quantizing tools hand on.

    frame [1,1,64] -> TensorIterator lstm0 -> TensorIterator lstm1 -> head -> answers [1,1,2]

Each iterator runs once per call: LowLatency2 turns its two merged inputs into states. Activations
pass FakeQuantize, weights are i8 Constant -> Convert -> Multiply (a scale per output channel).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset15 as op
from network import GATES, HIDDEN, LAYERS
from numpy.typing import NDArray
from voice import LINES

Arrays = Mapping[str, NDArray[Any]]  # what `train.export` returns


def openvino_model(arrays: Arrays) -> ov.Model:
    frame = named(op.parameter([1, 1, LINES], np.float32), "frame")
    frame.output(0).set_names({"frame"})
    x = frame.output(0)
    for name in LAYERS:
        x = layer(x, name, arrays)
    x = fake_quantize(x, "head.range", arrays)
    product = op.matmul(x, weights("head.w", arrays), False, True)
    answers = named(op.add(named(product, "head"), constant("head.bias", arrays)), "answers")
    answers.output(0).set_names({"answers"})
    return model([op.result(answers)], [frame], "pitch")


def layer(x: ov.Output, name: str, arrays: Arrays) -> ov.Output:
    """A TensorIterator of one iteration over axis 1 of `x` [1, 1, inputs]."""
    inputs = x.get_shape()[2]
    x_t = named(op.parameter([1, 1, inputs], np.float32), "X_t")
    h_t = named(op.parameter([1, HIDDEN], np.float32), "H_t")
    c_t = named(op.parameter([1, HIDDEN], np.float32), "C_t")

    axis = named(op.constant(np.array([1], np.int64)), f"{name}.axis")
    step = named(op.squeeze(x_t, axis), f"{name}.squeeze")
    quantized_x = fake_quantize(step, f"{name}.range", arrays)
    quantized_h = fake_quantize(h_t, f"{name}.state.range", arrays)
    from_x = op.matmul(quantized_x, weights(f"{name}.wx", arrays), False, True)
    from_h = op.matmul(quantized_h, weights(f"{name}.wh", arrays), False, True)
    named(from_x, f"{name}.x")
    named(from_h, f"{name}.h")
    sums = named(op.add(from_x, from_h), f"{name}.sums")
    biased = named(op.add(sums, constant(f"{name}.bias", arrays)), f"{name}.biased")
    split_axis = named(op.constant(np.int64(1)), f"{name}.split_axis")
    gates = named(op.split(biased, split_axis, GATES), f"{name}.gates")
    forget = named(op.sigmoid(gates.output(0)), f"{name}.forget")
    enter = named(op.sigmoid(gates.output(1)), f"{name}.enter")
    candidate = named(op.tanh(gates.output(2)), f"{name}.candidate")
    leave = named(op.sigmoid(gates.output(3)), f"{name}.leave")
    remembered = named(op.multiply(forget, c_t), f"{name}.remembered")
    entering = named(op.multiply(enter, candidate), f"{name}.entering")
    c = named(op.add(remembered, entering), f"{name}.cell")
    h = named(op.multiply(leave, named(op.tanh(c), f"{name}.squashed")), f"{name}.hidden")

    frame = named(op.unsqueeze(h, axis), f"{name}.unsqueeze")
    out, h_next, c_next = op.result(frame), op.result(h), op.result(c)
    loop = op.tensor_iterator()
    loop.set_body(model([out, h_next, c_next], [x_t, h_t, c_t], "body"))
    loop.set_sliced_input(x_t, x, 0, 1, 1, -1, 1)
    zeros = named(op.constant(np.zeros((1, HIDDEN), np.float32)), f"{name}.zeros")
    loop.set_merged_input(h_t, zeros.output(0), h_next.output(0))
    loop.set_merged_input(c_t, zeros.output(0), c_next.output(0))
    loop.set_friendly_name(name)
    return loop.get_concatenated_slices(out.output(0), 0, 1, 1, -1, 1)


def fake_quantize(x: Any, name: str, arrays: Arrays) -> Any:
    """To the 256 values of an i8; nothing where `arrays` has no such range (the f32 twin)."""
    if name not in arrays:
        return x
    lowest = (arrays[name] * np.float32(-128 / 127)).astype(np.float32)
    low, high = named(op.constant(lowest), f"{name}.low"), constant(name, arrays)
    quantized = op.fake_quantize(x, low, high, low, high, 256)
    return named(quantized, name.replace("range", "quantized")).output(0)


def weights(name: str, arrays: Arrays) -> Any:
    """i8 codes times their scales."""
    codes = named(op.convert(constant(name, arrays), "f32"), f"{name}.codes")
    return named(op.multiply(codes, constant(f"{name}.scale", arrays)), f"{name}.weights")


def constant(name: str, arrays: Arrays) -> Any:
    return named(op.constant(arrays[name]), name)


def model(results: list[Any], parameters: list[Any], name: str) -> ov.Model:
    make: Any = ov.Model  # its overloads confuse type checkers
    return make(results, parameters, name)


def named(node: Any, name: str) -> Any:
    node.set_friendly_name(name)
    return node
