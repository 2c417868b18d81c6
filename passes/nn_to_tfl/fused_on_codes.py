"""
Fuses what stands before a fake quantization into one operator on codes: a product with its bias and activation, or
another operation whose builtin takes codes. The result has the quantization of the fake quantization.

Transposes in between only change the order of dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from ...dialects import nn, qnn
from ...dialects.inferred import constant_integers, shape_of
from ...dialects.nn.convolution import BackwardConvolution, ForwardConvolution
from ...reference.arrays import Array, array_of
from ..channels_last import channels_last_order
from .convolution import (
    backward,
    backward_filters,
    backward_padding,
    bias_scale,
    forward,
    forward_filters,
    is_depthwise,
)
from .matrix import connected, has_weights, left_side, multiplied, weights_of
from .quantization import HIGHEST, LOWEST, NEARLY, ActivationQuantization, codes_behind, renamed
from .tensors import Elements, Like, Order, Tensor, TensorQuantization, identity, inverse
from .writer import NONE, TflWriter, element_of

RELU = "RELU"

CLAMPS = {(-1.0, 1.0): "RELU_N1_TO_1", (0.0, 6.0): "RELU6"}
"""By activation, the interval that it clamps to."""

PRODUCTS = ForwardConvolution, BackwardConvolution, nn.MatMulOp

BIAS = {"int8": np.int32, "int16": np.int64}
"""By the type of the multiplied codes, the type of the bias."""


@dataclass(frozen=True)
class FusionCandidate:
    """
    An operation with what follows it, `activation(scale * (op - zero_point) + bias)`, of which dimension `k`
    is `order[k]` of the operation's result. Arrays have all dimensions, in that order.
    """

    op: Operation
    order: Order
    bias: Array | None = None
    activation: str = NONE
    scale: Array | None = None
    zero_point: Array | None = None

    def mapped(self, grid: ActivationQuantization) -> FusionCandidate | None:
        """`gain * candidate + offset` as a candidate; None where an activation in between does not allow it."""
        if grid.is_direct:
            return self
        if self.scale is None or self.activation not in (NONE, RELU):
            return None
        if self.activation == RELU and np.abs(grid.offset).max() > grid.scale * NEARLY:
            return None
        gain, offset = (_whole(array, len(self.order)) for array in (grid.gain, grid.offset))
        bias = offset if self.bias is None else gain * self.bias + offset
        return replace(self, scale=gain * self.scale, bias=bias)

    def per_output(self, array: Array, axis: int) -> Array | None:
        """An array that varies along at most one dimension of the operation's result, as a vector along that."""
        outputs = shape_of(self.op.results[0])[axis]
        if array.size == 1:
            return np.full(outputs, array.item(), np.float64)
        own = array.transpose(inverse(self.order))
        return own.reshape(-1) if own.shape[axis] == own.size == outputs else None


def fused(
    write: TflWriter, op: qnn.FakeQuantizeOp, grid: ActivationQuantization
) -> tuple[Tensor, Order] | None:
    """The codes for a fake quantization, computed by one operator; None where there is none."""
    if not grid.is_whole:
        return None
    for candidate in _candidates(op.input):
        if (candidate := candidate.mapped(grid)) is None:
            continue
        if (found := _operator(write, candidate, grid.elements)) is not None:
            tensor, lies = found
            back = inverse(candidate.order)
            return tensor, tuple(back[axis] for axis in lies)
    return None


def _operator(
    write: TflWriter, candidate: FusionCandidate, like: Elements
) -> tuple[Tensor, Order] | None:
    """An operator whose result is codes, and where the dimensions of the operation's result are in it."""
    match candidate.op:
        case ForwardConvolution() | BackwardConvolution():
            return _convolution(write, candidate, candidate.op, like)
        case nn.MatMulOp():
            return _mat_mul(write, candidate, candidate.op, like)
        case _ if candidate.bias is None and candidate.scale is None:
            return write.on_codes(candidate.op, like, candidate.activation)
        case _:
            return None


