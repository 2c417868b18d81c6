"""Divisions by constants as multiplications, which dequantization is made of."""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name, shape_of, tensor
from ....dialects.nn import ConstantOp, DivideOp, MultiplyOp, constant_of
from ....reference.arrays import blob_of, dtype_of
from ..constants import constant_behind
from ..pattern import NamedPattern


class ConvertDivide(NamedPattern[DivideOp]):
    """
    `x / c = x * (1 / c)` for a constant `c` and a computed `x`, in f32 or f64, so that `c` becomes part of a scale.

    Declines constants of which one is 0 or infinite, or whose reciprocal is subnormal; f16, which has too few digits;
    one number, which may be a scale that a run computes, whose last bit decides codes.
    """

    name: ClassVar[str] = "convert_divide"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DivideOp, rewriter: PatternRewriter, /) -> None:
        element: Attribute = tensor(op.result).element_type
        if not isinstance(element, Float32Type | Float64Type) or constant_of(op.lhs) is not None:
            return
        if (divisor := constant_behind(op.rhs)) is None or prod(shape_of(op.lhs)) == 1:
            return
        dtype = dtype_of(element)
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            factor = (1 / divisor.astype(np.float64)).astype(dtype)
        if not np.isfinite(factor).all() or (abs(factor) < np.finfo(dtype).tiny).any():
            return
        constant = ConstantOp(blob_of(factor, element))
        product = MultiplyOp.of(op.lhs, constant.result, auto_broadcast=op.auto_broadcast)
        copy_name(op, product)
        rewriter.replace(op, [constant, product])
