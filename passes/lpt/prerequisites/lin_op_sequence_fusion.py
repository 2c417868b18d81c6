"""Sequences of additions and multiplications by constants."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ....dialects.inferred import copy_name, shape_of, tensor
from ....dialects.nn import AddOp, BinaryOp, ConstantOp, ConvertOp, MultiplyOp, SubtractOp
from ....reference.arrays import Array, blob_of, dtype_of
from ..attributes import DECLINED
from ..constants import shape_error, with_constant
from ..dequantization import broadcast_to_rank
from ..pattern import NamedPattern
from ..transformation import OpT
from .raise_dequantization import holds_codes


class LinOpSequenceFusion(NamedPattern[OpT]):
    """What these patterns are called together."""

    name: ClassVar[str] = "lin_op_sequence_fusion"


class FuseAdds(LinOpSequenceFusion[AddOp]):
    """
    `(x + a) + b = x + (a + b)` for constants `a` and `b`.

    Declines a first sum that another operation reads; constants for each element behind dequantization.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddOp, rewriter: PatternRewriter, /) -> None:
        fuse(op, np.add, rewriter)


class FuseMultiplies(LinOpSequenceFusion[MultiplyOp]):
    """
    `(x * a) * b = x * (a * b)` for constants `a` and `b`.

    Declines a first product that another operation reads; products that leave the type's range, or are larger than
    both.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiplyOp, rewriter: PatternRewriter, /) -> None:
        fuse(op, np.multiply, rewriter)


class MoveMultiplyAboveAdd(LinOpSequenceFusion[MultiplyOp]):
    """
    `(x + a) * b = x * b + a * b` for constants `a` and `b`, so that `b` reaches the scales above. Only in f32 or f64:
    near `x = -a` the old sum is exact, and the new one is not.

    Declines a sum that another operation reads; f16, which has too few digits.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiplyOp, rewriter: PatternRewriter, /) -> None:
        element = tensor(op.result).element_type
        if not isinstance(element, Float32Type | Float64Type):
            return
        if (found := with_constant(op)) is None:
            return
        value, factor = found
        before = value.owner
        if not isinstance(before, AddOp) or not value.has_one_use():
            return
        if (inner := with_constant(before)) is None:
            return
        x, addend = inner
        if (shift := combined(np.multiply, addend, factor, element)) is None:
            return
        scale, offset = (ConstantOp(blob_of(array, element)) for array in (factor, shift))
        product = MultiplyOp.of(x, scale)
        total = AddOp.of(product, offset)
        if (reason := before.attributes.get(DECLINED)) is not None:
            total.attributes[DECLINED] = reason
        copy_name(op, total)
        put_where_first_stood(op, before, [scale, product, offset, total], rewriter)


def fuse(
    op: BinaryOp, function: Callable[[Array, Array], Array], rewriter: PatternRewriter
) -> None:
    """Fuses an operation with its producer of the same kind, if this has no other user."""
    element = tensor(op.result).element_type
    if not isinstance(element, AnyFloat) or (found := with_constant(op)) is None:
        return
    value, second = found
    before = value.owner
    if not isinstance(before, type(op)) or not value.has_one_use():
        return
    if (inner := with_constant(before)) is None:
        return
    x, first = inner
    if (both := combined(function, first, second, element)) is None:
        return
    if shape_of(x) == shape_of(op.results[0]):
        both = broadcast_to_rank(both, both.ndim)  # one number says it, where all are the same
    if is_dequantized(before) and shape_error(both, shape_of(x)):
        return
    constant = ConstantOp(blob_of(both, element))
    fused = type(op).of(x, constant)
    copy_name(op, fused)
    put_where_first_stood(op, before, [constant, fused], rewriter)


def put_where_first_stood(
    op: Operation, before: Operation, new: list[Operation], rewriter: PatternRewriter
) -> None:
    """
    Puts what became of two operations where the first one was: arithmetic stays next to the conversion in front of
    it, and dequantization is raised and written out in one place.
    """
    rewriter.insert(new, InsertPoint.before(before))
    rewriter.replace(op, [], [new[-1].results[0]])
    rewriter.erase(before)


def is_dequantized(op: Operation) -> bool:
    """Whether this is the last operation of a written-out dequantization, whose constants scales can express."""
    value = op.operands[0]
    if isinstance(op, MultiplyOp) and isinstance(value.owner, SubtractOp):
        value = value.owner.lhs
    return isinstance(value.owner, ConvertOp) and holds_codes(value.owner.input)


def combined(
    function: Callable[[Array, Array], Array], first: Array, second: Array, element: Attribute
) -> Array | None:
    """
    The combination of two constants, rounded once; None if it has more elements than either, or leaves the range of
    the type.
    """
    shape = np.broadcast_shapes(first.shape, second.shape)
    if math.prod(shape) > max(first.size, second.size):
        return None
    limits = np.finfo(dtype_of(element))
    with np.errstate(over="ignore", invalid="ignore"):
        found = function(first.astype(np.float64), second.astype(np.float64))
    if not (np.abs(found) <= limits.max).all():
        return None
    vanishes = (np.abs(found) < limits.tiny) & (first != 0) & (second != 0)
    if function is np.multiply and vanishes.any():
        return None
    return found.astype(dtype_of(element))
