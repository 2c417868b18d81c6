"""What is written for OpenVINO is read by it, means the same there, and is read back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openvino
import pytest

from lowstream import Model, read_model, run_passes, save_model
from lowstream.dialects import context, infra
from lowstream.interop.mlir import SourceError, parse_module
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.narrow_weights import narrow_weights
from lowstream.test.unit.interop.nodes import Array, noise


def model_of(text: str) -> Model:
    return Model(parse_module(text, "text", context()))


def request_of(path: Path) -> Any:
    compiled = openvino.compile_model(
        path, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "PERF_COUNT": True}
    )
    return compiled.create_infer_request()


def assert_written(model: Model, path: Path, *steps: Sequence[Array], atol: float = 1e-6) -> Any:
    """OpenVINO and the model that is read back give what the model means. Returns OpenVINO's request."""
    save_model(model, path)
    request = request_of(path)
    ours, again = Executor(model.module), Executor(read_model(path).module)
    for inputs in steps:
        wanted, theirs = ours.run(list(inputs)), request.infer(list(inputs))
        for number, (want, have) in enumerate(zip(wanted, again.run(list(inputs)), strict=True)):
            assert theirs[number].dtype == want.dtype
            np.testing.assert_allclose(theirs[number], want, rtol=0, atol=atol)
            np.testing.assert_allclose(have, want, rtol=0, atol=atol)
    return request


# OpenVINO 2026.4 adds in place where the part of a slice comes first, and overwrites it: the state comes first.
ITERATED = """
func.func @main(%x: tensor<2x3x4xf32> {nn.names = ["X"]}, %h: tensor<2x4xf32>, %s: tensor<4xf32>)
    -> (tensor<2x3x4xf32> {nn.names = ["Y"]}, tensor<2x4xf32> {nn.names = ["H", "last"]}) {
  %y, %l = infra.tensor_iterator %x, %h, %s
      inputs [#infra.sliced<axis = 1, start = FROM, end = TO, stride = STRIDE, part_size = 1>,
              #infra.merged<result = 1>, #infra.invariant]
      outputs [#infra.concatenated<result = 0, axis = 1, start = FROM, end = TO, stride = STRIDE, part_size = 1>,
               #infra.iteration<result = 1, iteration = -1>]
      body_names ["X_t", "H_t", "S"] {nn.name = "TI"}
      : (tensor<2x3x4xf32>, tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<2x4xf32>) {
  ^bb0(%x_t: tensor<2x1x4xf32>, %h_t: tensor<2x4xf32>, %s_t: tensor<4xf32>):
    %axis = nn.constant dense<[1]> : tensor<1xi64>
    %flat = nn.squeeze %x_t, %axis : (tensor<2x1x4xf32>, tensor<1xi64>) -> tensor<2x4xf32>
    %sum = nn.add %h_t, %flat : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %next = nn.multiply %sum, %s_t : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    %y_t = nn.unsqueeze %next, %axis : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
    infra.yield %y_t, %next : tensor<2x1x4xf32>, tensor<2x4xf32>
  }
  func.return %y, %l : tensor<2x3x4xf32>, tensor<2x4xf32>
}
"""


@pytest.mark.parametrize(("start", "end", "stride"), [(0, -1, 1), (-1, 0, -1), (0, 3, 1)])
def test_an_iterator_with_every_port(tmp_path: Path, start: int, end: int, stride: int):
    text = ITERATED.replace("FROM", str(start)).replace("TO", str(end))
    model = model_of(text.replace("STRIDE", str(stride)))
    assert_written(model, tmp_path / "m.xml", (noise(2, 3, 4), noise(2, 4), noise(4)))
    again = read_model(tmp_path / "m.xml")
    assert [port.names for port in again.inputs][:1] == [("X",)]
    assert [port.names for port in again.outputs] == [("Y",), ("H", "last")]
    (iterator,) = (op for op in again.module.walk() if isinstance(op, infra.TensorIteratorOp))
    assert [name.data for name in iterator.body_names] == ["X_t", "H_t", "S"]


