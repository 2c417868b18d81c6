"""OpenVINO IR that cannot be read: one line says which file or operation, and why."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset1 as opset1
import openvino.opset15 as opset
import pytest
from xdsl.dialects.builtin import ModuleOp

from lowstream import read_model, save_model
from lowstream.interop.mlir import SourceError
from lowstream.interop.openvino import READING, graph
from lowstream.test.unit.interop.nodes import constant, noise
from lowstream.test.unit.interop.openvino_models import parameter, save
from lowstream.test.unit.interop.recurrent_nodes import C, H, cell

UNSUPPORTED = {
    "operation": (
        lambda x: opset.string_tensor_pack(
            *(constant(n, np.int32) for n in ([0], [1])), constant([65], np.uint8), name="c"
        ),
        ("", ""),
        "StringTensorPack (opset15) 'c': this operation is not supported: tensors of strings are none here; ",
    ),
    "attribute": (
        lambda x: opset.select(opset.constant([True]), x, x, name="s"),
        ('auto_broadcast="numpy"', 'auto_broadcast="pdpd"'),
        "Select (opset1) 's': attribute auto_broadcast = 'pdpd' is not supported, only 'numpy'",
    ),
    "attribute's value": (
        lambda x: opset.multiply(x, x, name="m"),
        ('auto_broadcast="numpy"', 'auto_broadcast="pdpd"'),
        "nn.multiply 'm': auto_broadcast 'pdpd' is not supported; use 'numpy' or 'none'",
    ),
    "gate order": (
        cell(opset1.lstm_cell, 4, 4, H, C, name="cell"),
        ('weights_format="fico"', 'weights_format="ifco"'),
        "LSTMCell (opset1) 'cell': attribute weights_format = 'ifco' is not supported, only 'fico'",
    ),
    "coupled gates": (
        cell(opset1.lstm_cell, 4, 4, H, C, name="cell"),
        ('input_forget="false"', 'input_forget="true"'),
        "LSTMCell (opset1) 'cell': attribute input_forget = True is not supported, only False",
    ),
    "element type": (
        lambda x: opset.add(opset.convert(opset.constant([1], ov.Type.u8, name="k"), "f32"), x),
        ('element_type="u8"', 'element_type="u6"'),
        "Constant (opset1) 'k': element type u6 is not supported; supported are ",
    ),
    "size in Arabic digits": (
        lambda x: opset.relu(x),
        ('shape="2,4"', 'shape="٢,4"'),
        "Parameter (opset1) 'x': layer 'x' of the model has a dimension '٢', which is not a size",
    ),
    "quantization": (
        lambda x: opset.fake_quantize(
            x, constant(1), constant(0), constant(0), constant(1), 256, name="fq"
        ),
        ("", ""),
        "qnn.fake_quantize 'fq': input interval [1, 0] is inverted; exchange input_low and input_high",
    ),
}


@pytest.mark.parametrize("case", UNSUPPORTED)
def test_what_cannot_be_said_is_one_line(tmp_path: Path, case: str):
    build, (old, new), message = UNSUPPORTED[case]
    x = parameter(2, 4)
    path = save(tmp_path, build(x).outputs(), [x])
    check_refused(path, old, new, message)


def check_refused(path: Path, old: str, new: str, message: str) -> None:
    """One line says what is wrong with a file in which something has been replaced."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(SourceError) as error:
        read_model(path)
    assert str(error.value).startswith(f"{path}: error: {message}")
    assert "\n" not in str(error.value)


def test_unknown_rank_is_one_line(tmp_path: Path):
    x = opset.parameter(ov.PartialShape.dynamic(), np.float32)
    x.set_friendly_name("x")
    path = save(tmp_path, [opset.relu(x)], [x])
    with pytest.raises(SourceError, match="'x': the number of dimensions is unknown"):
        read_model(path)


@pytest.fixture
def weighted(tmp_path: Path) -> Path:
    x = parameter(2, 4)
    return save(tmp_path, [opset.matmul(x, constant(noise(4, 5)), False, False)], [x])


def test_missing_weights(weighted: Path):
    weights = weighted.with_suffix(".bin")
    weights.unlink()
    with pytest.raises(SourceError) as error:
        read_model(weighted)
    assert str(error.value).startswith(f"{weights}: error: no such file")


def test_truncated_weights(weighted: Path):
    weights = weighted.with_suffix(".bin")
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(SourceError) as error:
        read_model(weighted)
    assert str(error.value).startswith(f"{weights}: error: shorter than model.xml says")


@pytest.mark.parametrize("length", [0, 3, 400, 1500])
def test_truncated_text(weighted: Path, length: int):
    text = weighted.read_bytes()
    assert len(text) > length
    weighted.write_bytes(text[:length])
    with pytest.raises(SourceError) as error:
        read_model(weighted)
    assert str(error.value).startswith(f"{weighted}: error: not ")
    assert "\n" not in str(error.value)


