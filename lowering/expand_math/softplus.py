"""The logarithm of a softplus: `log1p(e)` of an `e = exp(-|x|)`, which is never above 1."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ..kernel_bodies.bodies import Scalar
from .exponential import log1p
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
    return x * horner(x, BELOW_ONE) if _is_at_most_one(x.value) else log1p(x)


def _is_at_most_one(value: SSAValue) -> bool:
    """Whether it is `exp(-|x|)` in f32."""
    match value.owner:
        case math.ExpOp(operand=power) if power.type == f32:
            negated = power.owner
            return isinstance(negated, arith.NegfOp) and isinstance(
                negated.operand.owner, math.AbsFOp
            )
        case _:
            return False
