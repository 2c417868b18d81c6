"""
`expand-math`: functions of one variable in kernel bodies as polynomials, so that emission only knows
arithmetic and every machine and the reference compute the same bits.

`tanh` in f32: `x (P(x²) / Q(x²))`, |x| limited to `TANH_LIMIT`; odd, below 1, and at most 5 units in the
last place off (at the limit and beyond, where it stays 4.5 below 1). Coefficients: a minimax fit known from
Eigen's vectorized mathematics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.inferred import label
from .bodies import Body

TANH_LIMIT = 7.90531110763549805
TANH_P = (
    -2.76076847742355e-16,
    2.00018790482477e-13,
    -8.60467152213735e-11,
    5.12229709037114e-08,
    1.48572235717979e-05,
    6.37261928875436e-04,
    4.89352455891786e-03,
)
"""Coefficients of P, the highest power of x² first."""
TANH_Q = (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
"""Coefficients of Q."""


@dataclass(frozen=True)
class ExpandMath(ModulePass):
    """Rewrites `math.tanh` in all bodies."""

    name = "expand-math"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, math.TanhOp):
                _expand_tanh(inner)


def _expand_tanh(op: math.TanhOp) -> None:
    if op.operand.type != f32:
        where = label(parent) if (parent := op.parent_op()) else op.name
        raise DiagnosticException(
            f"{where}: tanh and sigmoid of {op.operand.type} do not compile; convert the model to f32"
        )
    block = Block()
    body = Body(block)
    x = body.clamp(op.operand, -TANH_LIMIT, TANH_LIMIT)
    square = body.multiply(x, x)
    ratio = body.divide(_horner(body, square, TANH_P), _horner(body, square, TANH_Q))
    result = body.multiply(x, ratio)
    ops = list(block.ops)
    for each in ops:
        each.detach()
    Rewriter.insert_op(ops, InsertPoint.before(op))
    Rewriter.replace_op(op, [], [result])


def _horner(body: Body, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
    """`((c0 x + c1) x + c2) …`"""
    first, *rest = coefficients
    value = body.like(first, x)
    for coefficient in rest:
        value = body.fma(value, x, body.like(coefficient, x))
    return value
