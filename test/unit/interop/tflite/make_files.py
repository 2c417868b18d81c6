"""
Makes files/: .tflite files of TensorFlow's converter, for tests without TensorFlow.

    python test/unit/interop/tflite/make_files.py     # needs tensorflow and tf_keras
"""

import os
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow
import tf_keras  # pyright: ignore[reportMissingImports]

tf: Any = tensorflow
layers: Any = tf_keras.layers
FILES = Path(__file__).parent / "files"


def write(name: str, function: Any) -> None:
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function])
    (FILES / f"{name}.tflite").write_bytes(converter.convert())


def gru(backwards: bool) -> Any:
    tf_keras.utils.set_random_seed(3)
    x = tf_keras.Input((5, 3), batch_size=2)
    layer = tf_keras.layers.GRU(4, return_sequences=True, return_state=True, go_backwards=backwards)
    model = tf_keras.Model(x, layer(x))
    return tf.function(lambda x: model(x)).get_concrete_function(tf.TensorSpec((2, 5, 3)))


def stream(is_last: bool) -> Any:
    """Loops over [1, 5, 3], with the reshapes of the length that the converter makes of transposes."""
    tf_keras.utils.set_random_seed(5)
    x = tf_keras.Input((5, 3), batch_size=1)
    y = layers.LSTM(4, return_sequences=True)(layers.Conv1D(4, 1)(x))
    y = layers.Dense(2)(layers.GRU(3, return_sequences=not is_last)(y))
    model = tf_keras.Model(x, y)
    return tf.function(lambda x: model(x)).get_concrete_function(tf.TensorSpec((1, 5, 3)))


def nested() -> Any:
    """A loop that a limit and a test end, with a branch in it."""

    def call(x: Any, n: Any) -> Any:
        def body(i: Any, a: Any, b: Any) -> Any:
            chosen = tf.cond(tf.reduce_sum(a) > 1, lambda: b - a, lambda: b + 1)
            return i + 1, a * 0.5 + b, chosen

        def go_on(i: Any, a: Any, b: Any) -> Any:
            return tf.logical_and(i < n, tf.reduce_max(a) < 6)

        return tf.while_loop(go_on, body, [tf.constant(0), x, x * 2])

    specs = tf.TensorSpec((2, 3)), tf.TensorSpec((), tf.int32)
    return tf.function(call).get_concrete_function(*specs)


def quantized(name: str, shape: tuple[int, ...], call: Any, codes: str = "int8") -> None:
    """A model in 8 bits, calibrated on noise; with `codes` of "" only its weights are."""
    tf_keras.utils.set_random_seed(1)
    x = tf_keras.Input(shape, batch_size=1, name="x")
    converter = tf.lite.TFLiteConverter.from_keras_model(tf_keras.Model(x, call(x)))
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if codes:
        converter.representative_dataset = lambda: (
            [np.random.default_rng(i).normal(size=(1, *shape)).astype(np.float32)]
            for i in range(20)
        )
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = getattr(tf, codes)
    (FILES / f"quantized_{name}.tflite").write_bytes(converter.convert())


def autoencoder(x: Any) -> Any:
    for cells in (16, 4, 16):
        x = layers.ReLU()(layers.BatchNormalization()(layers.Dense(cells)(x)))
    return layers.Dense(24)(x)


def keywords(x: Any) -> Any:
    x = layers.DepthwiseConv2D((10, 4), strides=2, depth_multiplier=8, padding="same")(x)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    for _ in range(2):
        x = layers.ReLU()(layers.DepthwiseConv2D(3, padding="same")(x))
        x = layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(8, 1)(x)))
    x = layers.Flatten()(layers.AveragePooling2D((13, 5))(x))
    return layers.Softmax()(layers.Dense(12)(x))


def residual(x: Any) -> Any:
    y = layers.Conv2D(4, 3, padding="same", activation="relu")(x)
    z = layers.Conv2D(4, 3, padding="same", activation="relu")(y)
    y = layers.ReLU()(layers.Add()([y, layers.Conv2D(4, 3, padding="same")(z)]))
    z = layers.Conv2D(6, 3, strides=2, padding="same")(y)
    y = layers.ReLU(6.0)(layers.Add()([layers.Conv2D(6, 1, strides=2)(y), z]))
    y = layers.GlobalAveragePooling2D()(layers.MaxPooling2D()(y))
    return layers.Softmax()(layers.Dense(10)(y))


def mixed(x: Any) -> Any:
    a = layers.Conv2D(4, 3, padding="same", activation="sigmoid")(x)
    b = layers.Conv2D(4, 3, padding="same", activation="tanh")(x)
    c = layers.Conv2DTranspose(6, 3, strides=2, padding="same")(layers.Concatenate()([a, b]))
    d = layers.LeakyReLU(0.1)(c)
    e = layers.Conv2D(5, 3, activation="relu6")(layers.ZeroPadding2D(1)(layers.Multiply()([d, d])))
    f = layers.Dense(3)(layers.Permute((2, 1))(layers.Reshape((144, 5))(e)))
    return layers.Subtract()([f[:, 1:3], f[:, :2]])


def resized(x: Any) -> Any:
    u = layers.UpSampling2D(2, interpolation="bilinear")(x)
    u = layers.Conv2D(4, 3, padding="same")(u)
    u = u * tf.nn.relu6(u + 3) / 6
    v = layers.PReLU(shared_axes=[1, 2])(layers.UpSampling2D(2)(x))
    w = layers.Multiply()([u, v])
    return tf.reduce_max(w * tf.sigmoid(tf.reduce_mean(w, axis=[1, 2], keepdims=True)), 1) + 1.5


def line(x: Any) -> Any:
    y = layers.Conv1D(8, 3, padding="causal", activation="relu")(x)
    y = layers.MaxPooling1D(2)(layers.Conv1D(8, 3, padding="same", dilation_rate=2)(y))
    return layers.Dense(3, activation="softmax")(layers.Flatten()(y))


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    write("gru", gru(False))
    write("gru_backwards", gru(True))
    write("stream", stream(False))
    write("stream_last", stream(True))
    write("nested", nested())
    quantized("autoencoder", (24,), autoencoder)
    quantized("autoencoder_ui8", (24,), autoencoder, "uint8")
    quantized("autoencoder_f32", (24,), autoencoder, "float32")
    quantized("keywords", (25, 10, 1), keywords)
    quantized("residual", (8, 8, 3), residual)
    quantized("mixed", (6, 6, 4), mixed)
    quantized("resized", (6, 6, 4), resized)
    quantized("line", (8, 6), line)
    quantized("weights", (24,), lambda x: layers.Dense(32)(layers.Dense(64)(x)), "")
