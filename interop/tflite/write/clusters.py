"""
What stands before a fake quantization and is one operator on codes: a product with its bias and
activation, or a sum. The quantization of the result is that of the fake quantization.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from ....dialects import nn, qnn
from ....dialects.inferred import shape_of
from ....dialects.nn.convolution import ForwardConvolution
from ....reference.arrays import Array, array_of
from ..graph import Quantization, Tensor
from .convolution import bias_scale, forward, forward_filters, is_depthwise
from .elementwise import common_order
from .matrix import connected, has_weights, left_side, weights_of
from .quantization import HIGHEST, LOWEST, NEARLY, Grid, codes_behind, renamed
from .writer import Order, Writer, channels_last, element_of, identity

ACTIVATION_NONE, RELU, RELU6 = 0, 1, 3
"""The schema's numbers of fused activations."""

BIAS_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Chain:
    """A product or sum with what follows it: `activation(scale * (op - zero_point) + bias)`."""

    op: Operation
    bias: Array | None = None
    activation: int = ACTIVATION_NONE
    scale: Array | None = None
    zero_point: Array | None = None

    def mapped(self, grid: Grid) -> Chain | None:
        """`gain * chain + offset` as one; None where an activation is in between that does not allow it."""
        if grid.is_direct:
            return self
        if self.scale is None or self.activation == RELU6:
            return None
        if self.activation == RELU and np.abs(grid.offset).max() > grid.scale * NEARLY:
            return None
        scale, bias = _aligned(grid.gain, self.scale), grid.offset
        if self.bias is not None:
            bias = _aligned(grid.gain, self.bias) + grid.offset
        return replace(self, scale=scale, bias=bias)


def _aligned(left: Array, right: Array) -> Array:
    return left.astype(np.float64) * right.astype(np.float64)


def fused(write: Writer, op: qnn.FakeQuantizeOp, grid: Grid) -> tuple[Tensor, Order] | None:
    """The codes of what a fake quantization is of, by one operator; None where there is none."""
    if (grid.first, grid.last) != (LOWEST, HIGHEST):
        return None
    if (chain := _chain(op.input)) is None or (chain := chain.mapped(grid)) is None:
        return None
    like = Tensor((), "int8", quantization=grid.quantization)
    match chain.op:
        case ForwardConvolution():
            return _convolution(write, chain, chain.op, like)
        case nn.MatMulOp():
            return _mat_mul(write, chain, chain.op, like)
        case nn.AddOp():
            return _add(write, chain, chain.op, like)
        case _:
            return None


def _chain(value: SSAValue) -> Chain | None:
    """What a value is the end of, if nobody else sees the steps."""
    activation, bias = ACTIVATION_NONE, None
    if (op := _only(value)) is None:
        return None
    match op:
        case nn.ReluOp():
            activation, op = RELU, _only(op.input)
        case nn.ClampOp() if (op.min.value.data, op.max.value.data) == (0, 6):
            activation, op = RELU6, _only(op.input)
        case _:
            pass
    if isinstance(op, nn.AddOp):
        blobs = [nn.constant_of(operand) for operand in op.operands]
        if (place := next((i for i, blob in enumerate(blobs) if blob is not None), None)) is None:
            return Chain(op, activation=activation)
        blob = blobs[place]
        assert blob is not None
        bias, op = array_of(blob), _only(op.operands[1 - place])
    if isinstance(op, qnn.DequantizeOp):
        scale, point = array_of(op.scale), op.zero_point
        chain = Chain(op, bias, activation, scale, None if point is None else array_of(point))
        product = _only(op.input)
        return None if product is None else replace(chain, op=product)
    if isinstance(op, nn.ConvertOp):
        product = _only(op.input)
        return None if product is None else Chain(product, bias, activation, np.ones(()))
    if isinstance(op, ForwardConvolution | nn.MatMulOp):
        return Chain(op, bias, activation)
    return None


def _only(value: SSAValue) -> Operation | None:
    """The operation that gives a value which nothing else reads."""
    return (
        value.owner if isinstance(value.owner, Operation) and len(list(value.uses)) == 1 else None
    )


@dataclass(frozen=True)
class _Factors:
    """The codes of a product's operands, and the bias, in the quantization that LiteRT wants."""

    x: Tensor
    weights: Tensor
    bias: Tensor


