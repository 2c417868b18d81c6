"""Matrix products."""

from __future__ import annotations

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
    result = dtype_of(tensor(op.result).element_type)
    if result == np.int32 and a.dtype.itemsize == b.dtype.itemsize == 1:
        # Exact: products of 8-bit codes add up far below 2**53.
        return (
            np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(np.int32)
        )
    return np.matmul(a, b)
