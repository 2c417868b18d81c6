"""The quantize half of QuantizeLinear/DequantizeLinear: a FakeQuantize to whole numbers and their conversion."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import bits_of, limits_of
from ....dialects.inferred import copy_name
from ....dialects.nn import ConvertOp, constant_of
from ....dialects.qnn import FakeQuantizeOp
from ....reference.arrays import array_of
from ..pattern import NamedPattern


class FuseConvertToFakeQuantize(NamedPattern[ConvertOp]):
    """
    `convert(fq(x)) = fq'(x)` with an 8-bit result, if `fq` gives consecutive whole numbers that the type holds.
    """

    name: ClassVar[str] = "fuse_convert"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvertOp, rewriter: PatternRewriter, /) -> None:
        before, element = op.input.owner, op.destination_type
        if not isinstance(before, FakeQuantizeOp) or before.output_type is not None:
            return
        if not isinstance(element, IntegerType) or bits_of(element) != 8:
            return
        if not op.input.has_one_use() or not gives_codes(before, element):
            return
        fused = FakeQuantizeOp.of(
            *before.operands, **(before.properties | {"output_type": element})
        )
        fused.attributes |= before.attributes
        copy_name(op, fused)
        rewriter.replace(op, fused)
        rewriter.erase(before)


def gives_codes(op: FakeQuantizeOp, element: IntegerType) -> bool:
    """Whether the output interval is one of whole numbers, `levels` of them, inside the type."""
    blobs = [constant_of(limit) for limit in (op.output_low, op.output_high)]
    low, high = (None if blob is None else array_of(blob) for blob in blobs)
    if low is None or high is None:
        return False
    lowest, highest = limits_of(element)
    return bool(
        (low == np.rint(low)).all()
        and (high - low == op.levels.value.data - 1).all()
        and (lowest <= low).all()
        and (high <= highest).all()
    )
