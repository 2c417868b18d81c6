"""ReduceSum."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from .....dialects.inferred import shape_of
from .....dialects.nn import ReduceSumOp
from ...dequantization import Dequantization
from ..compute import ComputeOnCodes, OnCodes
from ..sink import varying
from .reduce import kept, reduced


class MoveDequantizeAfterReduceSum(ComputeOnCodes[ReduceSumOp]):
    """
    `reduce_sum(dq(q)) = dq'(reduce_sum(q))` for scales that are the same along what is reduced. Of `n`
    elements, `zero_point' = n zero_point`. Sums leave the codes' type, so they are in floating point.

    Declines scales that differ along what is reduced; an unknown number of elements with a zero point.
    """

    name: ClassVar[str] = "reduce_sum"
    op: ClassVar[type[ReduceSumOp]] = ReduceSumOp

    def on_codes(self, op: ReduceSumOp, dequantization: Dequantization) -> OnCodes | str:
        axes = reduced(op)
        if (reason := varying(dequantization, axes)) is not None:
            return reason
        scale, zero_point = dequantization.scale, dequantization.zero_point
        if dequantization.is_symmetric:
            return OnCodes(kept(op, scale))
        sizes = [shape_of(op.input)[axis] for axis in axes]
        if DYNAMIC_INDEX in sizes:
            return (
                "its input is quantized with a zero point, and it sums an unknown number of elements; "
                "fix their number or quantize it symmetrically around 0"
            )
        every = math.prod(sizes) * zero_point.astype(np.float64)
        return OnCodes(kept(op, scale), kept(op, every))