# --- matching -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Step:
    """The operation that computes a value which nothing else reads, and where the dimensions are in its result."""

    op: Operation
    order: Order

    @classmethod
    def of(cls, value: SSAValue, order: Order) -> _Step | None:
        while isinstance(op := value.owner, Operation) and value.has_one_use():
            if not isinstance(op, nn.TransposeOp):
                return cls(op, order)
            named = constant_integers(op.order)
            if named is None:
                return None
            permutation = list(named) or list(reversed(range(len(order))))
            order, value = tuple(permutation[axis] for axis in order), op.input
        return None

    def before(self, value: SSAValue) -> _Step | None:
        """The operation that computes one of its operands."""
        if len(shape_of(value)) != len(self.order):
            return None
        return _Step.of(value, self.order)

    def array(self, blob: nn.BlobAttr) -> Array:
        """A constant operand with all dimensions, in the order of the candidate's result."""
        return _whole(array_of(blob), len(self.order)).transpose(self.order)


def _whole(array: Array, rank: int) -> Array:
    """An array with dimensions of 1 in front."""
    return array.astype(np.float64).reshape((*[1] * (rank - array.ndim), *array.shape))


def _candidates(value: SSAValue) -> Iterator[FusionCandidate]:
    """The candidates that a value may be the result of, if nothing else reads what is between; the longest first."""
    order = identity(len(shape_of(value)))
    if (last := _Step.of(value, order)) is None:
        return
    step, activation = last, NONE
    if (found := _activation(last.op)) is not None:
        activation = found
        step = last.before(last.op.operands[0])
    if step is not None:
        if (product := _product(step)) is not None:
            yield replace(product, activation=activation)
        else:
            yield FusionCandidate(step.op, step.order, activation=activation)
    if step is not last:
        yield FusionCandidate(last.op, last.order)


def _activation(op: Operation) -> str | None:
    match op:
        case nn.ReluOp():
            return RELU
        case nn.ClampOp():
            return CLAMPS.get(op.limits)
        case _:
            return None


def _product(step: _Step | None) -> FusionCandidate | None:
    """A product with its bias, and the scale of its sums."""
    bias = scale = point = None
    if step is not None and isinstance(step.op, nn.AddOp):
        for blob, other in zip(
            map(nn.constant_of, step.op.operands), reversed(step.op.operands), strict=True
        ):
            if blob is not None:
                bias = step.array(blob)
                step = step.before(other)
                break
    if step is not None and isinstance(dequantize := step.op, qnn.DequantizeOp):
        scale = step.array(dequantize.scale)
        if dequantize.zero_point is not None:
            point = step.array(dequantize.zero_point)
        step = step.before(dequantize.input)
    elif step is not None and isinstance(convert := step.op, nn.ConvertOp):
        scale = np.ones([1] * len(step.order))
        step = step.before(convert.input)
    if step is None or not isinstance(step.op, PRODUCTS):
        return None
    return FusionCandidate(step.op, step.order, bias, NONE, scale, point)


# --- products -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Factors:
    """The codes of a product's operands, and the bias, in the quantization that LiteRT wants."""

    x: Tensor
    weights: Tensor
    bias: Tensor


def _factors(
    write: TflWriter,
    candidate: FusionCandidate,
    x: Tensor,
    weights: Tensor,
    axis: int,
    result_axis: int,
) -> _Factors | None:
    """
    The operands of a product as codes in the scales that LiteRT wants. If only the scale of the product is known, the
    input keeps its scale and the weights get the rest. Outputs are along `axis` of the weights and `result_axis` of the
    result.
    """
    codes, outputs = weights.data, weights.shape[axis]
    if codes is None or codes.dtype != np.int8 or x.quantization is None:
        return None
    bias = np.zeros(outputs)
    if candidate.bias is not None:
        if (found := candidate.per_output(candidate.bias, result_axis)) is None:
            return None
        bias = found
    if candidate.scale is not None:
        shared = _with_scale_of_product(write, candidate, x, weights, axis, result_axis)
        if shared is None:
            return None
        x, weights, more = shared
        bias = bias + more
    elif not _is_symmetric_along(weights, axis):
        return None
    assert weights.quantization is not None
    if min(weights.quantization.scales) <= 0:
        return None
    quantization = bias_scale(x, weights)
    whole = np.rint(bias / np.array(quantization.scales))
    integer = BIAS[x.element]
    if np.abs(whole).max() > np.iinfo(integer).max:
        return None
    return _Factors(x, weights, write.constant(whole.astype(integer), None, quantization))


