"""Dequantization that is written out as arithmetic."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.utils.exceptions import DiagnosticException

from ....dialects.elements import bits_of
from ....dialects.inferred import copy_name, label, shape_of, tensor
from ....dialects.nn import ConvertOp, MultiplyOp, SubtractOp
from ..constants import constant_behind, with_constant
from ..dequantization import dequantize
from ..pattern import NamedPattern
from ..products import is_product


class RaiseDequantization(NamedPattern[MultiplyOp]):
    """
    `multiply([subtract](convert(q), zero_point), scale) = dq(q)` for constants that broadcast to
    `q`, whose type is of 8 bits or less, or the i32 of a product, also where its zero points were split off.

    Declines constants that are computed, or make the value larger; those that are not finite are an error.
    """

    name: ClassVar[str] = "raise_dequantization"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiplyOp, rewriter: PatternRewriter, /) -> None:
        if (found := with_constant(op)) is None:
            return
        value, scale = found
        zero_point = np.zeros((), np.int32)
        if isinstance(value.owner, SubtractOp):
            if (known := constant_behind(value.owner.rhs)) is None:
                return
            value, zero_point = value.owner.lhs, known
        if not isinstance(value.owner, ConvertOp) or not holds_codes(value.owner.input):
            return
        codes = value.owner.input
        if shape_of(op.result) != shape_of(codes):
            return
        for what, array in (("scale", scale), ("zero point", zero_point)):
            if not np.isfinite(array).all():
                raise DiagnosticException(
                    f"{label(op)}: a {what} of its quantization is not finite; calibrate it again"
                )
        dequantization = dequantize(codes, scale, zero_point, tensor(op.result).element_type)
        copy_name(op, dequantization)
        rewriter.replace(op, dequantization)


def holds_codes(value: SSAValue) -> bool:
    """Whether a value's integers are codes of a quantization."""
    element: Attribute = tensor(value).element_type
    if element == i32:
        return is_product(value)
    return 1 < bits_of(element) <= 8
