"""Codes of 4 bits, two to a byte, read as LiteRT dequantizes them."""

from typing import Any, cast

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated  # pyright: ignore[reportMissingTypeStubs]
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite.importer import imported
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
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


def test_scales_of_blocks_are_refused():
    x, weights = (
        Tensor((1, 4), "float32", "x"),
        Tensor((2, 4), "int4", "w", np.ones((2, 4), np.int8)),
    )
    part = Part(x)
    data = serialize(Graph([part.gives(part("FULLY_CONNECTED", [x, weights, None], (1, 2)))]))
    model = schema.ModelT.InitFromPackedBuf(data)
    (tensor,) = (each for each in model.subgraphs[0].tensors if each.name == b"w")
    tensor.quantization = schema.QuantizationParametersT()
    tensor.quantization.detailsType = schema.QuantizationDetails.BlockwiseQuantization
    tensor.quantization.details = schema.BlockwiseQuantizationT()
    tensor.quantization.details.blockSize = 2
    with pytest.raises(DiagnosticException, match="'w' has a scale for each block of 2 elements"):
        imported(packed(model))
