"""FakeQuantize of what is on its grid already."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.nn import constant_of
from .....dialects.qnn import FakeQuantizeOp
from .....reference.arrays import array_of, dtype_of
from ...dequantization import Dequantization
from ...one_grid import OneGrid
from ...plan import Plan
from ...transformation import Transformation


class SkipRequantize(Transformation[FakeQuantizeOp]):
    """`fq(dq(q)) = q` where `fq` gives each value of `dq` the code that it came from."""

    name: ClassVar[str] = "requantize"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: Plan, rewriter: PatternRewriter) -> str | None:
        side = Dequantization.on(op.input)
        if op.output_type is None or side is None:
            return ""
        grid = OneGrid.of_dequantization(side)
        if isinstance(grid, str) or grid.code != op.output_type or not keeps_codes(op, grid):
            return ""
        rewriter.replace(op, [], [side.codes])
        return None


def keeps_codes(op: FakeQuantizeOp, grid: OneGrid) -> bool:
    """Whether the interval reaches from the value of the type's lowest code to that of its highest."""
    blobs = [constant_of(limit) for limit in op.operands[1:]]
    known = [array_of(blob) for blob in blobs if blob is not None]
    limits = np.iinfo(dtype_of(grid.code))
    if len(known) < len(blobs) or op.levels.value.data - 1 != limits.max - limits.min:
        return False
    for value, code, wanted in zip(known[:2], known[2:], (limits.min, limits.max), strict=True):
        found = grid.codes_of(value)
        if found is None or not ((code == wanted) & (found == wanted) | (grid.scale == 0)).all():
            return False
    return True
