"""If."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from .....dialects.inferred import tensor
from .....dialects.infra import IfOp
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...provenance import feeds_codes
from ...quantization_parameters import QuantizationParameters
from ...shared_quantization import enter_codes, quantize, shared_parameters
from ...transformation import Transformation


class CarryCodesThroughIf(Transformation[IfOp]):
    """
    `if(c, dq(q)) = dq'(if'(c, q))`: inputs are dequantized inside the bodies. Results are dequantized behind the
    branch, if both bodies give values of one grid and an operation behind it multiplies codes.
    """

    name: ClassVar[str] = "if"
    op: ClassVar[type[IfOp]] = IfOp

    def transform(self, op: IfOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        entered = [_enter(op, index, plan) for index in range(len(op.inputs))]
        left = [_leave(op, index, plan) for index in range(len(op.results))]
        return None if any(entered) or any(left) else ""


def _enter(op: IfOp, index: int, plan: LptPlan) -> bool:
    side = Dequantization.on(op.inputs[index])
    grid = None if side is None else side.of_integers
    if side is None or not isinstance(grid, QuantizationParameters):
        return False
    if not any(feeds_codes(body.args[index], plan) for body in op.bodies):
        return False
    op.operands[1 + index] = side.codes
    for body in op.bodies:
        enter_codes(grid, body.args[index], InsertPoint.at_start(body))
    return True


def _leave(op: IfOp, index: int, plan: LptPlan) -> bool:
    result = op.results[index]
    if not isinstance(tensor(result).element_type, AnyFloat) or not feeds_codes(result, plan):
        return False
    grid = shared_parameters(result, plan)
    if isinstance(grid, str):
        return False
    for body in op.bodies:
        last = body.last_op
        assert last is not None, "a body ends in its results"
        last.operands[index] = quantize(grid, last.operands[index], InsertPoint.before(last))
    enter_codes(grid, result, InsertPoint.after(op))
    return True
