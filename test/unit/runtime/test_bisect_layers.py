"""Layers: a model cut where codes are made, machine and reference side by side."""

from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser

import lowstream
from lowstream.dialects import context
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.runtime.bisect_layers import LayerDifference, compare_layers, difference, layers_of
from lowstream.tools import run_tool

NETWORK = """
func.func @main(%x: tensor<1x3x5x5xf32>) -> tensor<1x2x5x5xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<2.55> : tensor<f32>
  %0 = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64, nn.name = "first"}
    : (tensor<1x3x5x5xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x3x5x5xf32>
  %1 = nn.relu %0 {nn.name = "relu"} : tensor<1x3x5x5xf32>
  %w = nn.constant dense<0.5> : tensor<2x3x1x1xf32>
  %2 = nn.convolution %1, %w {nn.name = "conv", strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
    pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x3x5x5xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x5x5xf32>
  func.return %2 : tensor<1x2x5x5xf32>
}
"""


@pytest.fixture
def network(tmp_path: Path) -> Path:
    file = tmp_path / "network.mlir"
    file.write_text(NETWORK)
    return file


def test_layers_end_before_products_and_at_the_end(network: Path):
    module = lowstream.read_model(network).module
    assert [layer.name for layer in layers_of(module)] == [
        "qnn.fake_quantize 'first'",
        "nn.relu 'relu'",
        "nn.convolution 'conv'",
    ]


@pytest.mark.parametrize(("dtype", "most"), [("uint8", 1), ("float32", 1.002), ("float16", 1.2)])
def test_one_code_apart_is_close_and_two_are_not(dtype: str, most: float):
    assert LayerDifference("fq", dtype, 1.0, 1.0, True).is_close
    assert not LayerDifference("fq", dtype, most + 0.1, 1.0, True).is_close
    assert not LayerDifference("add", dtype, 0.002, 1.0, False).is_close


def test_values_of_codes_are_compared_in_codes(network: Path, monkeypatch: pytest.MonkeyPatch):
    infer = lowstream.InferRequest.infer

    def moved(self: lowstream.InferRequest, inputs: list[Array]) -> list[Array]:
        return [array + np.float32(0.02) for array in infer(self, inputs)]

    monkeypatch.setattr(lowstream.InferRequest, "infer", moved)
    module = lowstream.read_model(network).module
    x = np.ones((1, 3, 5, 5), np.float32)
    first = next(compare_layers(module, [x]))
    assert first.largest == pytest.approx(2, abs=1e-3)  # steps of 0.01


def test_machine_and_reference_agree(network: Path):
    module = lowstream.read_model(network).module
    run_passes(module, "lpt")
    x = np.random.default_rng(0).uniform(-1, 3, (1, 3, 5, 5)).astype(np.float32)
    found = list(compare_layers(module, [x]))
    assert found
    assert all(difference.is_close for difference in found)


def test_layers_end_in_scalars_too():
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %axis = nn.constant dense<0> : tensor<1xi64>
      %y = nn.reduce_max %x, %axis {keep_dims = false} : (tensor<4xf32>, tensor<1xi64>) -> tensor<f32>
      func.return %y : tensor<f32>
    }
    """
    module = Parser(context(), text).parse_module()
    (found,) = compare_layers(module, [np.arange(4, dtype=np.float32)])
    assert found.largest == 0


def test_numbers_without_all_their_digits_are_small():
    text = """
    func.func @main(%x: tensor<1xf16>) -> tensor<1xf16> {
      %y = nn.relu %x : tensor<1xf16>
      func.return %y : tensor<1xf16>
    }
    """
    (layer,) = layers_of(Parser(context(), text).parse_module())
    least = np.finfo(np.float16)
    found = difference(layer, np.zeros(1, np.float16), np.full(1, least.smallest_subnormal))
    assert found.largest == least.smallest_subnormal / least.smallest_normal


def test_the_first_layer_that_differs_is_named(
    network: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    file = tmp_path / "x.npy"
    np.save(file, np.full((1, 3, 5, 5), 2, np.float32))
    run_tool.main([str(network), "--input", str(file), "--bisect"])
    assert "relu" in capsys.readouterr().out
    infer = lowstream.InferRequest.infer

    def wrong(self: lowstream.InferRequest, inputs: list[Array]) -> list[Array]:
        return [array + 1 for array in infer(self, inputs)]

    monkeypatch.setattr(lowstream.InferRequest, "infer", wrong)
    with pytest.raises(SystemExit) as left:
        run_tool.main([str(network), "--input", str(file), "--bisect"])
    assert left.value.code == 1
    assert "'relu': machine and reference are 0.5 apart" in capsys.readouterr().err
