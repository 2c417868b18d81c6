"""Softmax. Other normalizations are decomposed."""

from __future__ import annotations

from ...dialects import nn
from ...dialects.inferred import shape_of
from .elementwise import common_order
from .writer import TflWriter, emits


@emits(nn.SoftmaxOp)
def softmax(write: TflWriter, op: nn.SoftmaxOp) -> None:
    """LiteRT's is along the last dimension."""
    rank = len(shape_of(op.input))
    axis = op.axis.value.data % rank
    order = common_order(write, [op.input], rank)
    if order[-1] != axis:
        order = (*(i for i in range(rank) if i != axis), axis)
    x = write.arranged(op.input, order)
    write.set(op.result, write.unary("SOFTMAX", x, beta=1.0), order)
