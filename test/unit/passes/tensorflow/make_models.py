"""
Makes the models in `data/`, what TensorFlow prints and what Keras computes, for tests that run without either.

    python make_models.py [NAME …]     # needs tensorflow, tf_keras and keras 3
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # pyright: ignore[reportMissingImports]
import numpy as np
import tensorflow  # pyright: ignore[reportMissingImports]
import tf_keras  # pyright: ignore[reportMissingImports]

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.interop.tensorflow.variables import bind_captures

tf: Any = tensorflow
DATA = Path(__file__).parent / "data"
BATCH, STEPS, INPUTS, CELLS = 2, 4, 3, 2
SHAPE = (BATCH, STEPS, INPUTS)
WEIGHTS = np.random.default_rng(1)
NUMBERS = np.random.default_rng(2)

MODELS: dict[str, Callable[[], None]] = {}


def model(function: Callable[[], None]) -> Callable[[], None]:
    MODELS[function.__name__] = function
    return function


def write(name: str, function: Any, x: Any, shape: Any = SHAPE, calls: int = 1) -> None:
    """Writes the module of a function, the input, and what some calls in a row give."""

    def flat(x: Any) -> Any:
        return tf.nest.flatten(function(x))

    concrete = tf.function(flat).get_concrete_function(tf.TensorSpec(shape, tf.float32, "x"))
    text = tf.mlir.experimental.convert_function(concrete, show_debug_info=False)
    module = parse_module(text, name, context())
    bind_captures(module, concrete)
    (DATA / f"{name}.mlir").write_text(str(module) + "\n")
    outputs = {
        f"call{call}/{i}": value.numpy()
        for call in range(calls)
        for i, value in enumerate(concrete(tf.constant(x)))
    }
    np.savez_compressed(DATA / f"{name}.npz", x=x, **outputs)


def numbers(*shape: int) -> Any:
    return NUMBERS.normal(size=shape).astype(np.float32)


def holes(x: Any) -> Any:
    """Steps of zeros, which a mask leaves out: one at the start, one inside, one at the end, and a whole entry."""
    x[0, [0, 2]] = 0
    x[1, 3] = 0
    return x


def keras_model(library: Any, layer: Any, batch: Any = BATCH, steps: Any = STEPS) -> Any:
    x = library.Input((steps, INPUTS), batch_size=batch)
    made = library.Model(x, layer(x))
    for weight in made.trainable_weights:
        weight.assign(WEIGHTS.normal(0, 0.5, weight.shape).astype(np.float32))
    return made


def single_layers(library: Any, prefix: str) -> None:
    """Models of one layer that both generations of Keras have."""
    k = library.layers
    plain: dict[str, Callable[[], Any]] = {
        "lstm": lambda: k.LSTM(CELLS),
        "lstm_sequence": lambda: k.LSTM(CELLS, return_sequences=True),
        "lstm_states": lambda: k.LSTM(CELLS, return_sequences=True, return_state=True),
        "lstm_backward": lambda: k.LSTM(CELLS, return_sequences=True, go_backwards=True),
        "lstm_bidirectional": lambda: k.Bidirectional(k.LSTM(CELLS, return_sequences=True)),
        "lstm_bidirectional_sum": lambda: k.Bidirectional(
            k.LSTM(CELLS, return_sequences=True), merge_mode="sum"
        ),
        "lstm_bidirectional_last": lambda: k.Bidirectional(k.LSTM(CELLS)),
        "gru": lambda: k.GRU(CELLS, return_sequences=True, return_state=True),
        "gru_reset_before": lambda: k.GRU(CELLS, reset_after=False),
        "rnn": lambda: k.SimpleRNN(CELLS, return_sequences=True),
    }
    for name, make in plain.items():

        def emit(name: str = f"{prefix}_{name}", make: Callable[[], Any] = make) -> None:
            write(name, keras_model(library, make()), numbers(*SHAPE))

        emit.__name__ = f"{prefix}_{name}"
        model(emit)


def other_models(library: Any, prefix: str) -> None:
    """Models of several layers, or of other inputs, that both generations of Keras have."""
    k = library.layers

    def stacked() -> None:
        made = library.Sequential(
            [
                library.Input((STEPS, INPUTS), batch_size=BATCH),
                k.LSTM(CELLS, return_sequences=True),
                k.LSTM(3),
                k.Dense(2),
            ]
        )
        write(f"{prefix}_stacked", made, numbers(*SHAPE))

    def stateful() -> None:
        made = keras_model(library, k.LSTM(CELLS, stateful=True))
        write(f"{prefix}_stateful", made, numbers(*SHAPE), calls=3)

    def masked() -> None:
        layer = k.LSTM(CELLS, return_sequences=True, return_state=True)
        made = keras_model(library, lambda x: layer(k.Masking()(x)))
        write(f"{prefix}_masked", made, holes(numbers(*SHAPE)))

    def dynamic() -> None:
        made = keras_model(library, k.LSTM(CELLS, return_sequences=True), None, None)
        write(f"{prefix}_dynamic", made, numbers(3, 5, INPUTS), (None, None, INPUTS))

    for function in (stacked, stateful, masked, dynamic):
        function.__name__ = f"{prefix}_{function.__name__}"
        model(function)


for _generation in ((tf_keras, "keras2"), (keras, "keras3")):
    single_layers(*_generation)
    other_models(*_generation)


@model
def keras2_time_major() -> None:
    layer = tf_keras.layers.LSTM(CELLS, return_sequences=True, time_major=True)
    write("keras2_time_major", keras_model(tf_keras, layer), numbers(*SHAPE))


@model
def keras2_initial_state() -> None:
    h, c = tf.constant(numbers(BATCH, CELLS)), tf.constant(3 * numbers(BATCH, CELLS))
    layer = tf_keras.layers.LSTM(CELLS, return_state=True)
    made = keras_model(tf_keras, lambda x: layer(x, initial_state=[h, c]))
    write("keras2_initial_state", made, numbers(*SHAPE))


@model
def keras2_saturating() -> None:
    """Gates wide open: the cell state counts the steps, far beyond upstream's clip of 10."""
    steps = 40
    made = keras_model(tf_keras, tf_keras.layers.LSTM(CELLS, return_state=True), steps=steps)
    for weight in made.trainable_weights:
        weight.assign(tf.ones_like(weight) * 2)
    write("keras2_saturating", made, np.ones((BATCH, steps, INPUTS), np.float32), (BATCH, steps, 3))


