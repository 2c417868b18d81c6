"""Sums of products by fused multiply-adds in order, as machines round them, in blocks that stay in a cache."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .arrays import Array
from .scalar import fma

BLOCK = 1 << 14
"""The sums of a block: its arrays of float64 together fill about half a megabyte."""

WIDTH = 1 << 11
"""The columns of a block: NumPy is fast where the innermost dimension is long."""

DROPPED = np.int64(2**29 - 1)
"""The bits that a float64 has more than a normal float32."""

HALFWAY = np.int64(2**28)
"""These bits where a float64 lies halfway between two float32."""


def fused_sums(a: Array, b: Array, begun: Array) -> Array:
    """
    `begun + a bᵀ`, each product added with one rounding in order of k: a [batch, M, K], b [batch, N, K], begun
    [batch, M, N], all of one type of float.
    """
    if a.dtype != np.float32:
        total = begun
        for k in range(a.shape[-1]):
            total = fma(a[..., :, None, k], b[..., None, :, k], total)
        return total
    if a.shape[1] > b.shape[1]:
        return fused_sums(b, a, begun.swapaxes(1, 2)).swapaxes(1, 2)
    total = np.array(begun, order="C")
    batch, rows, columns = total.shape
    width = min(max(columns, 1), WIDTH)
    height = min(max(rows, 1), BLOCK // width)
    depth = BLOCK // (width * height)
    for i in range(0, batch, depth):
        some = slice(i, i + depth)
        for k in range(0, columns, width):
            right = _steps(b[some, k : k + width])[..., None, :]
            for j in range(0, rows, height):
                left = _steps(a[some, j : j + height])[..., :, None]
                _add_products(left, right, total[some, j : j + height, k : k + width])
    return total


def fused_products(x: Array, y: Array, begun: Array) -> Array:
    """`x * y + begun` with one rounding: float32 of one rank, x and y as large as `begun` or broadcast to it."""
    total = np.array(begun, order="C")
    rows = max(BLOCK * len(total) // max(total.size, 1), 1)
    for i in range(0, len(total), rows):
        parts = [each if len(each) == 1 else each[i : i + rows] for each in (x, y)]
        left, right = (part[None].astype(np.float64) for part in parts)
        _add_products(left, right, total[i : i + rows])
    return total


def _add_products(left: Array, right: Array, total: Array) -> None:
    """Adds the products of each step, the first dimension, to the sums of one block."""
    wide, found = total.astype(np.float64, "C"), np.empty(total.shape, np.float32)
    product, bits = np.empty(total.shape), np.empty(total.shape, np.int64)
    is_halfway = np.empty(total.shape, bool)
    for x, y in zip(left, right, strict=True):
        np.multiply(x, y, out=product)
        np.add(product, wide, out=product)
        np.bitwise_and(product.view(np.int64), DROPPED, out=bits)
        np.equal(bits, HALFWAY, out=is_halfway)
        if is_halfway.any() or not _rounds(product, found):
            narrow = wide.astype(np.float32)
            found[...] = fma(x.astype(np.float32), y.astype(np.float32), narrow)
        wide[...] = found
    total[...] = wide


def _steps(x: Array) -> npt.NDArray[np.float64]:
    """The last dimension first, in float64."""
    return np.moveaxis(x, -1, 0).astype(np.float64, "C")


def _rounds(wide: Array, narrow: Array) -> bool:
    """Whether all of float64 could be rounded to normal float32, or to others without error."""
    try:
        with np.errstate(under="raise"):
            np.copyto(narrow, wide, casting="same_kind")
    except FloatingPointError:
        return False
    return True
