"""Products of f32 with weights in codes: what these multiply is quantized in each call, as exactly as steps allow."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import lowstream
from lowstream.dialects.inferred import tensor
from lowstream.dialects.nn import ConvolutionOp, MatMulOp
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
MATRIX = CODES.reshape(64, 45)
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


def convolution(relu: bool, outputs: int = 64, images: int = 2) -> bytes:
    """A convolution, padded, which a relu may precede. -1 images are as many as there are."""
    x = Tensor((images, 4, 6, 5), "float32", "x")
    part = Part(x)
    data = part("RELU", [x], x.shape) if relu else x
    bias = number(np.zeros(outputs), "float32")
    operands = [data, weights(CODES[:outputs]), bias]
    return serialize(
        Graph([part.gives(part("CONV_2D", operands, (images, 4, 6, outputs), **WINDOW))])
    )


def product(rows: int, relu: bool = False, units: int = 64) -> bytes:
    """A product, which a relu may precede. -1 rows are as many as there are."""
    x = Tensor((rows, 45), "float32", "x")
    part = Part(x)
    data = part("RELU", [x], x.shape) if relu else x
    operands = [data, weights(MATRIX[:units]), None]
    return serialize(Graph([part.gives(part("FULLY_CONNECTED", operands, (rows, units)))]))


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


def run_both(data: bytes, x: Array) -> list[Array]:
    """By the reference and compiled."""
    module = tflite_module(data)
    compiled = lowstream.compile_model(module).create_infer_request()
    return [Executor(module).run([x])[0], compiled.infer([x])[0]]


@pytest.mark.parametrize("relu", [False, True])
@given(
    rows=arrays(
        np.float32,
        st.tuples(st.sampled_from([1, 3, 6]), st.just(45)),
        elements=st.floats(-100, 100, width=32),
        fill=st.sampled_from([0, 1, -3]).map(np.float32),
    ),
    factor=st.sampled_from([1, 1e-20, 1e20]),
)
@settings(max_examples=20, deadline=None)
def test_rows_are_off_by_half_a_step_of_their_own(relu: bool, rows: Array, factor: float):
    """Of the 255 from the least element and 0 to the greatest; 0 is exact."""
    x = rows * np.float32(factor) * np.logspace(0, 6, len(rows), dtype=np.float32)[:, None]
    given = np.maximum(x, 0).astype(np.float64) if relu else x.astype(np.float64)
    values = MATRIX * SCALES.reshape(-1, 1).astype(np.float64)
    step = (given.max(1, initial=0) - given.min(1, initial=0)) / 255
    most = step[:, None] / 2 * ((given != 0) @ np.abs(values).T)
    rounded = 255 * step[:, None] * np.abs(values).sum(1) * 2**-23  # sums of f32
    for have in run_both(product(len(x), relu), x):
        assert (np.abs(have - given @ values.T) <= most + rounded).all()


@pytest.mark.parametrize("low", [-10, 0, 10])
def test_rows_on_one_side_of_zero_are_nearer_than_by_litert(low: int):
    """Its kernel has a scale for both sides."""
    x = np.random.default_rng(0).uniform(low, low + 5, (6, 45)).astype(np.float32)
    wanted = x.astype(np.float64) @ (MATRIX * SCALES.reshape(-1, 1)).T
    theirs = np.abs(by_litert(product(6), [x])[0] - wanted).mean()
    for have in run_both(product(6), x):
        assert np.abs(have - wanted).mean() < 0.6 * theirs


@pytest.mark.parametrize("rows", [1, 6, -1])
def test_rows_are_multiplied_as_codes_however_many_there_are(rows: int):
    module = tflite_module(product(rows))
    run_passes(module, Lpt(config=preset("cpu-x86")))
    assert [tensor(op.a).element_type for op in module.walk() if isinstance(op, MatMulOp)] == [ui8]


def test_images_are_multiplied_as_codes_however_many_there_are():
    """Files that TensorFlow makes of saved models do not say how many."""
    x = noise(3, 4, 6, 5)
    wanted, have = (
        lowstream.compile_model(tflite_module(convolution(relu=False, images=images)))
        .create_infer_request()
        .infer([x])[0]
        for images in (3, -1)
    )
    np.testing.assert_array_equal(have, wanted)


def test_few_products_stay_in_floating_point():
    """Written again, codes become numbers once, since LiteRT's kernel would quantize what they multiply."""
    product_of_few = product(6, units=63)
    for data in (convolution(relu=False, outputs=7), product_of_few):
        assert not any(isinstance(op, FakeQuantizeOp) for op in tflite_module(data).walk())
    module, x = tflite_module(product_of_few), noise(6, 45)
    written = LiteRt(module, delegated=False)
    assert written.operators == ["DEQUANTIZE", "FULLY_CONNECTED"]
    np.testing.assert_allclose(
        Executor(module).run([x])[0], written.run([x])[0], rtol=1e-4, atol=1e-3
    )


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (convolution(relu=False), (2, 4, 6, 5)),
        (convolution(relu=True), (2, 4, 6, 5)),
        (product(6), (6, 45)),
        (product(1, relu=True), (1, 45)),
        (product(-1), (1, 45)),
    ],
    ids=["convolution", "behind a relu", "product", "row behind a relu", "any number of rows"],
)
def test_what_kernels_quantize_is_written_as_it_was_read(data: bytes, shape: tuple[int, ...]):
    x = noise(*shape)
    written = LiteRt(tflite_module(data), delegated=False)
    assert written.operators == [op.builtin for op in parse(data).subgraphs[0].operators]
    np.testing.assert_array_equal(written.run([x])[0], by_litert(data, [x])[0])
