"""
Makes files/: .tflite files of TensorFlow's converter, for tests without TensorFlow.

    python test/unit/interop/tflite/make_files.py     # needs tensorflow and tf_keras
"""

import os
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow
import tf_keras  # pyright: ignore[reportMissingImports]

tf: Any = tensorflow
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


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    write("gru", gru(False))
    write("gru_backwards", gru(True))
    write("nested", nested())
