"""MVN."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64

from .....dialects.nn import MvnOp
from ...dequantization import Dequantization
from ..compute import ComputeOnCodes, OnCodes
from .normalization import eps_on_codes, uneven


class MoveDequantizeAfterMvn(ComputeOnCodes[MvnOp]):
    """
    `mvn(dq(q)) = scale mvn(q)` without `normalize_variance`, else `sign(scale) mvn'(q)`, where `mvn'` has
    `eps / scale²` (`eps / |scale|` outside of the root).

    For scales and zero points that are the same along its axes: the latter are part of the mean.

    Declines scales that differ along the axes, or where `eps` would be another number in each channel.
    """

    name: ClassVar[str] = "mvn"
    op: ClassVar[type[MvnOp]] = MvnOp

    def on_codes(self, op: MvnOp, dequantization: Dequantization) -> OnCodes | str:
        if (reason := uneven(op, dequantization)) is not None:
            return reason
        if not op.normalize_variance:
            return OnCodes(dequantization.scale)
        power = 2 if op.eps_mode.data == "inside_sqrt" else 1
        eps = eps_on_codes(op, dequantization, power)
        if isinstance(eps, str):
            return eps
        return OnCodes(np.sign(dequantization.scale), properties={"eps": FloatAttr(eps, f64)})
