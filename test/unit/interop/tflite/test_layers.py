"""Builtins with windows as other converters write them."""

from typing import Any

import numpy as np
import pytest

from lowstream.interop.model import Model
from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize
from lowstream.test.unit.pairwise import each_pair

SAME, VALID = 0, 1
INT32 = 2


@each_pair(kernel=[2, 3, 4], stride=[1, 2, 3], padding=[SAME, VALID])
def test_a_transposed_convolution_has_the_padding_of_its_convolution(
    padding: int, stride: int, kernel: int
):
    """An odd rest of SAME is at the end; a size that no position reaches is filled up."""
    filters = number(np.random.default_rng(1).normal(size=(2, kernel, kernel, 3)), "float32")
    size = 4 * stride if padding == SAME else 3 * stride + kernel
    for each in {size, size - (stride > 1) if padding == SAME else size + (stride > 1)}:
        main = Part(x := Tensor((1, 4, 4, 3), "float32"))
        shape = (1, each, each, 2)
        options: dict[str, Any] = {"strideH": stride, "strideW": stride, "padding": padding}
        main.gives(main("TRANSPOSE_CONV", [number(shape), filters, x], shape, **options))
        check(serialize(Graph([main.graph])), noise(1, 4, 4, 3))


@pytest.mark.parametrize("side", [4, -1])
def test_a_transposed_convolution_takes_a_shape_that_is_computed(side: int):
    """Keras computes the batch even where it knows the image, and the image where it does not."""
    main = Part(x := Tensor((-1, side, side, 3), "float32"))
    sizes = main("SHAPE", [x], (4,), "int32", outType=INT32)

    def size(axis: int) -> Tensor:
        limits = [number([axis]), number([axis + 1]), number([1])]
        return main("STRIDED_SLICE", [sizes, *limits], (), "int32", shrinkAxisMask=1)

    doubled = number(8) if side > 0 else main("MUL", [size(1), number(2)], (), "int32")
    packed = [size(0), doubled, doubled, number(2)]
    shape = main("PACK", packed, (4,), "int32", valuesCount=4)
    filters = number(noise(2, 3, 3, 3, seed=1), "float32")
    result = (-1, 2 * side if side > 0 else -1, 2 * side if side > 0 else -1, 2)
    options: dict[str, Any] = {"strideH": 2, "strideW": 2, "padding": SAME}
    main.gives(main("TRANSPOSE_CONV", [shape, filters, x], result, **options))
    module = check(serialize(Graph([main.graph])), noise(1, max(side, 1), max(side, 1), 3))
    assert Model(module).outputs[0].partial_shape.to_string() == str(list(result)).replace(
        "-1", "?"
    ).replace(" ", "")
