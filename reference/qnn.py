"""The meaning of the `qnn` dialect."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dialects import qnn
from ..dialects.inferred import tensor
from .arrays import Array, array_of, dtype_of
from .meaning import meaning


@meaning(qnn.FakeQuantizeOp)
def fake_quantize(
    op: qnn.FakeQuantizeOp, x: Array, il: Array, ih: Array, ol: Array, oh: Array
) -> Array:
    if x.dtype == np.float16:  # its 11 bits are too few for the way to a code and back
        x, il, ih, ol, oh = (array.astype(np.float32) for array in (x, il, ih, ol, oh))
    last = x.dtype.type(op.levels.value.data - 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        k = _narrowing(il, ih)
        steps = np.rint((x * k - il * k) / (ih * k - il * k) * last)
        counted = None if op.from_zero is None else _counted_from_zero(il, ih, last)
        if counted is not None:
            step, first = counted
            steps = np.rint(x / step) - first
        k = _narrowing(ol, oh)
        inside = (steps / last * (oh * k - ol * k) + ol * k) / k
        if counted is not None and (given := _counted_from_zero(ol, oh, last)) is not None:
            step, first = given
            inside = (steps + first) * step
    # The first test wins, so an interval of one point is a step at that point.
    result: Array = np.where(
        x <= np.minimum(il, ih), ol, np.where(x > np.maximum(il, ih), oh, inside)
    )
    element = dtype_of(tensor(op.result).element_type)
    if element.kind in "iu":
        limits = np.iinfo(element)
        return np.clip(np.rint(result), limits.min, limits.max).astype(element)
    return result.astype(element)


def _counted_from_zero(
    low: Array, high: Array, last: np.floating[Any]
) -> tuple[Array, Array] | None:
    """A step, and how many of them there are to `low`; None where that is no whole number."""
    step: Array = ((high.astype(np.float64) - low) / last).astype(low.dtype)
    first: Array = np.rint(low / step)
    is_whole = np.all(abs(low / step - first) < qnn.FakeQuantizeOp.NEGLIGIBLE)
    return (step, first) if is_whole else None


def _narrowing(low: Array, high: Array) -> Array:
    """What interval limits are multiplied with, exactly, so that their type holds how far they are apart."""
    is_wide = np.maximum(np.abs(low), np.abs(high)) > 1
    return np.where(is_wide, 0.5, 1.0).astype(low.dtype)


@meaning(qnn.DequantizeOp)
def dequantize(op: qnn.DequantizeOp, q: Array) -> Array:
    scale = array_of(op.scale)
    codes = q.astype(scale.dtype)
    if op.zero_point is not None:
        codes = codes - array_of(op.zero_point).astype(scale.dtype)
    return (codes * scale).astype(dtype_of(tensor(op.result).element_type))
