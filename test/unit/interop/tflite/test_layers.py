"""Builtins with windows as other converters write them."""

from typing import Any

import numpy as np
import pytest

from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize

SAME, VALID = 0, 1


@pytest.mark.parametrize("kernel", [2, 3, 4])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("padding", [SAME, VALID])
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
