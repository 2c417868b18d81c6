"""`SAMPLERS`, with operands for the operations of `nn` that look up, scatter, sort, accumulate and transform, too."""

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    BoolAttr,
    FloatAttr,
    IntegerAttr,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute

from lowstream.dialects import nn
from lowstream.test.unit.dialects.network_samples import SAMPLERS as SAMPLERS
from lowstream.test.unit.dialects.network_samples import floats, i64s, several, some_axes, string
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
    for axis, start, stop, step in zip(axes, starts, stops, steps, strict=True):
        part[axis] = nn.SliceOp.part(start, stop, step, shape[axis])
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