def _with_scale_of_product(
    write: TflWriter,
    candidate: FusionCandidate,
    x: Tensor,
    weights: Tensor,
    axis: int,
    result_axis: int,
) -> tuple[Tensor, Tensor, Array] | None:
    """
    The input in its own scale, the weights in what the scale of the product leaves them, and what the zero point of the
    input adds to the bias. None where the product has no scale for each output.
    """
    codes, quantization = weights.data, x.quantization
    assert candidate.scale is not None and codes is not None and quantization is not None
    lost = np.zeros(()) if candidate.zero_point is None else candidate.zero_point
    scale, lost = (candidate.per_output(array, result_axis) for array in (candidate.scale, lost))
    point = _outside(candidate.op)
    if scale is None or lost is None or point is None:
        return None
    # scale * (Σ c w - lost) = scale * Σ (c - z) w + scale * (z Σ w - lost), for any z.
    rest = tuple(i for i in range(codes.ndim) if i != axis)
    more = scale * (point.code * codes.astype(np.int64).sum(axis=rest) - lost)
    (own,) = quantization.scales
    x = renamed(write, x, TensorQuantization((own,), (point.held,)))
    weights = write.constant(codes, "int8", TensorQuantization(tuple(scale / own), (), axis))
    return x, weights, more


def _is_symmetric_along(weights: Tensor, axis: int) -> bool:
    """Whether weights have no zero points, and one scale, or one for each index along an axis."""
    quantization = weights.quantization
    return (
        quantization is not None
        and not any(quantization.zero_points)
        and (len(quantization.scales) == 1 or quantization.axis == axis)
    )


@dataclass(frozen=True)
class _Outside:
    """The code of the padding of a window, and the value that it is stored as."""

    code: int
    held: int


def _outside(op: Operation) -> _Outside | None:
    code = op.outside if isinstance(op, ForwardConvolution) else 0
    held = code - (128 if element_of(op.operands[0]) == "uint8" else 0)
    return _Outside(code, held) if LOWEST <= held <= HIGHEST else None


def _convolution(
    write: TflWriter,
    candidate: FusionCandidate,
    op: ForwardConvolution | BackwardConvolution,
    like: Like,
) -> tuple[Tensor, Order] | None:
    rank = len(shape_of(op.input))
    order = channels_last_order(rank)
    if rank > 4 or codes_behind(write, op.input) is None:
        return None
    if DYNAMIC_INDEX in shape_of(op.filters):
        return None
    with write.codes():
        x = write.arranged(op.input, order)
        if isinstance(op, BackwardConvolution):
            if (padding := backward_padding(op)) is None:
                return None
            (filters,) = backward_filters(write, op)
            if (factors := _factors(write, candidate, x, filters, 0, 1)) is None:
                return None
            found = backward(
                write,
                op,
                factors.x,
                factors.weights,
                padding,
                factors.bias,
                like,
                candidate.activation,
            )
            return found, order
        filters = forward_filters(write, op)
    axis = filters.rank - 1 if is_depthwise(op) else 0
    if (factors := _factors(write, candidate, x, filters, axis, 1)) is None:
        return None
    found = forward(write, op, factors.x, factors.weights, factors.bias, like, candidate.activation)
    return found, order


def _mat_mul(
    write: TflWriter, candidate: FusionCandidate, op: nn.MatMulOp, like: Like
) -> tuple[Tensor, Order] | None:
    if codes_behind(write, op.a) is None:
        return None
    with write.codes():
        if not has_weights(write, op):
            plain = (
                candidate.bias is None and candidate.scale is None and candidate.activation == NONE
            )
            if not plain or codes_behind(write, op.b) is None:
                return None
            found = multiplied(write, op, write.plain(op.a), write.plain(op.b), like)
            return found, identity(found.rank)
        x, weights = left_side(write, op.a, bool(op.transpose_a)), weights_of(write, op)
    if (factors := _factors(write, candidate, x, weights, 0, -1)) is None:
        return None
    assert factors.bias.data is not None
    bias = factors.bias if factors.bias.data.any() else None
    found = connected(write, op, factors.x, factors.weights, bias, like, candidate.activation)
    return found, identity(found.rank)
