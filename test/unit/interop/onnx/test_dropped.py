"""Operators that ONNX dropped give what ONNX Runtime gives; those that none reads say what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, check, model, node, random

IMAGE = {"x": (FLOAT, [2, 3, 6, 5])}


@pytest.mark.parametrize(
    ("type", "attributes"),
    [
        ("Affine", {"alpha": 0.5, "beta": 2.0}),
        ("Crop", {"border": [1, 2, 1, 0]}),
        ("Crop", {"border": [1, 2, 0, 0], "scale": [3, 2]}),
        ("ImageScaler", {"bias": [1.0, 2.0, 3.0], "scale": 0.5}),
        ("MeanVarianceNormalization", {"across_channels": 1, "normalize_variance": 0}),
        ("MeanVarianceNormalization", {}),
        ("ParametricSoftplus", {"alpha": 0.5, "beta": 2.0}),
        ("Scale", {"scale": 3.0}),
        ("ScaledTanh", {"alpha": 0.5, "beta": 2.0}),
        ("ThresholdedRelu", {"alpha": 0.25}),
    ],
)
def test_what_opset_8_still_has_in_onnx_runtime(type: str, attributes: dict[str, Any]):
    proto = model([node(type, "x", "y", **attributes)], IMAGE, "y", opset=8)
    check(proto, {"x": random(2, 3, 6, 5)})


def test_images_of_opset_1_have_two_scales():
    each = node("Upsample", "x", "y", height_scale=2.0, width_scale=3.0, mode="nearest")
    x = random(2, 3, 4, 5)
    (found,) = compile_model(read_model(model([each], {"x": (FLOAT, x.shape)}, "y", opset=1)))(
        [x]
    ).values()
    np.testing.assert_array_equal(found, x.repeat(2, 2).repeat(3, 3))


def test_a_gru_of_opset_1_goes_forward():
    """The schema's own default is misspelled. ONNX Runtime knows no GRU before version 7."""
    weights = {"w": random(1, 6, 3), "r": random(1, 6, 2, seed=1)}
    x = random(4, 2, 3, seed=2)
    first, second = (
        compile_model(
            read_model(model([each], {"x": (FLOAT, x.shape)}, "y", weights, opset=opset))
        )([x])[0]
        for each, opset in (
            (node("GRU", "x w r", "y h", hidden_size=2, output_sequence=1), 1),
            (node("GRU", "x w r", "y", hidden_size=2), 7),
        )
    )
    np.testing.assert_array_equal(first, second)


def test_mean_variance_normalization_with_axes():
    each = node("MeanVarianceNormalization", "x", "y", axes=[1, 3])
    check(model([each], IMAGE, "y", opset=9), {"x": random(2, 3, 6, 5)})


@pytest.mark.parametrize(
    ("attributes", "message"),
    [({"border": [1, 1]}, "4 borders"), ({"border": [0] * 4, "scale": [2]}, "give it two numbers")],
)
def test_crops_that_say_too_little(attributes: dict[str, Any], message: str):
    with pytest.raises(DiagnosticException, match=f"Crop 'y': .*{message}"):
        read_model(model([node("Crop", "x", "y", **attributes)], IMAGE, "y", opset=8))


@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("BeamSearch", "export the decoder alone"),
        ("Sampling", "choose tokens outside of it"),
        ("PackedAttention", "as it was before it was optimized for ONNX Runtime"),
    ],
)
def test_operators_of_onnx_runtime_that_are_not_read(type: str, message: str):
    each = node(type, "x", "y")
    each.domain = "com.microsoft"
    proto = model([each], IMAGE, "y")
    proto.opset_import.append(helper.make_opsetid(each.domain, 1))
    with pytest.raises(DiagnosticException, match=f"{type} 'y': .*{message}"):
        read_model(proto)