@model
def keras3_hard_sigmoid() -> None:
    layer = keras.layers.LSTM(CELLS, recurrent_activation="hard_sigmoid", use_bias=False)
    write("keras3_hard_sigmoid", keras_model(keras, layer), numbers(*SHAPE))


@model
def keras3_masked_gru() -> None:
    layer = keras.layers.GRU(CELLS)
    made = keras_model(keras, lambda x: layer(keras.layers.Masking()(x)))
    write("keras3_masked_gru", made, holes(numbers(*SHAPE)))


@model
def keras3_masked_zeros() -> None:
    layer = keras.layers.LSTM(CELLS, return_sequences=True, zero_output_for_mask=True)
    made = keras_model(keras, lambda x: layer(keras.layers.Masking()(x)))
    write("keras3_masked_zeros", made, holes(numbers(*SHAPE)))


@model
def keras3_one() -> None:
    """Of one batch entry TensorFlow's graph looks different."""
    made = keras_model(keras, keras.layers.LSTM(CELLS), 1)
    write("keras3_one", made, numbers(1, STEPS, INPUTS), (1, STEPS, INPUTS))


# --- lingvo, and adapters -------------------------------------------------------------------------


def variable(*shape: int) -> Any:
    return tf.Variable(WEIGHTS.normal(0, 0.5, shape).astype(np.float32))


def normalized(x: Any, scale: Any) -> Any:
    centered = x - tf.reduce_mean(x, -1, keepdims=True)
    variance = tf.reduce_mean(tf.square(centered), -1, keepdims=True)
    return centered * tf.math.rsqrt(variance + 1e-8) * scale


def lingvo(name: str, annotation: str, coupled: bool, projected: bool, layer_norm: bool) -> None:
    gates, outputs = 3 if coupled else 4, 3 if projected else CELLS
    weights = [variable(INPUTS + outputs, gates * CELLS), variable(gates * CELLS)]
    weights += [variable(CELLS, outputs)] if projected else []
    weights += [variable(gates * CELLS)] if layer_norm else []

    @tf.function(experimental_implements=annotation, autograph=False)
    def cell(x: Any, w: Any, bias: Any, *rest: Any) -> Any:
        h = tf.zeros((BATCH, outputs))
        c = tf.zeros((BATCH, CELLS))
        parts = tf.split(tf.concat([x, h], 1) @ w, gates, 1)
        if layer_norm:
            scales = tf.split(rest[-1], gates)
            parts = [normalized(p, s) for p, s in zip(parts, scales, strict=True)]
        parts = [p + b for p, b in zip(parts, tf.split(bias, gates), strict=True)]
        candidate, *enter, forget, leave = parts
        f = tf.sigmoid(forget)
        i = 1 - f if coupled else tf.sigmoid(enter[0])
        c = f * c + i * tf.tanh(candidate)
        c = tf.clip_by_value(c, -0.25, 0.25)
        m = tf.sigmoid(leave) * tf.tanh(c)
        return m @ rest[0] if projected else m

    write(
        name,
        lambda x: cell(x, *map(tf.convert_to_tensor, weights)),
        numbers(BATCH, INPUTS),
        (BATCH, INPUTS),
    )


