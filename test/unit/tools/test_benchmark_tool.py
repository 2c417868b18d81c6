"""benchmark-tool: what it measures, prints and draws; never how long anything takes."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lowstream import read_model, save_model
from lowstream.passes.needs import needs
from lowstream.passes.shapes.partial_shape import Shape
from lowstream.runtime.ports import Port
from lowstream.runtime.random_input import random_input
from lowstream.tools import measure
from lowstream.tools.benchmark_tool import latency_table, main
from lowstream.tools.measure import Contender, take_turns
from lowstream.tools.peers import FORMATS, PEERS

TEXT = """
func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}) -> (tensor<2xf32> {nn.names = ["Y"]}) {
  %y = nn.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measure, "WARM_UP", 0.0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mlir").write_text(TEXT)
    return tmp_path


def new_model(*parts: Any) -> Any:
    """A model of OpenVINO's, whose stubs know two classes of that name."""
    import openvino as ov

    model: Any = ov.Model
    return model(*parts)


TWO_INPUTS = """
func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}, %z: tensor<2xf32> {nn.names = ["Z"]})
    -> (tensor<2xf32> {nn.names = ["Y"]}) {
  %y = nn.add %x, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
"""


def save_peers_models(folder: Path) -> None:
    """The same model for OpenVINO and for ONNX Runtime."""
    import onnx
    import openvino as ov
    import openvino.opset15 as opset
    from onnx import TensorProto, helper

    x = opset.parameter([2], np.float32)
    ov.save_model(new_model([opset.add(x, x)], [x], "m"), folder / "m.xml")
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "XY"]
    graph = helper.make_graph(
        [helper.make_node("Add", ["X", "X"], ["Y"])], "m", ports[:1], ports[1:]
    )
    opsets = [helper.make_opsetid("", 21)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), folder / "m.onnx")


def test_against_peers(folder: Path, capsys: pytest.CaptureFixture[str]):
    save_peers_models(folder)
    main(
        [
            "m.mlir",
            "--time",
            "0.2",
            "--threads",
            "1",
            "--vs",
            "openvino,onnxruntime",
            "--plot",
            "l.svg",
        ]
    )
    title, columns, *rows, firsts = capsys.readouterr().out.splitlines()
    assert [each.split()[-3] for each in firsts.split(",")[1:]][1:] == ["openvino", "onnxruntime"]
    assert title == "m.mlir: µs per inference"
    assert columns.split() == ["runtime", "calls", "p50", "p90", "p99", "p99.9", "ratio"]
    assert [row.split()[0] for row in rows] == ["lowstream", "openvino", "onnxruntime"]
    for row in rows:
        calls, *times = map(float, row.split()[1:-1])
        assert calls >= measure.TURNS
        assert 0 < times[0] <= times[1] <= times[2] <= times[3]
    assert (folder / "l.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("peer", PEERS)
def test_peers_compute(folder: Path, peer: str):
    save_peers_models(folder)
    save_model(read_model("m.mlir"), "m.tflite")
    path = folder / f"m{FORMATS[peer][0]}"
    ones = np.ones(2, np.float32)
    infer = PEERS[peer](path, [ones], 1, False)
    results = infer()
    if peer == "openvino":
        assert results[0].tolist() == [2, 2]


def test_what_a_peer_reads_is_written_for_it(folder: Path, capsys: pytest.CaptureFixture[str]):
    """Stateful and in other shapes, too; and the folder of the model stays as it was."""
    shutil.copy(Path(__file__).parents[3] / "docs/examples/step.mlir", folder)
    before = sorted(folder.iterdir())
    names = ["lowstream", "openvino", "onnxruntime", "litert"]
    peers = ["--vs", ",".join(names[1:])]
    main(["step.mlir", "-p", "low-latency2,lpt", "--time", "0.2", *peers])
    _, _, *rows, firsts = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == names
    assert all(f"{name} " in firsts for name in names)
    assert sorted(folder.iterdir()) == before


def test_openvino_carries_states_where_ours_does(folder: Path):
    import openvino as ov
    import openvino.opset15 as opset

    frame, total = opset.parameter([1, 2], np.float32), opset.parameter([1, 2], np.float32)
    body = new_model([opset.result(opset.add(frame, total))], [frame, total], "body")
    x = opset.parameter([1, 2], np.float32)
    loop = opset.tensor_iterator()
    loop.set_body(body)
    loop.set_sliced_input(frame, x.output(0), 0, 1, 1, -1, 0)
    zeros = opset.constant(np.zeros((1, 2), np.float32))
    loop.set_merged_input(total, zeros.output(0), body.results[0].output(0))
    y = loop.get_iter_value(body.results[0].output(0), -1)
    ov.save_model(new_model([opset.result(y)], [x], "m"), folder / "m.xml")
    ones = np.ones((1, 2), np.float32)
    for stateful, expected in ((True, 3.0), (False, 1.0)):
        infer = PEERS["openvino"](folder / "m.xml", [ones], 1, stateful)
        for _ in range(2):
            infer()
        assert float(infer()[0][0, 0]) == expected


def test_turns_alternate(monkeypatch: pytest.MonkeyPatch):
    """Each begins with a call that does not count."""
    monkeypatch.setattr(measure, "WARM_UP", 0.0)
    monkeypatch.setattr(measure, "SETTLING", 0.0)
    order: list[str] = []
    contenders = [Contender(name, lambda name=name: order.append(name)) for name in "ab"]
    take_turns(contenders, 0.0)
    assert order == ["a", "b", *["a", "a", "b", "b"] * measure.TURNS]
    assert [len(contender.samples) for contender in contenders] == [measure.TURNS] * 2


def test_percentiles_and_ratios():
    ours, theirs = Contender("ours", int), Contender("theirs", int)
    ours.samples.extend(range(1000, 2_002_000, 1000))
    theirs.samples.extend([5_005_000] * 3)
    assert ours.percentiles == [1001.0, 1801.0, 1981.0, 1999.0]
    _, rows = latency_table([ours, theirs])
    assert rows[0] == ["ours", "2001", "1001.00", "1801.00", "1981.00", "1999.00", "1.00"]
    assert rows[1][-1] == "5.00"


def test_random_inputs_repeat():
    port = Port("input", ("X",), Shape((3, 4)), "float16")
    assert np.array_equal(random_input(port), random_input(port))
    assert random_input(port).dtype == np.float16
    assert set(random_input(Port("input", ("X",), Shape((99,)), "uint8"))) == {0, 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("mm.mlir", "mm.mlir: error: No such file or directory; did you mean m.mlir?"),
        ("m.mlir --plot l.txt", "m.mlir: error: l.txt: a plot is written as .svg, .png, .pdf"),
        (
            "unknown.mlir",
            "unknown.mlir: error: input 'X' has unknown dimensions; say its shape, as in --reshape X=1",
        ),
    ],
)
def test_wrong_input(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: str, message: str
):
    (folder / "unknown.mlir").write_text(TEXT.replace("2xf32", "?xf32"))
    with pytest.raises(SystemExit) as error:
        main(arguments.split())
    assert error.value.code == 1
    assert capsys.readouterr() == ("", f"{message}\n")


