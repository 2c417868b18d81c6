"""Clamp that clips nothing of what is quantized."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import limits_of
from ....dialects.inferred import tensor
from ....dialects.nn import ClampOp, ConcatOp
from ....dialects.qnn import FakeQuantizeOp
from ....reference.arrays import Array
from ....reference.constants import constant_arrays
from ..dequantization import Dequantization
from ..pattern import NamedPattern


class EliminateClamp(NamedPattern[ClampOp]):
    """
    `clamp(fq(x)) = fq(x)` and `clamp(dq(q)) = dq(q)` if all values that `fq` or `dq` can give lie within the limits;
    so also behind a concatenation of such values.
    """

    name: ClassVar[str] = "eliminate_clamp"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ClampOp, rewriter: PatternRewriter, /) -> None:
        ends = ends_of(op.input)
        low, high = op.limits
        if ends and all(bool(((low <= end) & (end <= high)).all()) for end in ends):
            rewriter.replace(op, [], [op.input])


def ends_of(value: SSAValue) -> list[Array]:
    """The least and the greatest values that quantization can give, in any order; none where they are not known."""
    if isinstance(op := value.owner, ConcatOp):
        parts = list(map(ends_of, op.inputs))
        return [end for part in parts for end in part] if all(parts) else []
    if isinstance(op := value.owner, FakeQuantizeOp) and op.output_type is None:
        return constant_arrays((op.output_low, op.output_high)) or []
    if (side := Dequantization.on(value)) is None or not side.is_low:
        return []
    return [side.values(np.asarray(code)) for code in limits_of(tensor(side.codes).element_type)]