LINGVO = {
    "lingvo_simple": ("lingvo.LSTMCellSimple", False, True, False),
    "lingvo_unprojected": ("LSTMCellSimple", False, False, False),
    "lingvo_coupled": ("LSTMCellSimple,CoupleInputForgetGates", True, True, False),
    "lingvo_normalized": ("lingvo.LayerNormalizedLSTMCellSimple", False, True, True),
    "lingvo_normalized_coupled": (
        "LayerNormalizedLstmCellSimple,CoupleInputForgetGates",
        True,
        False,
        True,
    ),
}


def add_lingvo(name: str) -> None:
    def emit() -> None:
        lingvo(name, *LINGVO[name])

    emit.__name__ = name
    model(emit)


for each in LINGVO:
    add_lingvo(each)


@model
def adapted() -> None:
    """Option 1 of the page: a user's RNN behind a function with the annotation and interface of Keras."""
    w, r, b = variable(INPUTS, 4 * CELLS), variable(CELLS, 4 * CELLS), variable(4 * CELLS)
    attributes = {
        "api_implements": "lstm_adapter-of-my-own",
        "api_preferred_device": "CPU",
        "go_backwards": False,
        "time_major": False,
    }

    @tf.function(autograph=False, experimental_attributes=attributes)
    def my_lstm(x: Any, h: Any, c: Any, w: Any, r: Any, b: Any) -> Any:
        outputs: list[Any] = []
        for t in range(STEPS):
            i, f, g, o = tf.split(x[:, t] @ w + h @ r + b, 4, 1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
            outputs.append(h)
        return h, tf.stack(outputs, 1), h, c, tf.constant(1.0)

    zeros = tf.zeros((BATCH, CELLS))
    write(
        "adapted",
        lambda x: my_lstm(x, zeros, zeros, *map(tf.convert_to_tensor, (w, r, b)))[1],
        numbers(*SHAPE),
    )


# --- what the package in docs/examples/composites fuses -------------------------------------------


def own(name: str) -> Callable[[Any], Any]:
    return tf.function(experimental_implements=f"recurrent_cells.{name}", autograph=False)


@model
def own_peephole() -> None:
    @own("PeepholeLSTM")
    def lstm(x: Any, h: Any, c: Any, w: Any, r: Any, p: Any, b: Any) -> Any:
        p_i, p_f, p_o = tf.split(p, 3)
        outputs: list[Any] = []
        for t in range(STEPS):
            i, f, g, o = tf.split(x[:, t] @ w + h @ r + b, 4, 1)
            i, f = tf.sigmoid(i + p_i * c), tf.sigmoid(f + p_f * c)
            c = f * c + i * tf.tanh(g)
            h = tf.sigmoid(o + p_o * c) * tf.tanh(c)
            outputs.append(h)
        return tf.stack(outputs, 1)

    shapes = [(INPUTS, 4 * CELLS), (CELLS, 4 * CELLS), (3 * CELLS,), (4 * CELLS,)]
    weights = [variable(*shape) for shape in shapes]
    h, c = tf.constant(numbers(BATCH, CELLS)), tf.constant(numbers(BATCH, CELLS))
    values = map(tf.convert_to_tensor, weights)
    write("own_peephole", lambda x: lstm(x, h, c, *values), numbers(*SHAPE))


@model
def own_minimal_gated_unit() -> None:
    @own("MinimalGatedUnit")
    def unit(x: Any, h: Any, w: Any, r: Any, b: Any) -> Any:
        (w_f, w_h), (r_f, r_h), (b_f, b_h) = (tf.split(v, 2, -1) for v in (w, r, b))
        outputs: list[Any] = []
        for t in range(STEPS):
            f = tf.sigmoid(x[:, t] @ w_f + h @ r_f + b_f)
            new = tf.tanh(x[:, t] @ w_h + (f * h) @ r_h + b_h)
            h = (1 - f) * h + f * new
            outputs.append(h)
        return tf.stack(outputs, 1)

    weights = [variable(INPUTS, 2 * CELLS), variable(CELLS, 2 * CELLS), variable(2 * CELLS)]
    h = tf.constant(numbers(BATCH, CELLS))
    values = map(tf.convert_to_tensor, weights)
    write("own_minimal_gated_unit", lambda x: unit(x, h, *values), numbers(*SHAPE))


@model
def own_gated_linear_unit() -> None:
    @own("GatedLinearUnit")
    def unit(x: Any, w: Any, b: Any, v: Any, c: Any) -> Any:
        return (x @ w + b) * tf.sigmoid(x @ v + c)

    weights = [variable(INPUTS, CELLS), variable(CELLS), variable(INPUTS, CELLS), variable(CELLS)]
    values = map(tf.convert_to_tensor, weights)
    write(
        "own_gated_linear_unit",
        lambda x: unit(x, *values),
        numbers(BATCH, INPUTS),
        (BATCH, INPUTS),
    )


if __name__ == "__main__":
    DATA.mkdir(exist_ok=True)
    for name in sys.argv[1:] or MODELS:
        MODELS[name]()
