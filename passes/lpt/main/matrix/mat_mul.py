"""MatMul of codes, and how what belongs to its operands lies in the matrices that are multiplied."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of
from .....dialects.nn import MatMulOp, constant_of
from .....reference.arrays import Array, array_of
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...products import asymmetric, overflow, unsupported, why_in_float
from ...transformation import Transformation, replace


class MoveDequantizeAfterMatMul(Transformation[MatMulOp]):
    """
    `dq(a) dq(b) = dq'(a b)`: the product of codes is exact in i32. `scale' = scale_a scale_b`, because neither varies
    along the dimension of the sum. `b` has no zero point; zero points of `a` add `sum_k zero_point_a b`, a constant if
    `b` is constant.

    Declines an input in floating point, or of a type not configured; a zero point of the right input; a zero point of
    the left input if the right one is computed; scales along the sum; sums that could leave 32 bits.
    """

    name: ClassVar[str] = "mat_mul"
    op: ClassVar[type[MatMulOp]] = MatMulOp

    def transform(self, op: MatMulOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        sides = quantized_sides(op, plan)
        if isinstance(sides, str):
            return sides
        a, b = sides
        if (reason := asymmetric(b)) is not None:
            return reason
        weights = constant_of(b.codes)
        if not a.is_symmetric and weights is None:
            return (
                "input 0 is quantized with a zero point, and input 1 is not a constant to fold it "
                "with; quantize input 0 symmetrically around 0"
            )
        if (reason := overflow(a, b, summed(op))) is not None:
            return reason

        scale, zero_point = oriented(op, 0, a.scale) * oriented(op, 1, b.scale), NO_ZERO_POINT
        if weights is not None and not a.is_symmetric:
            zero_point = times_zero_points(op, a.zero_point, array_of(weights))
        scale, zero_point = without_vectors(op, scale), without_vectors(op, zero_point)
        moved = MatMulOp.of(a.codes, b.codes, **op.properties)
        replace(op, moved, [dequantize(moved.result, scale, zero_point, a.element)], rewriter)
        return None


def quantized_sides(op: MatMulOp, plan: LptPlan) -> tuple[Dequantization, Dequantization] | str:
    """The quantization of both operands, or why their codes cannot be multiplied."""
    sides: list[Dequantization] = []
    for port, value in enumerate((op.a, op.b)):
        side = Dequantization.on(value)
        if side is None:
            return why_in_float(plan, value, port)
        if (reason := unsupported_side(op, plan, port, side)) is not None:
            return reason
        sides.append(side)
    return sides[0], sides[1]


def unsupported_side(op: MatMulOp, plan: LptPlan, port: int, side: Dequantization) -> str | None:
    """Why codes of this operand cannot be multiplied and summed."""
    if (reason := unsupported(op, plan, port, side)) is not None:
        return reason
    if differs_along(side.scale, summed_axis(op, port)):
        return (
            f"input {port} is quantized per channel along the dimension that is summed over; "
            "quantize it per tensor"
        )
    return None


def summed_axis(op: MatMulOp, port: int) -> int:
    """The dimension of an operand that is summed over, counted from the back."""
    value, transposed = ((op.a, op.transpose_a), (op.b, op.transpose_b))[port]
    if len(shape_of(value)) == 1:
        return -1
    return -2 if bool(transposed) == (port == 0) else -1


def summed(op: MatMulOp) -> int:
    """How many products are summed, or DYNAMIC_INDEX."""
    return max(shape_of(value)[summed_axis(op, port)] for port, value in enumerate((op.a, op.b)))


def oriented(op: MatMulOp, port: int, array: Array) -> Array:
    """What belongs to an operand's elements, as they lie in the matrices that are multiplied."""
    value, transposed = ((op.a, op.transpose_a), (op.b, op.transpose_b))[port]
    if array.ndim == 0:
        return array
    if len(shape_of(value)) == 1:
        return array[None, :] if port == 0 else array[:, None]
    return array.swapaxes(-1, -2) if transposed else array


def differs_along(array: Array, axis: int) -> bool:
    """Whether what belongs to elements differs along a dimension."""
    return array.ndim > 0 and array.shape[axis] != 1


def times_zero_points(op: MatMulOp, zero_point: Array, weights: Array) -> Array:
    """`sum_k zero_point weights`, in double precision, whether or not the zero points differ along `k`."""
    if differs_along(zero_point, summed_axis(op, 0)):
        return oriented(op, 0, zero_point.astype(np.float64)) @ oriented(op, 1, weights)
    sums = oriented(op, 1, weights).sum(-2, dtype=np.float64, keepdims=True)
    return oriented(op, 0, zero_point) * sums


def without_vectors(op: MatMulOp, array: Array) -> Array:
    """Without the dimensions that a vector operand had only while it was a matrix."""
    for axis, value in ((-1, op.b), (-2, op.a)):
        if array.ndim and len(shape_of(value)) == 1:
            array = array.squeeze(axis if axis == -1 else max(-2, -array.ndim))
    return array
