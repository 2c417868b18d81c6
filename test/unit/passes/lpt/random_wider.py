"""What random models are made of beside that, since the third edition: what models write seldom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    f16,
    f32,
    f64,
    i8,
    i16,
    i64,
)

from lowstream.dialects import nn
from lowstream.dialects.inferred import tensor
from lowstream.passes.lpt.precision import ui8
from lowstream.reference.arrays import blob_of, dtype_of
from lowstream.test.unit.passes.lpt.random_bodies import branch
from lowstream.test.unit.passes.lpt.random_graphs import BOUND, Known, RandomGraph
from lowstream.test.unit.passes.lpt.random_layers import (
    LAYERS,
    Rule,
    boolean,
    convolution,
    i64s,
    meet,
    window,
)

i4, ui4, ui16 = (
    IntegerType(4),
    IntegerType(4, Signedness.UNSIGNED),
    IntegerType(16, Signedness.UNSIGNED),
)
CODES = (i8, i8, ui8, ui8, i4, ui4, i16, ui16)


def quantized(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A FakeQuantize with an interval for each part along any dimension, of any levels, maybe turned round."""
    levels = g.one([2, 3, 4, 16, 64, 129, 255, 256, 256, 257, 65536])
    axis = g.number(0, len(x.shape) - 1) if x.shape and g.chance() else None
    shape = tuple(size if i == axis else 1 for i, size in enumerate(x.shape))
    axes = tuple(i for i in range(len(x.shape)) if i != axis)
    most = np.max(abs(x.array.astype(np.float64)), axes, initial=0.0).reshape(shape)
    scale = np.maximum(most * g.random.uniform(0.5, 1.2, shape), 8 * x.noise * levels + 1e-3)
    if float(np.max(scale)) > BOUND:
        return []
    low = -scale * g.one([0.0, 1.0, g.random.uniform(0, 2)])
    high = low + 2 * scale
    step = float(np.max(high - low)) / (levels - 1)
    outputs = [low, high]
    match g.number(0, 9):
        case 0:
            outputs = [high, low]
        case 1 if axis is not None:  # a channel that is cut off
            dead = np.arange(low.size).reshape(shape) == 0
            outputs = [np.where(dead, 0, low), np.where(dead, 0, high)]
        case 2:
            outputs = [0.5 * low, 0.5 * high + 0.1]
        case _:
            pass
    ends = [g.cast(end if axis is not None else end.reshape(())) for end in (low, high, *outputs)]
    return [g.shaken(g.fake_quantize(x, ends, levels), step)]


