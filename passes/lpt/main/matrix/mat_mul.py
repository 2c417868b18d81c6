"""MatMul."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, i32
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.blob import is_unsigned
from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import MatMulOp, constant_of
from .....reference.arrays import Array, array_of
from ...dequantization import Dequantization, dequantize, why_not_quantized
from ...plan import Plan
from ...transformation import Transformation, replace


class MoveDequantizeAfterMatMul(Transformation[MatMulOp]):
    """
    `dq(a) b' = dq'(a b)` for `b' = dq(b)` without a zero point: the codes' product is exact in i32, and
    `scale' = scale_a scale_b` as long as neither varies along the dimension that is summed over. A zero point
    of `a` adds `zero_point_a * sum_k b`, a constant where `b` is one.
    """

    name: ClassVar[str] = "mat_mul"
    op: ClassVar[type[MatMulOp]] = MatMulOp

    def transform(self, op: MatMulOp, plan: Plan, rewriter: PatternRewriter) -> str | None:
        if tensor(op.result).element_type == i32:
            return ""
        sides: list[Dequantization] = []
        for port, value in enumerate((op.a, op.b)):
            side = Dequantization.on(value)
            if side is None:
                return why_not_quantized(value, port)
            if (reason := unfit(op, plan, port, side)) is not None:
                return reason
            sides.append(side)
        a, b = sides
        weights = constant_of(b.codes)
        if not a.is_symmetric and weights is None:
            return (
                "input 0 is quantized with a zero point, and input 1 is no constant to fold it with; quantize "
                "input 0 symmetrically around 0"
            )
        if (reason := overflow(a, b, reduced(op))) is not None:
            return reason

        moved = MatMulOp.of(a.codes, b.codes, **op.properties)
        scale = sides_of(op, a.scale, b.scale)
        scale = drop_vectors(op, np.multiply(*scale))
        if weights is None:
            zero_point = np.zeros((), np.int32)
        else:
            zero_point = drop_vectors(op, summed_zero_point(op, a.zero_point, array_of(weights)))
        replace(op, moved, [dequantize(moved.result, scale, zero_point, a.element)], rewriter)
        return None


def unfit(op: MatMulOp, plan: Plan, port: int, side: Dequantization) -> str | None:
    """Why the codes of one operand cannot be multiplied."""
    if not side.is_low:
        return f"input {port} is the 32-bit sum of another product; put a FakeQuantize on it"
    element, takes = tensor(side.codes).element_type, plan.precisions(op, f"input{port}")
    if port == 1 and not side.is_symmetric:
        return "input 1 is quantized with a zero point; quantize it symmetrically around 0"
    if element not in takes:
        return f"input {port} is quantized to {element}; it must be {' or '.join(map(str, takes))}"
    if plan.needs_per_tensor(op, f"input{port}") and not side.is_per_tensor:
        return f"input {port} is quantized per channel; quantize it per tensor"
    axis = summed_axis(op, port)
    if any(array.ndim and array.shape[axis] != 1 for array in (side.scale, side.zero_point)):
        return (
            f"input {port} is quantized per channel along the dimension that is summed over; quantize it "
            "per tensor"
        )
    return None


def summed_axis(op: MatMulOp, port: int) -> int:
    """The dimension of an operand that is summed over, counted from the back."""
    value, transposed = ((op.a, op.transpose_a), (op.b, op.transpose_b))[port]
    if len(shape_of(value)) == 1:
        return -1
    return -2 if (port == 0) == bool(transposed) else -1


def reduced(op: MatMulOp) -> int:
    """How many products are summed, or DYNAMIC_INDEX."""
    return max(shape_of(value)[summed_axis(op, port)] for port, value in enumerate((op.a, op.b)))


def overflow(a: Dequantization, b: Dequantization, length: int) -> str | None:
    """Why the sum of so many products could leave i32."""
    if length == DYNAMIC_INDEX:
        return "the number of products it sums is unknown, so 32 bits could overflow; fix that dimension"
    largest = [255 if is_unsigned(tensor(side.codes).element_type) else 128 for side in (a, b)]
    if length * largest[0] * largest[1] >= 2**31:
        return f"it sums {length} products, which can overflow 32 bits"
    return None


def oriented(op: MatMulOp, port: int, array: Array) -> Array:
    """Scales of an operand as they lie along the matrices that are multiplied; one number stays one."""
    value, transposed = ((op.a, op.transpose_a), (op.b, op.transpose_b))[port]
    if array.ndim == 0:
        return array
    if len(shape_of(value)) == 1:
        return array[None, :] if port == 0 else array[:, None]
    return array.swapaxes(-1, -2) if transposed else array


def sides_of(op: MatMulOp, a: Array, b: Array) -> tuple[Array, Array]:
    """Both operands' scales as factors of the product's elements."""
    return oriented(op, 0, a), oriented(op, 1, b)


def summed_zero_point(op: MatMulOp, zero_point: Array, weights: Array) -> Array:
    """`zero_point * sum_k weights`, exact where the zero point is whole."""
    if not zero_point.any():
        return np.zeros((), np.int32)
    sums = oriented(op, 1, weights).astype(np.int64).sum(-2, keepdims=True)
    return oriented(op, 0, zero_point.astype(np.float64)) * sums


def drop_vectors(op: MatMulOp, array: Array) -> Array:
    """Without the dimensions that a vector operand had only while it was a matrix."""
    if array.ndim == 0:
        return array
    axes = [axis for axis, value in ((-2, op.a), (-1, op.b)) if len(shape_of(value)) == 1]
    return array.squeeze(tuple(axis for axis in axes if array.ndim >= -axis))
