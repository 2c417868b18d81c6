"""Models in ONNX Runtime's own format are those that it was given."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from onnx import helper, numpy_helper

from lowstream import compile_model, read_model
from lowstream.interop.mlir import SourceError
from lowstream.test.unit.interop.onnx.graphs import (
    BOOL,
    FLOAT,
    Array,
    model,
    node,
    random,
    runtime,
)
from lowstream.test.unit.interop.onnx.sessions import saved_as_ort

GIVEN: dict[str, Array] = {
    "x": random(3, 1, 4),
    "c": np.array(True),
    "h": random(2, 1, 5, seed=1),
}
WEIGHTS = {
    "w": random(2, 5, 4, seed=2),
    "r": random(2, 5, 5, seed=3),
    "e": np.zeros((0, 1, 5), np.float32),
}


def branch(name: str, value: float) -> object:
    """A body that reads a value of the graph around it, and has a constant of its own."""
    each = helper.make_node("Add", ["u", f"{name}_k"], [name])
    constant = numpy_helper.from_array(np.full(5, value, np.float32), f"{name}_k")
    return helper.make_graph(
        [each], name, [], [helper.make_empty_tensor_value_info(name)], [constant]
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Array]]:
    """A file with attributes of most kinds, bodies, an empty constant and names of sizes; and what it computes."""
    recurrent = {
        "hidden_size": 5,
        "direction": "bidirectional",
        "activations": ["HardSigmoid", "HardSigmoid"],
    }
    nodes = [
        node(
            "RNN",
            "x w r - - h",
            "s",
            **recurrent,
            activation_alpha=[0.25, 0.25],
            activation_beta=[0.5, 0.5],
        ),
        node("ReduceMax", "s", "u", keepdims=0, axes=[1]),
        node("If", "c", "t", then_branch=branch("yes", 1), else_branch=branch("no", 2)),
        node("Concat", "t e", "y", axis=0),
    ]
    ports = {"x": (FLOAT, ["n", 1, 4]), "c": (BOOL, []), "h": (FLOAT, [2, 1, 5])}
    proto = model(nodes, ports, "y", WEIGHTS, opset=17)
    path = tmp_path_factory.mktemp("ort") / "m.ort"
    return saved_as_ort(proto.SerializeToString(), path), runtime(proto, GIVEN)


def test_a_file_computes_what_its_model_does(saved: tuple[Path, list[Array]]):
    path, (wanted,) = saved
    read = read_model(path)
    assert [port.names for port in read.inputs] == [("x",), ("c",), ("h",)]
    assert read.inputs[0].partial_shape.is_dynamic
    read.reshape({"x": [3, 1, 4]})
    np.testing.assert_allclose(compile_model(read)(GIVEN)[0], wanted, 1e-5, 1e-5)


def test_damaged_files_are_refused(saved: tuple[Path, list[Array]], tmp_path: Path):
    """One line names the file, wherever it is cut off and whatever byte is another one."""
    whole, path, draw = saved[0].read_bytes(), tmp_path / "m.ort", Random(0)
    cut = [whole[:length] for length in range(1, len(whole), 397)]
    changed = [bytearray(whole) for _ in range(15)]
    for each in changed:
        each[draw.randrange(8, len(whole))] ^= 1 << draw.randrange(8)
    found = [_error_of(path, data) for data in (*cut, *map(bytes, changed))]
    assert all(found[: len(cut)])
    begin = f"{path}: error: "
    assert all(each.startswith(begin) and "\n" not in each for each in filter(None, found))


def _error_of(path: Path, data: bytes) -> str:
    """What is said of a file; nothing where it can be read."""
    path.write_bytes(data)
    try:
        read_model(path)
    except SourceError as error:
        return str(error)
    return ""


def test_what_is_no_such_file_is_called_so(tmp_path: Path):
    path = tmp_path / "m.ort"
    path.write_bytes(model([node("Relu", "x", "y")], {"x": (FLOAT, [1])}, "y").SerializeToString())
    with pytest.raises(SourceError, match=r"if it is an ONNX model, name it \.onnx"):
        read_model(path)
