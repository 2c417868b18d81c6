"""What is written as ONNX is taken by ONNX Runtime, means the same there, and is read back."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream import Model, read_model, run_passes, save_model
from lowstream.dialects import infra
from lowstream.interop.mlir import SourceError
from lowstream.interop.onnx.exporter import graph, tensors
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.narrow_weights import narrow_weights
from lowstream.test.unit.interop.nodes import noise
from lowstream.test.unit.interop.onnx.written import Session, assert_written, ran
from lowstream.test.unit.interop.test_openvino_exporter import (
    BRANCHES,
    FOREIGN,
    FUNCTIONS,
    ITERATED,
    KINDS,
    LOOP,
    QUANTIZED,
    SHIFTED,
    model_of,
)

# --- control flow and states --------------------------------------------------------------------------


def iterated(start: int = 0, end: int = -1, stride: int = 1) -> Model:
    text = ITERATED.replace("FROM", str(start)).replace("TO", str(end))
    return model_of(text.replace("STRIDE", str(stride)))


@pytest.mark.parametrize(
    ("cut", "type"), [((0, -1, 1), "Scan"), ((-1, 0, -1), "Scan"), ((0, 3, 1), "Loop")]
)
def test_an_iterator_is_a_scan_where_it_can(tmp_path: Path, cut: tuple[int, int, int], type: str):
    path = tmp_path / "m.onnx"
    assert_written(iterated(*cut), path, (noise(2, 3, 4), noise(2, 4), noise(4)))
    assert type in {node.op_type for node in onnx.load(path).graph.node}
    again = read_model(path)
    assert [port.any_name for port in again.outputs] == ["Y", "H"]


@pytest.mark.parametrize("constant", ["true", "false"])
def test_states_are_inputs_and_outputs_and_read_back_as_states(tmp_path: Path, constant: str):
    model = iterated()
    model.reshape({"X": [2, 1, 4]})
    run_passes(model, f"low-latency2{{use-const-initializer={constant}}}")
    steps = [(noise(2, 1, 4, seed=seed), noise(2, 4), noise(4)) for seed in range(3)]
    assert_written(model, tmp_path / "m.onnx", *steps)
    session = Session(tmp_path / "m.onnx")
    (state,) = session.states
    assert state["output"] == f"{state['input']}/next"
    assert bool(state["is_set"]) == (constant == "false")
    for kind in (infra.VariableOp, infra.ReadValueOp, infra.AssignOp):
        (op,) = (op for op in read_model(tmp_path / "m.onnx").module.walk() if isinstance(op, kind))
        assert state["input"] in str(op)


LSTM = """
func.func @main(%x: tensor<1x2x3xf32> {nn.names = ["X"]}) -> (tensor<1x1x2x4xf32> {nn.names = ["Y"]}) {
  %h0 = nn.constant dense<0.0> : tensor<1x1x4xf32>
  %n = nn.constant dense<2> : tensor<1xi64>
  %w = nn.constant dense<W> : tensor<1x16x3xf32>
  %r = nn.constant dense<R> : tensor<1x16x4xf32>
  %b = nn.constant dense<B> : tensor<1x16xf32>
  %y, %h, %c = rnn.lstm_sequence %x, %h0, %h0, %n, %w, %r, %b {hidden_size = 4 : i64} {nn.name = "lstm"}
      : (tensor<1x2x3xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1xi64>, tensor<1x16x3xf32>,
         tensor<1x16x4xf32>, tensor<1x16xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  func.return %y : tensor<1x1x2x4xf32>
}
""".replace("} {nn", ", nn")


def lstm() -> Model:
    text = LSTM
    for seed, (name, shape) in enumerate({"W": (1, 16, 3), "R": (1, 16, 4), "B": (1, 16)}.items()):
        text = text.replace(f"<{name}>", f"<{noise(*shape, seed=seed).tolist()}>")
    return model_of(text)


def test_an_lstm_streams_as_it_does_here(tmp_path: Path):
    """Both states of the cell, whose gates ONNX has in another order."""
    assert_written(lstm(), tmp_path / "whole.onnx", (noise(1, 2, 3),))
    model = lstm()
    model.reshape({"X": [1, 1, 3]})
    run_passes(model, "low-latency2")
    steps = [(noise(1, 1, 3, seed=seed),) for seed in range(3)]
    assert_written(model, tmp_path / "step.onnx", *steps)
    assert len(Session(tmp_path / "step.onnx").states) == 2


def test_a_cell_that_limits_its_state_is_written_out(tmp_path: Path):
    text = """
func.func @main(%x: tensor<1x3xf32>, %h: tensor<1x4xf32>, %c: tensor<1x4xf32>, %w: tensor<16x3xf32>,
    %r: tensor<16x4xf32>, %b: tensor<16xf32>) -> tensor<1x4xf32> {
  %y, %d = rnn.lstm_cell %x, %h, %c, %w, %r, %b {hidden_size = 4 : i64, cell_clip = 0.1 : f64,
      activations = ["sigmoid", "hard_sigmoid", "tanh"], activations_alpha = [0.0 : f64, 0.3 : f64]}
      : (tensor<1x3xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<16x3xf32>, tensor<16x4xf32>, tensor<16xf32>)
      -> (tensor<1x4xf32>, tensor<1x4xf32>)
  func.return %y : tensor<1x4xf32>
}
"""
    shapes = [(1, 3), (1, 4), (1, 4), (16, 3), (16, 4), (16,)]
    inputs = [noise(*shape) for shape in shapes]
    assert_written(model_of(text), tmp_path / "clipped.onnx", inputs)
    whole = model_of(text.replace("cell_clip = 0.1", "cell_clip = 0.0"))
    assert_written(whole, tmp_path / "whole.onnx", inputs)


def test_a_loop_without_a_condition_and_branches(tmp_path: Path):
    assert_written(model_of(LOOP), tmp_path / "l.onnx", *((np.array(n), noise(3)) for n in (1, 4)))
    assert_written(
        model_of(BRANCHES), tmp_path / "b.onnx", *((np.array(c), noise(3)) for c in (True, False))
    )


# --- quantization -------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", ["0.0", "-0.7"])
@pytest.mark.parametrize("kind", KINDS)
def test_onnx_runtime_multiplies_codes_after_lpt(tmp_path: Path, kind: str, low: str):
    """Also padded with the code of 0, and with a bias; what follows is quantized again."""
    shape, grid = KINDS[kind]
    rng, path = np.random.default_rng(3), tmp_path / "m.onnx"
    text = QUANTIZED.replace("LOW", low).replace("KIND", kind)
    text = text.replace("WEIGHTS", str(narrow_weights(rng, *shape).tolist()))
    text = text.replace("SCALES", str(rng.uniform(0.01, 0.02, grid).round(4).tolist()))
    text = text.replace("SHAPE", "x".join(map(str, shape)))
    text = text.replace("GRID", "x".join(map(str, grid)))
    text = text.replace(
        "  func.return %y",
        """  %bias = nn.constant dense<[[[[0.5]], [[-0.5]], [[1.0]], [[0.0]]]]> : tensor<1x4x1x1xf32>
  %a = nn.add %y, %bias : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %ol = nn.constant dense<-32.0> : tensor<f32>
  %oh = nn.constant dense<31.75> : tensor<f32>
  %z = qnn.fake_quantize %a, %ol, %oh, %ol, %oh {levels = 256 : i64}
      : (tensor<1x4x4x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x4x4xf32>
  func.return %z""",
    )
    model = model_of(text)
    run_passes(model, "lpt")
    assert_written(model, path, (noise(1, 4, 6, 6),), atol=0.25 + 1e-5)  # a step of the last one
    assert "QLinearConv" in ran(path)


FAKE = """
func.func @main(INPUT) -> tensor<2x4xf32> {
  CONSTANT
  %il = nn.constant dense<IL> : tensor<2x1xf32>
  %ih = nn.constant dense<IH> : tensor<2x1xf32>
  %ol = nn.constant dense<OL> : tensor<2x1xf32>
  %oh = nn.constant dense<OH> : tensor<2x1xf32>
  %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = LEVELS : i64}
      : (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
"""

INTERVALS = {
    "unsigned": (256, "0.0", "2.55", "0.0", "2.55", {"QuantizeLinear", "DequantizeLinear"}),
    "signed": (256, "-1.28", "1.27", "-1.28", "1.27", {"QuantizeLinear", "DequantizeLinear"}),
    "narrow range": (255, "-1.27", "1.27", "-1.27", "1.27", {"Max", "Min", "QuantizeLinear"}),
    "channels": (
        256,
        "[[-1.28], [-0.64]]",
        "[[1.27], [0.635]]",
        "-128.0",
        "127.0",
        {"QuantizeLinear"},
    ),
    "0 between codes": (16, "-0.13", "1.37", "-0.13", "1.37", {"Sub", "QuantizeLinear", "Add"}),
    "16 bits": (65536, "-32.768", "32.767", "-32.768", "32.767", {"QuantizeLinear"}),
    "a pruned channel": (
        256,
        "[[0.0], [-1.28]]",
        "[[0.0], [1.27]]",
        "[[0.0], [-1.28]]",
        "[[0.0], [1.27]]",
        {"Round"},
    ),
    "one point": (2, "0.017", "0.017", "-1.0", "1.0", {"Greater"}),
    "a point and an interval": (
        2,
        "[[0.0], [-1.28]]",
        "[[0.0], [1.27]]",
        "[[1.0], [-1.0]]",
        "[[-1.0], [1.0]]",
        {"Greater"},
    ),
    "backwards": (256, "-1.28", "1.27", "1.28", "-1.27", {"Round"}),
    "too many": (100000, "0.0", "2.0", "0.0", "2.0", {"Round"}),
}


@pytest.mark.parametrize("case", INTERVALS)
def test_a_fake_quantize_is_codes_and_back(tmp_path: Path, case: str):
    levels, *limits, types = INTERVALS[case]
    text = FAKE.replace("LEVELS", str(levels))
    for name, limit in zip(("IL", "IH", "OL", "OH"), limits, strict=True):
        text = text.replace(f"<{name}>", f"<{limit}>")
    x = np.array([[-2.0, -0.333, 0.0, 0.017], [0.248, 0.7, 1.2, 3.0]], np.float32)
    given = text.replace("INPUT", "%x: tensor<2x4xf32>").replace("CONSTANT", "")
    assert_written(model_of(given), tmp_path / "m.onnx", (x,))
    assert types <= {node.op_type for node in onnx.load(tmp_path / "m.onnx").graph.node}
    constant = f"%x = nn.constant dense<{x.tolist()}> : tensor<2x4xf32>"
    weights = text.replace("INPUT", "").replace("CONSTANT", constant)
    assert_written(model_of(weights), tmp_path / "w.onnx", ())


@pytest.mark.parametrize("element", ["i4", "ui4", "i8", "ui8", "i16", "i32"])
def test_codes_of_a_type_are_dequantized_along_an_axis(tmp_path: Path, element: str):
    zero = "" if element == "i32" else f"zero_point <dense<[[1], [2]]> : tensor<2x1x{element}>>"
    text = f"""
func.func @main() -> tensor<2x3xf32> {{
  %q = nn.constant dense<[[1, 2, 3], [4, 5, 7]]> : tensor<2x3x{element}>
  %y = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> {zero}
      : tensor<2x3x{element}> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}}"""
    assert_written(model_of(text), tmp_path / "m.onnx", ())
    (node,) = onnx.load(tmp_path / "m.onnx").graph.node
    assert node.op_type == "DequantizeLinear" and len(node.input) == 2 + bool(zero)


INTEGER = """
func.func @main(%x: tensor<1x2x3x3xui8>, %a: tensor<2x3xui8>) -> (tensor<1x1x4x4xi32>, tensor<2x2xi32>) {
  %w = nn.constant dense<[[[[1, -2], [3, 4]], [[5, 6], [-7, 8]]]]> : tensor<1x2x2x2xi8>
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, pad_value = 3 : i64}
      : (tensor<1x2x3x3xui8>, tensor<1x2x2x2xi8>) -> tensor<1x1x4x4xi32>
  %b = nn.constant dense<[[1, -2, 3], [4, 5, -6]]> : tensor<2x3xi8>
  %z = nn.mat_mul %a, %b {transpose_b = true} : (tensor<2x3xui8>, tensor<2x3xi8>) -> tensor<2x2xi32>
  func.return %y, %z : tensor<1x1x4x4xi32>, tensor<2x2xi32>
}
"""


def test_products_of_codes_without_a_meaning_are_exact(tmp_path: Path):
    x = np.arange(18, dtype=np.uint8).reshape(1, 2, 3, 3)
    assert_written(model_of(INTEGER), tmp_path / "m.onnx", (x, x.reshape(-1)[:6].reshape(2, 3)))


def test_a_transposed_convolution_subtracts_its_zero_point(tmp_path: Path):
    x = np.array([[[0, 7, 255], [8, 9, 10]]], np.uint8)
    assert_written(model_of(SHIFTED), tmp_path / "m.onnx", (x,))


TRANSPOSED = """
func.func @main(%x: tensor<1xCx3x3xui8>) -> tensor<1x2x7x7xi32> {
  %w = nn.constant dense<127> : tensor<Cx2x3x3xi8>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2, 2>, pads_begin = array<i64: 0, 0>,
      pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>}
      : (tensor<1xCx3x3xui8>, tensor<Cx2x3x3xi8>) -> tensor<1x2x7x7xi32>
  func.return %y : tensor<1x2x7x7xi32>
}
"""


def test_transposed_convolutions_of_codes_are_of_numbers_where_sums_are_exact(tmp_path: Path):
    x = np.full((1, 129, 3, 3), 255, np.uint8)
    x[0, 0, 0, 0] = 254
    assert_written(model_of(TRANSPOSED.replace("C", "129")), tmp_path / "m.onnx", (x,))
    with pytest.raises(DiagnosticException, match="may not be exact in f32"):
        save_model(model_of(TRANSPOSED.replace("C", "130")), tmp_path / "m.onnx")


CORNERS = """
func.func @main(%x: tensor<1x1x2x2xf32>, %i: tensor<2xi64>, %v: tensor<2x3xf32>)
    -> (tensor<2x2xf32>, tensor<2xf32>, tensor<0x3xf32>, tensor<1x1x3x7xf32>) {
  %none = nn.constant dense<[]> : tensor<0xi64>
  %a = nn.squeeze %x, %none : (tensor<1x1x2x2xf32>, tensor<0xi64>) -> tensor<2x2xf32>
  %one = nn.constant dense<1> : tensor<i64>
  %b = nn.gather %v, %i, %one {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2xf32>
  %from = nn.constant dense<[0]> : tensor<1xi64>
  %to = nn.constant dense<[1]> : tensor<1xi64>
  %back = nn.constant dense<[-1]> : tensor<1xi64>
  %axis = nn.constant dense<[0]> : tensor<1xi64>
  %c = nn.slice %v, %from, %to, %back, %axis
      : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0x3xf32>
  %w = nn.constant dense<2.0> : tensor<1x1x2x2xf32>
  %sizes = nn.constant dense<[3, 7]> : tensor<2xi64>
  %d = nn.convolution_backprop_data %x, %w, %sizes {strides = array<i64: 2, 2>, pads_begin = array<i64: 1, 0>,
      pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 1, 1>}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<2xi64>) -> tensor<1x1x3x7xf32>
  func.return %a, %b, %c, %d : tensor<2x2xf32>, tensor<2xf32>, tensor<0x3xf32>, tensor<1x1x3x7xf32>
}
"""


def test_what_onnx_reads_otherwise_is_said_otherwise(tmp_path: Path):
    """No axes, all dimensions in common, a slice of nothing, a result larger than what is put together."""
    inputs = noise(1, 1, 2, 2), np.array([2, 0]), noise(2, 3)
    assert_written(model_of(CORNERS), tmp_path / "m.onnx", inputs)


# --- files ----------------------------------------------------------------------------------------------

DYNAMIC = """
func.func @main(%x: tensor<?x4xf32> {nn.names = ["X"]}) -> (tensor<?x4xf32> {nn.names = ["Y"]}) {
  %w = nn.constant dense<WEIGHTS> : tensor<4x4xf32>
  %y = nn.mat_mul %x, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
"""


def test_unknown_sizes_have_names(tmp_path: Path):
    model = model_of(DYNAMIC.replace("WEIGHTS", str(noise(4, 4).tolist())))
    assert_written(model, tmp_path / "m.onnx", (noise(2, 4),), (noise(3, 4),))
    proto = onnx.load(tmp_path / "m.onnx")
    assert proto.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "X_0"
    assert proto.opset_import[0].version == graph.OPSET


def test_what_is_more_than_a_message_holds_is_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tensors, "SMALL", 8)
    monkeypatch.setattr(tensors, "MESSAGE_LIMIT", 8)
    model = model_of(DYNAMIC.replace("WEIGHTS", str(noise(4, 4).tolist())))
    assert_written(model, tmp_path / "m.onnx", (noise(2, 4),))
    assert (tmp_path / "m.onnx.data").stat().st_size == 64


REFUSED = """
func.func @main(%x: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  %y = nn.relu %x {nn.name = "layer"} : tensor<4xf8E5M2>
  func.return %y : tensor<4xf8E5M2>
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FOREIGN, "test.op: ONNX has no such operation"),
        (FUNCTIONS, "functions are not written as ONNX; inline them first"),
        (REFUSED, r"opset 26 of ONNX does not take it: .*layer.*tensor\(float8e5m2\)"),
    ],
)
def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, text: str, message: str):
    with pytest.raises(SourceError, match=message) as error:
        save_model(model_of(text), tmp_path / "m.onnx")
    assert str(error.value).startswith(f"{tmp_path / 'm.onnx'}: error: ")
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_a_note_of_states_that_is_damaged_is_named(tmp_path: Path):
    model = iterated()
    model.reshape({"X": [2, 1, 4]})
    run_passes(model, "low-latency2")
    save_model(model, tmp_path / "m.onnx")
    proto = onnx.load(tmp_path / "m.onnx")
    proto.metadata_props[0].value = "[{}]"
    onnx.save(proto, tmp_path / "m.onnx")
    with pytest.raises(SourceError, match=r"'lowstream\.states' does not list states"):
        read_model(tmp_path / "m.onnx")


# --- images -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["onnx", "tflite"])
def test_pixels_are_rounded_after_each_axis_as_pillow_does(tmp_path: Path, ending: str):
    model = model_of("""
func.func @main(%x: tensor<1x2x6x7xui8> {nn.names = ["X"]}) -> (tensor<1x2x9x4xui8> {nn.names = ["Y"]}) {
  %s = nn.constant dense<[9, 4]> : tensor<2xi64>
  %a = nn.constant dense<[2, 3]> : tensor<2xi64>
  %y = nn.interpolate %x, %s, %a {mode = "bicubic_pillow", shape_calculation_mode = "sizes",
        pads_begin = array<i64>, pads_end = array<i64>}
      : (tensor<1x2x6x7xui8>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2x9x4xui8>
  func.return %y : tensor<1x2x9x4xui8>
}
""")
    x = np.random.default_rng(0).integers(0, 256, (1, 2, 6, 7)).astype(np.uint8)
    save_model(model, tmp_path / f"m.{ending}")
    (wanted,), (have,) = (
        Executor(each.module).run([x]) for each in (model, read_model(tmp_path / f"m.{ending}"))
    )
    np.testing.assert_array_equal(have, wanted)
