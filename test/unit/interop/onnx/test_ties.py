"""QuantizeLinear: halves go to even quotients, whatever the zero point; scales may be as large as f32 holds."""

from typing import Any

import numpy as np
import pytest

from lowstream import compile_model, read_model, run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.onnx.graphs import FLOAT, FLOAT16, model, node, runtime

POINTS = [
    np.uint8(127),
    np.uint8(128),
    np.int8(-13),
    np.int8(0),
    np.array([3, 4, 7], np.uint8),
]


@pytest.mark.parametrize("point", POINTS, ids=str)
@pytest.mark.parametrize("scale", [0.5, 0.25, 0.1])
def test_halves_of_codes_go_to_even_quotients(point: Any, scale: float):
    """By 0.1, which no f32 is, quotients are rounded to codes and a half, too."""
    x = np.arange(-300, 300).reshape(3, 200).astype(np.float32) / 8
    nodes = [
        node("QuantizeLinear", "x scale point", "q", axis=0),
        node("DequantizeLinear", "q scale point", "y", axis=0),
    ]
    scales = np.full(np.shape(point), scale, np.float32)
    proto = model(nodes, {"x": (FLOAT, [3, 200])}, "y", {"scale": scales, "point": point})
    (wanted,) = runtime(proto, {"x": x})
    read = read_model(proto)
    np.testing.assert_allclose(Executor(read.module).run([x])[0], wanted, 0, 1e-5)
    np.testing.assert_allclose(compile_model(read)([x])["y"], wanted, 0, 1e-5)
    run_passes(read, "lpt")
    np.testing.assert_allclose(compile_model(read)([x])["y"], wanted, 0, 1e-5)


def test_the_least_number_of_a_mask_is_quantized():
    """128 steps of a scale that has f32's largest number as code 127 are beyond f32."""
    largest = np.finfo(np.float32).max
    nodes = [
        node("QuantizeLinear", "x scale point", "q"),
        node("DequantizeLinear", "q scale point", "y"),
    ]
    scale, point = np.asarray(largest / 127, np.float32), np.zeros((), np.int8)
    proto = model(nodes, {"x": (FLOAT, [2, 2])}, "y", {"scale": scale, "point": point})
    x = np.array([[0, -largest / 2], [7, largest / 3]], np.float32)
    read = read_model(proto)
    for passes in ("", "lpt"):
        run_passes(read, passes)
        np.testing.assert_array_equal(compile_model(read)([x])["y"], runtime(proto, {"x": x})[0])


@pytest.mark.parametrize("point", POINTS[:4], ids=str)
@pytest.mark.parametrize("scale", [0.1, 0.023, 1 / 127, 3e-5, 1e-30, 7e30], ids=str)
def test_values_of_codes_are_exact(point: Any, scale: float):
    """They are the product of a code and the scale, and 0 is 0."""
    nodes = [
        node("QuantizeLinear", "x scale point", "q"),
        node("DequantizeLinear", "q scale point", "y"),
    ]
    constants = {"scale": np.asarray(scale, np.float32), "point": np.asarray(point)}
    proto = model(nodes, {"x": (FLOAT, [701])}, "y", constants)
    x = (np.arange(-350, 351) * 0.997 * scale).astype(np.float32)
    (wanted,) = runtime(proto, {"x": x})
    assert (wanted == 0).any()
    read = read_model(proto)
    for passes in ("", "lpt"):
        run_passes(read, passes)
        np.testing.assert_array_equal(Executor(read.module).run([x])[0], wanted)
        np.testing.assert_array_equal(compile_model(read)([x])["y"], wanted)


def test_limits_of_codes_of_f16_are_not_rounded():
    """Of this scale, f16 has no limits whose distance is 255 steps; values between two codes would get a wrong one."""
    x = (np.arange(-256, 256) * 0.025).astype(np.float16)
    nodes = [
        node("QuantizeLinear", "x scale point", "q"),
        node("DequantizeLinear", "q scale point", "y"),
    ]
    constants = {"scale": np.array(0.05, np.float16), "point": np.array(3, np.int8)}
    proto = model(nodes, {"x": (FLOAT16, x.shape)}, "q y", constants)
    found = compile_model(read_model(proto))([x])
    for name, wanted in zip("qy", runtime(proto, {"x": x}), strict=True):
        np.testing.assert_array_equal(found[name], wanted)
