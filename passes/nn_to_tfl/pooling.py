"""Pooling: LiteRT's kernels for windows over planes, else element by element of the window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.nn.pooling import PoolingOp
from ...dialects.nn.window import Window
from ...reference.nn.window import views
from ..channels_last import channels_last_order
from .elementwise import quotient
from .movement import cropped
from .refusals import refuse, refuse_unknown
from .tensors import Tensor
from .window import VALID, exact_padding, padded, padding_of
from .writer import NONE, TflWriter, emits, sizes_of


@emits(nn.MaxPoolOp)
def max_pool(write: TflWriter, op: nn.MaxPoolOp) -> None:
    window, order = op.pooling_window(), channels_last_order(len(shape_of(op.input)))
    x = write.arranged(op.input, order)
    lowest = -math.inf if x.element.startswith("float") else np.iinfo(x.element).min
    if has_kernel(window) and x.element not in ("int32", "int64"):
        padding = padding_of(op, window, shape_of(op.input)[2:])
        x = padded(write, x, padding.pads, lowest)
        result = pooled(write, op, "MAX_POOL_2D", x, window, padding.kind)
    else:
        x = padded(write, x, _known_padding(op, window), lowest)
        result, *rest = _elements(write, op, x, window)
        for part in rest:
            result = write.binary("MAXIMUM", result, part)
    write.set(op.result, result, order)


@emits(nn.AvgPoolOp)
def avg_pool(write: TflWriter, op: nn.AvgPoolOp) -> None:
    window, order = op.pooling_window(), channels_last_order(len(shape_of(op.input)))
    source = write.arranged(op.input, order)
    if source.element in ("int32", "int64"):
        raise refuse(op, f"LiteRT has no mean of {source.element} windows; convert its input")
    x = source if source.quantization is not None else write.cast(source, "float32")
    padding = padding_of(op, window, shape_of(op.input)[2:])
    excludes = not op.counts_outside()
    if not source.is_real:
        x = padded(write, write.cast(source, "int32"), _known_padding(op, window))
        total, *rest = _elements(write, op, x, window)
        for part in rest:
            total = write.binary("ADD", total, part)
        result = _integer_mean(write, total, _counts(write, op, window), source.element)
    elif has_kernel(window) and (padding.kind == VALID or excludes) and not padding.is_needed:
        result = pooled(write, op, "AVERAGE_POOL_2D", x, window, padding.kind)
    else:
        x = padded(write, x, _known_padding(op, window))
        result = write.binary("DIV", _sums(write, op, x, window), _counts(write, op, window))
    write.set(op.result, write.cast(result, source.element), order)


def _integer_mean(write: TflWriter, total: Tensor, counts: Tensor, element: str) -> Tensor:
    """The average of 8-bit integers is rounded to nearest even, of longer ones toward zero."""
    if element in ("int8", "uint8"):
        return write.unary("ROUND", write.binary("DIV", write.cast(total, "float32"), counts))
    return quotient(write, total, write.cast(counts, "int32"))


def _sums(write: TflWriter, op: PoolingOp, x: Tensor, window: Window) -> Tensor:
    """The sum of each window of a padded tensor."""
    if has_kernel(window):
        means = pooled(write, op, "AVERAGE_POOL_2D", x, window, VALID)
        return write.binary("MUL", means, float(math.prod(window.kernel)))
    total, *rest = _elements(write, op, x, window)
    for part in rest:
        total = write.binary("ADD", total, part)
    return total


def _counts(write: TflWriter, op: nn.AvgPoolOp, window: Window) -> Tensor:
    """The number of elements at each position, at least one: `[1, *positions, 1]`."""
    sizes = shape_of(op.input)[2:]
    ones = np.ones((1, 1, *sizes), np.int64)
    seen = views(op, ones, window, int(op.counts_outside()))
    counts = seen.sum(axis=tuple(range(ones.ndim, seen.ndim)))
    data = np.moveaxis(np.maximum(counts, 1), 1, -1).astype(np.float32)
    return write.constant(data)


def has_kernel(window: Window) -> bool:
    """Whether LiteRT has a kernel: over lines and planes, without dilation."""
    return len(window.kernel) <= 2 and all(step == 1 for step in window.dilations)


def _known_padding(op: PoolingOp, window: Window) -> tuple[tuple[int, int], ...]:
    if DYNAMIC_INDEX in (sizes := shape_of(op.input)[2:]):
        raise refuse_unknown(op, "its window needs known sizes")
    return exact_padding(window, sizes)


def pooled(
    write: TflWriter,
    op: PoolingOp,
    builtin: str,
    x: Tensor,
    window: Window,
    padding: str,
) -> Tensor:
    """A pooling kernel over a tensor with channels last."""
    positions, strides, kernel = sizes_of(op.result)[2:], window.strides, window.kernel
    line = len(kernel) == 1
    if line:
        x = write.reshaped(x, (x.shape[0], 1, *x.shape[1:]))
        positions, strides, kernel = (1, *positions), (1, *strides), (1, *kernel)
    options: dict[str, Any] = {
        "padding": padding,
        "stride_h": strides[0],
        "stride_w": strides[1],
        "filter_height": kernel[0],
        "filter_width": kernel[1],
        "fused_activation_function": NONE,
    }
    shape = (x.shape[0], *positions, x.shape[-1])
    result = write.op(builtin, [x], shape, like=x, **options)
    return write.reshaped(result, (shape[0], *shape[2:])) if line else result


def _elements(write: TflWriter, op: PoolingOp, x: Tensor, window: Window) -> Sequence[Tensor]:
    """For each element of the window, its values at all positions."""
    positions = sizes_of(op.result)[2:]
    return [
        cropped(
            write,
            x,
            (0, *(k * by for k, by in zip(element, window.dilations, strict=True)), 0),
            (x.shape[0], *positions, x.shape[-1]),
            (1, *window.strides, 1),
        )
        for element in np.ndindex(*window.kernel)
    ]
