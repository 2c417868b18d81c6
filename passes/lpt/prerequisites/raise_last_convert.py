"""The final conversion of dequantization in f16 and bf16 models."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name
from ....dialects.nn import ConvertOp
from ....dialects.qnn import DequantizeOp
from ..pattern import NamedPattern


class RaiseLastConvert(NamedPattern[ConvertOp]):
    """`convert(dq(q)) = dq'(q)` for another floating-point type: `dq'` rounds what it computed."""

    name: ClassVar[str] = "raise_last_convert"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvertOp, rewriter: PatternRewriter, /) -> None:
        before = op.input.owner
        if not isinstance(before, DequantizeOp) or before.output_type is not None:
            return
        if not isinstance(op.destination_type, AnyFloat) or op.result.type == op.input.type:
            return
        properties = before.properties | {"output_type": op.destination_type}
        dequantization = DequantizeOp.of(before.input, **properties)
        copy_name(op, dequantization)
        rewriter.replace(op, dequantization)
