"""The angle of a point, in all four quadrants."""

from __future__ import annotations

import math

from xdsl.ir import SSAValue

from ...dialects import nn
from ..tensorflow import TfOp
from .rules import Legalizer, rule


@rule("Atan2")
def atan2(t: Legalizer, op: TfOp, y: SSAValue, x: SSAValue) -> SSAValue:
    """`atan(y / x)`, half a turn further where x is negative, a quarter where it is 0; 0 for the origin."""
    zero = t.like(x, 0)
    on_axis, below = t(nn.EqualOp, x, zero), t(nn.LessOp, y, zero)
    slope = t(nn.AtanOp, t(nn.DivideOp, y, t(nn.SelectOp, on_axis, t.like(x, 1), x)))
    half = t(nn.SelectOp, below, t.like(x, -math.pi), t.like(x, math.pi))
    folded = t(nn.SelectOp, t(nn.LessOp, x, zero), t(nn.AddOp, slope, half), slope)
    quarter = t(nn.MultiplyOp, t(nn.SignOp, y), math.pi / 2)
    return t(nn.SelectOp, on_axis, quarter, folded)
