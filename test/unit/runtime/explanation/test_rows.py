"""What is known of layers, and how it is shown and written."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import context
from lowstream.runtime.explanation.html import fragment
from lowstream.runtime.explanation.rows import Explanation, KernelRow, LayerRow, WhatIf

WHAT_IF = WhatIf(("a step",), ("b",), (0.5, 0.2), (1.0, 0.75), (0.0, 0.125), (0.0, 0.25))
EXPLANATION = Explanation(
    "m.mlir",
    "1 of 2",
    (
        LayerRow("a<1>", "Convolution", "m.mlir:3", ("u8", "i8"), ("i32",), "1x2", "convolution"),
        LayerRow(
            *("b", "MatMul", "m.mlir:4", ("f32", "f32", "i8"), ("f32",), "1x2", "mat_mul"),
            *("it is so; change it", "FakeQuantize 'q' (m.mlir:1)", "change it", 0.5, 2.0, WHAT_IF),
        ),
        LayerRow("c", "ReLU", "", ("f32",), ("f32",), "1x2", "", "its inputs are not quantized"),
    ),
    (
        KernelRow("a<1>", ("a<1>", "c"), "Convolution", "jit_avx2_I8", "1x2", 0.25, 0.25, 8.0),
        KernelRow("b", ("b",), "MatMul", "jit_avx2_FP32", "1x2", 0.75, 0.75, None),
    ),
    (WHAT_IF,),
    ("a note",),
)


def test_sums():
    assert EXPLANATION.low_share == 0.25
    assert EXPLANATION.milliseconds == 1.0
    assert [kernel.name for kernel in EXPLANATION.top(1)] == ["b"]
    assert WHAT_IF.gain_ms == 0.25
    assert Explanation("m", "", ()).low_share is None
    assert [layer.is_low for layer in EXPLANATION.layers] == [True, False, False]


def test_text_has_all_that_there_is_to_say():
    lines = EXPLANATION.as_text(100).splitlines()
    assert max(map(len, lines)) <= 100
    for line in (
        "a<1>  Convolution u8 i8    i32       convolution",
        "b      MatMul      FP32 1x2   0.750 75.0%",
        "MatMul 'b' (m.mlir:4)",
        "  is in floating point: it is so",
        "  at fault: FakeQuantize 'q' (m.mlir:1)",
        "  change: change it",
        "  gain: 0.250 ms faster: the model 1.00 → 0.750 ms, 1 layer of it 0.500 → 0.200 ms",
        "1.00 ms, 25.0% of them in int8",
        "a note",
    ):
        assert line in lines, str(EXPLANATION)
    assert "f32×2 i8" in str(EXPLANATION)
    assert str(EXPLANATION).count("cost: outputs differ from f32 by 0.12 (relative L2)") == 2


@pytest.mark.parametrize("width", [30, 80, 120])
@pytest.mark.parametrize("inputs", [("f32", "i64"), ("f32", "i64", "f32", "i64", "f32")])
def test_no_word_of_the_table_is_broken(width: int, inputs: tuple[str, ...]):
    layers = [
        LayerRow(f"a/long/name/of/a/layer/{n}", kind, "", inputs, ("u8",), "1", rule)
        for n, kind in enumerate(("GroupConvolution", "ScaledDotProductAttention"))
        for rule in ("fake_quantize, fake_quantize_decomposition",)
    ]
    lines = Explanation("m", "", tuple(layers)).as_text(width).splitlines()
    assert max(map(len, lines)) <= max(width, 76)
    words = {word for line in lines for word in line.split()}
    assert {"fake_quantize,", "fake_quantize_decomposition", "GroupConvolution", *inputs} <= words


def test_names_have_the_room_that_other_columns_leave():
    layer = LayerRow("n" * 24, "ReLU", "", ("f32",), ("f32",), "1", "relu")
    assert f"{'n' * 24} ReLU f32 f32 relu" in Explanation("m", "", (layer,)).as_text(60)
    assert "n" * 24 not in Explanation("m", "", (layer,)).as_text(50)


def test_of_many_layers_alike_some_are_named():
    layers = tuple(
        LayerRow(
            f"l{n}", "Add", "", ("f32",), ("f32",), "1", "", "it is so; change it", "", "change it"
        )
        for n in range(11)
    )
    text = Explanation("m", "", layers).as_text(200)
    assert "Add 'l6', Add 'l7', and 3 more\n" in text and "'l8'" not in text
    assert "Add 'l7'\n" in Explanation("m", "", layers[:8]).as_text(200)


def test_html_is_one_section_that_loads_nothing():
    page = EXPLANATION.as_page()
    assert page.count(EXPLANATION.html()) == 1
    assert "a&lt;1&gt;" in page and "a<1>" not in page
    assert "FakeQuantize &#x27;q&#x27; (m.mlir:1)" in page
    assert "0.750<" in page and "http" not in page
    for tag in ("section", "table", "td"):
        assert page.count(f"<{tag}") == page.count(f"</{tag}>") > 0


def test_files_of_each_format(tmp_path: Path):
    for name in ("m.json", "m.csv", "m.html", "m.txt"):
        EXPLANATION.save(tmp_path / name)
    read = json.loads((tmp_path / "m.json").read_text())
    assert read["layers"][1]["what_if"]["error"] == [0.0, 0.125]
    assert read["low_share"] == 0.25
    rows = list(csv.DictReader(io.StringIO((tmp_path / "m.csv").read_text())))
    assert rows[1]["inputs"] == "f32 f32 i8" and rows[1]["gain_ms"] == "0.25"
    assert rows[0]["milliseconds"] == ""
    assert (tmp_path / "m.txt").read_text().rstrip() == str(EXPLANATION)
    with pytest.raises(DiagnosticException, match=r"written as \.json, .*choose one of"):
        EXPLANATION.save(tmp_path / "m.pdf")
    assert len(list(tmp_path.iterdir())) == 4


TEXT = """func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 257 : i64}
    : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  %c = nn.constant dense<1> : tensor<4x4xi8>
  %codes = nn.convert %c to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
  %w = nn.multiply %codes, %high : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %y = nn.mat_mul %q, %w {nn.name = "fc"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>

  %z = nn.relu %y : tensor<1x4xf32>
  func.return %z : tensor<1x4xf32>
}
"""


def test_layers_are_found_by_file_and_line(tmp_path: Path):
    path = tmp_path / "m.mlir"
    path.write_text(TEXT)
    explained = lowstream.explain(path)
    by_type = {layer.type: layer for layer in explained.layers}
    assert by_type["FakeQuantize"].place == f"{path}:4"
    assert by_type["ReLU"].place == f"{path}:11"
    product = by_type["MatMul"]
    assert (product.name, product.place, product.rule) == ("fc", f"{path}:9", "mat_mul")
    assert product.at_fault == f"FakeQuantize ({path}:4)"
    assert product.advice == "give it 2 to 256 levels"
    assert product.shape == "1x4"
    assert product.reason.startswith(f"input 0 is not quantized by qnn.fake_quantize at {path}:4")
    low = lowstream.read_model(path)
    path.write_text(TEXT.replace("257", "256"))
    fixed = {layer.type: layer for layer in lowstream.explain(str(path)).layers}
    assert fixed["MatMul"].is_low and fixed["MatMul"].inputs == ("u8", "i8")
    assert fixed["FakeQuantize"].rule == "fake_quantize_decomposition"
    again = lowstream.explain(low, "low-latency2,lpt")
    assert [layer.reason for layer in again.layers if layer.name == "fc"] == [product.reason]


def test_what_has_no_lines_is_called_by_its_name_alone(tmp_path: Path):
    (tmp_path / "m.mlir").write_text(TEXT)
    lowstream.save_model(lowstream.read_model(tmp_path / "m.mlir"), tmp_path / "m.xml")
    explanation = lowstream.explain(tmp_path / "m.xml")
    assert {layer.place for layer in explanation.layers} == {""}
    assert "MatMul 'fc'\n" in explanation.as_text(200)
    assert explanation.model == str(tmp_path / "m.xml")


def test_layers_of_one_reason_are_said_together():
    layers = [replace(EXPLANATION.layers[1], name=name, what_if=None) for name in ("d", "e")]
    lines = replace(EXPLANATION, layers=tuple(layers)).as_text(100).splitlines()
    assert "MatMul 'd' (m.mlir:4), MatMul 'e' (m.mlir:4)" in lines
    assert "  are each in floating point: it is so" in lines


def test_a_model_that_takes_less_than_a_millisecond_has_microseconds():
    kernels = tuple(
        replace(each, milliseconds=each.milliseconds / 8) for each in EXPLANATION.kernels
    )
    short = replace(EXPLANATION, kernels=kernels)
    lines = short.as_text(100).splitlines()
    assert "b      MatMul      FP32 1x2   93.8 75.0%" in lines
    assert "125 µs, 25.0% of them in int8" in lines
    assert "1000 → 750 µs" in str(short)
    assert "<th>µs</th>" in fragment(short)
    assert "<th>ms</th>" in fragment(EXPLANATION)


def test_where_nothing_is_to_change_no_change_is_announced():
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = nn.relu %x {nn.name = "y"} : tensor<2xf32>
      func.return %y : tensor<2xf32>
    }
    """
    (note,) = [
        one
        for one in lowstream.explain(Parser(context(), text).parse_module()).notes
        if "measure" in one
    ]
    assert "as it is and in f32" in note
