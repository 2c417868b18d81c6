"""Operators of classical machine learning, products and updates along an axis, and random numbers."""

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, check, model, node, random, runtime

X = np.array([[1, -2, np.nan], [0.5, 4, -3]], np.float32)


def learned(type: str, inputs: str, output: str, **attributes: Any):
    return helper.make_node(type, inputs.split(), [output], domain="ai.onnx.ml", **attributes)


def test_features_are_scaled_and_imputed():
    nodes = [
        learned(
            "Imputer",
            "x",
            "y",
            imputed_value_floats=[7.0, 8.0, 9.0],
            replaced_value_float=float("nan"),
        ),
        learned("Scaler", "y", "scaled", offset=[1.0, 0.0, 2.0], scale=[2.0, 3.0, 0.5]),
        *(learned("Normalizer", "y", norm, norm=norm) for norm in ("MAX", "L1", "L2")),
        learned("Binarizer", "y", "binary", threshold=0.75),
        learned("ArrayFeatureExtractor", "y places", "taken"),
        learned(
            "LinearRegressor",
            "y",
            "lines",
            coefficients=[1.0, 2, 3, 4, 5, 6],
            intercepts=[0.5, -1],
            targets=2,
        ),
    ]
    outputs = "y scaled MAX L1 L2 binary taken lines"
    proto = model(nodes, {"x": (FLOAT, [2, 3])}, outputs, {"places": np.array([[2, 0]])})
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    wanted = runtime(proto, {"x": X})
    for have, want in zip(compile_model(read_model(proto))([X]).values(), wanted, strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-5)


def test_updates_and_products_along_an_axis():
    nodes = [
        node("TensorScatter", "cache new at", "put", mode="circular", axis=1),
        node("CumProd", "cache axis", "products", exclusive=1, reverse=1),
        node("MaxUnpool", "pooled places", "wide", kernel_shape=[2], strides=[2]),
    ]
    inputs = {"cache": (FLOAT, [2, 4, 3]), "new": (FLOAT, [2, 2, 3]), "pooled": (FLOAT, [1, 1, 3])}
    constants = {"at": np.array([1, 3]), "axis": np.array(1), "places": np.array([[[1, 2, 5]]])}
    proto = model(nodes, inputs, "put products wide", constants, opset=26)
    random = np.random.default_rng(3)
    feeds = {
        name: random.uniform(1, 2, shape).astype(np.float32) for name, (_, shape) in inputs.items()
    }
    wanted: Any = ReferenceEvaluator(proto).run(None, feeds)
    for have, want in zip(compile_model(read_model(proto))(feeds).values(), wanted, strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-5)


def test_determinants():
    shapes = {"x": (FLOAT, [2, 4, 4]), "singular": (FLOAT, [2, 2])}
    proto = model([node("Det", "x", "y"), node("Det", "singular", "z")], shapes, "y z")
    check(proto, {"x": random(2, 4, 4), "singular": np.array([[1, 2], [2, 4]], np.float32)})


CASTS: list[tuple[int, int]] = [
    (TensorProto.FLOAT, TensorProto.INT32),
    (TensorProto.FLOAT, TensorProto.UINT32),
    (TensorProto.INT32, TensorProto.FLOAT),
    (TensorProto.DOUBLE, TensorProto.INT64),
    (TensorProto.UINT64, TensorProto.DOUBLE),
    (TensorProto.INT8, TensorProto.UINT8),
    (TensorProto.UINT16, TensorProto.INT16),
    (TensorProto.BOOL, TensorProto.UINT8),
]


@pytest.mark.parametrize(("before", "after"), CASTS)
def test_bits_stay(before: int, after: int):
    """There and back, and as the package `onnx` has them."""
    nodes = [node("BitCast", "x", "y", to=after)]
    if before != TensorProto.BOOL:
        nodes.append(node("BitCast", "y", "z", to=before))
    proto = model(nodes, {"x": (before, [3, 4])}, nodes[-1].output[0] + " y", opset=26)
    x = (random(3, 4) * 100).astype(helper.tensor_dtype_to_np_dtype(before))
    wanted: Any = ReferenceEvaluator(proto).run(None, {"x": x})
    for have, want in zip(compile_model(read_model(proto))([x]).values(), wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(have), want)


def test_bits_of_other_sizes_are_refused():
    proto = model(
        [node("BitCast", "x", "y", to=TensorProto.INT8)], {"x": (FLOAT, [3])}, "y", opset=26
    )
    with pytest.raises(DiagnosticException, match="BitCast 'y': f32 and i8 have different numbers"):
        read_model(proto)


def test_the_last_window_may_reach_over_the_end():
    pool = node("LpPool", "x", "y", kernel_shape=[2, 3], strides=[2, 2], ceil_mode=1)
    x = np.random.default_rng(4).uniform(1, 2, (1, 2, 5, 6)).astype(np.float32)
    check(model([pool], {"x": (FLOAT, x.shape)}, "y"), {"x": x})


def test_random_numbers_are_those_of_their_seed():
    nodes = [
        node("RandomUniform", "", "u", shape=[2, 400], low=-1.0, high=3.0, seed=5.0),
        node("RandomNormalLike", "u", "n", mean=1.0, scale=2.0, seed=5.0),
    ]
    compiled = compile_model(read_model(model(nodes, {}, "u n")))
    u, n = compiled([]).values()
    assert u.min() >= -1 and u.max() < 3 and abs(u.mean() - 1) < 0.2
    assert abs(n.mean() - 1) < 0.3 and abs(n.std() - 2) < 0.2
    np.testing.assert_array_equal(compiled([])["u"], u)
    with pytest.raises(DiagnosticException, match="RandomUniform 'u': without a seed"):
        read_model(model([node("RandomUniform", "", "u", shape=[2])], {}, "u"))
