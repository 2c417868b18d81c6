"""The logarithm of a softplus: `log1p(e)` of an `e = exp(-|x|)`, which is never above 1."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ..kernel_bodies.bodies import Scalar
from .exponential import exp_of_negative, log1p
from .polynomial import horner

BELOW_ONE = (
    -3.2440196e-03,
    1.9851437e-02,
    -5.6959487e-02,
    1.0603650e-01,
    -1.5305590e-01,
    1.9675939e-01,
    -2.4954133e-01,
    3.3329964e-01,
    -4.9999902e-01,
    1.0,
)
"""Coefficients of `log1p(e) / e` for e from 0 to 1, the highest power first: a minimax fit, 4.8e-9 off."""


def expand_log1p(x: Scalar) -> Scalar:
    """`log1p(x)`; in a softplus in f32, `x P(x)`, at most two units in the last place off what its `x` gives."""
    power = _negative_power(x.value)
    if power is None:
        return log1p(x)
    (power,) = x.body.scalars([power])
    e = exp_of_negative(power)
    return e * horner(e, BELOW_ONE)


def _negative_power(value: SSAValue) -> SSAValue | None:
    """`-|x|` of `exp(-|x|)` in f32."""
    match value.owner:
        case math.ExpOp(operand=power) if power.type == f32:
            negated = power.owner
            is_size = isinstance(negated, arith.NegfOp)
            return power if is_size and isinstance(negated.operand.owner, math.AbsFOp) else None
        case _:
            return None