def test_states_keep_names_and_values(tmp_path: Path):
    text = ITERATED.replace("FROM", "0").replace("TO", "-1").replace("STRIDE", "1")
    model = model_of(text)
    model.reshape({"X": [2, 1, 4]})
    run_passes(model, "low-latency2")
    steps = [(noise(2, 1, 4, seed=seed), noise(2, 4), noise(4)) for seed in range(3)]
    request = assert_written(model, tmp_path / "m.xml", *steps)
    names = [op.sym_name.data for op in model.module.ops if isinstance(op, infra.VariableOp)]
    assert [state.name for state in request.query_state()] == names


def test_a_state_that_nothing_reads_is_left_out(tmp_path: Path):
    text = """
    infra.variable @last : tensor<4xf32>
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      infra.assign @last, %x : tensor<4xf32>
      func.return %x : tensor<4xf32>
    }"""
    request = assert_written(model_of(text), tmp_path / "m.xml", (noise(4),))
    assert not request.query_state()


LOOP = """
func.func @main(%n: tensor<i64>, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<i64>) {
  %true = nn.constant dense<1> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %y, %i = infra.loop %n, %true, %x, %zero inputs [#infra.merged<result = 0>, #infra.merged<result = 1>]
      outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 1, iteration = -1>]
      body_names ["x", "i"] {current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<3xf32>, tensor<i64>) -> (tensor<3xf32>, tensor<i64>) {
  ^bb0(%a: tensor<3xf32>, %last: tensor<i64>, %now: tensor<i64>):
    %b = nn.add %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    infra.yield %b, %now : tensor<3xf32>, tensor<i64>
  }
  func.return %y, %i : tensor<3xf32>, tensor<i64>
}
"""


def test_a_loop_without_a_condition(tmp_path: Path):
    model = model_of(LOOP)
    assert_written(model, tmp_path / "m.xml", *((np.array(n), noise(3)) for n in (1, 4)))


BRANCHES = """
func.func @main(%c: tensor<i1>, %x: tensor<3xf32>)
    -> (tensor<3xf32> {nn.names = ["Y"]}, tensor<3xf32> {nn.names = ["Z"]}) {
  %y = infra.if %c, %x : (tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %b = nn.relu %a : tensor<3xf32>
    infra.yield %b : tensor<3xf32>
  } else {
  ^bb0(%d: tensor<3xf32>):
    infra.yield %d : tensor<3xf32>
  }
  func.return %y, %y : tensor<3xf32>, tensor<3xf32>
}
"""


def test_branches_and_a_value_that_is_returned_under_two_names(tmp_path: Path):
    model = model_of(BRANCHES)
    save_model(model, tmp_path / "m.xml")
    request = request_of(tmp_path / "m.xml")
    x = noise(3)
    for condition in (True, False):
        results = request.infer([np.array(condition), x])
        for name in "YZ":
            np.testing.assert_array_equal(results[name], np.maximum(x, 0) if condition else x)


QUANTIZED = """
func.func @main(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x4x4xf32> {
  %il = nn.constant dense<LOW> : tensor<f32>
  %ih = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %il, %ih, %il, %ih {levels = 256 : i64}
      : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  %w = nn.constant dense<WEIGHTS> : tensor<SHAPExi8>
  %r = nn.convert %w to f32 : tensor<SHAPExi8> -> tensor<SHAPExf32>
  %s = nn.constant dense<SCALES> : tensor<GRIDxf32>
  %f = nn.multiply %r, %s : (tensor<SHAPExf32>, tensor<GRIDxf32>) -> tensor<SHAPExf32>
  %y = nn.KIND %q, %f {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>,
      pads_end = array<i64: 2, 2>} : (tensor<1x4x6x6xf32>, tensor<SHAPExf32>) -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}
"""

