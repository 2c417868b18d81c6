"""Units in tiles of vectors, as all layouts have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects.kernel.packed_layout import SUM_BYTES, Layout

if TYPE_CHECKING:
    from ...reference.arrays import Array

WORDS = (2, 4, 8)
"""Bytes that NumPy moves at once."""


def units_in_tiles(weights: Array, layout: Layout, steps: int) -> Array:
    """
    Weights […, units, depth] as […, tiles, nr_vectors, lanes, steps, kr]; zeros fill what lies past the last unit, and
    past the depth.
    """
    import numpy as np

    *before, units, depth = weights.shape
    width = layout.nr_vectors * layout.lanes
    tiles = -(-units // width)
    missing = [(0, tiles * width - units), (0, steps * layout.kr - depth)]
    if any(map(any, missing)):
        weights = np.pad(weights, [(0, 0)] * len(before) + missing)
    return weights.reshape(*before, tiles, layout.nr_vectors, layout.lanes, steps, layout.kr)


def in_order(weights: Array) -> Array:
    """
    […, kr] as they lie in memory then. The `kr` elements are moved as one word; where they are apart, as those of a
    transposed matrix are, they come beside each other first.
    """
    import numpy as np

    kr = weights.shape[-1]
    size = weights.itemsize * kr
    if kr == 1 or size not in WORDS:
        return np.ascontiguousarray(weights)
    if weights.strides[-1] == weights.itemsize:
        words = weights.view(f"u{size}")[..., 0]
    else:
        words = np.empty_like(weights[..., 0], f"u{size}")
        parts = words[..., np.newaxis].view(weights.dtype)
        for k in range(kr):
            parts[..., k] = weights[..., k]
    return np.ascontiguousarray(words)[..., np.newaxis].view(weights.dtype)


def behind_sums(weights: Array, axis: int) -> Array:
    """
    Bytes of weights […, steps, …, lanes, kr], whose steps are along an axis and come in pairs, behind minus the sums of
    their products, an i32 for each unit, in the place of as many bytes of steps.
    """
    import numpy as np

    steps = np.moveaxis(weights.astype(np.int32), axis, 0)
    sums = -(steps[::2] * steps[1::2]).sum((0, -1), dtype=np.int32)
    shape = list(weights.shape)
    shape[axis] = SUM_BYTES // shape[-1]
    first = np.ascontiguousarray(sums).view(weights.dtype).reshape(shape)
    return np.concatenate([first, weights], axis)
