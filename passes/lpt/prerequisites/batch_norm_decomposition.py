"""Batch normalization as a multiplication and an addition, which dequantization takes in."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name, shape_of, tensor
from ....dialects.nn import AddOp, BatchNormInferenceOp, ConcatOp, ConstantOp, MultiplyOp
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import blob_of, dtype_of
from ....reference.constants import constant_arrays
from ..constants import is_finite
from ..pattern import NamedPattern


class BatchNormDecomposition(NamedPattern[BatchNormInferenceOp]):
    """
    `batch_norm_inference(x, gamma, beta, mean, variance) = x * a + (beta - mean * a)` with `a = gamma / √(variance +
    epsilon)`, for constants, in f32 or f64.

    Declines values that are computed, or give none that is finite; f16, which has too few digits; what a concatenation
    gives, since each of its inputs, hundreds in DenseNet, would get a multiplication, an addition and what follows.
    """

    name: ClassVar[str] = "batch_norm_decomposition"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BatchNormInferenceOp, rewriter: PatternRewriter, /) -> None:
        element: Attribute = tensor(op.result).element_type
        known = constant_arrays(op.operands[1:])
        if known is None or not isinstance(element, Float32Type | Float64Type):
            return
        if _is_concatenated(op.input):
            return
        gamma, beta, mean, variance = (array.astype(np.float64) for array in known)
        with np.errstate(all="ignore"):  # what is not finite declines
            factor = gamma / np.sqrt(variance + op.epsilon.value.data)
            offset = beta - mean * factor
        if not (is_finite(factor) and is_finite(offset)):
            return
        shape = (-1, *(1,) * (len(shape_of(op.input)) - 2))
        constants = [
            ConstantOp(blob_of(array.reshape(shape).astype(dtype_of(element)), element))
            for array in (factor, offset)
        ]
        product = MultiplyOp.of(op.input, constants[0])
        total = AddOp.of(product, constants[1])
        copy_name(op, total)
        rewriter.replace(op, [*constants, product, total])


def _is_concatenated(value: SSAValue) -> bool:
    """Whether a concatenation gives a value, or its codes."""
    op = value.owner
    return isinstance(op.input.owner if isinstance(op, DequantizeOp) else op, ConcatOp)
