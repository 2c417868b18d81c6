"""What is read from ONNX is written with the operators that it had."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from lowstream import read_model, save_model
from lowstream.test.unit.interop.nodes import noise
from lowstream.test.unit.interop.onnx.graphs import FLOAT, model, node, runtime


def written_again(proto: onnx.ModelProto, path: Path) -> onnx.ModelProto:
    """A model that was read and written, with which ONNX Runtime gives what it gave before."""
    save_model(read_model(proto), path)
    written = onnx.load(path)
    x = proto.graph.input[0]
    feeds = {x.name: noise(*(d.dim_value for d in x.type.tensor_type.shape.dim))}
    for given, wanted in zip(runtime(written, feeds), runtime(proto, feeds), strict=True):
        np.testing.assert_allclose(given, wanted, atol=1e-6)
    return written


def operators(proto: onnx.ModelProto) -> list[str]:
    return [each.op_type for each in proto.graph.node]


@pytest.mark.parametrize("point", [np.uint8(131), np.int8(3)], ids=["u8", "i8"])
def test_a_quantization_is_one_again(point: np.generic, tmp_path: Path):
    nodes = [
        node("QuantizeLinear", "X s z", "q"),
        node("DequantizeLinear", "q s z", "d"),
        node("DequantizeLinear", "W t", "w"),
        node("MatMul", "d w", "Y"),
    ]
    constants = {
        "s": np.array(0.02, np.float32),
        "z": np.array(point),
        "t": np.array(0.5, np.float32),
        "W": np.array([[3, -1], [0, 7]], np.int8),
    }
    proto = model(nodes, {"X": (FLOAT, [3, 2])}, "Y", constants)
    written = written_again(proto, tmp_path / "m.onnx")
    assert operators(written) == operators(proto)
    given = {each.name: onnx.numpy_helper.to_array(each) for each in written.graph.initializer}
    assert given[written.graph.node[0].input[2]] == point
    assert given[written.graph.node[0].input[2]].dtype == point.dtype


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    ("type", "gates", "more"),
    [
        ("LSTM", 4, {}),
        ("GRU", 3, {}),
        ("GRU", 3, {"linear_before_reset": 1}),
        ("RNN", 1, {"direction": "reverse"}),
    ],
)
def test_a_layer_in_time_major_order_has_no_transposes(
    type: str, gates: int, more: dict[str, Any], bias: bool, tmp_path: Path
):
    constants = {"W": noise(1, gates * 4, 3), "R": noise(1, gates * 4, 4)}
    given = "X W R"
    if bias:
        constants["B"] = noise(1, gates * 8)
        given += " B"
    nodes = [node(type, given, "L", hidden_size=4, **more), node("Relu", "L", "Y")]
    proto = model(nodes, {"X": (FLOAT, [5, 2, 3])}, "Y", constants)
    assert operators(written_again(proto, tmp_path / "m.onnx")) == operators(proto)


def test_transposes_that_differ_become_one(tmp_path: Path):
    nodes = [
        node("Transpose", "X", "a", perm=[1, 2, 0]),
        node("Transpose", "a", "b", perm=[0, 2, 1]),
        node("Relu", "b", "Y"),
        node("Transpose", "a", "c", perm=[2, 0, 1]),
        node("Abs", "c", "Z"),
    ]
    proto = model(nodes, {"X": (FLOAT, [2, 3, 4])}, "Y Z")
    assert operators(written_again(proto, tmp_path / "m.onnx")) == ["Transpose", "Relu", "Abs"]
