"""Codes of 4 and of 2 bits, and scales of blocks, read as LiteRT dequantizes them."""

from typing import Any, cast

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated  # pyright: ignore[reportMissingTypeStubs]
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite import tflite_module
from lowstream.interop.tflite.importer import imported
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise
from lowstream.test.unit.interop.tflite.serialize import serialize
from lowstream.test.unit.interop.tflite.test_sparse import packed

schema = cast(Any, schema_py_generated)


@pytest.mark.parametrize("shape", [(2, 4), (3, 5)], ids=str)
@pytest.mark.parametrize("scales", [(0.5,), (0.5, 0.25, 2.0)], ids=len)
def test_weights_are_dequantized(shape: tuple[int, int], scales: tuple[float, ...]):
    """An odd number of codes leaves half a byte."""
    scales = scales[: shape[0]]
    codes = (np.arange(np.prod(shape)) % 16 - 8).astype(np.int8).reshape(shape)
    quantization = TensorQuantization(scales, (0,) * len(scales), 0)
    x = Tensor((1, shape[1]), "float32", "x")
    weights = Tensor(shape, "int4", "w", codes, quantization)
    part = Part(x)
    y = part("DEQUANTIZE", [weights], shape)
    total = part("ADD", [x, y], shape)
    check(serialize(Graph([part.gives(total)])), noise(1, shape[1]))


def test_activations_have_as_many_values_as_codes():
    x = Tensor((3, 5), "float32", "x")
    part = Part(x)
    codes = Tensor((3, 5), "int4", "q", quantization=TensorQuantization((0.25,), (-2,)))
    part.graph.operators.append(Operator("QUANTIZE", [x], [codes], {}))
    y = part("DEQUANTIZE", [codes], (3, 5))
    check(serialize(Graph([part.gives(y)])), 3 * noise(3, 5))


def product(codes: Array, kind: str) -> Any:
    """A model of one product with these codes as weights, and their tensor."""
    outputs, inputs = codes.shape
    x = Tensor((2, inputs), "float32", "x")
    weights = Tensor((outputs, inputs), kind, "w", codes)
    part = Part(x)
    data = serialize(Graph([part.gives(part("FULLY_CONNECTED", [x, weights, None], (2, outputs)))]))
    model = schema.ModelT.InitFromPackedBuf(data)
    (tensor,) = (each for each in model.subgraphs[0].tensors if each.name == b"w")
    tensor.quantization = schema.QuantizationParametersT()
    return model, tensor


def in_blocks(codes: Array, scales: Array, size: int, kind: str = "int4") -> Any:
    """The same with scales [outputs, blocks], which are a tensor of f16."""
    model, tensor = product(codes, kind)
    details = tensor.quantization.details = schema.BlockwiseQuantizationT()
    tensor.quantization.detailsType = schema.QuantizationDetails.BlockwiseQuantization
    details.blockSize, details.scales, details.zeroPoints = (
        size,
        len(model.subgraphs[0].tensors),
        -1,
    )
    buffer, held = schema.BufferT(), schema.TensorT()
    buffer.data = np.frombuffer(scales.astype(np.float16).tobytes(), np.uint8)
    held.shape, held.buffer = scales.shape, len(model.buffers)
    held.type, held.name = schema.TensorType.FLOAT16, b"scales"
    model.buffers.append(buffer)
    model.subgraphs[0].tensors.append(held)
    return model


@pytest.mark.parametrize("kind", ["int4", "int8"])
def test_blocks_have_scales(kind: str):
    codes = np.array([[1, -2, 3, -4, 5, 7], [-8, 6, 0, 1, 2, -3]], np.int8)
    scales = np.array([[0.5, 2, 0.25], [1, 4, 8]], np.float32)
    module = tflite_module(packed(in_blocks(codes, scales, 2, kind)))
    x = noise(2, 6)
    (found,) = Executor(module).run([x])
    np.testing.assert_allclose(found, x @ (codes * np.repeat(scales, 2, axis=1)).T, rtol=1e-5)


def test_blocks_that_are_not_whole_are_refused():
    model = in_blocks(np.ones((2, 5), np.int8), np.ones((2, 2)), 2)
    with pytest.raises(DiagnosticException, match=r"'w' .* scale for each block of 2 elements"):
        imported(packed(model))


def test_codes_of_two_bits_are_widened():
    """Four to a byte, the first in the lowest bits."""
    model, tensor = product(np.zeros((2, 3), np.int8), "int8")
    tensor.type = schema.TensorType.INT2
    tensor.quantization.scale, tensor.quantization.zeroPoint = [0.5, 4.0], [0, 0]
    model.buffers[tensor.buffer].data = np.array([0b10_01_00_11, 0b00_00_01_11], np.uint8)
    module = tflite_module(packed(model))
    x = noise(2, 3)
    weights = np.array([[-0.5, 0, 0.5], [-8, -4, 4]])
    np.testing.assert_allclose(Executor(module).run([x])[0], x @ weights.T, rtol=1e-5, atol=1e-5)


def test_constants_may_lie_behind_the_model():
    model, tensor = product(np.array([[1, 2], [-3, 4]], np.int8), "int8")
    tensor.quantization.scale, tensor.quantization.zeroPoint = [0.5], [0]
    buffer = model.buffers[tensor.buffer]
    content, buffer.data = bytes(buffer.data), None
    buffer.offset, buffer.size = 1 << 20, len(content)
    data = packed(model).ljust(1 << 20, b"\0") + content
    x = noise(2, 2)
    (found,) = Executor(tflite_module(data)).run([x])
    np.testing.assert_allclose(found, x @ np.array([[0.5, -1.5], [1, 2]]), rtol=1e-5, atol=1e-6)
