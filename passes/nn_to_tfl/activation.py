"""Activation functions with parameters."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..channels_last import channels_last_order
from .elementwise import elementwise, limited, on_one
from .tensors import Tensor
from .writer import Order, Writer, emits, identity


@emits(nn.PReluOp)
def p_relu(write: Writer, op: nn.PReluOp) -> None:
    slope = write.known(op.slope)
    if slope is not None and slope.size == 1:
        number = float(slope.reshape(-1)[0])
        on_one(write, op, op.input, lambda x: write.unary("LEAKY_RELU", x, alpha=number))
        return
    x, slopes, order = with_slopes(write, op)
    if slopes.data is not None and slopes.rank > 1 and slopes.shape[0] == 1:
        without_batch = write.reshaped(slopes, slopes.shape[1:])
        result = write.op("PRELU", [x, without_batch], x.shape)
    else:
        negative = write.binary("MUL", write.binary("MINIMUM", x, 0), slopes)
        result = write.binary("ADD", write.unary("RELU", x), negative)
    write.set(op.result, result, order)


def with_slopes(write: Writer, op: nn.PReluOp) -> tuple[Tensor, Tensor, Order]:
    """The input, slopes of as many dimensions, and the order in which both lie."""
    rank, slopes = len(shape_of(op.input)), write.plain(op.slope)
    order = channels_last_order(rank) if slopes.rank == 1 and rank > 2 else identity(rank)
    shape = op.slope_shape(shape_of(op.input), slopes.shape)
    slopes = write.reshaped(slopes, (*[1] * (rank - len(shape)), *shape))
    return write.arranged(op.input, order), write.transposed(slopes, order), order


@emits(nn.EluOp)
def elu(write: Writer, op: nn.EluOp) -> None:
    alpha = op.alpha.value.data

    def build(x: Tensor) -> Tensor:
        if alpha == 1:
            return write.unary("ELU", x)
        negative = write.unary("ELU", write.binary("MINIMUM", x, 0))
        return write.binary("ADD", write.unary("RELU", x), write.binary("MUL", negative, alpha))

    elementwise(write, op, [op.input], build)


def _number(write: Writer, value: SSAValue) -> Tensor:
    """A parameter of one element, as a scalar that broadcasts to anything."""
    return write.reshaped(write.plain(value), ())


@emits(nn.HardSigmoidOp)
def hard_sigmoid(write: Writer, op: nn.HardSigmoidOp) -> None:
    alpha, beta = _number(write, op.alpha), _number(write, op.beta)

    def build(x: Tensor) -> Tensor:
        line = write.binary("ADD", write.binary("MUL", x, alpha), beta)
        return limited(write, line, 0, 1)

    elementwise(write, op, [op.input], build)


@emits(nn.SwishOp)
def swish(write: Writer, op: nn.SwishOp) -> None:
    beta = None if op.beta is None else _number(write, op.beta)

    def build(x: Tensor) -> Tensor:
        inner = x if beta is None else write.binary("MUL", x, beta)
        return write.binary("MUL", x, write.unary("LOGISTIC", inner))

    elementwise(write, op, [op.input], build)


@emits(nn.GeluOp)
def gelu(write: Writer, op: nn.GeluOp) -> None:
    about = op.approximation_mode.data == "tanh"
    on_one(
        write, op, op.input, lambda x: write.unary("GELU", x, approximate=np.bool_(about).item())
    )
