"""What follows a product of codes and gives them meaning: a zero point that is subtracted, and scales."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn
from ..dialects.inferred import label, shape_of
from ..dialects.nn.constant import constant_of
from ..reference.arrays import Array, array_of

SCALE = 1 / 64
"""
An exact factor for the codes of activations, by which those of weights are divided, where a product has no scales.
"""


@dataclass(frozen=True)
class Following:
    """
    `last = (product(q, w) - product(zero_point, w)) * scales`; `ops` compute it after the product. `scales` has the
    rank of the weights, flattened over groups, or is one number.
    """

    ops: Sequence[Operation]
    last: Operation
    zero_point: int
    scales: Array

    @classmethod
    def of(cls, product: Operation) -> Following:
        """
        As much of it as there is. At least, this is the product itself with a scale of 1; its zero point is then the
        code that it is padded with, and `of_zero_point` is to be added.
        """
        if (found := cls.matched(product)) is not None:
            return found
        outside = product.outside if isinstance(product, nn.ForwardConvolution) else 0
        return cls((), product, outside, np.ones((), np.float32))

    def of_zero_point(self, product: Operation) -> Array:
        """
        `product(zero_point, w)`, in a shape that broadcasts to the result. Raises DiagnosticException where weights are
        computed.
        """
        if (sums := _sums_of_weights(product)) is None:
            raise DiagnosticException(
                f"{label(product)}: this format cannot pad with codes of a zero point that nothing subtracts"
            )
        spatial = len(shape_of(product.results[0])) - 2
        return (sums * self.zero_point).reshape(-1, *[1] * spatial)

    @classmethod
    def matched(cls, product: Operation) -> Following | None:
        convert = product.results[0].get_user_of_unique_use()
        if not isinstance(convert, nn.ConvertOp) or convert.destination_type != f32:
            return None
        ops: list[Operation] = [convert]
        after = convert.result.get_user_of_unique_use()
        zero_point = 0
        if isinstance(after, nn.SubtractOp):
            found = _zero_point(product, after.rhs) if after.lhs is convert.result else None
            if found is None:
                return None
            ops.append(after)
            zero_point, after = found, after.result.get_user_of_unique_use()
        if (padding := product.properties.get("pad_value")) is not None:
            assert isinstance(product, nn.ForwardConvolution)
            if padding and product.outside != zero_point:
                return None
        if not isinstance(after, nn.MultiplyOp) or after.lhs is not ops[-1].results[0]:
            return None
        factor = constant_of(after.rhs)
        scales = None if factor is None else _of_weights(product, array_of(factor))
        if scales is None or shape_of(after.result) != shape_of(product.results[0]):
            return None
        return cls((*ops, after), after, zero_point, scales)


def _of_weights(product: Operation, scales: Array) -> Array | None:
    """Scales of output channels in a shape that broadcasts to weights; None where they vary along another dimension."""
    if scales.size == 1:
        return scales.reshape(())
    rank = len(shape_of(product.results[0]))
    shape = [1] * (rank - scales.ndim) + list(scales.shape)
    axis = rank - 1 if isinstance(product, nn.MatMulOp) else 1
    if math.prod(shape) != shape[axis]:
        return None
    weights = len(shape_of(product.operands[1])) - isinstance(product, nn.GroupConvolutionOp)
    match product:
        case nn.MatMulOp():
            place = weights - (2 if product.transpose_b.value.data else 1)
        case nn.ConvolutionOp() | nn.GroupConvolutionOp():
            place = 0
        case nn.ConvolutionBackpropDataOp():
            place = 1
        case _:
            return None
    return scales.reshape([-1 if i == place else 1 for i in range(weights)])


def _zero_point(product: Operation, shift: SSAValue) -> int | None:
    """The code whose product with the weights is `shift`."""
    sums, shifts = _sums_of_weights(product), constant_of(shift)
    if sums is None or shifts is None:
        return None
    wanted = array_of(shifts).reshape(-1)
    if wanted.size not in (1, sums.size) or not (known := np.flatnonzero(sums)).size:
        return None
    wanted = np.broadcast_to(wanted, sums.shape)
    zero_point = round(float(wanted[known[0]] / sums[known[0]]))
    return zero_point if np.array_equal(sums * zero_point, wanted) else None


def _sums_of_weights(product: Operation) -> Array | None:
    """The sum of the weights of each output; None where they are computed, or padding hides taps from some outputs."""
    if (weights := constant_of(product.operands[1])) is None:
        return None
    codes = array_of(weights).astype(np.int64)
    match product:
        case nn.MatMulOp():
            return codes.sum(-1 if product.transpose_b.value.data else -2).reshape(-1)
        case nn.ConvolutionOp():
            return codes.sum(tuple(range(1, codes.ndim)))
        case nn.GroupConvolutionOp():
            return codes.sum(tuple(range(2, codes.ndim))).reshape(-1)
        case _:
            return None
