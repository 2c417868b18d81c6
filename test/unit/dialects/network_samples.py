"""`SAMPLERS`, with operands for the operations of `nn` that networks beyond recurrent ones are made of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute

from lowstream.dialects import nn
from lowstream.reference.arrays import Array
from lowstream.test.unit.dialects.sampling import SAMPLERS as SAMPLERS
from lowstream.test.unit.dialects.sampling import (
    Draw,
    Kind,
    Sample,
    array,
    dtypes,
    sampled,
    shapes,
    sizes,
)


def string(*values: str) -> st.SearchStrategy[StringAttr]:
    return st.sampled_from(list(map(StringAttr, values)))


@sampled(nn.AbsOp, nn.NegativeOp, nn.FloorOp, nn.CeilingOp, nn.SignOp)
def unary(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(dtypes))])


@sampled(*(op for op in nn.Nn.operations if issubclass(op, nn.FloatingOp)))
def floating(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(floats))])


floats = st.sampled_from([np.float32, np.float64, np.float16])


@sampled(*(op for op in nn.Nn.operations if issubclass(op, nn.BitwiseOp | nn.BitwiseNotOp)))
def bits(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(shapes), draw(st.sampled_from([np.int8, np.uint8, np.int32, np.int64]))
    return Sample([array(shape, dtype) for _ in op.get_irdl_definition().operands])


@sampled(nn.IsNanOp, nn.IsInfOp, nn.IsFiniteOp)
def classification(op: Kind, draw: Draw) -> Sample:
    names = op.get_irdl_definition().properties
    flags: dict[str, Attribute] = {name: BoolAttr.from_bool(draw(st.booleans())) for name in names}
    return Sample([array(draw(shapes), draw(floats))], flags)


@sampled(nn.IdentityOp)
def identity(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(dtypes))])


@sampled(nn.ConvertLikeOp)
def convert_like(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(dtypes)), array([2], draw(floats))])


@sampled(nn.SeluOp)
def selu(op: Kind, draw: Draw) -> Sample:
    dtype = draw(floats)
    return Sample([array(draw(shapes), dtype), array([], dtype), array([1], dtype)])


@sampled(nn.RoundOp)
def round_(op: Kind, draw: Draw) -> Sample:
    mode = draw(string("half_to_even", "half_away_from_zero"))
    return Sample([array(draw(shapes), draw(dtypes))], {"mode": mode})


@sampled(nn.PReluOp)
def p_relu(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(st.lists(sizes, min_size=1, max_size=4)), draw(floats)
    slopes = [[1], [draw(st.sampled_from([1, size])) for size in shape]]
    if len(shape) > 1:
        slopes.append([shape[1]])
    return Sample([array(shape, dtype), array(draw(st.sampled_from(slopes)), dtype)])


@sampled(nn.EluOp)
def elu(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(floats))], {"alpha": FloatAttr(0.5, f64)})


@sampled(nn.HardSigmoidOp)
def hard_sigmoid(op: Kind, draw: Draw) -> Sample:
    dtype, shape = draw(floats), draw(st.sampled_from([[], [1]]))
    return Sample([array(draw(shapes), dtype), array(shape, dtype), array(shape, dtype)])


@sampled(nn.SwishOp)
def swish(op: Kind, draw: Draw) -> Sample:
    dtype = draw(floats)
    beta = [array([], dtype)] if draw(st.booleans()) else []
    return Sample([array(draw(shapes), dtype), *beta])


@sampled(nn.GeluOp)
def gelu(op: Kind, draw: Draw) -> Sample:
    mode: dict[str, Attribute] = {"approximation_mode": draw(string("erf", "tanh"))}
    return Sample([array(draw(shapes), draw(floats))], mode)


def i64s(values: Sequence[int]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, list(values))


MODES = string("explicit", "explicit", "valid", "same_upper", "same_lower")


def several(draw: Draw, count: int, low: int, high: int) -> list[int]:
    return draw(st.lists(st.integers(low, high), min_size=count, max_size=count))


def geometry(draw: Draw, rank: int) -> dict[str, Attribute]:
    pads = {name: i64s(several(draw, rank, 0, 1)) for name in ("pads_begin", "pads_end")}
    steps = {name: i64s(several(draw, rank, 1, 2)) for name in ("strides", "dilations")}
    return {**pads, **steps, "auto_pad": draw(MODES)}


FACTORS = st.sampled_from([(np.float32,) * 2, (np.uint8, np.int8), (np.int8, np.int8)])


@sampled(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(op: Kind, draw: Draw) -> Sample:
    rank, (batch, inputs, outputs) = draw(st.integers(1, 2)), several(draw, 3, 1, 3)
    groups = draw(st.integers(1, 2)) if op is nn.GroupConvolutionOp else 1
    kernel, (left, right) = several(draw, rank, 1, 2), draw(FACTORS)
    filters = [groups, outputs, inputs] if op is nn.GroupConvolutionOp else [outputs, inputs]
    x = array([batch, groups * inputs, *several(draw, rank, 3, 5)], left)
    return Sample([x, array([*filters, *kernel], right)], geometry(draw, rank))


@sampled(nn.ConvolutionBackpropDataOp, nn.GroupConvolutionBackpropDataOp)
def convolution_backprop_data(op: Kind, draw: Draw) -> Sample:
    rank, (batch, inputs, outputs) = draw(st.integers(1, 2)), several(draw, 3, 1, 3)
    grouped = op is nn.GroupConvolutionBackpropDataOp
    groups = draw(st.integers(1, 2)) if grouped else 1
    kernel, (left, right) = several(draw, rank, 1, 2), draw(FACTORS)
    filters = [groups, inputs, outputs] if grouped else [inputs, outputs]
    x = array([batch, groups * inputs, *several(draw, rank, 3, 4)], left)
    operands = [x, array([*filters, *kernel], right)]
    if shaped := draw(st.booleans()):
        operands.append(np.array(several(draw, rank, 3, 9), np.int64))
    constant = frozenset({2}) if shaped and draw(st.booleans()) else frozenset[int]()
    more: dict[str, Attribute] = {"output_padding": i64s(several(draw, rank, 0, 2))}
    return Sample(operands, geometry(draw, rank) | more, constant)


@sampled(nn.MaxPoolOp, nn.AvgPoolOp)
def pooling(op: Kind, draw: Draw) -> Sample:
    rank = draw(st.integers(1, 2))
    properties = geometry(draw, rank)
    properties["kernel"] = i64s(several(draw, rank, 1, 2))
    properties["rounding_type"] = draw(string("floor", "ceil", "ceil_torch"))
    if op is nn.AvgPoolOp:
        properties["exclude_pad"] = BoolAttr.from_bool(draw(st.booleans()))
    shape = [*several(draw, 2, 1, 2), *several(draw, rank, 3, 5)]
    return Sample([array(shape, draw(dtypes))], properties)


def some_axes(draw: Draw, rank: int) -> Array:
    axes = draw(st.lists(st.integers(-rank, rank - 1), unique_by=lambda axis: axis % rank))
    return np.array(axes, np.int64)


REDUCTIONS = [op for op in nn.Nn.operations if issubclass(op, nn.ReduceOp)]


@sampled(*REDUCTIONS)
def reduction(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    x = array(shape, draw(dtypes))
    if op in (nn.ReduceLogicalAndOp, nn.ReduceLogicalOrOp):
        x = x > 2
    flag: dict[str, Attribute] = {"keep_dims": BoolAttr.from_bool(draw(st.booleans()))}
    return Sample([x, some_axes(draw, len(shape))], flag, frozenset({1}))


@sampled(nn.SoftmaxOp, nn.LogSoftmaxOp)
def softmax(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    return Sample([array(shape, draw(floats))], {"axis": IntegerAttr(axis, i64)})


@sampled(nn.MvnOp, nn.NormalizeL2Op)
def normalization(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    properties: dict[str, Attribute] = {"eps": FloatAttr(draw(st.sampled_from([0.0, 1e-6])), f64)}
    if op is nn.MvnOp:
        properties["eps_mode"] = draw(string("inside_sqrt", "outside_sqrt"))
        properties["normalize_variance"] = BoolAttr.from_bool(draw(st.booleans()))
    else:
        properties["eps_mode"] = draw(string("add", "max"))
    return Sample(
        [array(shape, draw(floats)), some_axes(draw, len(shape))], properties, frozenset({1})
    )


def some(draw: Draw, *positions: int) -> frozenset[int]:
    """All of the positions, or none of them."""
    return frozenset(positions) if draw(st.booleans()) else frozenset[int]()


@sampled(nn.PadOp)
def pad(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(st.integers(2, 4), max_size=3))
    mode, dtype = draw(string("constant", "edge", "reflect", "symmetric")), draw(dtypes)
    pads = [np.array(several(draw, len(shape), -1, 1), np.int64) for _ in range(2)]
    value = [array([], dtype)] if draw(st.booleans()) else []
    return Sample([array(shape, dtype), *pads, *value], {"pad_mode": mode}, some(draw, 1, 2))


@sampled(nn.DepthToSpaceOp, nn.SpaceToDepthOp)
def depth(op: Kind, draw: Draw) -> Sample:
    rank, block = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    batch, channels, *spatial = several(draw, rank + 2, 1, 2)
    if op is nn.DepthToSpaceOp:
        channels *= block**rank
    else:
        spatial = [size * block for size in spatial]
    mode: dict[str, Attribute] = {"mode": draw(string("blocks_first", "depth_first"))}
    return Sample(
        [array([batch, channels, *spatial], draw(dtypes))],
        mode | {"block_size": IntegerAttr(block, i64)},
    )


@sampled(nn.BatchToSpaceOp, nn.SpaceToBatchOp)
def batch(op: Kind, draw: Draw) -> Sample:
    rank = draw(st.integers(1, 3))
    blocks, spaces = several(draw, rank, 1, 2), several(draw, rank, 2, 3)
    begin, end = several(draw, rank, 0, 1), several(draw, rank, 0, 1)
    count = draw(sizes)
    if op is nn.BatchToSpaceOp:
        count *= int(np.prod(blocks))
        spaces = [size + 1 for size in spaces]
    else:
        end = [-(size + b) % block for size, b, block in zip(spaces, begin, blocks, strict=True)]
    numbers = [np.array(part, np.int64) for part in ([1, *blocks], [0, *begin], [0, *end])]
    return Sample([array([count, *spaces]), *numbers], constant=some(draw, 1, 2, 3))


@sampled(nn.ShuffleChannelsOp)
def shuffle_channels(op: Kind, draw: Draw) -> Sample:
    shape, group = draw(st.lists(sizes, min_size=1, max_size=3)), draw(sizes)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] *= group
    return Sample(
        [array(shape)], {"axis": IntegerAttr(axis, i64), "group": IntegerAttr(group, i64)}
    )


@sampled(nn.RollOp)
def roll(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axes = draw(st.lists(st.integers(-len(shape), len(shape) - 1), max_size=3))
    shifts = several(draw, draw(st.sampled_from([1, len(axes)])), -9, 9)
    return Sample(
        [array(shape, draw(dtypes)), np.array(shifts, np.int64), np.array(axes, np.int64)]
    )


@sampled(nn.GatherOp)
def gather(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(0, len(shape) - 1))
    batch = draw(st.integers(0, axis))
    more = draw(st.lists(sizes, max_size=2))
    indices = several(draw, int(np.prod([*shape[:batch], *more], dtype=int)), -5, 5)
    operands = [
        array(shape, draw(dtypes)),
        np.array(indices, np.int32).reshape([*shape[:batch], *more]),
        np.array(axis - draw(st.sampled_from([0, len(shape)])), np.int32),
    ]
    return Sample(operands, {"batch_dims": IntegerAttr(batch, i64)}, frozenset({2}))


@sampled(nn.StridedSliceOp)
def strided_slice(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, max_size=3))
    masks = {f"{name}_mask": [] for name in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")}
    begin, end, steps = [], [], []
    keeps = draw(st.booleans())
    for kind in draw(st.permutations([*["slice"] * len(shape), "new", "ellipsis"])):
        if kind == "slice" and draw(st.integers(0, 3)) == 0:
            continue
        if (kind == "new" and keeps) or (kind == "ellipsis" and not keeps):
            continue
        shrinks = kind == "slice" and keeps is False and draw(st.booleans())
        begin.append(0 if shrinks else draw(st.integers(-5, 5)))
        end.append(draw(st.integers(-5, 5)))
        steps.append(draw(st.sampled_from([1, 2, -1, -2])))
        flags = (
            draw(st.booleans()),
            draw(st.booleans()),
            kind == "new",
            shrinks,
            kind == "ellipsis",
        )
        for mask, flag in zip(masks.values(), flags, strict=True):
            mask.append(int(flag))
    numbers = [np.array(part, np.int64) for part in (begin, end, steps)]
    if draw(st.booleans()):
        numbers.pop()
    properties: dict[str, Attribute] = {name: i64s(mask) for name, mask in masks.items()}
    return Sample([array(shape), *numbers], properties, some(draw, *range(1, len(numbers) + 1)))


@sampled(nn.VariadicSplitOp)
def variadic_split(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    lengths = several(draw, draw(st.integers(1, 3)), 0, 3)
    shape[axis] = sum(lengths)
    if draw(st.booleans()):
        lengths[draw(st.integers(0, len(lengths) - 1))] = -1
    constant = frozenset({1}) | some(draw, 2)
    return Sample([array(shape), np.array(axis), np.array(lengths, np.int64)], constant=constant)


@sampled(nn.ReverseSequenceOp)
def reverse_sequence(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=2, max_size=3))
    batch, steps, *_ = draw(st.permutations(range(len(shape))))
    lengths = np.array(several(draw, shape[batch], 0, shape[steps]), np.int32)
    axes = {"batch_axis": batch - draw(st.sampled_from([0, len(shape)])), "seq_axis": steps}
    return Sample(
        [array(shape), lengths], {name: IntegerAttr(axis, i64) for name, axis in axes.items()}
    )


@sampled(nn.TileOp)
def tile(op: Kind, draw: Draw) -> Sample:
    repeats = np.array(draw(st.lists(st.integers(0, 3), max_size=3)), np.int64)
    return Sample([array(draw(st.lists(sizes, max_size=3))), repeats], constant=some(draw, 1))


@sampled(nn.RangeOp)
def range_(op: Kind, draw: Draw) -> Sample:
    kind = draw(st.sampled_from([np.int64, np.float32]))
    step = draw(st.sampled_from([1, 2, -1, 3]))
    numbers = [np.array(n, kind) for n in (*several(draw, 2, -5, 5), step)]
    output: dict[str, Attribute] = {"output_type": draw(st.sampled_from([f32, i32, i64]))}
    return Sample(numbers, output, frozenset({0, 1, 2}))


@sampled(nn.OneHotOp)
def one_hot(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(st.lists(sizes, max_size=2)), draw(dtypes)
    indices, axis = array(shape, np.int32), draw(st.integers(-1, len(shape)))
    values = [np.array(value, dtype) for value in (5, 1)]
    depth = np.array(draw(st.integers(0, 9)), np.int64)
    mode = draw(string("ignore_negative", "normalize"))
    properties = {"axis": IntegerAttr(axis, i64), "negative_indices_mode": mode}
    return Sample([indices - draw(sizes), depth, *values], properties, some(draw, 1))


@sampled(nn.InterpolateOp)
def interpolate(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axes = some_axes(draw, len(shape))
    by_sizes = draw(st.booleans())
    wanted = [draw(st.integers(1, 6)) if by_sizes else draw(SCALES) for _ in axes]
    numbers = np.array(wanted, np.int64 if by_sizes else np.float32)
    pads = {name: i64s(several(draw, len(shape), 1, 1)) for name in ("pads_begin", "pads_end")}
    properties: dict[str, Attribute] = {
        "mode": draw(
            string("nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow")
        ),
        "shape_calculation_mode": StringAttr("sizes" if by_sizes else "scales"),
        "antialias": BoolAttr.from_bool(draw(st.booleans())),
        **(pads if draw(st.booleans()) else {name: i64s([]) for name in pads}),
    }
    constant = frozenset({1, 2} if not by_sizes or draw(st.booleans()) else {2})
    return Sample([array(shape, draw(dtypes)), numbers, axes], properties, constant)


SCALES = st.sampled_from([0.5, 0.75, 1.0, 1.5, 2.0])
