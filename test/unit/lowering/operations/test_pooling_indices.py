"""Places of the greatest elements of large windows are found along one dimension after the other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lowstream import Model, compile_model, run_passes
from lowstream.dialects import context, nn
from lowstream.dialects.inferred import shape_of
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import Array

SIZES = 12, 13


@pytest.mark.parametrize("kernel", [(9, 8), (13, 5), (8, 8)])
@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (3, 2)])
def test_places(kernel: tuple[int, int], stride: int, dilation: int):
    """Of equal elements, which there are many of, the first one counts."""
    pads = [(size - 1) * dilation // 2 for size in kernel]
    shape = [
        (size + 2 * pad - (k - 1) * dilation - 1) // stride + 1
        for size, pad, k in zip(SIZES, pads, kernel, strict=True)
    ]
    x, y = (f"tensor<2x3x{a}x{b}x{t}>" for (a, b), t in ((SIZES, "f32"), (shape, "i64")))
    text = f"""func.func @main(%x: {x}) -> {y} {{
      %y = nn.max_pool_indices %x {{kernel = array<i64: {kernel[0]}, {kernel[1]}>,
        strides = array<i64: {stride}, {stride}>, dilations = array<i64: {dilation}, {dilation}>,
        pads_begin = array<i64: {pads[0]}, {pads[1]}>, pads_end = array<i64: {pads[0]}, {pads[1]}>,
        axis = 2 : i64, index_element_type = i64}} : {x} -> {y}
      func.return %y : {y}
    }}"""
    model = Model(parse_module(text, "places.mlir", context()))
    image = np.random.default_rng(0).integers(0, 3, (2, 3, *SIZES)).astype(np.float32)
    found = compile_model(model).create_infer_request().infer([image])[0]
    wanted = places(image, [*zip(kernel, pads, shape, strict=True)], stride, dilation)
    np.testing.assert_array_equal(found, wanted)
    if kernel != (8, 8):
        run_passes(model, "decompose-ops")
        constants = [op for op in model.module.walk() if isinstance(op, nn.ConstantOp)]
        assert max(np.prod(shape_of(op.result)) for op in constants) <= np.prod(SIZES)


def places(image: Array, lines: list[tuple[int, int, int]], stride: int, dilation: int) -> Array:
    """The place of the first greatest element that each position sees."""
    result = np.empty((*image.shape[:2], *(count for _, _, count in lines)), np.int64)
    for position in product(*(range(count) for *_, count in lines)):
        rows, columns = (
            [t for k in range(kernel) if 0 <= (t := p * stride - pad + k * dilation) < size]
            for p, (kernel, pad, _), size in zip(position, lines, SIZES, strict=True)
        )
        window = image[:, :, rows][..., columns]
        first = window.reshape(*image.shape[:2], -1).argmax(-1)
        row, column = np.divmod(first, len(columns))
        result[:, :, *position] = np.array(rows)[row] * SIZES[1] + np.array(columns)[column]
    return result
