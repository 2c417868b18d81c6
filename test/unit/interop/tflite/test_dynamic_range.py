"""Products of f32 with weights in codes: what these multiply is quantized in each call, as exactly as steps allow."""

from typing import Any

import numpy as np
import pytest

import lowstream
from lowstream.dialects.inferred import tensor
from lowstream.dialects.nn import ConvolutionOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.interop.tflite import tflite_module
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.config import preset
from lowstream.passes.lpt.precision import ui8
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
from lowstream.test.unit.interop.tflite.interpreter import LiteRt
from lowstream.test.unit.interop.tflite.put_together import Part, by_litert, noise, number
from lowstream.test.unit.interop.tflite.serialize import parse, serialize

CODES = np.random.default_rng(0).integers(-127, 128, (64, 3, 3, 5)).astype(np.int8)
SCALES = np.linspace(0.5, 2, 64).astype(np.float32)
WINDOW: dict[str, Any] = {
    "padding": 0,
    "strideH": 1,
    "strideW": 1,
    "dilationHFactor": 1,
    "dilationWFactor": 1,
}


def weights(codes: Array) -> Tensor:
    """With a scale for each output."""
    count = codes.shape[0]
    quantization = TensorQuantization(tuple(SCALES[:count].tolist()), (0,) * count, 0)
    return Tensor(codes.shape, "int8", "w", codes, quantization)


def convolution(relu: bool, outputs: int = 64) -> bytes:
    """A convolution, on two images and padded, which a relu may precede."""
    x = Tensor((2, 4, 6, 5), "float32", "x")
    part = Part(x)
    data = part("RELU", [x], x.shape) if relu else x
    bias = number(np.zeros(outputs), "float32")
    operands = [data, weights(CODES[:outputs]), bias]
    return serialize(Graph([part.gives(part("CONV_2D", operands, (2, 4, 6, outputs), **WINDOW))]))


def product(rows: int) -> bytes:
    x = Tensor((rows, 45), "float32", "x")
    part = Part(x)
    operands = [x, weights(CODES.reshape(64, 45)), None]
    return serialize(Graph([part.gives(part("FULLY_CONNECTED", operands, (rows, 64)))]))


def exact(x: Array) -> Array:
    """What the product of convolutions is of values."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0))).astype(np.float64)
    seen = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    return np.einsum("nhwcij,oijc->nhwo", seen, CODES * SCALES.reshape(-1, 1, 1, 1).astype(float))


@pytest.mark.parametrize("relu", [False, True])
def test_a_convolution_is_off_by_half_a_step_of_each_element(relu: bool):
    """Images have steps of their own; one is all zeros. Where nothing is below 0, there are twice as many steps."""
    x = noise(2, 4, 6, 5) * np.array([100, 0], np.float32).reshape(2, 1, 1, 1)
    data = convolution(relu)
    module = tflite_module(data)
    given = np.maximum(x, 0) if relu else x
    wanted = exact(given)
    step = np.abs(given).max() / (255 if relu else 127)
    most = step / 2 * (np.abs(CODES * SCALES.reshape(-1, 1, 1, 1)).sum((1, 2, 3)))
    compiled = lowstream.compile_model(module).create_infer_request().infer([x])
    for have in (Executor(module).run([x])[0], compiled[0]):
        assert (np.abs(have - wanted) <= most * 1.01).all()
        assert np.abs(have[1]).max() < 1e-30
        theirs = np.abs(by_litert(data, [x])[0] - wanted).mean()
        assert 0 < np.abs(have - wanted).mean() < 1.2 * theirs
    run_passes(module, Lpt(config=preset("cpu-x86")))
    assert [
        tensor(op.input).element_type for op in module.walk() if isinstance(op, ConvolutionOp)
    ] == [ui8]


def test_rows_have_steps_of_their_own():
    x = noise(6, 45) * np.array([1, 1e-3, 1e6, 1e-20, 0, 5], np.float32).reshape(-1, 1)
    module = tflite_module(product(6))
    wanted = x.astype(np.float64) @ (CODES.reshape(64, 45) * SCALES.reshape(-1, 1)).T
    have = Executor(module).run([x])[0]
    most = np.abs(x).max(1, keepdims=True) / 127 / 2 * np.abs(CODES.reshape(64, 45)).sum(1) * SCALES
    assert (np.abs(have - wanted) <= most * 1.01).all()


def test_few_products_and_rows_stay_in_floating_point():
    for data in (convolution(relu=False, outputs=7), product(4)):
        assert not any(isinstance(op, FakeQuantizeOp) for op in tflite_module(data).walk())
    assert any(isinstance(op, FakeQuantizeOp) for op in tflite_module(product(5)).walk())


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (convolution(relu=False), (2, 4, 6, 5)),
        (convolution(relu=True), (2, 4, 6, 5)),
        (product(6), (6, 45)),
    ],
    ids=["convolution", "behind a relu", "product"],
)
def test_what_kernels_quantize_is_written_as_it_was_read(data: bytes, shape: tuple[int, ...]):
    x = noise(*shape)
    written = LiteRt(tflite_module(data), delegated=False)
    assert written.operators == [op.builtin for op in parse(data).subgraphs[0].operators]
    np.testing.assert_array_equal(written.run([x])[0], by_litert(data, [x])[0])
