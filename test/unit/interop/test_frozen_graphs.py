"""Files of TensorFlow and PaddlePaddle, read by way of OpenVINO."""

from pathlib import Path

import numpy as np
import pytest

from lowstream import compile_model, read_model
from lowstream.interop.mlir import SourceError

FLOAT = 1
"""`DT_FLOAT` of TensorFlow's `types.proto`."""


def field(number: int, content: bytes | int) -> bytes:
    """One field of a protobuf message: a small number, or what has a length below 128."""
    if isinstance(content, int):
        return bytes((number << 3, content))
    assert len(content) < 128
    return bytes((number << 3 | 2, len(content))) + content


def node(name: str, op: str, inputs: list[str], attributes: dict[str, bytes]) -> bytes:
    """A `NodeDef` within a `GraphDef`."""
    listed = [field(1, name.encode()), field(2, op.encode())]
    listed += [field(3, each.encode()) for each in inputs]
    listed += [field(5, field(1, k.encode()) + field(2, v)) for k, v in attributes.items()]
    return field(1, b"".join(listed))


def test_a_frozen_graph(tmp_path: Path):
    shape = b"".join(field(2, field(1, size)) for size in (2, 3))
    graph = node("x", "Placeholder", [], {"dtype": field(6, FLOAT), "shape": field(7, shape)})
    graph += node("y", "Relu", ["x"], {"T": field(6, FLOAT)})
    (tmp_path / "m.pb").write_bytes(graph)
    model = read_model(tmp_path / "m.pb")
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    assert model.inputs[0].shape == (2, 3)
    np.testing.assert_array_equal(compile_model(model)([x])[0], np.maximum(x, 0))


def test_what_is_no_model_is_one_line(tmp_path: Path):
    for name in ("m.pb", "m.pdmodel"):
        (tmp_path / name).write_bytes(b"no model at all")
        (tmp_path / "m.pdiparams").write_bytes(b"")
        with pytest.raises(SourceError, match=rf"^{tmp_path / name}: error: not [^\n]+$") as error:
            read_model(tmp_path / name)
        assert "Available frontends" not in str(error.value)


def test_a_saved_model_is_its_folder(tmp_path: Path):
    (tmp_path / "saved_model.pb").write_bytes(b"no model at all")
    with pytest.raises(SourceError, match=f"a part of a saved model; give its folder, {tmp_path}$"):
        read_model(tmp_path / "saved_model.pb")


def test_parameters_that_are_missing(tmp_path: Path):
    (tmp_path / "m.pdmodel").write_bytes(b"no model at all")
    message = (
        f"{tmp_path / 'm.pdiparams'}: error: no such file; the parameters belong beside m.pdmodel"
    )
    with pytest.raises(SourceError) as error:
        read_model(tmp_path / "m.pdmodel")
    assert str(error.value) == message
