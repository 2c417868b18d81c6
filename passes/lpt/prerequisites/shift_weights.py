"""Constant codes as the i8 that products take, their zero points folded into them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import i8
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import copy_name, tensor
from ....dialects.nn import ConstantOp
from ....dialects.qnn import DequantizeOp
from ....dialects.traits import multiplied
from ....reference.arrays import Array, array_of, blob_of
from ..dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ..diagnostics import quantizer_of
from ..pattern import NamedPattern
from ..precision import ui8

MIDDLE = 128
"""The distance between u8 codes and the i8 codes of the same values."""


@dataclass(frozen=True)
class ShiftWeights(NamedPattern[DequantizeOp]):
    """
    `dq(w, zero_point) = dq(w - zero_point)` for constant codes, if i8 holds the differences, since products take
    weights without a zero point. This covers u8 weights around 128, and i4 and u4 ones. Other u8 weights with a zero
    point become i8, `dq(w - 128, zero_point - 128)`. u8 weights without a zero point become i8 if i8 holds them and a
    product multiplies them by quantized data; weights of other products keep their type.

    Declines zero points between codes, differences that i8 does not hold.
    """

    name: ClassVar[str] = "shift_weights"

    has_zero_points: bool = True
    """Whether it is about weights with zero points, too."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        before, dequantization = op.input.owner, Dequantization.on(op.result)
        if (
            not isinstance(before, ConstantOp)
            or dequantization is None
            or not dequantization.is_low
        ):
            return
        element, zero_point = tensor(before.result).element_type, dequantization.zero_point
        if not is_integer(element) or (zero_point != np.rint(zero_point)).any():
            return
        if op.zero_point is None and (element == i8 or not multiplies_quantized(op)):
            return
        if op.zero_point is not None and not self.has_zero_points:
            return
        values, points = array_of(before.value), zero_point.astype(np.int32)
        shift, left = points, NO_ZERO_POINT
        if not fits(*ends(values, shift)):
            if element != ui8 or op.zero_point is None:
                return
            shift, left = np.array(MIDDLE), points - MIDDLE
            if not fits(left):
                return
        if values.size == 0:
            return
        shifted = values.astype(np.int16) - shift.astype(np.int16)
        codes = ConstantOp(blob_of(shifted.astype(np.int8), i8))
        moved = dequantize(codes.result, dequantization.scale, left, dequantization.element)
        for new, old in ((codes, before), (moved, op)):
            copy_name(old, new)
        rewriter.replace(op, [codes, moved])


def ends(codes: Array, zero_point: Array) -> tuple[Array, Array]:
    """The least and the greatest `codes - zero_point` for each zero point: tables may be large."""
    if codes.size == 0:
        return codes, codes
    shape = (1,) * (codes.ndim - zero_point.ndim) + zero_point.shape
    shared = tuple(axis for axis, size in enumerate(shape) if size == 1)
    extremes = codes.min(shared, keepdims=True), codes.max(shared, keepdims=True)
    lowest, highest = (each.astype(np.int32) - zero_point for each in extremes)
    return lowest, highest


def fits(*codes: Array) -> bool:
    """Whether i8 holds them."""
    lowest, highest = limits_of(i8)
    return all(not each.size or (lowest <= each.min() and each.max() <= highest) for each in codes)


def multiplies_quantized(op: DequantizeOp) -> bool:
    """Whether all that uses these weights are products with data from a FakeQuantize."""
    return all(
        any(
            weights == use.index and quantizer_of(use.operation.operands[data]) is not None
            for data, weights in multiplied(type(use.operation))
        )
        for use in op.result.uses
    )
