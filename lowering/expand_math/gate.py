"""
A gate, `y sigmoid(x)`, in f32: `y (s / (s + s exp(-x)))` for both signs of x, since the product rounds what is near 1
anyway. If y is a tanh, both take one division: `y (s P / ((s + s exp(-x)) Q))`. P, Q: of `tanh`; s: of `sigmoid`.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import math
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from ...dialects import kernel
from ..kernel_bodies.bodies import Scalar
from .polynomial import horner
from .sigmoid import SigmoidFormat, exp_and_one
from .tanh import TANH_P, TANH_Q, limited

OPEN = 40.0
"""From here on the sigmoid is 1."""

SPARE = 53
"""Of s: Q is less than 2²⁹."""


def expand_gate(lhs: Scalar, rhs: Scalar) -> Scalar | None:
    """Where one factor is a sigmoid that nothing else uses."""
    factors = ((_only_of(kernel.SigmoidOp, one), y) for one, y in ((lhs, rhs), (rhs, lhs)))
    x, y = next((each for each in factors if each[0] is not None), (None, lhs))
    if x is None or x.type != f32:
        return None
    form = replace(SigmoidFormat.of(x), spare=SPARE)
    closed = exp_and_one(-x.clamp(-form.highest, OPEN), form)
    if (argument := _only_of(math.TanhOp, y)) is None:
        return y * (form.scale / closed)
    y = limited(argument)
    square = y * y
    numerator = horner(square, [form.scale * p for p in TANH_P])
    return y * (numerator / (closed * horner(square, TANH_Q)))


def _only_of(function: type[Operation], value: Scalar) -> Scalar | None:
    """The argument of a function that gives this value, if there is one user of it."""
    op = value.value.owner
    if not isinstance(op, function) or not value.value.has_one_use():
        return None
    (argument,) = value.body.scalars(op.operands)
    return argument
