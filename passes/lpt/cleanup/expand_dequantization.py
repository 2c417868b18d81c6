"""Dequantization that is left is written out."""

from __future__ import annotations

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ....dialects.inferred import NAME
from ....dialects.nn import ConstantOp, ConvertOp, MultiplyOp, SubtractOp
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import array_of, blob_of, dtype_of


class ExpandDequantization(RewritePattern):
    """`dq(q) = [convert](multiply([subtract](convert(q), zero_point), scale))`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        element = op.scale.type.element_type
        new = [value := ConvertOp.of(op.input, destination_type=element)]
        if op.zero_point is not None:
            zero_point = ConstantOp(
                blob_of(array_of(op.zero_point).astype(dtype_of(element)), element)
            )
            value = SubtractOp.of(value, zero_point)
            new += [zero_point, value]
        scale = ConstantOp(op.scale)
        new += [scale, value := MultiplyOp.of(value, scale)]
        if op.output_type is not None:
            new += [value := ConvertOp.of(value, destination_type=op.output_type)]
        if NAME in op.attributes:
            value.attributes[NAME] = op.attributes[NAME]
        rewriter.replace(op, new)
