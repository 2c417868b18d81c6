"""Reductions along axes, wherever these lie."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.names import namesakes
from .elements import carrier
from .elementwise import builtin_of, common_order, quotient
from .tensors import Like, Tensor
from .writer import Order, Writer, emits


def along(
    write: Writer, op: Operation, value: SSAValue, axes: SSAValue
) -> tuple[Tensor, list[int], Order]:
    """A value as it lies, its axes there, and the order."""
    rank = len(shape_of(value))
    order = common_order(write, [value], rank)
    named = write.numbers(op, axes, "axes")
    return write.arranged(value, order), sorted(order.index(a % rank) for a in named), order


@emits(*namesakes("litert", nn.ReduceOp).values(), nn.ReduceL1Op, nn.ReduceL2Op)
def reduce(write: Writer, op: nn.ReduceOp) -> None:
    x, axes, order = along(write, op, op.input, op.axes)
    reduced = write.cast(_reduced(write, op, x, axes), x.element)
    if op.keep_dims:
        write.set(op.result, reduced, order)
        return
    left = [k for k in range(len(order)) if k not in axes]
    found = write.reshaped(reduced, [reduced.shape[k] for k in left])
    write.set(op.result, found, _left(order, axes))


def _left(order: Order, axes: Sequence[int]) -> Order:
    """Where the dimensions are that a reduction along axes leaves."""
    left = [dimension for place, dimension in enumerate(order) if place not in axes]
    return tuple(sorted(left).index(dimension) for dimension in left)


def reduced_by(
    write: Writer,
    builtin: str,
    x: Tensor,
    axes: Sequence[int],
    order: Order,
    keep: bool,
    like: Like,
) -> tuple[Tensor, Order]:
    """A reduction by one operator, and where the dimensions of its result are."""
    shape = [1 if k in axes else size for k, size in enumerate(x.shape) if keep or k not in axes]
    operands = [x, write.integers(axes)]
    found = write.op(builtin, operands, shape, like=like, keep_dims=keep)
    return found, order if keep else _left(order, axes)


def _reduced(write: Writer, op: nn.ReduceOp, x: Tensor, axes: Sequence[int]) -> Tensor:
    """The reduction, reduced dimensions kept with size 1."""
    floating = x.element.startswith("float")
    match op:
        case nn.ReduceL1Op():
            x = write.unary("ABS", x)
        case nn.ReduceL2Op():
            x = write.cast(x, carrier("SQRT", x.element))
            x = write.binary("MUL", x, x)
        case nn.ReduceMeanOp() if not floating:
            return _integer_mean(write, x, axes)
        case _:
            pass
    builtin = "SUM" if isinstance(op, nn.ReduceL1Op | nn.ReduceL2Op) else builtin_of(op)
    result = write.reduced(builtin, x, axes) if axes else x
    return write.unary("SQRT", result) if isinstance(op, nn.ReduceL2Op) else result


def _integer_mean(write: Writer, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Sum over count, rounded toward zero."""
    element, count = x.element, 1
    for axis in axes:
        count *= x.shape[axis]
    total = write.cast(x, "int32")
    if axes:
        total = write.reduced("SUM", total, axes)
    return write.cast(quotient(write, total, count), element)
