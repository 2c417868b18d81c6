"""`quantize`: models of f32 that run in 8 bits afterwards, and stay near what they were."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import Model
from lowstream.passes.precision_report import precision_summary
from lowstream.passes.quantize.plan import blocks_that_run
from lowstream.reference.executor import Executor
from lowstream.runtime.calibration import intervals
from lowstream.test.unit.interop.tflite.test_recurrent import noise, parsed
from lowstream.test.unit.passes.lpt.test_recurrent import KINDS, Layer, samples
from lowstream.test.unit.runtime.test_converter import IMAGES

NOTHING = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = nn.tanh %x : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_recurrent_layers_become_streams_in_8_bits(kind: str):
    module, x = Layer(kind, low=False).module(), samples()
    model = lowstream.quantize(module, [x])
    model.reshape([*x[:, :1].shape])
    lowstream.run_passes(model, "low-latency2,lpt")
    summary = precision_summary(model.module)
    assert summary.products == summary.low_products > 2
    request = lowstream.compile_model(model).create_infer_request()
    steps = [np.array(request.infer([x[:, [step]]])[0]) for step in range(x.shape[1])]
    (wanted,) = Executor(module).run([x])
    assert np.abs(np.concatenate(steps, axis=2) - wanted).max() < 0.02


def test_convolutions_take_codes_and_what_only_rounds_is_left_out():
    model = Model(parsed(IMAGES))
    text = str(model.module)
    low = lowstream.quantize(model, ({0: noise(1, 4, 6, 6, seed=seed)} for seed in range(8)))
    assert str(model.module) == text
    lowstream.run_passes(low, "lpt")
    report = lowstream.precision_report(low)
    rows = {row["type"]: row for row in report}
    assert rows["Convolution"]["inputs"] == ["u8", "i8"]
    assert rows["MatMul"]["outputs"] == ["i32"]
    given = {row["outputs"][0] for row in report if row["type"] == "FakeQuantize"}
    assert given <= {"u8", "i8"}
    x = noise(1, 4, 6, 6, seed=3)
    (wanted,) = Executor(model.module).run([x])
    error = np.abs(lowstream.compile_model(low)([x])[0] - wanted).max()
    assert 0 < error < 0.03


def test_a_dict_holds_the_samples_of_each_input():
    x = noise(8, 1, 4, 6, 6)
    one, other = (
        lowstream.quantize(parsed(IMAGES), samples) for samples in ({0: x}, [{0: y} for y in x])
    )
    assert str(one.module) == str(other.module)
    with pytest.raises(DiagnosticException, match=r"different numbers .*: 'x' has 8, 'y' has 7"):
        lowstream.quantize(parsed(IMAGES), {"x": x, "y": x[1:]})


def test_what_cannot_be_quantized():
    with pytest.raises(DiagnosticException, match="has constant weights of f32"):
        lowstream.quantize(parsed(NOTHING), [np.zeros(3, np.float32)])
    with pytest.raises(DiagnosticException, match="no samples to calibrate with"):
        lowstream.quantize(parsed(IMAGES), [])
    with pytest.raises(DiagnosticException, match="quantized already; run lpt"):
        lowstream.quantize(lowstream.quantize(parsed(IMAGES), [noise(1, 4, 6, 6)]), [])


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_of_loops_are_calibrated_over_all_iterations(kind: str):
    module, x = Layer(kind, low=False).module(), samples()
    lowstream.run_passes(module, "lower-sequences,decompose-cells")
    model = lowstream.quantize(module, [x])
    lowstream.run_passes(model, "lpt")
    summary = precision_summary(model.module)
    assert summary.products == summary.low_products >= 2
    (wanted,) = Executor(module).run([x])
    assert np.abs(lowstream.compile_model(model)([x])[0] - wanted).max() < 0.03


LOOPS = """
func.func @main(%x: tensor<6x2xf32>) -> tensor<1x2xf32> {
  %zero = nn.constant dense<0.0> : tensor<1x2xf32>
  %y = infra.tensor_iterator %x, %zero
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 2, part_size = 2>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["pair", "sum"] : (tensor<6x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%pair: tensor<2x2xf32>, %sum: tensor<1x2xf32>):
    %s = infra.tensor_iterator %pair, %sum
        inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
        outputs [#infra.iteration<result = 0, iteration = -1>]
        body_names ["row", "sum"] : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
    ^bb0(%row: tensor<1x2xf32>, %old: tensor<1x2xf32>):
      %new = nn.add %row, %old : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
      infra.yield %new : tensor<1x2xf32>
    }
    infra.yield %s : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}