KINDS = {
    "convolution": ((4, 4, 2, 2), (4, 1, 1, 1)),
    "group_convolution": ((2, 2, 2, 2, 2), (2, 2, 1, 1, 1)),
}


@pytest.mark.parametrize("low", ["0.0", "-0.7"])
@pytest.mark.parametrize("kind", KINDS)
def test_openvino_multiplies_codes_again(tmp_path: Path, kind: str, low: str):
    shape, grid = KINDS[kind]
    rng = np.random.default_rng(3)
    text = QUANTIZED.replace("LOW", low).replace("KIND", kind)
    text = text.replace("WEIGHTS", str(narrow_weights(rng, *shape).tolist()))
    text = text.replace("SCALES", str(rng.uniform(0.01, 0.02, grid).round(4).tolist()))
    text = text.replace("SHAPE", "x".join(map(str, shape))).replace(
        "GRID", "x".join(map(str, grid))
    )
    model = model_of(text)
    run_passes(model, "lpt")
    assert any(
        "ui8" in str(op.operands[0].type) for op in model.module.walk() if op.name == f"nn.{kind}"
    )
    request = assert_written(model, tmp_path / "m.xml", (noise(1, 4, 6, 6),), atol=1e-5)
    ran = {step.node_type: step.exec_type for step in request.profiling_info}
    assert any("Convolution" in type and how.endswith("I8") for type, how in ran.items())


FOREIGN = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "test.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""

FUNCTIONS = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FOREIGN, "test.op: OpenVINO has no such operation"),
        (FUNCTIONS, "OpenVINO has no functions; inline them first"),
    ],
)
def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, text: str, message: str):
    with pytest.raises(SourceError, match=message) as error:
        save_model(model_of(text), tmp_path / "m.xml")
    assert str(error.value).startswith(f"{tmp_path / 'm.xml'}: error: ")
    assert not list(tmp_path.iterdir())


DETERMINANT = """
func.func @main(%x: tensor<2x3x3xf32> {nn.names = ["X"]}) -> (tensor<2xf32> {nn.names = ["D"]}) {
  %d = nn.determinant %x {nn.name = "det"} : tensor<2x3x3xf32> -> tensor<2xf32>
  func.return %d : tensor<2xf32>
}
"""


def test_a_derived_operation_is_written_as_what_it_is_made_of(tmp_path: Path):
    model = model_of(DETERMINANT)
    assert_written(model, tmp_path / "m.xml", (noise(2, 3, 3),))
    assert 'name="det"' in (tmp_path / "m.xml").read_text()
    assert "nn.determinant" in str(model.module)  # nothing happened to the model itself


def test_single_bits_are_written_packed(tmp_path: Path):
    """Filters of 8 channels: the CPU plugin reads those of other numbers otherwise."""
    bits = ", ".join("true" if n % 3 else "false" for n in range(64))
    model = model_of(f"""
func.func @main(%x: tensor<1x8x2x2xf32> {{nn.names = ["X"]}}) -> (tensor<1x8x2x2xf32> {{nn.names = ["Y"]}}) {{
  %bits = nn.constant dense<[{bits}]> : tensor<64xi1>
  %shape = nn.constant dense<[8, 8, 1, 1]> : tensor<4xi64>
  %w = nn.reshape %bits, %shape {{special_zero = false}} : (tensor<64xi1>, tensor<4xi64>) -> tensor<8x8x1x1xi1>
  %y = nn.binary_convolution %x, %w {{strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
        pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mode = "xnor-popcount", pad_value = 0.0 : f64}}
      : (tensor<1x8x2x2xf32>, tensor<8x8x1x1xi1>) -> tensor<1x8x2x2xf32>
  func.return %y : tensor<1x8x2x2xf32>
}}
""")
    with pytest.raises(SourceError, match="its filters are computed"):
        save_model(model, tmp_path / "computed.xml")
    run_passes(model, "fold-constants")
    assert_written(model, tmp_path / "m.xml", [noise(1, 8, 2, 2)])


