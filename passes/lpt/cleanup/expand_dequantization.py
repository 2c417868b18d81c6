"""Dequantization that is left is written out."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ....dialects.inferred import NAME, tensor
from ....dialects.nn import ConstantOp, ConvertOp, MultiplyOp, SubtractOp
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import array_of, blob_of, dtype_of
from ..transformation import give_name_back


class ExpandDequantization(RewritePattern):
    """
    `dq(q) = [convert](multiply([subtract](convert(q), zero_point), scale))`, for values in floating point
    without the first conversion, and without the multiplication by 1.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        new = list(steps(op))
        if not new:
            give_name_back(op)
        elif NAME in op.attributes:
            new[-1].attributes[NAME] = op.attributes[NAME]
        rewriter.replace(op, new, [new[-1].results[0] if new else op.input])


def steps(op: DequantizeOp) -> Iterator[Operation]:
    """The operations, and their constants before them. The last one gives the values."""
    value, element = op.input, op.scale.type.element_type
    is_code = tensor(value).element_type != element
    if is_code:
        yield (converted := ConvertOp.of(value, destination_type=element))
        value = converted.result
    if op.zero_point is not None:
        points = array_of(op.zero_point).astype(dtype_of(element))
        yield (zero_point := ConstantOp(blob_of(points, element)))
        yield (difference := SubtractOp.of(value, zero_point))
        value = difference.result
    if is_code or (array_of(op.scale) != 1).any():
        yield (scale := ConstantOp(op.scale))
        yield (product := MultiplyOp.of(value, scale))
        value = product.result
    if op.output_type is not None:
        yield ConvertOp.of(value, destination_type=op.output_type)
