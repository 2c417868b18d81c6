"""Dequantization that is written out as arithmetic."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name, tensor
from ....dialects.nn import MultiplyOp
from ..dequantization import dequantize
from ..pattern import NamedPattern
from ..products import is_product
from ..written_out import WrittenOut, has_low_bits


class RaiseDequantization(NamedPattern[MultiplyOp]):
    """
    `multiply([subtract](convert(q), zero_point), scale) = dq(q)` for constants that broadcast to
    `q`, whose type is of 8 bits or less, or the i32 of a product, also where its zero points were split off.

    Declines constants that are computed, make the value larger, or are not finite: a preprocessing that divides by 0
    runs as it is written.
    """

    name: ClassVar[str] = "raise_dequantization"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiplyOp, rewriter: PatternRewriter, /) -> None:
        if (found := WrittenOut.of(op)) is None or not holds_codes(found.codes):
            return
        codes, scale, zero_point = found.codes, found.scale, found.zero_point
        if not (np.isfinite(scale).all() and np.isfinite(zero_point).all()):
            return
        dequantization = dequantize(codes, scale, zero_point, tensor(op.result).element_type)
        copy_name(op, dequantization)
        rewriter.replace(op, dequantization)


def holds_codes(value: SSAValue) -> bool:
    """Whether a value's integers are codes of a quantization."""
    element: Attribute = tensor(value).element_type
    if element == i32:
        return is_product(value)
    return has_low_bits(value)
