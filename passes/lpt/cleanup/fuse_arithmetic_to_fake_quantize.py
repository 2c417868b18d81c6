"""Arithmetic with constants behind a FakeQuantize in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name, shape_of, tensor
from ....dialects.nn import BinaryOp, ConstantOp, MultiplyOp, SubtractOp
from ....dialects.qnn import FakeQuantizeOp
from ....reference.arrays import Array, blob_of, dtype_of
from ....reference.constants import constant_arrays
from ..constants import constant_behind, is_finite, shape_error, with_constant
from ..pattern import NamedPattern


class FuseMultiplyToFakeQuantize(NamedPattern[MultiplyOp]):
    """
    `fq(x) * c = fq'(x)` for a positive constant `c`: its output interval, times `c`.

    Declines constants that are not positive; a FakeQuantize that something else reads.
    """

    name: ClassVar[str] = "fuse_multiply_to_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiplyOp, rewriter: PatternRewriter, /) -> None:
        if (found := with_constant(op)) is None or not (found[1] > 0).all():
            return
        value, factor = found
        fuse(op, value, factor, [limit * factor for limit in output_interval(value)], rewriter)


class FuseSubtractToFakeQuantize(NamedPattern[SubtractOp]):
    """
    `fq(x) - c = fq'(x)` for a constant `c`: its output interval, less `c`.

    Declines a FakeQuantize that something else reads.
    """

    name: ClassVar[str] = "fuse_subtract_to_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SubtractOp, rewriter: PatternRewriter, /) -> None:
        if (shift := constant_behind(op.rhs)) is None:
            return
        fuse(op, op.lhs, shift, [limit - shift for limit in output_interval(op.lhs)], rewriter)


def output_interval(value: SSAValue) -> list[Array]:
    """The constant output interval of a FakeQuantize whose values only one operation uses; else nothing."""
    op = value.owner
    if not isinstance(op, FakeQuantizeOp):
        return []
    element: Attribute = tensor(value).element_type
    if not value.has_one_use() or not isinstance(element, Float32Type | Float64Type):
        return []  # codes are no values, and f16 rounds before the arithmetic
    limits = constant_arrays((op.output_low, op.output_high)) or []
    return [limit.astype(np.float64) for limit in limits]


def fuse(
    op: BinaryOp, value: SSAValue, constant: Array, ends: list[Array], rewriter: PatternRewriter
) -> None:
    """Replaces the arithmetic by the FakeQuantize with another output interval."""
    quantize, shape = value.owner, shape_of(value)
    if not ends or shape_of(op.results[0]) != shape or shape_error(constant, shape):
        return
    assert isinstance(quantize, FakeQuantizeOp)
    element = tensor(value).element_type
    with np.errstate(over="ignore"):  # an end that is infinite declines
        low, high = (end.astype(dtype_of(element)) for end in ends)
    if not (is_finite(low) and is_finite(high)) or not same_order(
        output_interval(value), (low, high)
    ):
        return
    limits = [ConstantOp(blob_of(end, element)) for end in (low, high)]
    fused = FakeQuantizeOp.of(*quantize.operands[:3], *limits, **quantize.properties)
    fused.attributes |= quantize.attributes
    copy_name(op, fused)
    rewriter.replace(op, [*limits, fused])
    rewriter.erase(quantize)


def same_order(before: Sequence[Array], after: Sequence[Array]) -> bool:
    """Whether limits that differ still do."""
    return bool(((before[0] < before[1]) == (after[0] < after[1])).all())
