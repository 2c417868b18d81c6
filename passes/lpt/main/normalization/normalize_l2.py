"""NormalizeL2."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64

from .....dialects.nn import NormalizeL2Op
from ...dequantization import Dequantization
from ..compute import ComputeOnCodes, OnCodes
from .normalization import eps_on_codes, uneven


class MoveDequantizeAfterNormalizeL2(ComputeOnCodes[NormalizeL2Op]):
    """
    `normalize_l2(dq(q)) = sign(scale) normalize_l2'(q)`, which has `eps / scale²`, for scales that are the
    same along its axes and zero_point = 0.

    Declines what `mvn` does, and zero points.
    """

    name: ClassVar[str] = "normalize_l2"
    op: ClassVar[type[NormalizeL2Op]] = NormalizeL2Op

    def on_codes(self, op: NormalizeL2Op, dequantization: Dequantization) -> OnCodes | str:
        if not dequantization.is_symmetric:
            return "its input is quantized with a zero point; quantize it symmetrically around 0"
        if (reason := uneven(op, dequantization)) is not None:
            return reason
        eps = eps_on_codes(op, dequantization, 2)
        if isinstance(eps, str):
            return eps
        return OnCodes(np.sign(dequantization.scale), properties={"eps": FloatAttr(eps, f64)})
