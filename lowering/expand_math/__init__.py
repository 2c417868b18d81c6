"""
`expand-math`: functions of one variable in kernel bodies as polynomials, so that emission only knows
arithmetic and every machine and the reference compute the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.kernel import ErfcOp, SigmoidOp
from ..bodies import Body, Scalar
from .error_function import expand_erf, expand_erfc
from .exponential import expand_exp, expand_expm1, expand_log, expand_pow
from .gate import expand_gate
from .sigmoid import expand_sigmoid
from .tanh import expand_tanh

Expansion = Callable[[Body, Any], Scalar | None]

EXPANSIONS: Mapping[type[Operation], Expansion] = {
    arith.MulfOp: expand_gate,
    math.TanhOp: expand_tanh,
    math.ExpOp: expand_exp,
    math.ExpM1Op: expand_expm1,
    math.LogOp: expand_log,
    math.PowFOp: expand_pow,
    math.ErfOp: expand_erf,
    ErfcOp: expand_erfc,
    SigmoidOp: expand_sigmoid,
}


@dataclass(frozen=True)
class ExpandMath(ModulePass):
    """Rewrites the operations of `EXPANSIONS` in all bodies."""

    name = "expand-math"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk(reverse=True)):  # a gate before its factors
            if expand := EXPANSIONS.get(type(inner)):
                _replace(inner, expand)


def _replace(op: Operation, expand: Expansion) -> None:
    if not op.results[0].uses:
        Rewriter.erase_op(op)
        return
    block = Block()
    if (result := expand(Body(block), op)) is None:
        return
    ops = list(block.ops)
    for each in ops:
        each.detach()
    Rewriter.insert_op(ops, InsertPoint.before(op))
    Rewriter.replace_op(op, [], [result])
