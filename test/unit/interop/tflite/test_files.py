"""Files: written whole or not at all, and read only where they are whole."""

import os
import random
import sys
from pathlib import Path

import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.mlir import SourceError
from lowstream.interop.tflite import tflite_module
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.serialize import parse, serialize
from lowstream.test.unit.interop.tflite.test_recurrent import STATE, parsed

MODEL = STATE.format(init="nn.exp %x : tensor<2x3xf32>")

REFUSED = """
func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
  %y = nn.exp %x {nn.name = "e"} : tensor<2xf64>
  func.return %y : tensor<2xf64>
}
"""


def test_names_and_types_survive(tmp_path: Path):
    text = MODEL.replace("%x: tensor<2x3xf32>", '%x: tensor<2x3xf32> {nn.names = ["X"]}')
    path = tmp_path / "m.tflite"
    lowstream.save_model(parsed(text), path)
    model = lowstream.read_model(path)
    assert [port.names for port in model.inputs] == [("X",)]
    assert model.outputs[0].shape == (2, 3)
    assert path.read_bytes()[4:8] == b"TFL3"


def test_what_is_refused_leaves_the_file_that_was_there(tmp_path: Path):
    path = tmp_path / "m.tflite"
    path.write_text("before")
    with pytest.raises(SourceError, match=r"m\.tflite: error: nn\.exp 'e': .*EXP.*float64"):
        lowstream.save_model(parsed(REFUSED), path)
    assert [each.name for each in tmp_path.iterdir()] == ["m.tflite"]
    assert path.read_text() == "before"


def test_a_failing_write_leaves_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "m.tflite"
    path.write_text("before")

    def fail(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(source))

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left on device"):
        lowstream.save_model(parsed(MODEL), path)
    assert [each.name for each in tmp_path.iterdir()] == ["m.tflite"]
    assert path.read_text() == "before"


@pytest.mark.parametrize("module", ["ai_edge_litert", "flatbuffers"])
def test_without_the_package_one_line_names_the_extra(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "lowstream.interop.tflite.exporter", raising=False)
    monkeypatch.delattr("lowstream.interop.tflite.exporter", raising=False)
    with pytest.raises(SourceError, match=r"pip install .ai-edge-litert"):
        lowstream.save_model(parsed(MODEL), tmp_path / "m.tflite")


def test_damage_is_one_line():
    data, chance = LiteRt(parsed(MODEL)).data, random.Random(0)
    for _ in range(200):
        damaged = bytearray(data[: chance.choice([len(data), chance.randrange(len(data))])])
        for _ in range(chance.randrange(3)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            tflite_module(bytes(damaged))
        except DiagnosticException:
            continue


def test_another_format_is_named():
    data = LiteRt(parsed(MODEL)).data
    with pytest.raises(DiagnosticException, match="not a LiteRT model, which has TFL3 at byte 4"):
        tflite_module(data[:4] + b"TFL2" + data[8:])


def test_operators_without_operands_are_one_line():
    """Files that are whole, of a graph that no converter writes."""
    data = LiteRt(parsed(MODEL)).data
    for place, operator in enumerate(parse(data).subgraphs[0].operators):
        graph = parse(data)
        graph.subgraphs[0].operators[place].inputs = []
        if operator.inputs and operator.builtin != "CALL_ONCE":
            with pytest.raises(DiagnosticException):
                tflite_module(serialize(graph))
