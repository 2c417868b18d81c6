"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dialects import nn
from ...dialects.inferred import tensor
from ..arrays import Array, dtype_of
from ..meaning import meaning


@meaning(nn.MatMulOp)
def mat_mul(op: nn.MatMulOp, a: Array, b: Array) -> Array:
    if op.transpose_a and a.ndim > 1:
        a = a.swapaxes(-1, -2)
    if op.transpose_b and b.ndim > 1:
        b = b.swapaxes(-1, -2)
    return product(a, b, dtype_of(tensor(op.result).element_type))


def product(a: Array, b: Array, dtype: np.dtype[Any]) -> Array:
    """The matrix product; exact where 8-bit integers give int32, sums in float32 where they give float16."""
    if dtype == np.int32 and a.dtype.itemsize == b.dtype.itemsize == 1:
        # Exact: products of 8-bit codes add up far below 2**53.
        return np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(dtype)
    if dtype == np.float16:
        return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(dtype)
    return np.matmul(a, b)
