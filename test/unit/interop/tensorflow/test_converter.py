"""`Converter` on models of Keras that live in this process. Left out where TensorFlow is missing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.mlir import SourceError
from lowstream.test.unit.interop.tensorflow.keras_models import KERAS, RESET, calls, cases, model_of


def same(data: bytes, model: Any, name: str) -> None:
    """Whether three calls in LiteRT give what they give in Keras."""
    interpreter: Any = Interpreter(model_content=data)
    interpreter.allocate_tensors()
    (given,) = interpreter.get_input_details()
    for call, (x, expected) in enumerate(calls(model, name)):
        if call == RESET:
            interpreter.reset_all_variables()
        interpreter.set_tensor(given["index"], x)
        interpreter.invoke()
        for detail, reference in zip(interpreter.get_output_details(), expected, strict=True):
            ours = interpreter.get_tensor(detail["index"])
            np.testing.assert_allclose(ours, reference, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("kind", "name"), list(cases()))
def test_keras_models(kind: str, name: str):
    model = model_of(kind, name)
    same(lowstream.Converter.from_keras_model(model).convert(), model, name)


def test_a_concrete_function_and_a_saved_model(tmp_path: Path):
    model = model_of("keras3", "stacked")
    holder: Any = tf.Module()
    holder.model = model
    signature = [tf.TensorSpec((2, 5, 3), tf.float32, name="x")]
    function = tf.function(lambda x: {"y": model(x)}, input_signature=signature)
    concrete = function.get_concrete_function()
    same(lowstream.Converter.from_concrete_functions([concrete]).convert(), model, "stacked")
    tf.saved_model.save(holder, str(tmp_path / "saved"), signatures=concrete)
    converter = lowstream.Converter.from_saved_model(tmp_path / "saved")
    assert converter.model.inputs[0].names == ("x",) and converter.model.outputs[0].names == ("y",)
    same(converter.convert(), model, "stacked")
    read = lowstream.read_model(tmp_path / "saved")
    x, expected = next(calls(model, "stacked"))
    ours = lowstream.compile_model(read).create_infer_request().infer([x])
    np.testing.assert_allclose(ours[0], expected[0], rtol=1e-5, atol=1e-5)


def test_profiles_name_the_layers_of_a_model():
    """Each kernel is one of TensorFlow's operations, whose names begin with those of layers."""
    model = model_of("keras3", "stacked")
    x, _ = next(calls(model, "stacked"))
    converter = lowstream.Converter.from_keras_model(model)
    request = lowstream.compile_model(converter.model, profiling=True).create_infer_request()
    request.infer([x])
    names = {each.node_name for each in request.profiling_info}
    layers = [layer.name for layer in model.layers if layer.weights]
    assert all(any(layer in name for name in names) for layer in layers), names


def test_a_missing_signature_is_named(tmp_path: Path):
    with pytest.raises(DiagnosticException, match="is not a saved model"):
        lowstream.Converter.from_saved_model(tmp_path)


@pytest.mark.parametrize("library", KERAS)
def test_convolutional_recurrence_over_an_unknown_batch(library: str):
    """The state begins with zeros of a size that is computed; of its channels all is known."""
    keras = KERAS[library]
    x = keras.Input((3, 6, 6, 2), name="x")
    model = keras.Model(x, keras.layers.ConvLSTM2D(4, 3)(x))
    converter = lowstream.Converter.from_keras_model(model)
    given = np.random.default_rng(1).normal(size=(2, 3, 6, 6, 2)).astype(np.float32)
    (found,) = lowstream.compile_model(converter.model).create_infer_request().infer([given])
    np.testing.assert_allclose(found, model(given), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("operators", ["", "TFLITE_BUILTINS_INT8"])
def test_quantized_conversions_take_the_options_of_tensorflow(operators: str):
    """As exact as TensorFlow's own conversion of the same model with the same options."""
    keras = KERAS["keras3"]
    keras.utils.set_random_seed(2)
    x = keras.Input((8, 8, 3), batch_size=1)
    y = keras.layers.BatchNormalization()(keras.layers.Conv2D(64, 3, padding="same")(x))
    y = keras.layers.GlobalAveragePooling2D()(keras.layers.ReLU()(y))
    model = keras.Model(x, keras.layers.Dense(10, activation="softmax")(y))
    given = np.random.default_rng(1).normal(size=(1, 8, 8, 3)).astype(np.float32)
    errors: list[float] = []
    for kind in (lowstream.Converter, tf.lite.TFLiteConverter):
        converter: Any = kind.from_keras_model(model)
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        if operators:
            converter.representative_dataset = lambda: ([given * scale] for scale in (0.5, 1, 1.5))
            converter.target_spec.supported_ops = [getattr(tf.lite.OpsSet, operators)]
        interpreter: Any = Interpreter(model_content=converter.convert())
        interpreter.allocate_tensors()
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], given)
        interpreter.invoke()
        found = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        errors.append(float(np.abs(found - model(given)).max()))
    ours, theirs = errors
    assert 0 < ours < max(2 * theirs, 1e-3)


@pytest.mark.parametrize(
    ("kind", "ending"), [("keras3", ".keras"), ("keras3", ".h5"), ("keras2", ".h5")]
)
def test_files_of_keras(tmp_path: Path, kind: str, ending: str):
    """Keras 3 does not know all that Keras 2 says of a recurrent layer in an .h5."""
    model, path = model_of(kind, "stacked"), tmp_path / f"m{ending}"
    model.save(path)
    x, expected = next(calls(model, "stacked"))
    for found, wanted in zip(lowstream.compile_model(path)(x).values(), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("ending", [".keras", ".h5"])
def test_a_file_that_keras_cannot_load(tmp_path: Path, ending: str):
    (path := tmp_path / f"m{ending}").write_bytes(b"PK\3\4" if ending == ".keras" else b"\x89HDF")
    with pytest.raises(SourceError, match=r"error: Keras cannot load it: .*call read_model"):
        lowstream.read_model(path)
