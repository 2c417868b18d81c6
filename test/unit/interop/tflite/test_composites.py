"""Composites of StableHLO are what their decompositions compute."""

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite import tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize

OPTIONS = {
    "name": b"odml.norm",
    "decompositionSubgraphIndex": 1,
    "compositeAttributes": np.array([1, 2], np.uint8),
    "version": 1,
}


def decomposition() -> Subgraph:
    """`sum(x, axes) * scale`"""
    part = Part(
        x := Tensor((2, 3), "float32"),
        axes := Tensor((1,), "int32"),
        scale := Tensor((), "float32"),
    )
    return part.gives(part("MUL", [part("SUM", [x, axes], (2,)), scale], (2,)))


def composite(inputs: list[Tensor], given: list[Tensor]) -> bytes:
    main = Part(*given)
    y = Tensor((2,), "float32")
    main.graph.operators.append(Operator("STABLEHLO_COMPOSITE", inputs, [y], OPTIONS))
    return serialize(Graph([main.gives(main("NEG", [y], (2,))), decomposition()]))


def test_a_composite_is_its_decomposition():
    """Constants that it is given are constants there."""
    x, scale = Tensor((2, 3), "float32"), Tensor((), "float32")
    data = composite([x, number([1]), scale], [x, scale])
    module = check(data, noise(2, 3), np.array(3, np.float32))
    assert "tfl" not in str(module) and "infra" not in str(module)


def test_one_that_is_given_too_little_is_refused():
    x = Tensor((2, 3), "float32")
    with pytest.raises(
        DiagnosticException, match="gives 2 tensors to a decomposition that takes 3"
    ):
        tflite_module(composite([x, number([1])], [x]))


def test_codes_go_into_a_composite_as_codes():
    grid = TensorQuantization((0.05,), (3,), 0)
    main, inner = (
        Part(x := Tensor((2, 3), "float32")),
        Part(q := Tensor((2, 3), "int8", quantization=grid)),
    )
    coded, y = Tensor((2, 3), "int8", quantization=grid), Tensor((2, 3), "float32")
    main.graph.operators += [
        Operator("QUANTIZE", [x], [coded]),
        Operator("STABLEHLO_COMPOSITE", [coded], [y], OPTIONS),
    ]
    part = inner.gives(inner("DEQUANTIZE", [q], (2, 3)))
    check(serialize(Graph([main.gives(y), part])), noise(2, 3))
