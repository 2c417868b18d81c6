"""
Products of codes with zero points, which may be computed. Codes are multiplied as they are, and the terms of zero
points are subtracted from the sums; all are exact in i32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, Signedness, StringAttr, i8, i32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.elements import is_unsigned
from ....dialects.inferred import Shape, shape_of, tensor
from ....dialects.nn.window import Window, sizes_attribute
from ....reference.arrays import array_of, blob_of
from ..node import Node, Values
from ..rule_table import rule
from .convolution import convolved, window
from .elements import converted


@rule("MatMulInteger")
def mat_mul_integer(node: Node) -> Values:
    """`(a - z_a) (b - z_b) = a b - z_a sum_k b - z_b (sum_k a - k z_a)`, sums as products with ones."""
    write, a = node.write, node[0]
    for index in range(2):
        node.rank(index, least=1)
    b, point_b = _signed(node, node[1], node.get(3))
    point_a = _unless_zero(node.get(2))
    if point_a is not None and len(shape_of(point_a)) == 1 and node.rank() > 1:
        point_a = write(nn.UnsqueezeOp, point_a, write.integers(1))  # one for each row
    known = (shape_of(a)[-1], shape_of(b)[max(len(shape_of(b)) - 2, 0)])
    depth = known[known[0] == DYNAMIC_INDEX]
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


@rule("com.microsoft.MatMulInteger16")
def mat_mul_integer_16(node: Node) -> Values:
    """`a b` of 16 bits, in 32 bits."""
    unsigned = all(is_unsigned(node.element(i)) for i in (0, 1))
    kind = IntegerType(32, Signedness.UNSIGNED) if unsigned else i32
    return node.write(nn.MatMulOp, *(converted(node, node[i], kind) for i in (0, 1)))


@rule("com.microsoft.MulInteger")
def mul_integer(node: Node) -> Values:
    """`(a - z_a) * (b - z_b)`, in 32 bits."""
    a, b = (_shifted(node, node[i], node.get(i + 1)) for i in (0, 2))
    return node.write(nn.MultiplyOp, a, b)


@rule("com.microsoft.ReduceSumInteger")
def reduce_sum_integer(node: Node) -> Values:
    """The sum along axes, in 32 bits."""
    kind = IntegerType(32, Signedness.UNSIGNED) if is_unsigned(node.element()) else i32
    axes = node.write.integers(*node.needed("axes"))
    wide = converted(node, node[0], kind)
    return node.write(nn.ReduceSumOp, wide, axes, keep_dims=bool(node("keepdims", 1)))


@rule("ConvInteger")
def conv_integer(node: Node) -> Values:
    """
    `conv(x - z, w - v) = conv(p, w) - z sum(w) - v (sum(p) - n z)`, where p is x, padded with z, and sums are over the
    n elements of a window.
    """
    x, point = node[0], _unless_zero(node.get(2))
    filters, other = _signed(node, node[1], node.get(3))
    units, *kernel = shape_of(filters)
    count = len(shape_of(x)) - 2
    if point is None and other is None:
        return convolved(node, x, filters)
    pads = _pads(node, shape_of(x)[2:], kernel[1:])
    if pads is None or DYNAMIC_INDEX in (units, *kernel):
        other = None if other is None else _for_each_unit(node, other, count + 1)
        return convolved(node, _shifted(node, x, point), _shifted(node, filters, other))
    if point is not None:
        point = node.write.reshaped(point, ())
        x = _padded(node, x, pads, point)
        pads = [(0, 0)] * count
    total = _window_sums(node, x, filters, pads)
    if point is not None:
        point = converted(node, point, i32)
        sums = node.write(
            nn.ReduceSumOp, converted(node, filters, i32), node.write.integers(*range(1, count + 2))
        )
        total = _less(node, total, point, _for_each_unit(node, sums, count))
    if other is not None:
        ones = np.ones((units if node("group", 1) != 1 else 1, *kernel), np.int8)
        elements = _window_sums(node, x, node.write.constant(blob_of(ones)), pads)
        if point is not None:
            size = node.write.constant(blob_of(np.asarray(math.prod(kernel)), i32))
            elements = _less(node, elements, point, size)
        other = _for_each_unit(node, converted(node, other, i32), count)
        total = _less(node, total, other, elements)
    return total


def _pads(node: Node, sizes: Shape, kernel: Sequence[int]) -> list[tuple[int, int]] | None:
    """The pads before and after each spatial dimension; None where sizes that decide them are unknown."""
    said = window(node, len(sizes))
    if said["auto_pad"] not in ("explicit", "valid") and DYNAMIC_INDEX in (*sizes, *kernel):
        return None
    return Window(kernel=tuple(kernel), rounding="floor", **said).padding(sizes)


def _padded(node: Node, x: SSAValue, pads: Sequence[tuple[int, int]], value: SSAValue) -> SSAValue:
    if not any(map(any, pads)):
        return x
    begin, end = (node.write.integers(0, 0, *each) for each in zip(*pads, strict=True))
    return node.write(nn.PadOp, x, begin, end, value, pad_mode="constant")


def _window_sums(
    node: Node, x: SSAValue, filters: SSAValue, pads: Sequence[tuple[int, int]]
) -> SSAValue:
    begin, end = (sizes_attribute(each) for each in zip(*pads, strict=True))
    auto_pad = StringAttr("explicit")
    return convolved(node, x, filters, pads_begin=begin, pads_end=end, auto_pad=auto_pad)


def _for_each_unit(node: Node, value: SSAValue, behind: int) -> SSAValue:
    """A number for each output channel, with `behind` dimensions of size 1 behind it. A single number stays."""
    if shape_of(value) in ((), (1,)):
        return value
    return node.write.reshaped(value, (-1, *[1] * behind))


def _unless_zero(point: SSAValue | None) -> SSAValue | None:
    """A zero point that is computed or not 0; else None."""
    blob = None if point is None else nn.constant_of(point)
    return None if blob is not None and not any(blob.data.distinct()) else point


def _signed(
    node: Node, weights: SSAValue, point: SSAValue | None
) -> tuple[SSAValue, SSAValue | None]:
    """Weights and their zero point. Constant u8 become the i8 that products take, both less 128."""
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