def test_missing_file(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.xml"):
        read_model(tmp_path / "nothing.xml")


def test_without_openvino(weighted: Path, monkeypatch: pytest.MonkeyPatch):
    """It is needed for writing alone."""
    monkeypatch.setitem(sys.modules, "openvino", None)
    model = read_model(weighted)
    assert model.outputs[0].shape == (2, 5)
    with pytest.raises(SourceError, match=r"needs the openvino package: pip install 'openvino>="):
        save_model(model, weighted.with_stem("written"))


def test_one_thread_at_a_time_reads_what_is_in_memory(
    weighted: Path, monkeypatch: pytest.MonkeyPatch
):
    real, held = graph.module_of, list[bool]()

    def noting(model: ov.Model) -> ModuleOp:
        held.append(READING.locked())
        return real(model)

    monkeypatch.setattr(graph, "module_of", noting)
    read_model(ov.Core().read_model(weighted))
    assert held == [True]
    assert not READING.locked()


# --- what OpenVINO's reader does not survive, or cannot report ------------------------------


def nested(depth: int) -> str:
    """A model with so many bodies within one another."""
    opening = '<layers><layer id="0" name="i" type="TensorIterator" version="opset1"><body>'
    closing = "</body></layer></layers>"
    return f'<net version="11">{opening * depth}{closing * depth}</net>'


DAMAGED = {
    "an edge to a layer that is not there": (
        ('to-layer="2"', 'to-layer="7"'),
        "an edge of the model goes to layer '7', which there is not",
    ),
    "an edge from a layer that is not there": (
        ('from-layer="1"', 'from-layer="99999999999"'),
        "an edge of the model goes from layer '99999999999', which there is not",
    ),
    "an edge to a port that is not there": (
        ('to-port="0"', 'to-port="9"'),
        "an edge of the model goes to port '9' of layer '2', which has none such",
    ),
    "a constant of another size": (('size="80"', 'size="84"'), "Constant (opset1) 'Constant_"),
    "a constant of another shape": (
        ('shape="4, 5"', 'shape="4, 0"'),
        "Constant (opset1) 'Constant_",
    ),
    "a constant of no shape": (('shape="4, 5"', 'shape="4, ?"'), "Constant (opset1) 'Constant_"),
    "a constant from before the file": (
        ('offset="0"', 'offset="-4"'),
        "Constant (opset1) 'Constant_",
    ),
    "an older version": (('version="11"', 'version="7"'), "version 7 of OpenVINO IR is not read"),
    "a document type": (("<net", "<!DOCTYPE net><net"), "has a document type"),
    "a layer that needs itself": (
        ('from-layer="1" from-port="0" to-layer="2"', 'from-layer="2" from-port="2" to-layer="2"'),
        "layer 'MatMul_",
    ),
    "an input without an edge": (
        ('<edge from-layer="0" from-port="0" to-layer="2" to-port="0" />', ""),
        "layer 'MatMul_",
    ),
    "an operation without inputs": (
        ('<edge from-layer="1" from-port="0" to-layer="2" to-port="1" />', ""),
        "MatMul (opset1) 'MatMul_",
    ),
    "a dimension that is none": (("<dim>5</dim>", "<dim>-7</dim>"), "layer 'Constant_"),
    "two layers of one id": (
        ('id="1" name="', 'id="0" name="'),
        "layer 'Constant_",
    ),
    "another root": (("net", "nets"), "not OpenVINO IR, which begins with <net …>, not <nets …>"),
    "an element that is not closed": (("</layers>", ""), "not whole XML, mismatched tag"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_text_is_one_line(weighted: Path, case: str):
    (old, new), message = DAMAGED[case]
    check_refused(weighted, old, new, message)


@pytest.mark.parametrize(("old", "line"), [(b'name="x"', 4), (b'type="Parameter"', 4)])
def test_text_that_is_not_utf_8_is_one_line(weighted: Path, old: bytes, line: int):
    data = weighted.read_bytes()
    assert old in data
    weighted.write_bytes(data.replace(old, old[:-1] + b'\xdf"'))
    with pytest.raises(SourceError, match=f"error: line {line} is not UTF-8"):
        read_model(weighted)


def test_bodies_within_bodies_are_one_line(weighted: Path):
    weighted.write_text(nested(20_000))
    with pytest.raises(SourceError, match="more than 64 bodies lie within one another"):
        read_model(weighted)


def test_names_may_have_characters_that_xml_forbids(tmp_path: Path):
    """OpenVINO writes them as references, and reads them."""
    x = parameter(2, name="a\x01b\nc")
    model = read_model(save(tmp_path, [opset.relu(x)], [x]))
    assert model.inputs[0].shape == (2,)


def test_writing_asks_nobody(weighted: Path, tmp_path: Path):
    """`import openvino` alone makes folders in the user's home and opens a connection; writing a model does not."""
    home = tmp_path / "home"
    home.mkdir()
    code = (
        "import sys, lowstream; lowstream.save_model(lowstream.read_model(sys.argv[1]), sys.argv[1]); "
        "import openvino; openvino.convert_model; "
        "assert 'openvino_telemetry' not in sys.modules; import openvino_telemetry"
    )
    environment = {**os.environ, "HOME": str(home), "CI": ""}
    subprocess.run([sys.executable, "-P", "-c", code, weighted], check=True, env=environment)
    assert list(home.iterdir()) == []
