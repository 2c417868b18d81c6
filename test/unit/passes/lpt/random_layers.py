"""The layers that random quantized models are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i64,
)

from lowstream.dialects import nn
from lowstream.test.unit.passes.lpt.random_graphs import LARGEST, Known, RandomGraph

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
"""Whose multiples never come to the same point."""

Rule = Callable[[RandomGraph, Known], Sequence[Known]]


def i64s(numbers: Sequence[int]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, [int(number) for number in numbers])


def boolean(value: bool) -> BoolAttr:
    return BoolAttr.from_bool(value)


def window(g: RandomGraph, x: Known, most: int) -> dict[str, list[int]] | None:
    """A window that fits, as lists of sizes."""
    sizes = x.shape[2:]
    if not 1 <= len(sizes) <= 3 or min(sizes, default=0) < 1:
        return None
    kernel = [g.number(1, min(most, size)) for size in sizes]
    pads = [[g.one([0, 0, k // 2]) for k in kernel] for _ in range(2)]
    return {
        "kernel": kernel,
        "strides": [g.one([1, 1, 2]) for _ in sizes],
        "pads_begin": pads[0],
        "pads_end": pads[1],
        "dilations": [
            1 if 2 * k - 1 > size else g.one([1, 1, 2])
            for k, size in zip(kernel, sizes, strict=True)
        ],
    }


def convolution(g: RandomGraph, x: Known) -> Sequence[Known]:
    """One of the four kinds, with a bias or none."""
    if (found := window(g, x, 3)) is None:
        return []
    channels, kernel = x.shape[1], found.pop("kernel")
    backward, grouped = g.chance(0.25), g.chance(0.4)
    groups = g.one([n for n in range(1, channels + 1) if channels % n == 0]) if grouped else 1
    inputs, outputs = channels // groups, g.number(1, 3)
    order = (inputs, outputs) if backward else (outputs, inputs)
    shape = (*((groups,) if grouped else ()), *order, *kernel)
    filters = g.weights(shape, grouped + backward, columns=grouped and not backward)
    if backward:
        found |= {"pads_begin": [0] * len(kernel), "pads_end": [0] * len(kernel)}
        found["output_padding"] = [0] * len(kernel)
    kinds = {
        (False, False): nn.ConvolutionOp,
        (False, True): nn.GroupConvolutionOp,
        (True, False): nn.ConvolutionBackpropDataOp,
        (True, True): nn.GroupConvolutionBackpropDataOp,
    }
    properties = {key: i64s(value) for key, value in found.items()}
    y = g.add(kinds[backward, grouped], x, filters, **properties)
    if g.chance():
        bias = g.random.normal(size=(1, y.shape[1], *[1] * len(kernel)))
        y = g.add(nn.AddOp, y, g.constant(bias))
    return [y]


def product(g: RandomGraph, x: Known) -> Sequence[Known]:
    """With constant weights, or with another value of the model."""
    if len(x.shape) < 2:
        return []
    flip_a, flip_b = g.chance(0.2), g.chance()
    depth = x.shape[-2] if flip_a else x.shape[-1]

    def fits(y: Known) -> bool:
        return (
            len(y.shape) > 1
            and y.shape[-1 if flip_b else -2] == depth
            and meet(x.shape[:-2], y.shape[:-2])
        )

    if g.chance(0.3) and any(map(fits, g.pool)):
        y = g.quantize(g.pick(fits))
    else:
        columns = g.number(1, 6)
        y = g.weights((columns, depth) if flip_b else (depth, columns), 0 if flip_b else 1)
    flags = {"transpose_a": boolean(flip_a), "transpose_b": boolean(flip_b)}
    result = g.add(nn.MatMulOp, x, y, **flags)
    if g.chance(0.3):
        result = g.add(nn.AddOp, result, g.constant(g.random.normal(size=result.shape[-1])))
    return [result]


def meet(left: Sequence[int], right: Sequence[int]) -> bool:
    try:
        return math.prod(np.broadcast_shapes(tuple(left), tuple(right))) <= LARGEST
    except ValueError:
        return False


def pooling(g: RandomGraph, x: Known) -> Sequence[Known]:
    if (found := window(g, x, 3)) is None:
        return []
    # A window that lies in the padding alone has no maximum.
    for key in ("pads_begin", "pads_end"):
        found[key] = [
            min(pad, (k - 1) // 2) for pad, k in zip(found[key], found["kernel"], strict=True)
        ]
    found["dilations"] = [1] * len(found["kernel"])
    properties: dict[str, Any] = {key: i64s(value) for key, value in found.items()}
    properties["rounding_type"] = StringAttr(g.one(["floor", "ceil", "ceil_torch"]))
    if g.chance():
        return [g.add(nn.MaxPoolOp, x, **properties)]
    x = g.quantize(x)
    step = g.step
    mean = g.add(nn.AvgPoolOp, x, exclude_pad=boolean(g.chance()), **properties)
    # Means of codes may be codes, each half of one away; `noise` counts fourfold. No two are equally far: what takes
    # their difference would not see it.
    wave = np.cos(np.arange(mean.array.size) * GOLDEN_ANGLE).reshape(mean.shape)
    apart = g.random.choice([-1, 1], mean.shape) * (1.5 + wave / 2) * step / 8
    return [replace(mean, echo=g.cast(mean.echo + apart))]


def arithmetic(g: RandomGraph, x: Known) -> Sequence[Known]:
    """With a constant, or with another value: a residual."""
    kind = g.one([nn.AddOp, nn.AddOp, nn.MultiplyOp, nn.SubtractOp])
    if g.chance(0.6):
        y = g.pick(lambda y: meet(x.shape, y.shape))
        y = g.quantize(y) if g.chance(0.7) else y
    else:
        channel_shape = [size if i == 1 else 1 for i, size in enumerate(x.shape)]
        y = g.constant(g.random.normal(1, 1, g.one([(), channel_shape, x.shape])))
    pair = (x, y) if g.chance(0.8) else (y, x)
    z = g.add(kind, *pair)
    # Values of one grid have one echo, which vanishes in their difference; what rounds each of them does not.
    largest = max(float(np.max(abs(one.array), initial=0.0)) for one in pair)
    rounding = float(np.finfo(z.array.dtype).eps) / 2 * largest
    return [z if kind is nn.MultiplyOp else replace(z, echo=g.cast(z.echo + rounding))]


def activation(g: RandomGraph, x: Known) -> Sequence[Known]:
    match g.number(0, 4):
        case 0 | 1:
            return [g.add(nn.ReluOp, x)]
        case 2:
            return [clamp(g, x, *sorted(g.random.normal(0, 2, 2)))]
        case 3 if len(x.shape) > 1:
            slopes = g.random.uniform(-0.5, 1.5, g.one([1, x.shape[1]]))
            return [g.add(nn.PReluOp, x, g.constant(slopes))]
        case _:
            return [g.add(g.one([nn.SigmoidOp, nn.TanhOp]), x)]


def clamp(g: RandomGraph, x: Known, low: float, high: float) -> Known:
    """What is at a limit does not show what disturbed it."""
    return rounded(g, g.add(nn.ClampOp, x, min=FloatAttr(low, f64), max=FloatAttr(high, f64)))


def rounded(g: RandomGraph, y: Known) -> Known:
    """With the echo of limits that are codes: `low / scale + zero_point`, rounded as a number as large as codes are."""
    rounding = float(np.finfo(y.array.dtype).eps) / 2 * y.reach
    return replace(y, echo=g.cast(y.echo + rounding))


def concat(g: RandomGraph, x: Known) -> Sequence[Known]:
    if not x.shape:
        return []
    axis = g.number(0, len(x.shape) - 1)

    def fits(y: Known) -> bool:
        return len(x.shape) == len(y.shape) and all(
            m == n for i, (m, n) in enumerate(zip(x.shape, y.shape, strict=True)) if i != axis
        )

    others = [g.pick(fits) for _ in range(g.number(1, 2)) if any(map(fits, g.pool))]
    others = [g.quantize(other) if g.chance(0.7) else other for other in others] or [x]
    return [g.add(nn.ConcatOp, x, *others, axis=IntegerAttr(axis, i64))]


def split(g: RandomGraph, x: Known) -> Sequence[Known]:
    options = [i for i, size in enumerate(x.shape) if size > 1]
    if not options:
        return []
    axis = g.one(options)
    size, at = x.shape[axis], g.constant(axis, np.int64)
    if g.chance():
        first = g.number(1, size - 1)
        return g.many(nn.VariadicSplitOp, x, at, g.indices(first, size - first))
    parts = g.one([n for n in range(2, size + 1) if size % n == 0])
    return g.many(nn.SplitOp, x, at, num_splits=IntegerAttr(parts, i64))


def slices(g: RandomGraph, x: Known) -> Sequence[Known]:
    options = [i for i, size in enumerate(x.shape) if size > 1]
    if not options:
        return []
    axis = g.one(options)
    start, stop, step = g.one([(0, -1, 1), (1, 100, 1), (0, 100, 2), (-1, -100, -1)])
    if g.chance():
        limits = [g.indices(number) for number in (start, stop, step, axis)]
        return [g.add(nn.SliceOp, x, *limits)]
    rank = len(x.shape)
    begin, end = ([number if i == axis else 0 for i in range(rank)] for number in (start, stop))
    steps = [step if i == axis else 1 for i in range(rank)]
    whole = [int(i != axis) for i in range(rank)]
    none = i64s([0] * rank)
    masks = {
        "begin_mask": i64s(whole), "end_mask": i64s(whole), "new_axis_mask": none,
        "shrink_axis_mask": none, "ellipsis_mask": none,
    }  # fmt: skip
    return [
        g.add(nn.StridedSliceOp, x, *(g.indices(*part) for part in (begin, end, steps)), **masks)
    ]


def pad(g: RandomGraph, x: Known) -> Sequence[Known]:
    if not x.shape:
        return []
    mode = g.one(["constant", "constant", "edge", "reflect", "symmetric"])
    begin, end = ([min(g.number(-1, 1), size - 1) for size in x.shape] for _ in range(2))
    pads = [
        [max(n, 0) if size < 3 else n for n, size in zip(part, x.shape, strict=True)]
        for part in (begin, end)
    ]
    numbers = [g.indices(*part) for part in pads]
    value = [g.constant(g.one([0, 0, 0.5]))] if mode == "constant" and g.chance() else []
    return [g.add(nn.PadOp, x, *numbers, *value, pad_mode=StringAttr(mode))]


def reshape(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    match g.number(0, 4):
        case 0 if rank > 2:
            return [g.add(nn.ReshapeOp, x, g.indices(0, 0, -1), special_zero=boolean(True))]
        case 1 if rank > 1:
            at = g.number(0, rank - 2)
            merged = (*x.shape[:at], x.shape[at] * x.shape[at + 1], *x.shape[at + 2 :])
            return [g.add(nn.ReshapeOp, x, g.indices(*merged))]
        case 2 if 1 in x.shape and rank > 2:
            ones = [i for i, size in enumerate(x.shape) if size == 1]
            return [g.add(nn.SqueezeOp, x, g.indices(g.one(ones)))]
        case 3 if rank < 5:
            return [g.add(nn.UnsqueezeOp, x, g.indices(g.number(0, rank)))]
        case _:
            target = [2 if size == 1 and g.chance() else size for size in x.shape]
            return [g.add(nn.BroadcastOp, x, g.indices(*target))]


def transpose(g: RandomGraph, x: Known) -> Sequence[Known]:
    return [g.add(nn.TransposeOp, x, g.indices(*g.random.permutation(len(x.shape))))]


def interpolate(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    if rank < 3:
        return []
    axes = range(2, rank)
    mode = g.one(["nearest", "nearest", "linear_onnx", "linear", "cubic"])
    if mode == "linear_onnx" and rank - 2 > 3:
        return []
    sizes = [g.number(1, 2) * x.shape[axis] for axis in axes]
    properties: dict[str, Any] = {
        "mode": StringAttr(mode),
        "shape_calculation_mode": StringAttr("sizes"),
        "coordinate_transformation_mode": StringAttr(
            g.one(["asymmetric", "half_pixel", "align_corners"])
        ),
        "antialias": boolean(False),
        "pads_begin": i64s([]),
        "pads_end": i64s([]),
    }
    return [g.add(nn.InterpolateOp, x, g.indices(*sizes), g.indices(*axes), **properties)]


def reduction(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    if rank < 2:
        return []
    kind = g.one([nn.ReduceMeanOp, nn.ReduceSumOp, nn.ReduceMaxOp, nn.ReduceMinOp])
    axes = g.indices(*sorted(g.random.choice(rank, g.number(1, rank - 1), replace=False)))
    return [g.add(kind, x, axes, keep_dims=boolean(g.chance(0.7)))]


def normalization(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    if rank < 2:
        return []
    axes = g.indices(*g.one([range(1, rank), range(2, rank) if rank > 2 else [1], [1]]))
    eps = FloatAttr(g.one([1e-3, 1e-2]), f64)
    if g.chance():
        mode = StringAttr(g.one(["inside_sqrt", "outside_sqrt"]))
        scaled = boolean(g.chance(0.7))
        return [g.add(nn.MvnOp, x, axes, eps=eps, eps_mode=mode, normalize_variance=scaled)]
    mode = StringAttr(g.one(["add", "max"]))
    return [g.add(nn.NormalizeL2Op, x, axes, eps=eps, eps_mode=mode)]


def gather(g: RandomGraph, x: Known) -> Sequence[Known]:
    if not x.shape:
        return []
    axis = g.number(0, len(x.shape) - 1)
    size = x.shape[axis]
    at = g.one([(), (g.number(1, 4),), (2, 2)])
    indices = g.constant(g.random.integers(0, size, at), np.int64)
    return [
        g.add(nn.GatherOp, x, indices, g.constant(axis, np.int64), batch_dims=IntegerAttr(0, i64))
    ]


def blocks(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Depth, batch and channels change places."""
    rank = len(x.shape)
    if rank < 3 or rank > 5:
        return []
    spatial = rank - 2
    kind = g.number(0, 2)
    if x.shape[1] % 2**spatial == 0:
        mode = StringAttr(g.one(["blocks_first", "depth_first"]))
        return [g.add(nn.DepthToSpaceOp, x, mode=mode, block_size=IntegerAttr(2, i64))]
    if kind < 2 and x.shape[0] % 2 == 0:
        numbers = [[1, 1, 2, *[1] * (spatial - 1)], [0] * rank, [0] * rank]
        return [g.add(nn.BatchToSpaceOp, x, *(g.indices(*part) for part in numbers))]
    if kind > 0 and x.shape[2] % 2 == 0:
        numbers = [[1, 1, 2, *[1] * (spatial - 1)], [0] * rank, [0] * rank]
        return [g.add(nn.SpaceToBatchOp, x, *(g.indices(*part) for part in numbers))]
    if x.shape[1] % 2 == 0:
        return [g.add(nn.ShuffleChannelsOp, x, axis=IntegerAttr(1, i64), group=IntegerAttr(2, i64))]
    return []


LAYERS: list[Rule] = [
    convolution, convolution, convolution, convolution, product, product, pooling, pooling,
    arithmetic, arithmetic, arithmetic, arithmetic, activation, activation, concat, concat, split,
    slices, pad, reshape, transpose, interpolate, reduction, normalization, gather, blocks, blocks,
]  # fmt: skip
