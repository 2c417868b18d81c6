"""
`approximate-quantized-sigmoid`: approximates a sigmoid whose result is quantized in the same kernel, to a small part of
a code.

    sigmoid(x) = 1 / (1 + 2ⁿ p(r))        with n the whole number next to -x / ln 2, r = x + n ln 2

p is nearly `exp(-r)`, by five terms. The exact sigmoid loses no bit near 0 or 1; this one takes its place where nothing
but rounding to codes follows and the error is less than `TOLERANCE` codes. If the sigmoid is only multiplied by a
value, that value is divided instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, f32, i32
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.kernel import KernelOp, SigmoidOp
from ...dialects.rewriter import Rewriter
from ..expand_math.polynomial import horner
from .bodies import BodyBuilder, Scalar
from .quantized_results import TOLERANCE, approximate_in_kernels, codes_for_one

ERROR = 7.5e-7
"""The largest error of a result."""

FARTHEST = 80.0
"""From here on a sigmoid is 0 or 1, and 2ⁿ is still a normal number."""

FRACTION, BIAS = 23, 127
"""Fraction bits and exponent bias of f32."""

SHIFTER = 1.5 * 2.0**FRACTION + BIAS
"""Added to a small number, it leaves the exponent bits of 2 to the nearest integer in the last bits."""

POWER = (4.1458401829e-02, -1.6791030765e-01, 5.0004369020e-01, -9.9996334314e-01, 9.9999928474e-01)
"""Coefficients of p, the highest power first: a minimax fit on ±ln 2 / 2, at most 2.6e-6 off from `exp(-r)`."""


@dataclass(frozen=True)
class ApproximateQuantizedSigmoid(ModulePass):
    """Rewrites sigmoids of kernels that round them to codes."""

    name = "approximate-quantized-sigmoid"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        approximate_in_kernels(op, _approximate)


def _approximate(op: Operation, kernel: KernelOp) -> bool:
    if not isinstance(op, SigmoidOp) or op.result.type != f32:
        return False
    if codes_for_one(op.result, kernel) * ERROR > TOLERANCE:
        return False
    user = op.result.get_user_of_unique_use()
    replaced: Operation = user if isinstance(user, arith.MulfOp) else op
    assert replaced.parent is not None, "the operation is in a body"
    body = BodyBuilder(replaced.parent, before=replaced)
    factors = [value for value in replaced.operands if value is not op.result]
    x, *others = body.scalars([op.x, *(factors if replaced is user else ())])
    (factor,) = others or [x.number(1)]
    Rewriter.replace_op(replaced, [], [(factor / one_and_power(x)).value])
    return True


def one_and_power(x: Scalar) -> Scalar:
    """`1 + exp(-x)` in f32."""
    x = x.clamp(-FARTHEST, FARTHEST)
    shifted = x.fma(-1 / log(2), SHIFTER)
    r = (shifted - SHIFTER).fma(log(2), x)
    power = (shifted.bitcast(i32) << FRACTION).bitcast(f32)
    return horner(r, POWER).fma(power, 1)
