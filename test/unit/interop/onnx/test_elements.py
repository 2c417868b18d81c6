"""Element types that NumPy has only through ml_dtypes: constants of them, and conversions that saturate or do not."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper
from xdsl.utils.exceptions import DiagnosticException

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


def of_2_bits(name: str, listed: bool, reader: Any) -> Any:
    """A model whose constant `c` has five elements of 2 bits, packed from the lowest ones on."""
    packed, number = [0b11100100, 0b10], getattr(TensorProto, name)
    proto = model([reader], {}, "y", {"c": np.zeros(5, np.int8), "s": np.array(0.5, np.float32)})
    tensor = TensorProto(name="c", data_type=number, dims=[5])
    if listed:
        tensor.int32_data.extend(packed)
    else:
        tensor.raw_data = bytes(packed)
    proto.graph.initializer[0].CopyFrom(tensor)
    return proto


@pytest.mark.parametrize(
    ("name", "wanted"), [("INT2", [0, 1, -2, -1, -2]), ("UINT2", [0, 1, 2, 3, 2])]
)
def test_constants_of_2_bits(name: str, wanted: list[int]):
    cast = of_2_bits(name, True, node("Cast", "c", "y", to=FLOAT))
    np.testing.assert_array_equal(compile_model(read_model(cast))([])[0], wanted)
    codes = of_2_bits(name, False, node("DequantizeLinear", "c s", "y"))
    np.testing.assert_array_equal(compile_model(read_model(codes))([])[0], np.array(wanted) / 2)
    with pytest.raises(
        DiagnosticException, match=f"element type {name} .* Cast or DequantizeLinear"
    ):
        read_model(of_2_bits(name, False, node("Identity", "c", "y")))


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
