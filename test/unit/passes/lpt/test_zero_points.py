"""Products of codes around zero points, on either side, are what products of values were."""

import numpy as np
import pytest
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, f32, i64

from lowstream.dialects.nn import (
    ConvertOp,
    ConvolutionBackpropDataOp,
    ConvolutionOp,
    GroupConvolutionBackpropDataOp,
    GroupConvolutionOp,
    MatMulOp,
    MultiplyOp,
    SubtractOp,
)
from lowstream.dialects.nn.convolution import BackwardConvolution
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.config import preset
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.pairwise import each_pair
from lowstream.test.unit.passes.lpt.small_models import SIGNED, UNEVEN, UNSIGNED
from lowstream.test.unit.passes.lpt.test_numerics import Graph, low_operations

SHAPES = [((2, 3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((3, 4), (2, 4, 5))]
BETWEEN = (-1.003, 1.55)
"""An interval without a step at 0."""
EXACT = Lpt(config=preset("cpu-x86-exact"))


@each_pair(
    left=[UNSIGNED, UNEVEN],
    right=[SIGNED, UNSIGNED, UNEVEN, BETWEEN, None, False],
    transposed=[(False, True), (True, False)],
    shapes=SHAPES,
)
def test_products_around_zero_points(left, right, transposed, shapes):
    a_shape, b_shape = (
        shape[:-2] + shape[:-3:-1] if is_transposed and len(shape) > 1 else shape
        for shape, is_transposed in zip(shapes, transposed, strict=True)
    )
    graph, random = Graph(a_shape, b_shape), np.random.default_rng(len(a_shape))
    low, high = np.asarray(left, np.float32)
    a = graph.quantize(graph.inputs[0], low, high, 256)
    weights = random.uniform(-1, 1.55, b_shape).astype(np.float32)
    b = graph.inputs[1] if right else graph.constant(weights)
    low, high = np.asarray(right or (UNEVEN if right is None else BETWEEN), np.float32)
    b = graph.quantize(b, low, high, 256)
    flags = {
        f"transpose_{name}": BoolAttr.from_bool(is_transposed)
        for name, is_transposed in zip("ab", transposed, strict=True)
    }
    module = graph.module(graph.add(MatMulOp.of(a, b, **flags)))
    inputs = [random.uniform(-2, 3, a_shape).astype(np.float32), weights]
    (before,) = Executor(module).run(inputs)
    run_passes(module, EXACT if right else Lpt())
    assert low_operations(module, MatMulOp)
    np.testing.assert_allclose(Executor(module).run(inputs)[0], before, rtol=1e-5, atol=1e-5)
    once = str(module)
    run_passes(module, EXACT if right else Lpt())
    assert str(module) == once


CONVOLUTIONS = {
    ConvolutionOp: ((5, 4, 2, 2), (5, 1, 1, 1)),
    GroupConvolutionOp: ((2, 3, 2, 2, 2), (2, 3, 1, 1, 1)),
    ConvolutionBackpropDataOp: ((4, 5, 2, 2), (1, 5, 1, 1)),
    GroupConvolutionBackpropDataOp: ((2, 2, 3, 2, 2), (2, 1, 3, 1, 1)),
}
"""The shapes of the filters, and of their scales and zero points."""


@pytest.mark.parametrize("interval", [UNEVEN, BETWEEN])
@pytest.mark.parametrize("kind", CONVOLUTIONS, ids=lambda kind: kind.name)
def test_filters_around_zero_points(kind, interval):
    graph, random = Graph((1, 4, 4, 4)), np.random.default_rng(0)
    shape, each = CONVOLUTIONS[kind]
    low, high = np.asarray(interval, np.float32)
    x = graph.quantize(graph.inputs[0], low, high, 256)
    codes = graph.constant(random.integers(-128, 128, shape), np.int8)
    values = graph.add(ConvertOp.of(codes, destination_type=f32))
    points = graph.constant(random.integers(-60, 60, each) + 0.5)
    values = graph.add(SubtractOp.of(values, points))
    weights = graph.add(MultiplyOp.of(values, graph.constant(random.uniform(0.1, 1, each))))
    window = {"strides": 2, "dilations": 1, "pads_begin": 1, "pads_end": 0}
    window |= {"output_padding": 0} if issubclass(kind, BackwardConvolution) else {}
    properties = {
        name: DenseArrayBase.from_list(i64, [number] * 2) for name, number in window.items()
    }
    module = graph.module(graph.add(kind.of(x, weights, **properties)))
    inputs = [random.uniform(-2, 3, (1, 4, 4, 4)).astype(np.float32)]
    (before,) = Executor(module).run(inputs)
    run_passes(module, Lpt())
    assert len(low_operations(module, kind)) == (1 if kind is ConvolutionOp else 2)
    np.testing.assert_allclose(Executor(module).run(inputs)[0], before, rtol=1e-5, atol=1e-3)
    once = str(module)
    run_passes(module, Lpt())
    assert str(module) == once
