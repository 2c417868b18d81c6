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
        "mode": draw(string("nearest", "linear", "linear_onnx", "cubic")),
        "shape_calculation_mode": StringAttr("sizes" if by_sizes else "scales"),
        "antialias": BoolAttr.from_bool(draw(st.booleans())),
        **(pads if draw(st.booleans()) else {name: i64s([]) for name in pads}),
    }
    constant = frozenset({1, 2} if not by_sizes or draw(st.booleans()) else {2})
    return Sample([array(shape, draw(dtypes)), numbers, axes], properties, constant)


SCALES = st.sampled_from([0.5, 0.75, 1.0, 1.5, 2.0])


@sampled(nn.GatherElementsOp)
def gather_elements(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    wanted = [draw(st.integers(1, size)) for size in shape]
    wanted[axis] = draw(sizes)
    indices = np.array(several(draw, int(np.prod(wanted)), -5, 5), np.int32).reshape(wanted)
    return Sample([array(shape, draw(dtypes)), indices], {"axis": IntegerAttr(axis, i64)})


@sampled(nn.GatherNdOp)
def gather_nd(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=4))
    batch = draw(st.integers(0, len(shape) - 1))
    named = draw(st.integers(0 if op is nn.GatherNdOp else 1, len(shape) - batch))
    places = [*shape[:batch], *draw(st.lists(sizes, max_size=2)), named]
    indices = np.array(several(draw, int(np.prod(places)), -3, 3), np.int64).reshape(places)
    return Sample([array(shape, draw(dtypes)), indices], {"batch_dims": IntegerAttr(batch, i64)})


@sampled(nn.ReverseOp)
def reverse(op: Kind, draw: Draw) -> Sample:
    shape, mode = draw(st.lists(sizes, min_size=1, max_size=3)), draw(string("index", "mask"))
    flags = np.array([draw(st.booleans()) for _ in shape])
    axes = some_axes(draw, len(shape)) if mode.data == "index" else flags
    return Sample([array(shape, draw(dtypes)), axes], {"mode": mode}, frozenset({1}))