def dequantized(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A constant of codes of any type, dequantized in one of the ways that exporters write, and added to `x`."""
    axis = g.number(0, len(x.shape) - 1) if x.shape else 0
    values = dequantized_constant(g, x.shape, axis)
    return [g.add(g.one([nn.AddOp, nn.MultiplyOp, nn.SubtractOp]), x, values)]


def dequantized_constant(g: RandomGraph, shape: Sequence[int], axis: int) -> Known:
    """Convert, Subtract and Multiply or what others write for them."""
    element: Any = g.one(CODES[:6] if g.element == f16 else CODES)  # 16 bits need more than f16
    bits = element.bitwidth
    unsigned = element.signedness.data == Signedness.UNSIGNED
    first = 0 if unsigned else -(1 << (bits - 1))
    last = first + (1 << bits) - 1
    codes = packed(g, g.random.integers(first, last + 1, shape), element)
    own = [size if i == axis else 1 for i, size in enumerate(shape)]
    sizes = own if g.chance() else ()
    computed = f32 if g.element == f16 and g.chance() else g.element
    value = converted(g, codes, computed)
    if unsigned or g.chance(0.3):
        points = g.random.integers((first + last) // 2 - 2, (first + last) // 2 + 3, sizes)
        point = packed(g, points, element) if g.chance() else number(g, points, computed)
        point = (
            point if tensor(point.value).element_type == computed else converted(g, point, computed)
        )
        value = g.add(nn.SubtractOp, value, point)
    scale = g.random.uniform(0.3, 1, sizes) / (1 << bits - 1)
    if g.chance(0.2):
        value = g.add(nn.DivideOp, value, number(g, 1 / scale, computed))
    else:
        pair = (value, number(g, scale, computed))
        value = g.add(nn.MultiplyOp, *(pair if g.chance(0.8) else pair[::-1]))
    return value if computed == g.element else converted(g, value, g.element)


def packed(g: RandomGraph, array: Any, element: Any) -> Known:
    """A constant of integers, also of four bits."""
    array = np.asarray(array, dtype_of(element))
    op = nn.ConstantOp(blob_of(array, element))
    g.block.add_op(op)
    return Known(op.result, array, array)


def number(g: RandomGraph, array: Any, element: Any) -> Known:
    return g.constant(array, dtype_of(element))


def converted(g: RandomGraph, x: Known, element: Any) -> Known:
    return g.add(nn.ConvertOp, x, destination_type=element)


def shared_weights(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Two layers with the same weights: filters of two inputs, or a matrix there and back."""
    if (found := window(g, x, 3)) is not None and g.chance():
        kernel = found.pop("kernel")
        filters = g.weights((g.number(1, 3), x.shape[1], *kernel), 0)
        properties = {key: i64s(value) for key, value in found.items()}
        inputs = [x, g.quantize(g.add(nn.ReluOp, x)) if g.chance() else like(g, x)]
        return [g.add(nn.ConvolutionOp, one, filters, **properties) for one in inputs]
    if len(x.shape) < 2:
        return []
    w = g.weights((g.number(1, 4), x.shape[-1]), g.number(0, 1))
    there = g.add(nn.MatMulOp, x, w, transpose_a=boolean(False), transpose_b=boolean(True))
    back = g.quantize(there) if there.is_fit else there
    return [
        there,
        g.add(nn.MatMulOp, back, w, transpose_a=boolean(False), transpose_b=boolean(False)),
    ]


def batched(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A matrix product with weights for each batch, or with a vector."""
    if len(x.shape) < 2:
        return []
    depth = x.shape[-1]
    if g.chance(0.3):
        w = g.weights((depth,), 0)
        if g.chance() and x.shape[-2] == depth:
            return [
                g.add(nn.MatMulOp, w, x, transpose_a=boolean(False), transpose_b=boolean(False))
            ]
        return [g.add(nn.MatMulOp, x, w, transpose_a=boolean(False), transpose_b=boolean(False))]
    batch = tuple(g.one([1, size]) for size in x.shape[:-2])
    flip = g.chance()
    columns = g.number(1, 4)
    shape = (*batch, columns, depth) if flip else (*batch, depth, columns)
    w = g.weights(shape, g.number(0, len(shape) - 1))
    flags = {"transpose_a": boolean(False), "transpose_b": boolean(flip)}
    if g.chance(0.2) and x.shape[-2] == depth:  # the constant on the left
        w = g.weights((*batch, columns, depth), len(batch))
        return [
            g.add(nn.MatMulOp, w, x, transpose_a=boolean(False), transpose_b=boolean(g.chance()))
        ]
    return [g.add(nn.MatMulOp, x, w, **flags)]


def like(g: RandomGraph, x: Known) -> Known:
    """A value of the same shape."""
    return g.one([x, *(y for y in g.pool if y.shape == x.shape)])


def select(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Elements of two values, by a constant mask."""
    y = like(g, x)
    y = g.one([g.quantize(y), g.constant(0.0), y, g.constant(g.random.normal(size=x.shape))])
    mask = g.constant(g.random.random(x.shape) < 0.5, np.bool_)
    pair = (x, y) if g.chance() else (y, x)
    return [g.add(nn.SelectOp, mask, *pair)]


def movement(g: RandomGraph, x: Known) -> Sequence[Known]:
    """What moves elements and has no law of its own, mostly."""
    if not x.shape:
        return []
    rank, axis = len(x.shape), g.number(0, len(x.shape) - 1)
    size, along = x.shape[axis], IntegerAttr(axis, i64)
    match g.number(0, 8):
        case 0:
            return [g.add(nn.TileOp, x, g.indices(*(g.one([1, 1, 2]) for _ in x.shape)))]
        case 1:
            return [g.add(nn.RollOp, x, g.indices(g.number(-2, 2)), g.indices(axis))]
        case 2:
            return [g.add(nn.ReverseOp, x, g.indices(axis), mode=StringAttr("index"))]
        case 3 if rank > 1:
            lengths = g.indices(*g.random.integers(1, x.shape[1] + 1, x.shape[0]))
            axes = {"batch_axis": IntegerAttr(0, i64), "seq_axis": IntegerAttr(1, i64)}
            return [g.add(nn.ReverseSequenceOp, x, lengths, **axes)]
        case 4:
            at = g.constant(g.random.integers(0, size, x.shape), np.int64)
            return [g.add(nn.GatherElementsOp, x, at, axis=along)]
        case 5:
            at = g.constant(g.random.integers(0, x.shape[0], (3, 1)), np.int64)
            return [g.add(nn.GatherNdOp, x, at, batch_dims=IntegerAttr(0, i64))]
        case 6:
            at, one = g.indices(g.number(0, size - 1)), list(x.shape)
            one[axis] = 1
            found = [y for y in g.pool if y.shape == tuple(one)]
            y = g.quantize(g.one(found)) if found else g.constant(np.zeros(one))
            return [g.add(nn.ScatterUpdateOp, x, at, y, g.constant(axis, np.int64))]
        case 7 if rank == 4 and x.shape[2] % 2 == x.shape[3] % 2 == 0:
            mode = StringAttr(g.one(["blocks_first", "depth_first"]))
            return [g.add(nn.SpaceToDepthOp, x, mode=mode, block_size=IntegerAttr(2, i64))]
        case _:
            reverse, exclusive = boolean(g.chance()), boolean(g.chance())
            return [
                g.add(
                    nn.CumSumOp, x, g.constant(axis, np.int64), reverse=reverse, exclusive=exclusive
                )
            ]


def of_two(g: RandomGraph, x: Known) -> Sequence[Known]:
    """The larger of two quantized values, the square of their difference, a value divided by a constant of any sign."""
    y = g.one([x, *(y for y in g.pool if meet(x.shape, y.shape))])
    y = g.quantize(y) if g.chance() else y
    match g.number(0, 4):
        case 0:
            return [g.add(g.one([nn.MaximumOp, nn.MinimumOp]), x, y)]
        case 1:
            return [g.add(nn.SquaredDifferenceOp, x, y)]
        case 2:
            return [g.add(nn.NegativeOp, x)]
        case 3:
            channels = [size if i == 1 else 1 for i, size in enumerate(x.shape)]
            factor = g.random.normal(0, 1, g.one([(), channels]))
            factor = np.where(abs(factor) < 0.3, g.one([0.0, 1.0]), factor)
            return [g.add(nn.MultiplyOp, x, g.constant(factor))]
        case _:
            return [g.add(nn.DivideOp, x, g.constant(g.one([-2.0, 0.3, 7.0])))]


def attention(g: RandomGraph, x: Known) -> Sequence[Known]:
    """softmax(q k^T) v of quantized values."""
    if not 2 <= len(x.shape) <= 4 or x.shape[-2] * x.array.size > 1000:
        return []
    keys = g.quantize(g.add(nn.TanhOp, x)) if g.chance() else x
    flags = {"transpose_a": boolean(False), "transpose_b": boolean(True)}
    scores = g.add(nn.MatMulOp, x, keys, **flags)
    if not scores.is_fit:
        return []
    shares = g.add(nn.SoftmaxOp, scores, axis=IntegerAttr(len(x.shape) - 1, i64))
    shares = g.quantize(shares) if g.chance() and shares.is_fit else shares
    return [g.add(nn.MatMulOp, shares, x, **flags | {"transpose_b": boolean(False)})]


def pools(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Pools that say their results' sizes, and what normalizes with constants."""
    if not 3 <= len(x.shape) <= 5:
        return []
    sizes = g.indices(*(g.number(1, size) for size in x.shape[2:]))
    match g.number(0, 3):
        case 0:
            return [g.add(nn.AdaptiveAvgPoolOp, x, sizes)]
        case 1:
            return g.many(nn.AdaptiveMaxPoolOp, x, sizes, index_element_type=i64)[:1]
        case 2:
            n = x.shape[1]
            parts = [g.constant(g.random.uniform(0.5, 1.5, n)) for _ in range(4)]
            return [g.add(nn.BatchNormInferenceOp, x, *parts, epsilon=FloatAttr(1e-3, f64))]
        case _:
            n = x.shape[1]
            groups = IntegerAttr(g.one([k for k in range(1, n + 1) if n % k == 0]), i64)
            parts = [g.constant(g.random.uniform(0.5, 1.5, n)) for _ in range(2)]
            return [
                g.add(
                    nn.GroupNormalizationOp,
                    x,
                    *parts,
                    num_groups=groups,
                    epsilon=FloatAttr(1e-2, f64),
                )
            ]


def separable(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Two convolutions in a row, with or without activation and FakeQuantize between them, and the sum with a third."""
    first = convolution(g, x)
    if not first or not first[0].is_fit:
        return first
    y = g.add(nn.ReluOp, first[0]) if g.chance() else first[0]
    y = g.quantize(y) if g.chance(0.7) else y
    second = convolution(g, y)
    if second and second[0].shape == x.shape:
        return [g.add(nn.AddOp, second[0], x)]
    return [*first, *second]


def more(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A layer of the first edition of a value that nothing quantizes, and one more on its quantized result."""
    made = [one for one in g.one(LAYERS)(g, x) if one.is_fit and one.shape]
    if not made:
        return made
    g.pool += made
    return g.one([*LAYERS, branch])(g, g.quantize(made[0]))


WIDER: list[Rule] = [
    quantized, quantized, dequantized, shared_weights, batched, batched, select, movement, movement,
    movement, of_two, of_two, attention, pools, separable, separable, more,
]  # fmt: skip
