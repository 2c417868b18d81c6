"""Modes of Resize that are products with matrices of their own."""

from typing import Any

import numpy as np
import pytest
from onnx.reference import ReferenceEvaluator

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, check, model, node

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