@sampled(nn.SliceScatterOp)
def slice_scatter(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(st.lists(sizes, min_size=1, max_size=3)), draw(dtypes)
    axes = some_axes(draw, len(shape))
    starts, stops = (several(draw, len(axes), -5, 5) for _ in range(2))
    steps = draw(st.lists(st.sampled_from([1, 2, -1]), min_size=len(axes), max_size=len(axes)))
    part = [slice(None)] * len(shape)
    for axis, *limits in zip(axes, starts, stops, steps, strict=True):
        part[axis] = slice(*limits)
    data = array(shape, dtype)
    limits = [np.array(each, np.int64) for each in (starts, stops, steps)]
    return Sample([data, -data[tuple(part)], *limits, axes], constant=frozenset({2, 3, 4, 5}))


@sampled(nn.ExtractImagePatchesOp)
def extract_image_patches(op: Kind, draw: Draw) -> Sample:
    numbers = {name: i64s(several(draw, 2, 1, 2)) for name in ("sizes", "strides", "rates")}
    mode = draw(string("valid", "same_upper", "same_lower"))
    shape = [*several(draw, 2, 1, 2), *several(draw, 2, 3, 5)]
    return Sample([array(shape, draw(dtypes))], {**numbers, "auto_pad": mode})


@sampled(nn.BucketizeOp)
def bucketize(op: Kind, draw: Draw) -> Sample:
    flag = {"with_right_bound": BoolAttr.from_bool(draw(st.booleans()))}
    buckets = np.array(sorted(several(draw, draw(sizes), -5, 5)), draw(floats))
    return Sample([array(draw(shapes), draw(dtypes)), buckets], {**flag, "output_type": i32})


@sampled(nn.SearchSortedOp)
def search_sorted(op: Kind, draw: Draw) -> Sample:
    batch, dtype = draw(st.lists(sizes, min_size=1, max_size=2)), draw(dtypes)
    rows = np.sort(array([*batch, draw(sizes)], dtype), -1)
    flag = {"right_mode": BoolAttr.from_bool(draw(st.booleans()))}
    row = rows if draw(st.booleans()) else rows.reshape(-1, rows.shape[-1])[0]
    return Sample([row, array([*batch, draw(sizes)], dtype)], {**flag, "output_type": i64})


@sampled(nn.EyeOp)
def eye(op: Kind, draw: Draw) -> Sample:
    numbers = [np.array(n, np.int64) for n in (*several(draw, 2, 1, 4), draw(st.integers(-3, 3)))]
    if draw(st.booleans()):
        numbers.append(np.array(draw(st.lists(sizes, max_size=2)), np.int64))
    output: dict[str, Attribute] = {"output_type": draw(st.sampled_from([f32, i32]))}
    return Sample(numbers, output, frozenset({0, 1, 2, 3}) & frozenset(range(len(numbers))))


@sampled(nn.ScatterUpdateOp)
def scatter_update(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(st.lists(sizes, min_size=1, max_size=3)), draw(dtypes)
    axis, more = draw(st.integers(0, len(shape) - 1)), draw(st.lists(sizes, max_size=2))
    indices = np.array(several(draw, int(np.prod(more)), -5, 5), np.int32).reshape(more)
    updates = array([*shape[:axis], *more, *shape[axis + 1 :]], dtype)
    along = np.array(axis - draw(st.sampled_from([0, len(shape)])), np.int64)
    return Sample([array(shape, dtype), indices, updates, along], constant=frozenset({3}))


@sampled(nn.ScatterElementsUpdateOp)
def scatter_elements_update(op: Kind, draw: Draw) -> Sample:
    data, indices = gather_elements(op, draw).operands
    axis = draw(st.integers(0, data.ndim - 1))
    kind = draw(string("none", "sum", "prod", "min", "max", "mean"))
    if kind.data == "mean" and data.dtype == np.float16:
        data = data.astype(np.float32)
    indices = np.clip(indices, -5, 5)[tuple(slice(size) for size in data.shape)]
    flag = {"use_init_val": BoolAttr.from_bool(draw(st.booleans()))}
    updates, along = array(indices.shape, data.dtype), np.array(axis, np.int64)
    return Sample([data, indices, updates, along], {**flag, "reduction": kind}, frozenset({3}))


@sampled(nn.ScatterNdUpdateOp)
def scatter_nd_update(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(st.lists(sizes, min_size=1, max_size=3)), draw(dtypes)
    named = draw(st.integers(1, len(shape)))
    places = draw(st.lists(sizes, max_size=2))
    indices = np.array(several(draw, int(np.prod(places)) * named, -3, 3), np.int64)
    kind = draw(string("none", "sum", "sub", "prod", "min", "max"))
    return Sample(
        [
            array(shape, dtype),
            indices.reshape([*places, named]),
            array([*places, *shape[named:]], dtype),
        ],
        {"reduction": kind},
    )


@sampled(nn.TopKOp)
def top_k(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] = draw(st.sampled_from([1, 5, 9, 67]))
    count = draw(st.sampled_from([1, 3, 66, shape[axis]]))
    kinds = {"mode": draw(string("max", "min")), "sort": draw(string("value", "index", "none"))}
    index: dict[str, Attribute] = {"index_element_type": draw(st.sampled_from([i32, i64]))}
    k = np.array(min(count, shape[axis]), np.int64)
    axes: dict[str, Attribute] = {"axis": IntegerAttr(axis, i64)}
    return Sample([array(shape, draw(dtypes)), k], {**kinds, **axes, **index}, frozenset({1}))


@sampled(nn.NonZeroOp)
def non_zero(op: Kind, draw: Draw) -> Sample:
    x = array(draw(st.lists(sizes, min_size=1, max_size=3)), draw(dtypes)) % 3
    return Sample([x], {"output_type": draw(st.sampled_from([i32, i64]))})


@sampled(nn.BatchNormInferenceOp, nn.GroupNormalizationOp, nn.GrnOp)
def of_channels(op: Kind, draw: Draw) -> Sample:
    groups, dtype = draw(st.integers(1, 2)), draw(floats)
    shape = [*several(draw, 2, 1, 2), *draw(st.lists(sizes, max_size=2))]
    shape[1] *= groups
    count = len(op.get_irdl_definition().operands)
    vectors = [array(shape[1:2], dtype) for _ in range(count - 1)]
    number = FloatAttr(0.25, f64)
    properties: dict[str, Attribute] = {"bias" if op is nn.GrnOp else "epsilon": number}
    if op is nn.GroupNormalizationOp:
        properties["num_groups"] = IntegerAttr(groups, i64)
    return Sample([array(shape, dtype), *vectors], properties)


@sampled(nn.LrnOp)
def lrn(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    numbers = {name: FloatAttr(0.75, f64) for name in ("alpha", "beta", "bias")}
    size = IntegerAttr(draw(st.integers(1, 4)), i64)
    operands = [array(shape, draw(floats)), some_axes(draw, len(shape))]
    return Sample(operands, {**numbers, "size": size}, frozenset({1}))


@sampled(nn.UniqueOp)
def unique(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    axis = np.array(draw(st.integers(-len(shape), len(shape) - 1)), np.int64)
    along = [axis] if draw(st.booleans()) else []
    flag: dict[str, Attribute] = {"sorted": BoolAttr.from_bool(draw(st.booleans()))}
    x = array(shape, draw(dtypes)) % 3
    return Sample([x, *along], flag, frozenset(range(1, 1 + len(along))))


@sampled(nn.Col2ImOp)
def col2im(op: Kind, draw: Draw) -> Sample:
    kernel, size = several(draw, 2, 1, 2), several(draw, 2, 3, 5)
    numbers = {name: several(draw, 2, 1, 2) for name in ("strides", "dilations")}
    numbers |= {name: several(draw, 2, 0, 1) for name in ("pads_begin", "pads_end")}
    counts = [
        (
            size[d]
            + numbers["pads_begin"][d]
            + numbers["pads_end"][d]
            - (kernel[d] - 1) * numbers["dilations"][d]
            - 1
        )
        // numbers["strides"][d]
        + 1
        for d in range(2)
    ]
    shape = [
        *draw(st.lists(sizes, max_size=1)),
        draw(sizes) * int(np.prod(kernel)),
        int(np.prod(counts)),
    ]
    operands = [array(shape), np.array(size, np.int64), np.array(kernel, np.int64)]
    return Sample(operands, {name: i64s(part) for name, part in numbers.items()}, frozenset({1, 2}))


@sampled(nn.CumSumOp)
def cum_sum(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    axis = np.array(draw(st.integers(-len(shape), len(shape) - 1)))
    names = ("exclusive", "reverse")
    flags: dict[str, Attribute] = {name: BoolAttr.from_bool(draw(st.booleans())) for name in names}
    return Sample([array(shape, draw(dtypes)), axis], flags, frozenset({1}))


@sampled(nn.GatherTreeOp)
def gather_tree(op: Kind, draw: Draw) -> Sample:
    steps, batch, beams = several(draw, 3, 1, 5)
    dtype = draw(st.sampled_from([np.int32, np.float32]))
    tokens, parents = (np.abs(array([steps, batch, beams], dtype)) % n for n in (5, beams))
    lengths = np.abs(array([batch], dtype)) % (steps + 2)
    return Sample([tokens, parents, lengths, np.array(2, dtype)])


@sampled(nn.SegmentMaxOp)
def segment_max(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(sizes, min_size=1, max_size=3))
    ids = np.sort(np.abs(array(shape[:1], np.int32)) % 4)
    count = [np.array(3, np.int64)] if draw(st.booleans()) else []
    fill: dict[str, Attribute] = {"fill_mode": draw(string("zero", "lowest"))}
    known = frozenset(range(1, 2 + len(count)))
    return Sample([array(shape, draw(dtypes)), ids, *count], fill, known)


@sampled(nn.SparseFillEmptyRowsOp)
def sparse_fill_empty_rows(op: Kind, draw: Draw) -> Sample:
    count, rows = several(draw, 2, 1, 4)
    dtype = draw(dtypes)
    indices = np.abs(array([count, 2], np.int64)) % rows
    shape = np.array([rows, rows], np.int64)
    return Sample([array([count], dtype), shape, indices, array([], dtype)], {}, frozenset({1}))


@sampled(nn.DftOp, nn.IdftOp, nn.RdftOp, nn.IrdftOp)
def fourier(op: Kind, draw: Draw) -> Sample:
    shape = draw(st.lists(st.integers(2, 5), min_size=1, max_size=3))
    axes = some_axes(draw, len(shape)) if len(shape) > 1 else np.zeros(0, np.int64)
    axes = axes if axes.size else np.array([-1], np.int64)
    given = [np.array(several(draw, len(axes), 2, 6), np.int64)] if draw(st.booleans()) else []
    pair = [] if op is nn.RdftOp else [2]
    x = array([*shape, *pair], draw(floats))
    return Sample([x, axes, *given], {}, frozenset(range(1, 2 + len(given))))


@sampled(nn.StftOp, nn.IstftOp)
def short_time_fourier(op: Kind, draw: Draw) -> Sample:
    batch, size, step = draw(st.lists(sizes, max_size=1)), draw(st.integers(2, 6)), draw(sizes)
    dtype = draw(floats)
    window = np.linspace(0.5, 1, draw(st.integers(1, size))).astype(dtype)
    numbers = [np.array(each, np.int64) for each in (size, step)]
    names = ("transpose_frames",) if op is nn.StftOp else ("center", "normalized")
    flags: dict[str, Attribute] = {name: BoolAttr.from_bool(draw(st.booleans())) for name in names}
    if op is nn.StftOp:
        data = array([*batch, size + draw(sizes)], dtype)
    else:
        data = array([*batch, size // 2 + 1, 1 + draw(sizes), 2], dtype)
        if draw(st.booleans()):
            numbers.append(np.array(draw(st.integers(1, 9)), np.int64))
    return Sample([data, window, *numbers], flags, frozenset(range(2, 2 + len(numbers))))
