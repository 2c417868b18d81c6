"""Products of f32 with weights in codes (dynamic range): LiteRT quantizes what it multiplies anew in each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects import nn, qnn
from ...dialects.nn.writer import Writer
from .translation import Translation
from .values import data_of, element_name, quantization_of

LEVELS = 256

SIGNED, POSITIVE = (-128, 127), (0, 255)
"""The values that codes stand for, in steps: 0 is one of them."""

LEAST = 1e-30
"""The least magnitude that is told from 0, so that no interval is empty."""

FEWEST_PRODUCTS = 64
"""With fewer products of each element, computing its code takes longer than products in f32."""


def quantizes(x: SSAValue, weights: SSAValue, products: float, sizes: Sequence[int]) -> bool:
    """
    Whether codes of `x` are worth it, of each element of which so many products are computed. A step is that of all
    elements along dimensions of these `sizes`, which are to be known.
    """
    quantization = quantization_of(weights)
    return (
        quantization_of(x) is None
        and quantization is not None
        and element_name(weights) == "int8"
        and data_of(weights) is not None
        and not any(quantization.zero_points.get_values())
        and products >= FEWEST_PRODUCTS
        and DYNAMIC_INDEX not in sizes
    )


def by_codes(
    t: Translation, x: SSAValue, axes: Sequence[int], product: Callable[[SSAValue], SSAValue]
) -> SSAValue:
    """
    `product(fq(x) / step) * step`: one step for all elements along `axes`, of which 127 reach the greatest magnitude,
    or 255 where none is below 0. So what a window finds around an image has the code 0.
    """
    low, high = POSITIVE if is_positive(x) else SIGNED
    magnitude = x if low == 0 else t(nn.AbsOp, x)
    greatest = t(nn.ReduceMaxOp, magnitude, t.integers(*axes), keep_dims=True)
    last = t(nn.MaximumOp, greatest, t.array(np.float32(LEAST)))
    first = t(nn.MultiplyOp, last, t.array(np.float32(low / high)))
    ends = [t.array(np.float32(end)) for end in (low, high)]
    steps = t(qnn.FakeQuantizeOp, x, first, last, *ends, levels=LEVELS)
    return t(nn.MultiplyOp, product(steps), t(nn.MultiplyOp, last, t.array(np.float32(1 / high))))


def quantized_rows(write: Writer, x: SSAValue) -> SSAValue:
    """
    `fq(x)` with 256 values for each row, from its least element to its greatest. One of them is 0, so the least value
    is a whole number of steps below, or 0 itself behind an activation that leaves nothing there.
    """
    axis = write.integers(-1)
    last = write(nn.MaximumOp, write(nn.ReduceMaxOp, x, axis, keep_dims=True), LEAST)
    first = write.scalar_like(x, 0)
    if not is_positive(x):
        low = write(nn.MinimumOp, write(nn.ReduceMinOp, x, axis, keep_dims=True), first)
        step = write(nn.MultiplyOp, write(nn.SubtractOp, last, low), 1 / (LEVELS - 1))
        first = write(nn.MultiplyOp, write(nn.RoundOp, write(nn.DivideOp, low, step)), step)
        last = write(nn.AddOp, first, write(nn.MultiplyOp, step, LEVELS - 1))
    return write(qnn.FakeQuantizeOp, x, first, last, first, last, levels=LEVELS)


def is_positive(value: SSAValue) -> bool:
    """Whether an activation function leaves nothing below 0."""
    op = value.owner
    if isinstance(op, nn.ClampOp):
        return op.min.value.data >= 0
    return isinstance(op, nn.ReluOp | nn.SigmoidOp)
