"""The report takes a module or a model, and names types as OpenVINO does."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.dialects.nn import ClampOp, FakeConvertOp, MultiplyOp
from lowstream.passes.pipeline import run_passes
from lowstream.passes.precision_report import RUN_LPT, precision_report, precision_summary
from lowstream.passes.precision_report.advice import advice_about
from lowstream.passes.precision_report.multiply_accumulates import Summary
from lowstream.runtime.compiler import compile_model
from lowstream.test.unit.passes.lpt.small_models import (
    IMAGE,
    UNEVEN,
    Layers,
    after_lpt,
    named,
    row_of,
)

CELL = """
func.func @main(%x: tensor<1x2xbf16>, %w: tensor<2x2xbf16>, %b: tensor<2xbf16>) -> tensor<1x2xi1> {
  %h = rnn.rnn_cell %x, %x, %w, %w, %b {hidden_size = 2 : i64, nn.name = "cell"}
      : (tensor<1x2xbf16>, tensor<1x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<1x2xbf16>
  %y = nn.convert %h to i1 {nn.name = "truth"} : tensor<1x2xbf16> -> tensor<1x2xi1>
  func.return %y : tensor<1x2xi1>
}
"""


@dataclass
class Model:
    module: ModuleOp


@pytest.mark.parametrize("wrap", [lambda module: module, Model])
def test_rows(wrap):
    module = Parser(context(), CELL).parse_module()
    cell, convert = precision_report(wrap(module))
    assert cell == {
        "name": "cell",
        "type": "RNNCell",
        "inputs": ["bf16"] * 5,
        "outputs": ["bf16"],
        "reason": "its inputs are not quantized; put a FakeQuantize on them",
    }
    assert (convert["type"], convert["outputs"]) == ("Convert", ["boolean"])


LAYERS = """
func.func @main(%x: tensor<2x3x6x6xf32>) -> tensor<2x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %high = nn.constant dense<[[[[2.55]], [[5.1]], [[2.55]]]]> : tensor<1x3x1x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"}
      : (tensor<2x3x6x6xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3x6x6xf32>
  %v = nn.constant dense<3> : tensor<8x3x3x3xi8>
  %f = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> : tensor<8x3x3x3xi8> -> tensor<8x3x3x3xf32>
  %c = nn.convolution %q, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
      pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, nn.name = "conv"}
      : (tensor<2x3x6x6xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x4x4xf32>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %m = nn.reduce_mean %c, %axes : (tensor<2x8x4x4xf32>, tensor<2xi64>) -> tensor<2x8xf32>
  %p = qnn.fake_quantize %m, %l, %h, %l, %h {levels = 256 : i64, nn.name = "pooled"}
      : (tensor<2x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x8xf32>
  %w = nn.constant dense<2> : tensor<8x4xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<8x4xi8> -> tensor<8x4xf32>
  %y = nn.mat_mul %p, %d {nn.name = "fc"} : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
"""


def test_what_is_quantized_waits_for_lpt():
    """A report of a model as it was read says to run `lpt`, not to quantize what is quantized."""
    module = Parser(context(), LAYERS).parse_module()
    found = {row["name"]: row["reason"] for row in precision_report(module) if row["name"]}
    assert found == dict.fromkeys(["fq", "conv", "pooled", "fc"], RUN_LPT)
    run_passes(module, "lpt")
    assert RUN_LPT not in {row["reason"] for row in precision_report(module)}


PER_CHANNEL = LAYERS.replace(
    """%l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"}
      : (tensor<2x3x6x6xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)""",
    """%l, %high, %l, %high {levels = 256 : i64, nn.name = "fq"}
      : (tensor<2x3x6x6xf32>, tensor<f32>, tensor<1x3x1x1xf32>, tensor<f32>, tensor<1x3x1x1xf32>)""",
)


@pytest.fixture
def low() -> ModuleOp:
    """A convolution and a matrix product in low precision."""
    module = Parser(context(), LAYERS).parse_module()
    run_passes(module, "lpt")
    return module


def test_every_product_is_low_in_the_report(low: ModuleOp):
    products = [row for row in precision_report(low) if row["type"] in ("Convolution", "MatMul")]
    assert [row["inputs"] for row in products] == [["u8", "i8"], ["u8", "i8"]]
    assert [row["reason"] for row in products] == ["", ""]
    convolution, matrix = 2 * 8 * 16 * 27, 2 * 8 * 4
    total = convolution + matrix
    assert precision_summary(low) == Summary(2, 2, total, total, 0)


def test_every_product_is_low_in_the_counters(low: ModuleOp):
    request = compile_model(low, profiling=True, pipeline=None).create_infer_request()
    request.infer([np.zeros((2, 3, 6, 6), np.float32)])
    found = [
        (info.node_type, info.status, info.exec_type.rsplit("_", 1)[1])
        for info in request.profiling_info
        if info.node_type in ("Convolution", "MatMul")
    ]
    assert found == [("Convolution", "EXECUTED", "I8"), ("MatMul", "EXECUTED", "I8")]


def test_names_in_brackets_are_no_markup(capsys: pytest.CaptureFixture[str]):
    module = Parser(
        context(), LAYERS.replace('nn.name = "fq"', 'nn.name = "a[red]b[/c]"')
    ).parse_module()
    run_passes(module, "precision-report")
    assert "a[red]b[/c]" in capsys.readouterr().err


def test_the_fake_quantize_at_fault_is_named():
    assert PER_CHANNEL != LAYERS
    module = Parser(context(), PER_CHANNEL).parse_module()
    run_passes(module, "lpt")
    (row,) = (row for row in precision_report(module) if row["type"] == "Convolution")
    assert row["reason"] == (
        "input 0 is quantized per channel; preset 'cpu-x86' takes one scale there, so quantize it per "
        "tensor (FakeQuantize 'fq')"
    )
    assert precision_summary(module).low_products == 1


def test_a_fake_quantize_behind_moves_is_named():
    levels = LAYERS.replace(
        'levels = 256 : i64, nn.name = "pooled"', 'levels = 257 : i64, nn.name = "pooled"'
    )
    text = levels.replace(
        "%y = nn.mat_mul %p,",
        "%t = nn.relu %p : tensor<2x8xf32>\n  %y = nn.mat_mul %t,",
    )
    module = Parser(context(), text).parse_module()
    run_passes(module, "lpt")
    (row,) = (row for row in precision_report(module) if row["type"] == "MatMul")
    assert row["reason"] == (
        "input 0 is not quantized by qnn.fake_quantize 'pooled': 257 levels; low precision takes 2 to 256"
    )


@pytest.mark.parametrize("options", ["", "{preset=cpu-arm}", "{config=float.toml}"])
def test_layers_are_called_as_in_the_model(
    options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In the report and in the counters, whether they are in low precision or not."""
    monkeypatch.chdir(tmp_path)
    Path("float.toml").write_text("update_precisions = false\n")
    module = Parser(context(), LAYERS).parse_module()
    run_passes(module, f"lpt{options}")
    products = ("Convolution", "MatMul")
    found = [(row["name"], row["type"]) for row in precision_report(module)]
    assert [one for one in found if one[1] in products] == [
        ("conv", "Convolution"),
        ("fc", "MatMul"),
    ]
    request = compile_model(module, profiling=True, pipeline=None).create_infer_request()
    request.infer([np.zeros((2, 3, 6, 6), np.float32)])
    names = {info.node_name for info in request.profiling_info}
    assert {"conv", "fc"} <= names
    assert not any(name.endswith("_original") for name in names)


def test_codes_in_floating_point_are_told(tmp_path: Path):
    (tmp_path / "float.toml").write_text("update_precisions = false\n")
    module = Parser(context(), LAYERS).parse_module()
    run_passes(module, f"lpt{{config={tmp_path}/float.toml}}")
    reasons = {
        row["name"]: row["reason"]
        for row in precision_report(module)
        if row["type"] == "Convolution"
    }
    assert reasons == {
        "conv": "the configuration computes codes in floating point (update_precisions = false)"
    }


def test_what_dequantizes_behind_a_clamp_is_told():
    """A clamp computes in floating point on codes; its zero point and scale come behind it."""
    layers = Layers(IMAGE)
    clamp = ClampOp.of(layers.quantized(layers.inputs[0], UNEVEN), min=-0.4, max=0.7)
    scaled = MultiplyOp.of(layers.add(named(clamp, "clamp")), layers.constant(0.3))
    rows = after_lpt(layers.module(layers.add(scaled)))
    types = [row["type"] for row in rows if row["reason"] == "it turns codes back into values"]
    assert types == ["Subtract", "Multiply"]


def test_floats_of_8_bits_are_told():
    layers = Layers((1, 4))
    x = layers.add(FakeConvertOp.of(layers.inputs[0], layers.constant(2.0)))
    rows = after_lpt(layers.module(layers.mat_mul(x, layers.constant(np.ones((4, 4))))))
    reason = "input 0 has codes of f8E4M3FN; quantize it to integers of 8 bits"
    assert row_of(rows, "fc")["reason"] == reason


def test_a_layer_that_is_called_so_keeps_its_name():
    text = LAYERS.replace('"conv"', '"mine_original"').replace('"fc"', '"mine"')
    module = Parser(context(), text).parse_module()
    for passes in ("", "lpt"):
        run_passes(module, passes)
        assert {"mine_original", "mine"} <= {row["name"] for row in precision_report(module)}


def test_sums_that_take_zero_points_out_are_no_layers():
    layers = Layers((2, 3, 4), (2, 4, 5))
    left, right = (layers.quantized(value, (-1.0, 1.55)) for value in layers.inputs)
    module = layers.module(layers.mat_mul(left, right))
    run_passes(module, "lpt{preset=cpu-x86-exact}")
    assert precision_summary(module) == Summary(1, 1, 2 * 3 * 4 * 5, 2 * 3 * 4 * 5, 0)
    assert row_of(precision_report(module), "fc")["inputs"] == ["u8", "i8"]


STATE = """
infra.variable @"rnn/H/variable_1" : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %h = infra.read_value @"rnn/H/variable_1", %x : tensor<2xf32> -> tensor<2xf32>
  %y = nn.add %x, %h {nn.name = "sum"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  infra.assign @"rnn/H/variable_1", %y : tensor<2xf32>
  func.return %y : tensor<2xf32>
}
"""


def test_states_are_called_by_their_variables():
    rows = precision_report(Parser(context(), STATE).parse_module())
    state = "rnn/H/variable_1"
    assert [row["name"] for row in rows] == [state, "sum", state]


IN_FRONT = """
func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xui8>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %r = nn.relu %x {nn.name = "in front of codes"} : tensor<2x4xf32>
  %q = qnn.fake_quantize %r, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8}
      : (tensor<2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x4xui8>
  %d = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> : tensor<2x4xui8> -> tensor<2x4xf32>
  %s = nn.relu %x {nn.name = "in front of values"} : tensor<2x4xf32>
  %v = qnn.fake_quantize %s, %l, %h, %l, %h {levels = 256 : i64}
      : (tensor<2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>
  %t = nn.relu %x {nn.name = "in front of sums"} : tensor<2x4xf32>
  %p = nn.add %t, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = qnn.fake_quantize %p, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8}
      : (tensor<2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x4xui8>
  func.return %d, %v, %c : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xui8>
}
"""


MOVED = """
func.func @main(%x: tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %x, %order {nn.name = "codes"} : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %q = qnn.fake_quantize %t, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8}
      : (tensor<4x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x2xui8>
  %d = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> : tensor<4x2xui8> -> tensor<4x2xf32>
  %y = nn.transpose %x, %order {nn.name = "values"} : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  func.return %d, %y : tensor<4x2xf32>, tensor<4x2xf32>
}
"""


def test_what_is_moved_and_then_quantized_could_be_quantized_first():
    rows = precision_report(Parser(context(), MOVED).parse_module())
    codes, values = (row_of(rows, name)["reason"] for name in ("codes", "values"))
    assert advice_about(codes) == "put that FakeQuantize in front of it"
    assert advice_about(values).startswith("nothing to change")


def test_what_a_fake_quantize_makes_codes_of_needs_no_other_one():
    rows = precision_report(Parser(context(), IN_FRONT).parse_module())
    codes, *others = (
        row_of(rows, f"in front of {kind}")["reason"] for kind in ("codes", "values", "sums")
    )
    assert advice_about(codes) == "nothing to change: one kernel computes both"
    assert others == ["its inputs are not quantized"] * 2