@pytest.mark.parametrize(
    ("peer", "text", "message"),
    [
        ("onnxruntime", TEXT.replace("2xf32", "3xf32"), "onnxruntime does not run m.onnx: "),
        ("openvino", TEXT.replace("2xf32", "3xf32"), "openvino does not run m.xml: "),
        ("onnxruntime", TEXT.replace("2xf32", "2xi32"), "onnxruntime does not run m.onnx: "),
        ("onnxruntime", None, "onnxruntime does not run m.onnx: "),
        (
            "litert",
            TEXT.replace("2xf32", "2xf64"),
            "litert reads .tflite, which cannot be written of m.mlir: ",
        ),
        ("openvino", None, "openvino does not run m.xml: "),
        (
            "onnxruntime",
            TWO_INPUTS,
            "onnxruntime does not run m.onnx: its model has 1 inputs, ours 2; measure the same model",
        ),
        (
            "openvino",
            TWO_INPUTS,
            "openvino does not run m.xml: its model has 1 inputs, ours 2; measure the same model",
        ),
    ],
)
def test_a_peer_that_does_not_run_the_model(
    folder: Path, capsys: pytest.CaptureFixture[str], peer: str, text: str | None, message: str
):
    """Ours is measured all the same."""
    save_peers_models(folder)
    if text is None:
        for name in ("m.xml", "m.onnx"):
            (folder / name).write_text("<net")
    (folder / "m.mlir").write_text(text or TEXT)
    with pytest.raises(SystemExit) as error:
        main(["m.mlir", "--vs", peer, "--time", "0.01"])
    assert error.value.code == 1
    out, line = capsys.readouterr()
    title, *rows, firsts = out.splitlines()
    assert title == "m.mlir: µs per inference"
    assert [row.split()[0] for row in rows] == ["runtime", "lowstream"]
    assert re.fullmatch(r"first calls, which do not count: lowstream \d+\.\d µs", firsts)
    assert line.startswith("m.mlir:") and f" error: {message}" in line
    assert line.count("\n") == 1


@pytest.mark.parametrize(
    ("missing", "module", "package"),
    [
        ("openvino", "openvino", "openvino"),
        ("onnxruntime", "onnxruntime", "onnxruntime"),
        ("litert", "ai_edge_litert.interpreter", "ai-edge-litert"),
    ],
)
def test_a_peer_that_is_not_installed_is_told_before_the_model_is_read(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    missing: str,
    module: str,
    package: str,
):
    monkeypatch.setitem(sys.modules, module, None)
    (folder / "m.mlir").write_text("no model")
    with pytest.raises(SystemExit) as error:
        main(["m.mlir", "--vs", missing])
    assert error.value.code == 1
    message = f"m.mlir: error: {needs(f'measuring {missing}', package)}\n"
    assert capsys.readouterr() == ("", message)


@pytest.mark.parametrize("arguments", ["m.mlir --time 0", "m.mlir --time x", "m.mlir --vs torch"])
def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str], arguments: str):
    with pytest.raises(SystemExit) as error:
        main(arguments.split())
    assert error.value.code == 2
    assert capsys.readouterr().err.startswith("benchmark-tool: error: ")