"""


def test_intervals_reach_over_loops_in_loops_and_what_comes_back():
    module = parsed(LOOPS)
    x = np.arange(12, dtype=np.float32).reshape(6, 2)

    def arguments(block: Block) -> list[SSAValue]:
        return [argument for each in blocks_that_run(block) for argument in each.args]

    found = intervals(module, arguments, [x])
    pairs, rows = (0.0, 11.0), (0.0, 11.0)
    sums = (0.0, 36.0)  # of the last column, which no iteration takes any more
    wanted = [(0.0, 11.0), pairs, sums, rows, sums]
    assert [(one.low, one.high) for one in found.values()] == wanted


BRANCHES = """
func.func @main(%which: tensor<i1>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = nn.constant dense<[[1.0, 0.5], [2.0, 0.25], [0.0, 1.0], [4.0, 3.0]]> : tensor<4x2xf32>
  %v = nn.constant dense<[[1.0, 0.5, 2.0, 1.0], [2.0, 0.25, 1.0, 3.0]]> : tensor<2x4xf32>
  %z = nn.mat_mul %x, %w : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  %y = infra.if %which, %z, %v {nn.name = "either"}
      : (tensor<i1>, tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%a: tensor<1x2xf32>, %b: tensor<2x4xf32>):
    %p = nn.mat_mul %a, %b : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
    infra.yield %p : tensor<1x4xf32>
  } else {
  ^bb0(%a: tensor<1x2xf32>, %b: tensor<2x4xf32>):
    %p = nn.mat_mul %a, %b : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
    infra.yield %p : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
"""


def test_what_is_not_calibrated_is_named():
    sample = {0: np.array(True), 1: np.ones((1, 4), np.float32)}
    with pytest.warns(UserWarning, match="infra.if 'either': products in branches stay in f32"):
        model = lowstream.quantize(parsed(BRANCHES), [sample])
    lowstream.run_passes(model, "lpt")
    assert precision_summary(model.module).low_products == 1
    step, x = Model(Layer("gru", low=False).module()), samples()[:, :1]
    step.reshape([*x.shape])
    with pytest.warns(UserWarning, match="a sample has one step, .*; run low-latency2 first"):
        lowstream.quantize(step, [x])


def test_states_that_samples_give_are_known():
    """A step whose state is an input is calibrated as it is."""
    step = """
func.func @main(%x: tensor<1x1x2xf32>, %h: tensor<1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %n = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<1x6x2xf32>
  %b = nn.constant dense<0.0> : tensor<1x6xf32>
  %y, %last = rnn.gru_sequence %x, %h, %n, %w, %w, %b {hidden_size = 2 : i64, direction = "forward"}
      : (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1x6x2xf32>, tensor<1x6x2xf32>, tensor<1x6xf32>)
      -> (tensor<1x1x1x2xf32>, tensor<1x1x2xf32>)
  func.return %y : tensor<1x1x1x2xf32>
}"""
    sample = {0: np.ones((1, 1, 2), np.float32), 1: np.ones((1, 1, 2), np.float32)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = lowstream.quantize(parsed(step), [sample])
    lowstream.run_passes(model, "lpt")
    assert precision_summary(model.module).low_products


def test_a_file_is_quantized(tmp_path: Path):
    path = tmp_path / "layer.mlir"
    lowstream.save_model(Layer("gru", low=False).module(), path)
    lowstream.run_passes(model := lowstream.quantize(path, [samples()]), "lpt")
    assert precision_summary(model.module).low_products


def test_the_converter_names_the_loops_that_it_leaves():
    module, x = Layer("gru", low=False).module(), samples()
    lowstream.run_passes(module, "lower-sequences,decompose-cells")
    converter = lowstream.Converter(Model(module))
    converter.optimizations = [lowstream.Optimize.DEFAULT]
    converter.representative_dataset = [x]
    with pytest.warns(UserWarning, match=r"infra.\w+ '.*': products in its body stay in f32"):
        assert converter.convert()
