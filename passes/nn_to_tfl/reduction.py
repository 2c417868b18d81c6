"""Reductions along axes, in any order of dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.names import namesakes
from .elements import compute_element
from .elementwise import as_it_lies, builtin_of, quotient
from .tensors import Order, Tensor
from .writer import TflWriter, emits


def along(
    write: TflWriter, op: Operation, value: SSAValue, axes: SSAValue
) -> tuple[Tensor, list[int], Order]:
    """A value in the order in which it lies, its axes there, and the order."""
    named = write.numbers(op, axes, "axes")
    x, order = as_it_lies(write, value)
    return x, sorted(order.index(axis % x.rank) for axis in named), order


@emits(*namesakes("litert", nn.ReduceOp).values(), nn.ReduceL2Op)
def reduce(write: TflWriter, op: nn.ReduceOp) -> None:
    x, axes, order = along(write, op, op.input, op.axes)
    keep = bool(op.keep_dims)
    found = write.cast(_reduced(write, op, x, axes, keep), x.element)
    write.set(op.result, found, order if keep else _left(order, axes))


def _left(order: Order, axes: Sequence[int]) -> Order:
    """The order of the dimensions that remain after a reduction."""
    left = [dimension for place, dimension in enumerate(order) if place not in axes]
    return tuple(sorted(left).index(dimension) for dimension in left)


def _reduced(
    write: TflWriter, op: nn.ReduceOp, x: Tensor, axes: Sequence[int], keep: bool
) -> Tensor:
    if isinstance(op, nn.ReduceL2Op):
        x = write.cast(x, compute_element("SQRT", x.element))
        return write.unary("SQRT", write.reduced("SUM", write.binary("MUL", x, x), axes, keep))
    if isinstance(op, nn.ReduceMeanOp) and not x.is_real:  # a quotient, rounded toward zero
        total = write.reduced("SUM", write.cast(x, "int32"), axes, keep)
        return quotient(write, total, math.prod(x.shape[axis] for axis in axes))
    return write.reduced(builtin_of(op), x, axes, keep)


@emits(nn.CumSumOp)
def cum_sum(write: TflWriter, op: nn.CumSumOp) -> None:
    (axis,) = write.numbers(op, op.axis, "axis")
    x, order = as_it_lies(write, op.input)
    place = write.constant(order.index(axis % x.rank), "int32")
    exclusive, reverse = bool(op.exclusive), bool(op.reverse)
    sums = write.op("CUMSUM", [x, place], x.shape, exclusive=exclusive, reverse=reverse)
    write.set(op.result, sums, order)
