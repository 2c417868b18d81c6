"""Modes of Resize that are products with matrices of their own."""

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator

from lowstream import DiagnosticException, compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, check, model, node, random

CROP = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 7.0}
RESIZED = (
    node(
        "Resize",
        "x - scales",
        "symmetric",
        mode="linear",
        coordinate_transformation_mode="half_pixel_symmetric",
    ),
    node("Resize", "x - scales", "smooth", mode="linear", antialias=1),
    node("Resize", "x - - sizes", "smoother", mode="cubic", antialias=1, axes=[2, 3]),
    node("Resize", "x - - sizes", "inner", mode="cubic", exclude_outside=1, axes=[3, 2]),
    node("Resize", "x roi - sizes", "crop", mode="linear", axes=[2, 3], **CROP),
    node("Resize", "x roi - sizes", "nearest", mode="nearest", axes=[2, 3], **CROP),
)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_corners_of_fractional_sizes(mode: str):
    """Of 6 * 0.7 and 4 * 1.6 elements, as ONNX's own tests have it; ONNX Runtime takes whole sizes."""
    how = {"mode": mode, "coordinate_transformation_mode": "align_corners"}
    scales = {"scales": np.array([1, 1, 0.7, 1.6], np.float32)}
    shapes = {"x": (FLOAT, [1, 2, 6, 4])}
    proto = model([node("Resize", "x - scales", "y", **how)], shapes, "y", scales)
    x = np.random.default_rng(1).normal(size=(1, 2, 6, 4)).astype(np.float32)
    wanted: Any
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    np.testing.assert_allclose(compile_model(read_model(proto))([x])["y"], wanted, 1e-5, 1e-5)


def test_elements_are_made_of_those_that_a_mode_says():
    constants = {
        "scales": np.array([1, 1, 0.7, 1.6], np.float32),
        "sizes": np.array([3, 5]),
        "roi": np.array([0.2, -0.1, 1.3, 0.8], np.float32),
    }
    outputs = " ".join(each.output[0] for each in RESIZED)
    proto = model(RESIZED, {"x": (FLOAT, [1, 2, 6, 4])}, outputs, constants)
    x = np.random.default_rng(1).normal(size=(1, 2, 6, 4)).astype(np.float32)
    check(proto, {"x": x})


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_smaller_images_of_opset_10(mode: str):
    """ONNX Runtime takes the next element where a dimension becomes smaller, the last one where it becomes larger."""
    scales = {"scales": np.array([1, 1, 0.6, 1.7], np.float32)}
    shapes = {"x": (FLOAT, [1, 2, 7, 4])}
    proto = model([node("Resize", "x scales", "y", mode=mode)], shapes, "y", scales, opset=10)
    check(proto, {"x": random(1, 2, 7, 4)})


SMOOTH = {"mode": "cubic", "antialias": 1, "exclude_outside": 1, "cubic_coeff_a": -0.5}
"""As PyTorch's exporter writes a bicubic interpolation with antialias."""


def smooth(shape: list[int | str], end: int, target: list[int]) -> ModelProto:
    """A Resize to the first sizes of its input, and others that are constant."""
    nodes = [
        node("Shape", "x", "kept", start=0, end=end),
        node("Concat", "kept target", "sizes", axis=0),
        node("Resize", "x - - sizes", "y", **SMOOTH),
    ]
    return model(nodes, {"x": (FLOAT, shape)}, "y", {"target": np.array(target)})


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize(("end", "target"), [(2, [5, 6]), (3, [6]), (1, [2, 12, 4])])
def test_sizes_that_stay_may_be_unknown(batch: int, end: int, target: list[int]):
    check(smooth(["batch", 2, 8, 9], end, target), {"x": random(batch, 2, 8, 9)})


@pytest.mark.parametrize(
    ("shape", "end", "target", "message"),
    [
        (["batch", 2, "height", 9], 2, [5, 6], "antialias and exclude_outside need known sizes"),
        (["batch", "batch", 8, 9], 0, [1, 2, 5, 6], "antialias and exclude_outside need known"),
    ],
    ids=["height", "batch"],
)
def test_sizes_that_change_must_be_known(
    shape: list[int | str], end: int, target: list[int], message: str
):
    with pytest.raises(DiagnosticException, match=message):
        read_model(smooth(shape, end, target))


def test_another_size_in_the_place_of_one_that_stays():
    nodes = [
        node("Shape", "x", "kept", start=1, end=3),
        node("Concat", "kept target", "sizes", axis=0),
        node("Resize", "x - - sizes", "y", **SMOOTH),
    ]
    x = {"x": (FLOAT, ["batch", "channels", 8, 9])}
    proto = model(nodes, x, "y", {"target": np.array([8, 9])})
    with pytest.raises(DiagnosticException, match="are computed from what only a run knows"):
        read_model(proto)


def test_sizes_that_stay_may_come_one_by_one():
    nodes = [
        node("Shape", "x", "batch", start=0, end=1),
        node("Shape", "x", "channels", start=1, end=2),
        node("Concat", "batch channels target", "sizes", axis=0),
        node("Resize", "x - - sizes", "y", **SMOOTH),
    ]
    x = {"x": (FLOAT, ["batch", "channels", 8, 9])}
    check(model(nodes, x, "y", {"target": np.array([5, 6])}), {"x": random(3, 2, 8, 9)})
