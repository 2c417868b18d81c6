"""Dequantization that contains a convolution with ones."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name
from ....dialects.nn import ConvertOp, GroupConvolutionOp, constant_of
from ....reference.arrays import array_of
from ..pattern import NamedPattern
from .raise_dequantization import holds_codes


class RaiseGroupConvolution(NamedPattern[ConvertOp]):
    """
    `convert(group_convolution(q, 1)) = convert(q)` for codes: undoes `multiply_to_group_convolution` of the last step,
    so that consumers see codes and not 32-bit sums.

    Declines strides and padding.
    """

    name: ClassVar[str] = "raise_group_convolution"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvertOp, rewriter: PatternRewriter, /) -> None:
        each = op.input.owner
        if not isinstance(each, GroupConvolutionOp) or not holds_codes(each.input):
            return
        filters = constant_of(each.filters)
        if filters is None or (array_of(filters) != 1).any():
            return
        _, *sizes = filters.type.get_shape()
        if any(size != 1 for size in sizes):
            return
        window = each.window(tuple(sizes[2:]))
        if any(stride != 1 for stride in window.strides) or any(
            (*window.pads_begin, *window.pads_end)
        ):
            return
        converted = ConvertOp.of(each.input, destination_type=op.destination_type)
        copy_name(op, converted)
        rewriter.replace(op, converted)
