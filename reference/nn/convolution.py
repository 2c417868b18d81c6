"""Convolutions and their transposes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...dialects import nn
from ...dialects.inferred import tensor
from ...dialects.nn.convolution import BackwardConvolution, ForwardConvolution
from ..arrays import Array, array_of, dtype_of
from ..meaning import meaning
from .matrix import product
from .window import views


@meaning(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(op: ForwardConvolution, x: Array, filters: Array) -> Array:
    seen = views(op, x, op.window(op.split_filters(filters.shape).kernel), op.outside)
    if op.column_scale is None:
        return _sums(op, seen, filters, dtype_of(tensor(op.result).element_type))
    scale = array_of(op.column_scale)
    shape = (*filters.shape[: 1 + op.GROUPED], *scale.shape[1 + op.GROUPED :])
    scale = np.broadcast_to(scale, shape).reshape(-1, scale.shape[-1])
    total = np.float32(0)
    for column in range(filters.shape[-1]):
        own = slice(column, column + 1)
        sums = _sums(op, seen[..., own], filters[..., own], np.dtype(np.int32))
        factors = scale[:, min(column, scale.shape[-1] - 1)]
        total += sums.astype(np.float32) * factors.reshape(-1, *[1] * (x.ndim - 2))
    return np.asarray(total, np.float32)


def _sums(op: ForwardConvolution, seen: Array, filters: Array, dtype: np.dtype[Any]) -> Array:
    """The products of filters with what a window sees, summed."""
    groups, inputs, outputs, kernel = op.split_filters(filters.shape)
    rank, batch = len(kernel), seen.shape[0]
    positions = seen.shape[2 : 2 + rank]
    order = (0, 1, *range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
    columns = seen.transpose(order).reshape(
        batch, groups, inputs * math.prod(kernel), math.prod(positions)
    )
    rows = filters.reshape(groups, outputs, inputs * math.prod(kernel))
    return product(rows, columns, dtype).reshape(batch, groups * outputs, *positions)


@meaning(nn.ConvolutionBackpropDataOp, nn.GroupConvolutionBackpropDataOp)
def convolution_backprop_data(
    op: BackwardConvolution, x: Array, filters: Array, output_shape: Array | None = None
) -> Array:
    groups, inputs, outputs, kernel = op.split_filters(filters.shape)
    batch, sizes = x.shape[0], x.shape[2:]
    known = None if output_shape is None else tuple(int(size) for size in output_shape)
    wanted = op.spatial(known, kernel, sizes)
    before = op.pads_before(kernel, sizes, wanted)
    window = op.window(kernel)
    dtype = dtype_of(tensor(op.result).element_type)
    rows = filters.reshape(groups, inputs, outputs, math.prod(kernel))
    if op.code_of_zero:
        x, rows = x.astype(np.int32) - op.code_of_zero, rows.astype(np.int32)
    columns = x.reshape(batch, groups, inputs, math.prod(sizes))
    spans = [
        max((size - 1) * stride + extent, skipped + want)
        for size, stride, extent, skipped, want in zip(
            sizes, window.strides, window.extents, before, wanted, strict=True
        )
    ]
    whole = np.zeros((batch, groups * outputs, *spans), dtype)
    for number, element in enumerate(np.ndindex(*kernel)):
        part = product(rows[..., number].swapaxes(-1, -2), columns, dtype)
        places = [
            slice(k * dilation, k * dilation + max((size - 1) * stride + 1, 0), stride)
            for k, dilation, size, stride in zip(
                element, window.dilations, sizes, window.strides, strict=True
            )
        ]
        whole[(slice(None), slice(None), *places)] += part.reshape(batch, groups * outputs, *sizes)
    kept = [slice(skip, skip + want) for skip, want in zip(before, wanted, strict=True)]
    return whole[(slice(None), slice(None), *kept)]
