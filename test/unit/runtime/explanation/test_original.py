"""A quantized model beside the one that it was made of: what its outputs and its layers are off."""

import re
from pathlib import Path

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime.explanation.original import Growth
from lowstream.test.unit.interop.tflite.test_recurrent import parsed
from lowstream.tools.command import main

PRODUCTS = """
func.func @main(%x: tensor<1x8xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %w = nn.constant dense<[[0.5, -1.0, 0.3, 2.0], [2.0, 0.25, 1.0, 0.1], [0.7, 0.2, -1.0, 1.0], [1.0, 1.0, 0.5, -0.5],
    [0.1, -0.3, 0.9, 0.8], [0.2, 0.6, -0.4, 0.3], [1.5, -0.7, 0.6, 0.4], [-0.9, 0.8, 0.2, 0.1]]> : tensor<8x4xf32>
  %v = nn.constant dense<[[1.0, 0.5, 2.0, 0.3], [0.1, 0.9, 1.0, 0.2], [0.3, -0.7, 0.6, 1.0], [0.4, 0.2, 0.1, -1.0]]>
    : tensor<4x4xf32>
  %h = nn.mat_mul %x, %w {nn.name = "first"} : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
  %t = nn.tanh %h {nn.name = "squash"} : tensor<1x4xf32>
  %y = nn.mat_mul %t, %v {nn.name = "second"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    samples = np.random.default_rng(0).normal(size=(6, 1, 8)).astype(np.float32)
    np.save("x.npy", samples)
    lowstream.save_model(model := lowstream.Model(parsed(PRODUCTS)), "f32.mlir")
    lowstream.save_model(lowstream.quantize(model, [*samples]), "int8.mlir")
    return tmp_path


def test_outputs_and_layers_are_compared_with_the_reference(folder: Path):
    inputs = [{"X": x} for x in np.load("x.npy")]
    found = lowstream.explain(
        "int8.mlir", measure=True, inputs=inputs, seconds=0, reference="f32.mlir"
    )
    wanted = lowstream.compile_model("f32.mlir")
    low = lowstream.compile_model("int8.mlir")
    pairs = [(low(one)["Y"], wanted(one)["Y"]) for one in inputs]
    apart, whole = (
        np.linalg.norm(np.stack(each))
        for each in ([a - b for a, b in pairs], [b for _, b in pairs])
    )
    off = {layer.name: layer.difference for layer in found.layers if layer.difference is not None}
    assert off.keys() == {"first", "squash", "second"}
    assert off["second"] == pytest.approx(apart / whole, rel=1e-3)
    assert all(0 < difference < 0.05 for difference in off.values())
    assert any(f"differ from f32.mlir by {off['second']:.2g}" in note for note in found.notes)
    assert f"{off['second']:.1%}" in str(found)
    assert f"{off['second']:.1%}" in found.html()


def test_a_reference_is_of_the_same_ports_and_for_measuring(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    other = lowstream.Model(parsed(PRODUCTS.replace('"X"', '"other"')))
    with pytest.raises(DiagnosticException, match=r"has the inputs other \[1, 8\], the model X"):
        lowstream.explain("int8.mlir", measure=True, seconds=0, reference=other)
    with pytest.raises(DiagnosticException, match="reference is for measure=True"):
        lowstream.explain("int8.mlir", reference=other)
    words = "explain int8.mlir --measure --input x.npy --reshape X=2x8 --reference f32.mlir"
    np.save("x.npy", np.zeros((3, 2, 8), np.float32))
    main([*words.split(), "-o", "report.csv"])
    assert Path("report.csv").read_text().splitlines()[0].endswith(",difference")


def test_the_layer_that_loses_most_is_named(folder: Path):
    text = Path("int8.mlir").read_text()
    limits = re.findall(r"dense<(-?[\d.]+)> : tensor<f32>", text)
    assert len(limits) == 4  # of X, and of what tanh gives
    Path("bad.mlir").write_text(text.replace(f"dense<{limits[3]}>", "dense<0.05>"))
    inputs = [{"X": x} for x in np.load("x.npy")]
    for file, layer in (("int8.mlir", "first"), ("bad.mlir", "second")):
        found = lowstream.explain(
            file, measure=True, inputs=inputs, seconds=0, reference="f32.mlir"
        )
        note = next(note for note in found.notes if note.startswith("It grows most"))
        assert re.match(rf"It grows most at MatMul '{layer}' \({file}:\d+\), from \d", note)
    off = {one.name: one.difference for one in found.layers}
    assert f"from {off['squash']:.1%} to {off['second']:.1%}" in note


def test_a_difference_grows_from_the_greatest_of_what_a_layer_reads():
    module = parsed(
        """
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %a = nn.tanh %x {nn.name = "a"} : tensor<2xf32>
  %b = nn.tanh %y {nn.name = "b"} : tensor<2xf32>
  %c = nn.relu %b : tensor<2xf32>
  %d = nn.add %a, %c {nn.name = "d"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %d : tensor<2xf32>
}
"""
    )
    assert Growth.most(module, {"a": 0.1, "b": 0.4, "d": 0.6}) == Growth("b", 0.0, 0.4)
    assert Growth.most(module, {"a": 0.1, "b": 0.2, "d": 0.6}) == Growth("d", 0.2, 0.6)
    assert Growth.most(module, {"d": 0.0}) is None
