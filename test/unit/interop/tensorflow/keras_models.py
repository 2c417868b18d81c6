"""Models of Keras 2 and 3, recurrent ones and those over images, and what they give. Needs TensorFlow."""

import os
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # pyright: ignore[reportMissingImports]
import numpy as np
import tensorflow as tf
import tf_keras  # pyright: ignore[reportMissingImports]

from lowstream.test.unit.interop.tensorflow.keras_images import MODELS as IMAGES  # pyright: ignore[reportMissingImports]
from lowstream.test.unit.interop.tensorflow.keras_images import image_model  # pyright: ignore[reportMissingImports]

KERAS: dict[str, Any] = {"keras2": tf_keras, "keras3": keras}

STEPS, INPUTS, BATCH, UNITS = 5, 3, 2, 4

RESET = 2
"""The call before which states are reset, of stateful models."""

Build = Callable[[Any, Any], Any]

SHAPE = (STEPS, INPUTS)

MODELS: dict[str, Build] = {
    "last": lambda layers, x: layers.LSTM(UNITS)(x),
    "sequence": lambda layers, x: layers.LSTM(UNITS, return_sequences=True)(x),
    "backwards": lambda layers, x: layers.LSTM(UNITS, go_backwards=True, return_sequences=True)(x),
    "concat": lambda layers, x: layers.Bidirectional(layers.LSTM(UNITS, return_sequences=True))(x),
    "sum": lambda layers, x: layers.Bidirectional(
        layers.LSTM(UNITS, return_sequences=True), merge_mode="sum"
    )(x),
    "stacked": lambda layers, x: layers.Dense(3)(
        layers.LSTM(UNITS)(layers.LSTM(6, return_sequences=True)(x))
    ),
    "states": lambda layers, x: layers.LSTM(UNITS, return_sequences=True, return_state=True)(x),
    "saturating": lambda layers, x: layers.LSTM(
        UNITS, kernel_initializer="ones", bias_initializer=_large, return_sequences=True
    )(x * 30),
    "stateful": lambda layers, x: layers.LSTM(UNITS, return_sequences=True, stateful=True)(x),
    "gru": lambda layers, x: layers.GRU(UNITS, return_sequences=True)(x),
    "attention": lambda layers, x: layers.Activation("gelu")(layers.MultiHeadAttention(2, 4)(x, x)),
}
"""By name, what is made of the input."""


def _large(shape: Any, dtype: Any = None, **_: Any) -> Any:
    return tf.ones(shape, dtype) * 8


def model_of(kind: str, name: str) -> Any:
    """The model, with weights that are the same each time."""
    library = KERAS[kind]
    if name in IMAGES:
        return image_model(library, name)
    library.utils.set_random_seed(7)
    x = library.Input(SHAPE, batch_size=BATCH, name="x")
    if name == "time_major":
        layer = library.layers.LSTM(UNITS, return_sequences=True, time_major=True)
        x = library.Input((BATCH, INPUTS), batch_size=STEPS, name="x")
        return library.Model(x, layer(x))
    if name == "initial":
        states = [np.full((BATCH, UNITS), value, np.float32) for value in (0.5, -0.75)]
        layer = library.layers.LSTM(UNITS, return_sequences=True)
        start = [tf.constant(state) for state in states]
        if kind == "keras3":
            start = [library.ops.convert_to_tensor(state) for state in states]
        return library.Model(x, layer(x, initial_state=start))
    return library.Model(x, MODELS[name](library.layers, x))


def cases() -> Iterator[tuple[str, str]]:
    """Each kind of Keras with the names of its models."""
    for kind in KERAS:
        for name in (*MODELS, *IMAGES):
            yield kind, name
        yield kind, "initial"
    yield "keras2", "time_major"  # Keras 3 has no such layers


def calls(model: Any, name: str) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
    """Three calls in a row: what goes in and what comes out; states are reset before the last one."""
    layer = next((layer for layer in model.layers if getattr(layer, "stateful", False)), None)
    if layer is not None:
        layer.reset_states() if hasattr(layer, "reset_states") else layer.reset_state()
    shape = tuple(model.inputs[0].shape)
    for call in range(3):
        if call == RESET and layer is not None:
            layer.reset_states() if hasattr(layer, "reset_states") else layer.reset_state()
        x = np.random.default_rng(call).normal(size=shape).astype(np.float32)
        yield x, [np.asarray(each) for each in tf.nest.flatten(model(x, training=False))]
    if layer is not None:
        layer.reset_states() if hasattr(layer, "reset_states") else layer.reset_state()
