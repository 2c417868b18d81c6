"""
What a gate lets through, `sigmoid(x) tanh(y)`, in f32: one division, `y (s P / ((s + s exp(-x)) Q))`, where each
alone would take one. P, Q: of `tanh`; s: of `sigmoid`.
"""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f32

from ...dialects import kernel
from ..bodies import Body, Scalar
from .polynomial import horner
from .sigmoid import Format, exp_and_one
from .tanh import TANH_P, TANH_Q, limited

OPEN = 40.0
"""From here on the sigmoid is 1."""


def expand_gate(body: Body, op: arith.MulfOp) -> Scalar | None:
    """Where one factor is a sigmoid, the other a tanh, and nothing else uses them."""
    for sigmoid, tanh in ((op.lhs.owner, op.rhs.owner), (op.rhs.owner, op.lhs.owner)):
        if isinstance(sigmoid, kernel.SigmoidOp) and isinstance(tanh, math.TanhOp):
            break
    else:
        return None
    if op.result.type != f32 or not (sigmoid.result.has_one_use() and tanh.result.has_one_use()):
        return None
    form = Format.of(sigmoid.x)
    x = body.negative(body.clamp(sigmoid.x, -form.highest, OPEN))
    y = limited(body, tanh.operand)
    square = body.multiply(y, y)
    numerator = horner(body, square, [form.scale * p for p in TANH_P])
    denominator = body.multiply(exp_and_one(body, x), horner(body, square, TANH_Q))
    return body.multiply(y, body.divide(numerator, denominator))
