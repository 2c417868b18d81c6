"""
AffineGrid (https://onnx.ai/onnx/operators/onnx__AffineGrid.html): the function that defines it does not take one image,
of which its Squeeze drops the dimension.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ....dialects import nn
from ....dialects.inferred import shape_of, spelled, tensor
from ....reference.arrays import blob_of, dtype_of
from ..node import Node, Values
from ..rule_table import rule


@rule("AffineGrid")
def affine_grid(node: Node) -> Values:
    """`theta [x, y, 1]` of each pixel: `[image, height, width, 2]`, of volumes `[image, depth, height, width, 3]`."""
    wanted, given = node.integers(1, "its sizes"), shape_of(node[0])
    images, sizes, count = wanted[:1], wanted[2:], len(wanted) - 2
    known = [size for size in given[1:] if size != DYNAMIC_INDEX]
    if count not in (2, 3) or len(given) != 3 or not {*known} <= {count, count + 1}:
        raise node.refuse(
            f"theta of {spelled(given)} does not fit sizes {wanted}; give it [image, 2, 3] for four "
            "sizes, [image, 3, 4] for five"
        )
    element = tensor(node[0]).element_type
    places = _places(sizes, bool(node("align_corners", 0))).astype(dtype_of(element))
    points = node.write.constant(blob_of(places, element))
    grid = node.write(nn.MatMulOp, points, node[0], transpose_b=True)
    return node.write.reshaped(grid, (*images, *sizes, count))


def _places(sizes: list[int], aligned: bool) -> npt.NDArray[np.float64]:
    """
    `[pixel, x and y (and z) and 1]`: from -1 to 1, the middles of pixels or, if aligned, the outermost ones' own; of a
    single one 1, as in ONNX Runtime.
    """
    lines = [
        np.linspace(1, -1, size)[::-1] if aligned else (2 * np.arange(size) + 1) / size - 1
        for size in sizes
    ]
    axes = np.meshgrid(*lines, indexing="ij")[::-1]
    return np.stack([*map(np.ravel, axes), np.ones(axes[0].size)], 1)
