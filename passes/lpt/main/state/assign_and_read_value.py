"""AssignAndReadValue: states of 8 bits."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from .....dialects.inferred import NAME, friendly_name
from .....dialects.infra import ReadValueOp, variables_of
from .....dialects.qnn import DequantizeOp
from ...attributes import DECLINED
from ...plan import LptPlan
from ...quantization_parameters import QuantizationParameters
from ...shared_quantization import enter_codes, quantize, shared_parameters
from ...transformation import ORIGINAL, Transformation


class KeepCodesInState(Transformation[ReadValueOp]):
    """
    A state stores codes if all its values lie on one grid: `assign(dq(q))` becomes `assign(q)`, and `read(init)`
    becomes `dq(read(codes of init))`.

    Its values are the initial value and all assigned ones. A quantized value lies on its grid; a constant may lie on
    it, too.
    """

    name: ClassVar[str] = "assign_and_read_value"
    op: ClassVar[type[ReadValueOp]] = ReadValueOp

    def transform(self, op: ReadValueOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        grid = shared_parameters(op.result, plan)
        if isinstance(grid, str):
            return grid
        state = op.variable.string_value()
        variable = variables_of(op)[state]
        declared = cast(TensorType[Any], variable.type)
        variable.properties["type"] = TensorType(grid.code, declared.get_shape())
        for use in plan.states[state]:
            use.operands[0] = quantize(grid, use.operands[0], InsertPoint.before(use))
            if isinstance(use, ReadValueOp):
                values = _read_codes(use, grid)
                variable.scale, variable.zero_point = values.scale, values.zero_point
        return None


def _read_codes(op: ReadValueOp, grid: QuantizationParameters) -> DequantizeOp:
    """What a read gave is dequantized behind it, under its name."""
    values = enter_codes(grid, op.result, InsertPoint.after(op))
    op.attributes.pop(DECLINED, None)
    if (name := friendly_name(op)) is not None:
        op.attributes[NAME] = StringAttr(name + ORIGINAL)
        values.attributes[NAME] = StringAttr(name)
    return values
