"""MatMul of operands that both may have zero points."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, i8, i32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import NAME, friendly_name, shape_of
from .....dialects.nn import ConstantOp, MatMulOp, MultiplyOp, SubtractOp, constant_of
from .....reference.arrays import Array, array_of, blob_of
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...products import overflow, sums_fit
from ...transformation import Transformation, pass_on_attributes
from .mat_mul import (
    differs_along,
    oriented,
    quantized_sides,
    summed,
    summed_axis,
    times_zero_points,
    without_vectors,
)


class SplitZeroPointsOffMatMul(Transformation[MatMulOp]):
    """
    `dq(a) dq(b) = dq'(a b - z_b sum_k a - z_a sum_k b)` with zero point `-k z_a z_b`, where `b` is computed: sums of
    rows and columns are products with ones, exact in i32.

    For zero points that are the same along the sum. Where those of `b` are between codes, `dq(a) dq(b) = dq(a) dq'(b) -
    dq(a) 1 * scale_b * z_b`, in floating point.

    Declines zero points of `a` between codes; sums that could leave 32 bits.
    """

    name: ClassVar[str] = "mat_mul_zero_points"
    op: ClassVar[type[MatMulOp]] = MatMulOp

    def transform(self, op: MatMulOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        sides = splittable(op, plan)
        if sides is None or constant_of(sides[1].codes) is not None:
            return ""  # as the law about those without zero points says
        a, b = sides
        if a.is_symmetric and b.is_symmetric:
            return ""
        if not b.has_whole_zero_points:
            return split_in_values(op, b, rewriter)
        shift = -float(summed(op)) * point_of(op, 0, a).astype(np.float64) * point_of(op, 1, b)
        split(op, sides, shift, rewriter)
        return None


class SplitZeroPointOffWeights(Transformation[MatMulOp]):
    """
    `dq(a) dq(w) = dq'(a w - z_w sum_k a)` with zero point `z_a sum_k (w - z_w)`, for constant `w`: sums of rows are
    products with ones, exact in i32.

    For zero points that are the same along the sum. Where some are between codes, `dq(a) dq(w) = dq(a) dq'(w) - dq(a) 1
    * scale_w * z_w`, in floating point.

    Declines sums that could leave 32 bits.
    """

    name: ClassVar[str] = "mat_mul_weights_zero_point"
    op: ClassVar[type[MatMulOp]] = MatMulOp

    def transform(self, op: MatMulOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        sides = splittable(op, plan)
        if sides is None or (weights := constant_of(sides[1].codes)) is None:
            return ""  # as the law about those without zero points says
        a, w = sides
        if w.is_symmetric:
            return ""
        if not (a.has_whole_zero_points and w.has_whole_zero_points):
            return split_in_values(op, w, rewriter)
        codes = array_of(weights).astype(np.float64) - w.zero_point
        shift = without_vectors(op, times_zero_points(op, a.zero_point, codes))
        split(op, sides, shift, rewriter)
        return None


def splittable(op: MatMulOp, plan: LptPlan) -> tuple[Dequantization, Dequantization] | None:
    """The quantization of both operands, if zero points can go behind the sums."""
    sides = quantized_sides(op, plan)
    if isinstance(sides, str):
        return None
    if any(differs_along(side.zero_point, summed_axis(op, i)) for i, side in enumerate(sides)):
        return None
    a, b = sides
    if not a.has_whole_zero_points and constant_of(b.codes) is None:
        return None
    fits = sums_fit(summed(op), a, b) if b.has_whole_zero_points else b.code == i8
    return sides if fits and overflow(a, b, summed(op)) is None else None


def split_in_values(op: MatMulOp, b: Dequantization, rewriter: PatternRewriter) -> None:
    """The product with codes without zero points, less the sums of the left operand times what these were."""
    codes = dequantize(b.codes, b.scale, NO_ZERO_POINT, b.element)
    sums = MatMulOp.of(op.a, codes.result, **op.properties)
    sums.attributes |= op.attributes
    ones = ones_for(op, 1)
    one = dequantize(ones.result, np.ones(()), NO_ZERO_POINT, b.element)
    rows = MatMulOp.of(op.a, one.result, **op.properties)
    each = without_vectors(op, oriented(op, 1, b.scale.astype(np.float64) * b.zero_point))
    shift = ConstantOp(blob_of(each, b.element))
    product = MultiplyOp.of(rows, shift)
    difference = SubtractOp.of(sums, product)
    if (name := friendly_name(op)) is not None:
        sums.attributes[NAME] = StringAttr(f"{name}/sums")
        difference.attributes[NAME] = StringAttr(name)
    rewriter.replace(op, [codes, sums, ones, one, rows, shift, product, difference])


def split(
    op: MatMulOp,
    sides: tuple[Dequantization, Dequantization],
    shift: Array,
    rewriter: PatternRewriter,
) -> None:
    """
    The product of codes, without sums times zero points, and behind that one zero point, `shift`, which the constant
    sums are part of.
    """
    a, b = sides
    product = MatMulOp.of(a.codes, b.codes, **op.properties)
    new, total = list[Operation]([product]), product.result
    computed = (0, 1) if constant_of(b.codes) is None else (1,)
    for port in computed:
        point = point_of(op, port, sides[port])
        if not point.any():
            continue
        operands = [a.codes, b.codes]
        new.append(ones := ones_for(op, port))
        operands[port] = ones.result
        sums = MatMulOp.of(*operands, **op.properties)
        factor = ConstantOp(blob_of(point.astype(np.int32), i32))
        part = MultiplyOp.of(sums, factor)
        rest = SubtractOp.of(total, part)
        new += [sums, factor, part, rest]
        total = rest.result
    scale = without_vectors(op, oriented(op, 0, a.scale) * oriented(op, 1, b.scale))
    values = dequantize(total, scale, shift, a.element)
    pass_on_attributes(op, product, [values])
    rewriter.replace(op, [*new, values])


def point_of(op: MatMulOp, port: int, side: Dequantization) -> Array:
    """The zero point of an operand, as it multiplies the sums of the other one."""
    return without_vectors(op, oriented(op, port, side.zero_point))


def ones_for(op: MatMulOp, port: int) -> ConstantOp:
    """Ones that sum the other operand: a vector in the place of one, a row on the left, a column on the right."""
    axis = summed_axis(op, port)
    shape = [1] * min(2, len(shape_of((op.a, op.b)[port])))
    shape[axis] = summed(op)
    return ConstantOp(blob_of(np.ones(shape, np.int8)))