def _factors(write: Writer, chain: Chain, x: Tensor, weights: Tensor, axis: int) -> _Factors | None:
    """
    With scales of the operands, or, of codes, with that of their product: the input keeps its scale and
    the weights get the rest.
    """
    codes, outputs = weights.data, weights.shape[axis]
    if codes is None or x.quantization is None:
        return None
    bias = np.zeros(outputs)
    if chain.bias is not None:
        if (found := _per_output(chain.bias, outputs)) is None:
            return None
        bias = found
    if chain.scale is not None:
        scale = _per_output(chain.scale, outputs)
        lost = _per_output(np.zeros(()) if chain.zero_point is None else chain.zero_point, outputs)
        point = _outside(chain.op)
        if scale is None or lost is None or point is None:
            return None
        # scale * (Σ c w - lost) = scale * Σ (c - z) w + scale * (z Σ w - lost), for any z.
        rest = tuple(i for i in range(codes.ndim) if i != axis)
        bias = bias + scale * (point.code * codes.astype(np.int64).sum(axis=rest) - lost)
        (own,) = x.quantization.scales
        x = renamed(write, x, Quantization((own,), (point.held,)))
        weights = write.constant(codes, "int8", Quantization(tuple(scale / own), (), axis))
    elif (
        weights.quantization is None
        or any(weights.quantization.zero_points)
        or (len(weights.quantization.scales) > 1 and weights.quantization.axis != axis)
    ):
        return None
    assert weights.quantization is not None
    if min(weights.quantization.scales) <= 0:
        return None
    quantization = bias_scale(x, weights)
    whole = np.rint(bias / np.array(quantization.scales))
    if np.abs(whole).max() > BIAS_LIMIT:
        return None
    return _Factors(x, weights, write.constant(whole.astype(np.int32), None, quantization))


@dataclass(frozen=True)
class _Outside:
    """The code that a window reads outside of its input: what it is, and as what it is held."""

    code: int
    held: int


def _outside(op: Operation) -> _Outside | None:
    code = op.outside if isinstance(op, ForwardConvolution) else 0
    held = code - (128 if element_of(op.operands[0]) == "uint8" else 0)
    return _Outside(code, held) if LOWEST <= held <= HIGHEST else None


def _per_output(array: Array, outputs: int) -> Array | None:
    """An array that differs between outputs at most, as one number for each."""
    if array.size not in (1, outputs):
        return None
    return np.broadcast_to(array.astype(np.float64).reshape(-1), (outputs,))


def _convolution(
    write: Writer, chain: Chain, op: ForwardConvolution, like: Tensor
) -> tuple[Tensor, Order] | None:
    rank = len(shape_of(op.input))
    order = channels_last(rank)
    if rank > 4 or codes_behind(write, op.input) is None:
        return None
    if chain.bias is not None and chain.bias.size > 1 and chain.bias.shape[-rank + 1 :][:1] == (1,):
        return None  # along another dimension than channels
    with write.codes():
        x, filters = write.arranged(op.input, order), forward_filters(write, op)
    factors = _factors(write, chain, x, filters, filters.rank - 1 if is_depthwise(op) else 0)
    if factors is None:
        return None
    found = forward(write, op, factors.x, factors.weights, factors.bias, like, chain.activation)
    return found, order


def _mat_mul(
    write: Writer, chain: Chain, op: nn.MatMulOp, like: Tensor
) -> tuple[Tensor, Order] | None:
    if codes_behind(write, op.a) is None:
        return None
    with write.codes():
        if not has_weights(write, op):
            return None
        x, weights = left_side(write, op.a, bool(op.transpose_a)), weights_of(write, op)
    factors = _factors(write, chain, x, weights, 0)
    if factors is None:
        return None
    found = connected(write, op, factors.x, factors.weights, factors.bias, like, chain.activation)
    return found, identity(found.rank)


def _add(write: Writer, chain: Chain, op: nn.AddOp, like: Tensor) -> tuple[Tensor, Order] | None:
    sides = [codes_behind(write, value) for value in op.operands]
    if None in sides or shape_of(op.lhs) != shape_of(op.rhs):
        return None
    order = common_order(write, list(op.operands), len(shape_of(op.result)))
    with write.codes():
        left, right = (write.arranged(value, order) for value in op.operands)
    options: dict[str, Any] = {"fusedActivationFunction": chain.activation}
    return write.op("ADD", [left, right], left.shape, like=like, **options), order
