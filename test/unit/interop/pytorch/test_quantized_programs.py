"""Quantized programs of PyTorch, as `convert_pt2e` makes them."""

from importlib import import_module

import numpy as np
import pytest
import torch
from torch import nn

import lowstream
from lowstream.reference.executor import Executor

import_module("torch.ao.quantization.fx._decomposed")  # registers the operators


class Folded(nn.Module):
    """A product of codes, whose weights are stored as codes, with one scale or one for each row."""

    def __init__(self, per_row: bool):
        super().__init__()
        self.codes = nn.Buffer(torch.arange(-60, 60, dtype=torch.int8).reshape(6, 20))
        self.scale = nn.Buffer(torch.arange(1, 7) / 256)
        self.point = nn.Buffer(torch.zeros(6, dtype=torch.int64))
        self.per_row = per_row

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        operators = torch.ops.quantized_decomposed
        if self.per_row:
            given = (self.codes, self.scale, self.point, 0, -128, 127, torch.int8)
            weights = operators.dequantize_per_channel(*given)
        else:
            weights = operators.dequantize_per_tensor(self.codes, 0.125, 0, -128, 127, torch.int8)
        grid = (0.0625, 100, 0, 255, torch.uint8)
        x = operators.dequantize_per_tensor(operators.quantize_per_tensor(x, *grid), *grid)
        return nn.functional.linear(x, weights)


@pytest.mark.parametrize("per_row", [False, True])
def test_weights_that_are_codes(per_row: bool):
    network, x = Folded(per_row).eval(), torch.randn(3, 20)
    model = lowstream.read_model(torch.export.export(network, (x,)))
    lowstream.run_passes(model, "lpt")
    (line,) = (row for row in lowstream.precision_report(model) if row["type"] == "MatMul")
    assert line["inputs"] == ["u8", "i8"]
    result = lowstream.compile_model(model).create_infer_request().infer([x.numpy()])[0]
    np.testing.assert_allclose(result, network(x).detach().numpy(), 1e-5, 1e-5)


class InEachCall(nn.Module):
    """Activations quantized by their own extremes, in a product of codes."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        operators, of = torch.ops.quantized_decomposed, (-128, 127, torch.int8)
        scale, point = operators.choose_qparams(x, -128, 127, 1e-5, torch.int8)
        codes = operators.quantize_per_tensor(x, scale, point, *of)
        product = torch.ops.aten._int_mm(codes, codes.T)
        return product + operators.dequantize_per_tensor(codes, scale, point, *of)[:, :1]


def test_activations_quantized_in_each_call():
    network, x = InEachCall().eval(), torch.linspace(-3, 5, 18 * 8).reshape(18, 8) ** 3
    model = lowstream.read_model(torch.export.export(network, (x,)))
    (result,) = Executor(model.module).run([x.numpy()])
    np.testing.assert_allclose(result, network(x).numpy(), 1e-5)
