"""
Products of codes around zero points, which may be computed: codes are multiplied as they are, and what the zero points
add is taken off the sums, all exact in i32.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, i8, i32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.elements import is_unsigned
from ....dialects.inferred import InferredOp, shape_of, tensor
from ....reference.arrays import array_of, blob_of
from ....reference.executor import evaluate
from ..node import Node, Values
from ..rule_table import rule
from .convolution import convolved
from .elements import converted


@rule("MatMulInteger")
def mat_mul_integer(node: Node) -> Values:
    """`(a - z_a) (b - z_b) = a b - z_a sum_k b - z_b (sum_k a - k z_a)`, sums as products with ones."""
    write, a = node.write, node[0]
    b, point_b = _signed(node, node[1], node.get(3))
    point_a = _unless_zero(node.get(2))
    if point_a is not None and len(shape_of(point_a)) == 1 and node.rank() > 1:
        point_a = write(nn.UnsqueezeOp, point_a, write.integers(1))  # one for each row
    depth = shape_of(a)[-1]
    if depth == DYNAMIC_INDEX and (point_a is not None or point_b is not None):
        return write(nn.MatMulOp, _shifted(node, a, point_a), _shifted(node, b, point_b))
    total = write(nn.MatMulOp, a, b)
    if point_a is not None:
        point_a = converted(node, point_a, i32)
        ones = write.constant(blob_of(np.ones((1, depth)[-len(shape_of(a)) :], np.int8)))
        total = _less(node, total, point_a, write(nn.MatMulOp, ones, b))
    if point_b is not None:
        ones = write.constant(blob_of(np.ones((depth, 1)[: len(shape_of(b))], np.int8)))
        rows = write(nn.MatMulOp, a, ones)
        if point_a is not None:
            rows = _less(node, rows, point_a, write.constant(blob_of(np.asarray(depth), i32)))
        total = _less(node, total, converted(node, point_b, i32), rows)
    return total


@rule("ConvInteger")
def conv_integer(node: Node) -> Values:
    """`conv(x - z, w) = conv(x, w) - z conv(1, w)`, the latter a constant where the filters and the size are."""
    x, point = node[0], _unless_zero(node.get(2))
    filters, other = _signed(node, node[1], node.get(3))
    if other is None and point is None:
        return convolved(node, x, filters)
    ones = None if other is not None else _covered(node, x, filters)
    if ones is None or point is None:
        if other is not None and len(shape_of(other)) == 1:
            behind = [1] * (len(shape_of(filters)) - 1)
            other = node.write(nn.ReshapeOp, other, node.write.integers(-1, *behind))
        return convolved(node, _shifted(node, x, point), _shifted(node, filters, other))
    return _less(node, convolved(node, x, filters), converted(node, point, i32), ones)


def _covered(node: Node, x: SSAValue, filters: SSAValue) -> SSAValue | None:
    """What each window of ones sums with constant filters; None where these or the size are unknown."""
    blob, (_, channels, *sizes) = nn.constant_of(filters), shape_of(x)
    if blob is None or DYNAMIC_INDEX in (channels, *sizes):
        return None
    each = array_of(blob).sum(1, np.int32, keepdims=True)
    ones = np.ones((1, channels // shape_of(filters)[1], *sizes), np.int32)
    operands = [node.write.constant(blob_of(array)) for array in (ones, each)]
    op = convolved(node, *operands).owner
    assert isinstance(op, InferredOp)
    (found,) = evaluate(op, [ones, each.reshape(shape_of(op.operands[1]))])
    return node.write.constant(blob_of(found, i32))


def _unless_zero(point: SSAValue | None) -> SSAValue | None:
    """A zero point that is computed or not 0."""
    blob = None if point is None else nn.constant_of(point)
    return None if blob is not None and not any(blob.data.distinct()) else point


def _signed(
    node: Node, weights: SSAValue, point: SSAValue | None
) -> tuple[SSAValue, SSAValue | None]:
    """Weights and their zero point, constant ones as the i8 that products take: both 128 less than as u8."""
    blob = nn.constant_of(weights)
    points = None if point is None else nn.constant_of(point)
    known = point is None or points is not None
    if blob is None or not known or not is_unsigned(tensor(weights).element_type):
        return weights, _unless_zero(point)
    codes = array_of(blob).astype(np.int16) - 128
    zero = np.zeros((), np.uint8) if points is None else array_of(points)
    shifted = node.write.constant(blob_of(codes.astype(np.int8), i8))
    moved = node.write.constant(blob_of((zero.astype(np.int16) - 128).astype(np.int8), i8))
    return shifted, _unless_zero(moved)


def _less(node: Node, total: SSAValue, point: SSAValue, sums: SSAValue) -> SSAValue:
    return node.write(nn.SubtractOp, total, node.write(nn.MultiplyOp, sums, point))


def _shifted(node: Node, value: SSAValue, point: SSAValue | None) -> SSAValue:
    wide = converted(node, value, i32)
    return wide if point is None else node.write(nn.SubtractOp, wide, converted(node, point, i32))
