"""FakeQuantize of codes that have its quantization parameters already."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.qnn import FakeQuantizeOp
from .....reference.arrays import Array, dtype_of
from .....reference.constants import constant_arrays
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...quantization_parameters import QuantizationParameters
from ...transformation import Transformation


class SkipRequantize(Transformation[FakeQuantizeOp]):
    """
    `fq(dq(q)) = dq(q)` if `fq` maps each value of `dq` to itself; `fq(dq(q)) = q` if `fq` gives codes and maps each
    value to the code that it came from. If the plan wants another type or grid for the codes, `fq` stays, to convert
    them.

    Declines codes whose type or grid is not the planned one.
    """

    name: ClassVar[str] = "requantize"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        side = Dequantization.on(op.input)
        grid = None if side is None else side.of_integers
        known = constant_arrays(op.operands[1:])
        if side is None or not isinstance(grid, QuantizationParameters) or known is None:
            return ""
        if grid.code not in (plan.types_of(op) or (grid.code,)) or plan.alignment(op) is not None:
            return ""
        codes = np.iinfo(dtype_of(grid.code))
        if op.levels.value.data - 1 != codes.max - codes.min:
            return ""
        if not all(
            gives(value, output, op.output_type, code, grid)
            for value, output, code in zip(known, known[2:], (codes.min, codes.max), strict=False)
        ):
            return ""
        rewriter.replace(op, [], [op.input if op.output_type is None else side.codes])
        return None


def gives(
    value: Array,
    output: Array,
    element: IntegerType | None,
    code: int,
    grid: QuantizationParameters,
) -> bool:
    """Whether an end of the input interval is the value of this code, and gives it, or the code, as asked for."""
    found = grid.codes_of(value)
    if found is None or element not in (None, grid.code):
        return False
    same = output == (value if element is None else code)
    return bool(((found == code) & same | (grid.scale == 0)).all())
