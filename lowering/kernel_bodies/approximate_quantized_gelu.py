"""
`approximate-quantized-gelu`: approximates a GELU whose result is quantized in the same kernel, to a small part of a
code.

    x/2 erfc(-x/√2) = max(x, 0) - a p(a)⁸        with a = min(|x|, last)

The first polynomial of `TAILS`, or of `TANH_TAILS` where the GELU is the one with a hyperbolic tangent, is taken whose
error is less than `TOLERANCE` codes. The law holds where nothing but rounding to codes follows the GELU.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.kernel import ErfcOp, KernelOp
from ..expand_math.gelu import Gelu
from .quantized_results import TOLERANCE, approximate_in_kernels, codes_for_one


@dataclass(frozen=True)
class ApproximateQuantizedGelu(ModulePass):
    """Rewrites GELUs of kernels that round them to codes."""

    name = "approximate-quantized-gelu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        approximate_in_kernels(op, _approximate)


def _approximate(op: Operation, kernel: KernelOp) -> bool:
    if not isinstance(op, ErfcOp | math.TanhOp) or (gelu := Gelu.on(op)) is None:
        return False
    codes = codes_for_one(gelu.result.result, kernel)
    exact = (tail for tail in gelu.tails if codes * tail.error <= TOLERANCE)
    if (tail := next(exact, None)) is None:
        return False
    gelu.approximate(tail)
    return True