PADDED = """
func.func @main(%x: tensor<1x2x3x3xui8>) -> (tensor<1x1x4x4xi32>, tensor<1x2x5x5xi32>) {
  %w = nn.constant dense<[[[[1, -2], [3, 4]], [[5, 6], [-7, 8]]]]> : tensor<1x2x2x2xi8>
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, pad_value = 3 : i64}
      : (tensor<1x2x3x3xui8>, tensor<1x2x2x2xi8>) -> tensor<1x1x4x4xi32>
  %v = nn.constant dense<[[[[[3]]]], [[[[-5]]]]]> : tensor<2x1x1x1x1xi8>
  %z = nn.group_convolution %x, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, pad_value = 200 : i64}
      : (tensor<1x2x3x3xui8>, tensor<2x1x1x1x1xi8>) -> tensor<1x2x5x5xi32>
  func.return %y, %z : tensor<1x1x4x4xi32>, tensor<1x2x5x5xi32>
}
"""


def test_codes_that_nothing_dequantizes_are_padded_with_codes(tmp_path: Path):
    x = np.arange(18, dtype=np.uint8).reshape(1, 2, 3, 3)
    assert_written(model_of(PADDED), tmp_path / "m.xml", (x,))


SHIFTED = """
func.func @main(%x: tensor<1x2x3xui8>) -> tensor<1x1x6xi32> {
  %w = nn.constant dense<[[[1, -2]], [[5, 6]]]> : tensor<2x1x2xi8>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>,
      pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>, zero_point = 7 : i64}
      : (tensor<1x2x3xui8>, tensor<2x1x2xi8>) -> tensor<1x1x6xi32>
  func.return %y : tensor<1x1x6xi32>
}
"""


def test_a_transposed_convolution_subtracts_its_zero_point(tmp_path: Path):
    x = np.array([[[0, 7, 255], [8, 9, 10]]], np.uint8)
    assert_written(model_of(SHIFTED), tmp_path / "m.xml", (x,))


NORMALIZED = """
func.func @main(%x: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %y = nn.mvn %x, %axes {normalize_variance = true, eps = 1.0e-5 : f64, eps_mode = "inside_sqrt"}
      : tensor<1x5x4xf32>, tensor<1xi64>
  %l = nn.constant dense<[[[-1.0, -2.0, -0.5, -4.0]]]> : tensor<1x1x4xf32>
  %h = nn.constant dense<[[[0.75, 1.5, 0.375, HIGH]]]> : tensor<1x1x4xf32>
  %first = nn.constant dense<-4.0> : tensor<f32>
  %last = nn.constant dense<3.0> : tensor<f32>
  %z = qnn.fake_quantize %y, %l, %h, %first, %last {levels = 8 : i64}
      : (tensor<1x5x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<f32>, tensor<f32>) -> tensor<1x5x4xf32>
  func.return %z : tensor<1x5x4xf32>
}
"""


@pytest.mark.parametrize("high", [3.0, 5.0])
def test_intervals_behind_an_mvn_become_one_where_they_are_alike(tmp_path: Path, high: float):
    """OpenVINO would take them for intervals of channels."""
    model = model_of(NORMALIZED.replace("HIGH", str(high)))
    save_model(model, tmp_path / "m.xml")
    again = read_model(tmp_path / "m.xml")
    inputs = [noise(1, 5, 4)]
    expected = Executor(model.module).run(inputs)
    np.testing.assert_array_equal(Executor(again.module).run(inputs), expected)
    if high == 3.0:
        np.testing.assert_array_equal(request_of(tmp_path / "m.xml").infer(inputs)[0], expected[0])


def test_a_model_keeps_its_name(tmp_path: Path):
    model = model_of(NORMALIZED.replace("HIGH", "3.0"))
    model.friendly_name = "mine"
    save_model(model, tmp_path / "m.xml")
    assert openvino.Core().read_model(tmp_path / "m.xml").get_friendly_name() == "mine"
