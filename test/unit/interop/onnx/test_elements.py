"""Element types that NumPy has only through ml_dtypes: constants of them, and conversions that saturate or do not."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, model, node

NAMES = ["float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "int4", "bfloat16"]


@pytest.mark.parametrize("name", NAMES)
def test_constants(name: str):
    """As raw bytes, and as numbers in a field."""
    values = np.array([1, 2, -3, 0, 4], np.float32).astype(getattr(ml_dtypes, name))
    zeros = np.zeros(5, values.dtype)
    proto = model(
        [node("Cast", "c", "y", to=FLOAT), node("Cast", "d", "z", to=FLOAT)],
        {},
        "y z",
        {"c": values, "d": zeros},
    )
    number = helper.np_dtype_to_tensor_dtype(values.dtype)
    listed = helper.make_tensor("d", number, [5], values.astype(np.float32).tolist())
    proto.graph.initializer[1].CopyFrom(listed)
    for result in compile_model(read_model(proto))([]).values():
        np.testing.assert_array_equal(result, values.astype(np.float32))


def test_casts_that_saturate():
    x: Any = np.array([448, 465, -1e6, np.inf, 1.3], np.float32)
    casts = [
        node("Cast", "x", name, to=to, saturate=saturate)
        for name, to, saturate in (
            ("a", TensorProto.FLOAT8E4M3FN, 1),
            ("b", TensorProto.FLOAT8E4M3FN, 0),
            ("c", TensorProto.FLOAT8E5M2, 1),
            ("d", TensorProto.FLOAT8E5M2, 0),
        )
    ]
    request = compile_model(read_model(model(casts, {"x": (FLOAT, [5])}, "a b c d")))
    found = [result.astype(np.float32) for result in request([x]).values()]
    wanted = [
        [448, 448, -448, 448, 1.25],
        [448, np.nan, np.nan, np.nan, 1.25],
        [448, 448, -57344, 57344, 1.25],
        [448, 448, -np.inf, np.inf, 1.25],
    ]
    np.testing.assert_array_equal(found, wanted)
