"""
What a gate lets through, `sigmoid(x) tanh(y)`, in f32: one division, `y (s P / ((s + s exp(-x)) Q))`, where each
alone would take one. P, Q: of `tanh`; s: of `sigmoid`.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import math
from xdsl.dialects.builtin import f32

from ...dialects import kernel
from ..bodies import Scalar
from .polynomial import horner
from .sigmoid import SigmoidFormat, exp_and_one
from .tanh import TANH_P, TANH_Q, limited

OPEN = 40.0
"""From here on the sigmoid is 1."""

SPARE = 53
"""Of s: Q is less than 2²⁹."""


def expand_gate(lhs: Scalar, rhs: Scalar) -> Scalar | None:
    """Where one factor is a sigmoid, the other a tanh, and nothing else uses them."""
    for one, other in ((lhs, rhs), (rhs, lhs)):
        sigmoid, tanh = one.value.owner, other.value.owner
        if isinstance(sigmoid, kernel.SigmoidOp) and isinstance(tanh, math.TanhOp):
            break
    else:
        return None
    if one.type != f32 or not (sigmoid.result.has_one_use() and tanh.result.has_one_use()):
        return None
    x, y = lhs.body.scalars((sigmoid.x, tanh.operand))
    form = replace(SigmoidFormat.of(x), spare=SPARE)
    x, y = -x.clamp(-form.highest, OPEN), limited(y)
    square = y * y
    numerator = horner(square, [form.scale * p for p in TANH_P])
    denominator = exp_and_one(x, form) * horner(square, TANH_Q)
    return y * (numerator / denominator)
