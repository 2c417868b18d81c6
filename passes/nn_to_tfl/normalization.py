"""Normalizations along axes."""

from __future__ import annotations

from ...dialects import nn
from ...dialects.inferred import shape_of
from .elementwise import common_order
from .reduction import along
from .tensors import Tensor
from .writer import Writer, emits


@emits(nn.SoftmaxOp)
def softmax(write: Writer, op: nn.SoftmaxOp) -> None:
    """LiteRT's is along the last dimension."""
    rank = len(shape_of(op.input))
    axis = op.axis.value.data % rank
    order = common_order(write, [op.input], rank)
    if order[-1] != axis:
        order = (*(i for i in range(rank) if i != axis), axis)
    x = write.arranged(op.input, order)
    write.set(op.result, write.unary("SOFTMAX", x, beta=1.0), order)


@emits(nn.MvnOp)
def mvn(write: Writer, op: nn.MvnOp) -> None:
    x, axes, order = along(write, op, op.input, op.axes)
    centered = write.binary("SUB", x, _mean(write, x, axes))
    if op.normalize_variance:
        variance = _mean(write, write.binary("MUL", centered, centered), axes)
        eps = op.eps.value.data
        if op.eps_mode.data == "inside_sqrt":
            deviation = write.unary("SQRT", write.binary("ADD", variance, eps))
        else:
            deviation = write.binary("ADD", write.unary("SQRT", variance), eps)
        centered = write.binary("DIV", centered, deviation)
    write.set(op.result, centered, order)


def _mean(write: Writer, x: Tensor, axes: list[int]) -> Tensor:
    return write.reduced("MEAN", x, axes) if axes else x


@emits(nn.NormalizeL2Op)
def normalize_l2(write: Writer, op: nn.NormalizeL2Op) -> None:
    x, axes, order = along(write, op, op.input, op.axes)
    squares = write.binary("MUL", x, x)
    total = write.reduced("SUM", squares, axes) if axes else squares
    builtin = "ADD" if op.eps_mode.data == "add" else "MAXIMUM"
    length = write.unary("SQRT", write.binary(builtin, total, op.eps.value.data))
    write.set(op.result, write.binary("DIV", x, length), order)
