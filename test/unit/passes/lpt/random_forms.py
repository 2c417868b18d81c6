"""Other ways in which models write what LPT knows: chains of arithmetic, weights that are reshaped, grids twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, f16, f32, i64

from lowstream.dialects import nn
from lowstream.dialects.qnn import DequantizeOp, FakeQuantizeOp
from lowstream.reference.arrays import array_of, blob_of
from lowstream.test.unit.passes.lpt.random_graphs import Known, RandomGraph
from lowstream.test.unit.passes.lpt.random_layers import convolution
from lowstream.test.unit.passes.lpt.test_numerics import intervals


def linear(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Arithmetic with constants, several times."""
    channel_shape = [size if i == 1 else 1 for i, size in enumerate(x.shape)]
    for _ in range(g.number(2, 3)):
        kind = g.one([nn.AddOp, nn.MultiplyOp, nn.SubtractOp])
        x = g.add(kind, x, g.constant(g.random.normal(1, 0.5, g.one([(), channel_shape]))))
    return [x]


def padded(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A convolution of an image that zeros were put around."""
    rank = len(x.shape)
    if not 3 <= rank <= 5:
        return []
    pads = [g.indices(0, 0, *(g.number(0, 1) for _ in range(rank - 2))) for _ in range(2)]
    return convolution(g, g.add(nn.PadOp, x, *pads, pad_mode=StringAttr("constant")))


def coarse(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A FakeQuantize of so many levels that it stays in floating point, and perhaps arithmetic behind it."""
    levels = g.one([2, 32, 128, 1024])
    largest = float(np.max(abs(x.array.astype(np.float64)), initial=0.0))
    scale = max(2 * largest / levels, 8 * x.noise, 1e-3 / levels)
    low, high = (g.cast(end) for end in intervals("signed", scale, levels))
    y = g.shaken(g.fake_quantize(x, [low, high] * 2, levels), scale)
    if g.chance():
        y = g.add(
            g.one([nn.MultiplyOp, nn.SubtractOp]), y, g.constant(g.random.uniform(0.5, 2, ()))
        )
    return [y]


def again(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Two FakeQuantize in a row, the second one on the grid of the first."""
    y = g.quantize(x)
    op = y.value.owner
    if not isinstance(op, FakeQuantizeOp):
        return [y]
    ends = [nn.constant_of(limit) for limit in (op.output_low, op.output_high)]
    limits = [array_of(end) for end in ends if end is not None]
    return [g.shaken(g.fake_quantize(y, limits * 2, op.levels.value.data), g.step)]


def floating(g: RandomGraph, x: Known) -> Sequence[Known]:
    """What LPT leaves in floating point."""
    if not x.shape:
        return []
    match g.number(0, 3):
        case 0:
            return [g.add(nn.SoftmaxOp, x, axis=IntegerAttr(g.number(0, len(x.shape) - 1), i64))]
        case 1:
            return [g.add(nn.DivideOp, x, g.constant(g.random.uniform(0.5, 2, ())))]
        case 2:
            kind = g.one([nn.MaximumOp, nn.MinimumOp])
            return [g.add(kind, x, g.constant(g.random.normal(size=())))]
        case _:
            return [g.add(g.one([nn.GeluOp, nn.HswishOp, nn.AbsOp]), x)]


def written_weights(g: RandomGraph, shape: Sequence[int], channel: int) -> Known:
    """Codes of weights that are reshaped or transposed, or whose zero point is written otherwise."""
    match g.number(0, 3):
        case 0:
            flat = (shape[0], math.prod(shape[1:]))
            return g.add(nn.ReshapeOp, codes(g, flat, 0), g.indices(*shape))
        case 1:
            order = g.random.permutation(len(shape))
            base = [0] * len(shape)
            for place, axis in enumerate(order):
                base[axis] = shape[place]
            return g.add(nn.TransposeOp, codes(g, base, int(order[channel])), g.indices(*order))
        case 2:
            return directly(g, shape, channel)
        case _:
            return shifted(g, shape, channel)


def codes(g: RandomGraph, shape: Sequence[int], channel: int) -> Known:
    """i8 without a zero point, in f16 models dequantized in f32."""
    w = g.constant(g.random.integers(-127, 128, shape), np.int8)
    if g.element == f16 and g.chance():
        wide = g.add(nn.ConvertOp, w, destination_type=f32)
        scale = g.constant(scales(g, shape, channel), np.float32)
        return g.add(nn.ConvertOp, g.add(nn.MultiplyOp, wide, scale), destination_type=f16)
    values = g.add(nn.ConvertOp, w, destination_type=g.element)
    return g.add(nn.MultiplyOp, values, g.constant(scales(g, shape, channel)))


def scales(g: RandomGraph, shape: Sequence[int], channel: int) -> Any:
    """Of weights up to 1, for each channel or all of them."""
    channel_shape = [size if i == channel else 1 for i, size in enumerate(shape)]
    return g.random.uniform(0.3, 1, channel_shape if g.chance(0.7) else ()) / 255


def directly(g: RandomGraph, shape: Sequence[int], channel: int) -> Known:
    """As one operation, with a zero point that is whole but for rounding, or not at all."""
    w = g.constant(g.random.integers(-127, 128, shape), np.int8)
    scale = np.asarray(scales(g, shape, channel), np.float32)
    point = np.float32(g.number(-20, 20) + g.one([0.0, 0.004, 0.3]))
    properties: dict[str, Any] = {"scale": blob_of(scale), "zero_point": blob_of(np.array(point))}
    if g.element != f32:
        properties["output_type"] = g.element
    return g.shaken(g.add(DequantizeOp, w, **properties), float(scale.max()))


def shifted(g: RandomGraph, shape: Sequence[int], channel: int) -> Known:
    """u8, with zero points that are codes too: around 128, or asymmetric."""
    w = g.constant(g.random.integers(0, 256, shape), np.uint8)
    channel_shape = [size if i == channel else 1 for i, size in enumerate(shape)]
    points = g.one([np.full((), 128), g.random.integers(120, 136, channel_shape)])
    values, around = (
        g.add(nn.ConvertOp, one, destination_type=g.element)
        for one in (w, g.constant(points, np.uint8))
    )
    scale = g.constant(scales(g, shape, channel))
    return g.add(nn.MultiplyOp, g.add(nn.SubtractOp, values, around), scale)
