"""Reductions, and operators that are made of them: argmax, hardmax, softmax over several dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i1
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import is_integer
from ....dialects.inferred import InferredOp, shape_of, tensor
from ..namesakes import namesake_classes
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .movement import counted_along

NAMESAKES = tuple(f"Reduce{name}" for name in ("Sum", "Mean", "Prod", "Max", "Min", "L1", "L2"))

SUMS = ("ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")
"""Reductions that are sums with an operation before or after."""


@rule(*NAMESAKES, *SUMS)
def reduction(node: Node) -> Values:
    """Axes are an attribute before version 18 (for sums, 13). Without axes, all dimensions are reduced."""
    x, write = node[0], node.write
    since = 13 if node.type == "ReduceSum" else 18
    axes = node.get(1) if node.version >= since else None
    if node.version < since and node("axes"):
        axes = write.integers(*node("axes"))
    if axes is None or shape_of(axes) == (0,):
        idle = bool(node("noop_with_empty_axes", 0))
        axes = write.integers(*(() if idle else range(node.rank())))
    keep = bool(node("keepdims", 1))
    kind = namesake_classes().get(node.type, nn.ReduceSumOp)
    if tensor(x).element_type == i1 and node.type in ("ReduceMax", "ReduceMin"):
        kind = nn.ReduceLogicalOrOp if node.type == "ReduceMax" else nn.ReduceLogicalAndOp
    match node.type:
        case "ReduceSumSquare":
            return write(kind, write(nn.MultiplyOp, x, x), axes, keep_dims=keep)
        case "ReduceLogSum":
            total = write(kind, x, axes, keep_dims=keep)
            return converted(node, write(nn.LogOp, _floating(node, total)), node.element())
        case "ReduceLogSumExp":
            return _log_sum_exp(node, x, axes, keep)
        case _:
            return write(kind, x, axes, keep_dims=keep)


def _floating(node: Node, value: SSAValue) -> SSAValue:
    """Integers as f32."""
    return converted(node, value, f32) if is_integer(tensor(value).element_type) else value


def _log_sum_exp(node: Node, x: SSAValue, axes: SSAValue, keep: bool) -> SSAValue:
    """The greatest element is subtracted first, so that no power overflows."""
    write = node.write
    element = tensor(x).element_type
    x = _floating(node, x)
    if 0 in shape_of(x):
        total = write(nn.ReduceSumOp, write(nn.ExpOp, x), axes, keep_dims=keep)
        return converted(node, write(nn.LogOp, total), element)
    most = write(nn.ReduceMaxOp, x, axes, keep_dims=True)
    lowest = write(nn.EqualOp, most, -math.inf)
    most = write(nn.SelectOp, lowest, write.scalar_like(most, 0.0), most)
    powers = write(nn.ExpOp, write(nn.SubtractOp, x, most))
    total = write(nn.LogOp, write(nn.ReduceSumOp, powers, axes, keep_dims=True))
    result = write(nn.AddOp, total, most)
    if not keep:
        result = write(nn.SqueezeOp, result, axes)
    return converted(node, result, element)


@rule("ArgMax", "ArgMin")
def arg_most(node: Node) -> Values:
    """The index of the greatest element; of several, the first or the last one."""
    write, axis = node.write, node.axis(node.rank())
    along, last = write.integers(axis), node("select_last_index", 0)
    hits = _greatest(
        node, node[0], along, nn.ReduceMaxOp if node.type == "ArgMax" else nn.ReduceMinOp
    )
    index = counted_along(node, node[0], axis)
    outside = write.scalar_like(index, -1 if last else 1 << 62)
    candidates = write(nn.SelectOp, hits, index, outside)
    kind = nn.ReduceMaxOp if last else nn.ReduceMinOp
    return write(kind, candidates, along, keep_dims=bool(node("keepdims", 1)))


def _greatest(node: Node, x: SSAValue, along: SSAValue, kind: type[InferredOp]) -> SSAValue:
    write = node.write
    return write(nn.EqualOp, x, write(kind, x, along, keep_dims=True))


@rule("CumSum")
def cumulative_sum(node: Node) -> Values:
    """Along an axis that is known only at run time, the sums along all axes are computed, and one is selected."""
    x, write, rank = node[0], node.write, node.rank()
    how = {name: bool(node(name, 0)) for name in ("exclusive", "reverse")}
    if node.known(1) is not None:
        return write(nn.CumSumOp, x, node[1], **how)
    sums = [write(nn.CumSumOp, x, write.integer(axis), **how) for axis in range(rank)]
    return chosen_by_axis(node, node[1], rank, sums)


def chosen_by_axis(node: Node, axis: SSAValue, rank: int, values: Sequence[SSAValue]) -> SSAValue:
    """Selects from values for all axes, in order, the one of an axis that is known only at run time."""
    write, (found, *others) = node.write, values
    axis = write.reshaped(axis, ())
    for place, other in enumerate(others, 1):
        here = write(nn.LogicalOrOp, *(write(nn.EqualOp, axis, n) for n in (place, place - rank)))
        found = write(nn.SelectOp, here, other, found)
    return found


@rule("CumProd")
def cumulative_product(node: Node) -> Values:
    """Products of 1, 2, 4, … elements: each is the product of two that have half as many, or of one and 1."""
    x, write, (axis,) = node[0], node.write, node.integers(1, "axis")
    axis, size = axis % node.rank(), shape_of(x)[axis % node.rank()]
    if DYNAMIC_INDEX in shape_of(x):
        raise node.refuse("its size is unknown; give the model's inputs fixed shapes")

    def behind(value: SSAValue, count: int) -> SSAValue:
        """The value, shifted behind so many ones."""
        shape = [count if d == axis else each for d, each in enumerate(shape_of(value))]
        ones = write.constant(BlobAttr.of(TensorType(node.element(), shape), 1))
        return write(nn.ConcatOp, ones, write.slice(value, 0, size - count, axis), axis=axis)

    is_reverse = bool(node("reverse", 0))
    x = write(nn.ReverseOp, x, write.integers(axis), mode="index") if is_reverse else x
    x = behind(x, 1) if node("exclusive", 0) and size else x
    count = 1
    while count < size:
        x, count = write(nn.MultiplyOp, x, behind(x, count)), 2 * count
    return write(nn.ReverseOp, x, write.integers(axis), mode="index") if is_reverse else x


@rule("Hardmax")
def hardmax(node: Node) -> Values:
    """1 at the first of the greatest elements, 0 elsewhere."""
    node.rank(least=1)
    return _flattened(node, _hardmax)


def _hardmax(node: Node, x: SSAValue, axis: int) -> SSAValue:
    write, along = node.write, node.write.integers(axis)
    index = counted_along(node, x, axis)
    hits = _greatest(node, x, along, nn.ReduceMaxOp)
    candidates = write(nn.SelectOp, hits, index, write.scalar_like(index, 1 << 62))
    first = write(nn.ReduceMinOp, candidates, along, keep_dims=True)
    return converted(node, write(nn.EqualOp, index, first), tensor(x).element_type)


@rule("Softmax")
def softmax(node: Node) -> Values:
    return _flattened(node, _softmax)


def _softmax(node: Node, x: SSAValue, axis: int) -> SSAValue:
    return node.write(nn.SoftmaxOp, x, axis=axis)


@rule("LogSoftmax")
def log_softmax(node: Node) -> Values:
    return _flattened(node, _log_softmax)


def _log_softmax(node: Node, x: SSAValue, axis: int) -> SSAValue:
    return node.write(nn.LogSoftmaxOp, x, axis=axis)


def _flattened(node: Node, make: Callable[[Node, SSAValue, int], SSAValue]) -> SSAValue:
    """Before version 13, all dimensions from `axis` on are merged; since then, only `axis` counts."""
    x, write, rank = node[0], node.write, node.rank()
    axis = node.axis(rank) if rank else 0
    if node.version >= 13 or axis == rank - 1:
        return make(node, x, axis)
    shape = shape_of(x)
    if DYNAMIC_INDEX not in shape[:axis]:
        rows = write(nn.ReshapeOp, x, write.integers(math.prod(shape[:axis]), -1))
    elif axis == 1:
        rows = write(nn.ReshapeOp, x, write.integers(0, -1), special_zero=True)
    else:
        raise node.refuse(
            "dimensions before its axis are unknown; give the model's inputs fixed shapes"
        )
    return write(nn.ReshapeOp, make(node, rows, 1), write(nn.ShapeOfOp, x))
