"""
`expand-math`: functions of one variable in kernel bodies as polynomials, so that emission only knows
arithmetic and every machine and the reference compute the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.kernel import ErfcOp, SigmoidOp
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ..kernel_bodies.bodies import BodyBuilder, Scalar
from .division import expand_division
from .error_function import expand_erf, expand_erfc
from .exponential import expm1, log, power
from .gate import expand_gate
from .gelu import expand_gelu
from .hyperbolic import expand_acosh, expand_asinh, expand_atanh, expand_cosh, expand_sinh
from .sigmoid import expand_sigmoid
from .softmax import expand_exp
from .softplus import expand_log1p
from .tanh import expand_tanh
from .trigonometric import (
    expand_acos,
    expand_asin,
    expand_atan,
    expand_cos,
    expand_sin,
    expand_tan,
)


def expand_product(lhs: Scalar, rhs: Scalar) -> Scalar | None:
    """A product that is a gate or a GELU."""
    gate = expand_gate(lhs, rhs)
    return expand_gelu(lhs, rhs) if gate is None else gate


Expansion = Callable[..., Scalar | None]

EXPANSIONS: dict[type[Operation], Expansion] = {
    arith.MulfOp: expand_product,
    arith.DivfOp: expand_division,
    math.TanhOp: expand_tanh,
    math.ExpOp: expand_exp,
    math.ExpM1Op: expm1,
    math.LogOp: log,
    math.Log1pOp: expand_log1p,
    math.PowFOp: power,
    math.SinOp: expand_sin,
    math.CosOp: expand_cos,
    math.TanOp: expand_tan,
    math.AsinOp: expand_asin,
    math.AcosOp: expand_acos,
    math.AtanOp: expand_atan,
    math.SinhOp: expand_sinh,
    math.CoshOp: expand_cosh,
    math.AsinhOp: expand_asinh,
    math.AcoshOp: expand_acosh,
    math.AtanhOp: expand_atanh,
    math.ErfOp: expand_erf,
    ErfcOp: expand_erfc,
    SigmoidOp: expand_sigmoid,
}


SCALAR = {*EXPANSIONS, arith.AddfOp, arith.ConstantOp, math.FmaOp}
"""Operations that nothing may read any more after that."""


@dataclass(frozen=True)
class ExpandMath(ModulePass):
    """
    Rewrites the operations of `EXPANSIONS` in all bodies. With `accurate`, GELU keeps the relative accuracy of its
    functions.
    """

    name = "expand-math"

    accurate: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expansions = EXPANSIONS | {arith.MulfOp: expand_gate} if self.accurate else EXPANSIONS
        for inner in reversed(all_operations(op)):  # a gate before its factors
            if type(inner) in SCALAR and not inner.results[0].uses:
                Rewriter.erase_op(inner)  # what only something that was expanded has read
            elif expand := expansions.get(type(inner)):
                _replace(inner, expand)


def _replace(op: Operation, expand: Expansion) -> None:
    assert op.parent is not None, "the operation is in a body"
    body = BodyBuilder(op.parent, before=op)
    if (result := expand(*body.scalars(op.operands))) is not None:
        Rewriter.replace_op(op, [], [result.value])
