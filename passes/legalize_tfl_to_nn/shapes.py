"""Builtins that move, choose and reduce elements."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of, tensor
from ...dialects.names import namesakes
from ..channels_last import channels_first, channels_last, numbers
from .translation import (
    Translation,
    given_type,
    integer,
    number,
    quantization_of,
    rule,
    to_reach,
    truth,
)


def carried(t: Translation, op: tfl.TflOp, value: SSAValue, source: SSAValue) -> None:
    """A result made of elements of `source`: quantized again only if differently."""
    (target,) = op.results
    if quantization_of(source) == quantization_of(target):
        t.same(target, value)
    else:
        t.set(target, value)


@rule("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(t: Translation, op: tfl.TflOp) -> None:
    x, target = t.value(op.operands[0]), op.results[0]
    if shape_of(target).count(DYNAMIC_INDEX) <= 1:
        result = _reshaped(t, op, x)
    elif op.builtin() == "RESHAPE" and len(op.operands) > 1:
        result = t(nn.ReshapeOp, x, t.value(op.operands[1]))
    elif op.builtin() == "EXPAND_DIMS":
        result = t(nn.UnsqueezeOp, x, t.integers(*t.listed(op.operands[1], "axis")))
    elif op.builtin() == "SQUEEZE" and len(op.integers("squeeze_dims")):
        result = t(nn.SqueezeOp, x, t.integers(*op.integers("squeeze_dims")))
    else:
        raise DiagnosticException(
            "its result has several unknown sizes; convert the model with fixed shapes"
        )
    own = quantization_of(op.operands[0])
    if own is not None and quantization_of(target) != own:
        raise DiagnosticException("it gives codes another meaning, which cannot be read")
    carried(t, op, result, op.operands[0])


def _reshaped(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """A value under its new shape, a constant of the name that the file has for it."""
    shape = shape_of(op.results[0])
    if op.builtin() != "RESHAPE" or len(op.operands) < 2 or list(shape_of(x)) == to_reach(shape):
        return t.reshaped(x, shape)
    if (data := t.data(op.operands[1])) is None or not data.size:
        return t.reshaped(x, shape)
    return t(nn.ReshapeOp, x, t.shape(op.operands[1], shape))


@rule("TRANSPOSE")
def transpose(t: Translation, op: tfl.TflOp) -> None:
    order = t.listed(op.operands[1], "permutation")
    carried(t, op, t.transposed(t.value(op.operands[0]), order), op.operands[0])


@rule("CONCATENATION")
def concatenation(t: Translation, op: tfl.TflOp) -> None:
    parts = [t.value(operand) for operand in op.operands]
    result = t(nn.ConcatOp, *parts, axis=integer(op.integer("axis")))
    carried(t, op, t.activated(result, op), op.operands[0])


@rule("PACK")
def pack(t: Translation, op: tfl.TflOp) -> None:
    axis = int(op.integer("axis"))
    axis += len(shape_of(op.results[0])) if axis < 0 else 0
    parts = [t(nn.UnsqueezeOp, t.value(operand), t.integers(axis)) for operand in op.operands]
    carried(t, op, t(nn.ConcatOp, *parts, axis=integer(axis)), op.operands[0])


@rule("UNPACK", "SPLIT", "SPLIT_V")
def split(t: Translation, op: tfl.TflOp) -> None:
    if op.builtin() == "SPLIT":
        axis, source = t.listed(op.operands[0], "axis")[0], op.operands[1]
    elif op.builtin() == "SPLIT_V":
        axis, source = t.listed(op.operands[2], "axis")[0], op.operands[0]
    else:
        axis, source = int(op.integer("axis")), op.operands[0]
    x, along = t.value(source), t.array(np.array(axis))
    if op.builtin() == "SPLIT_V":
        lengths = t.integers(*t.listed(op.operands[1], "sizes"))
        made = t.builder.insert(nn.VariadicSplitOp.of(x, along, lengths))
    else:
        made = t.builder.insert(nn.SplitOp.of(x, along, num_splits=integer(len(op.results))))
    for target, value in zip(op.results, made.results, strict=True):
        found: SSAValue = value
        if op.builtin() == "UNPACK":
            found = t(nn.SqueezeOp, value, t.integers(axis))
        t.same(target, found)


@rule("SLICE")
def slice_(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    if any(t.data(operand) is None for operand in op.operands[1:]):
        carried(t, op, _slice_of_computed(t, op, x), op.operands[0])
        return
    begin, size = (t.listed(i, n) for i, n in zip(op.operands[1:], ("begin", "size"), strict=True))
    ends = [np.iinfo(np.int64).max if n < 0 else b + n for b, n in zip(begin, size, strict=True)]
    axes = range(len(begin))
    limits = [t.integers(*numbers) for numbers in (begin, ends, [1] * len(begin), axes)]
    carried(t, op, t(nn.SliceOp, x, *limits), op.operands[0])


def _slice_of_computed(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """`x[begin : begin + size]`, to the end where the size is negative."""
    begin, size = (long(t, operand) for operand in op.operands[1:])
    far = t.scalar_like(size, np.iinfo(np.int64).max)
    is_rest = t(nn.LessOp, size, t.scalar_like(size, 0))
    end = t(nn.SelectOp, is_rest, far, t(nn.AddOp, begin, size))
    rank = len(shape_of(x))
    return t(nn.SliceOp, x, begin, end, t.integers(*[1] * rank), t.integers(*range(rank)))


def long(t: Translation, operand: SSAValue) -> SSAValue:
    """Limits as i64."""
    value = t.value(operand)
    if tensor(value).element_type == i64:
        return value
    return t(nn.ConvertOp, value, destination_type=i64)


@rule("STRIDED_SLICE")
def strided_slice(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    limits = [t.listed(operand, "limits") for operand in op.operands[1:4]]
    places = range(len(limits[0]))

    def mask(name: str) -> Attribute:
        return numbers([op.integer(name) >> place & 1 for place in places])

    if op.flag("offset"):
        limits[1] = [b + e for b, e in zip(limits[0], limits[1], strict=True)]
    properties = {
        "begin_mask": mask("begin_mask"),
        "end_mask": mask("end_mask"),
        "new_axis_mask": mask("new_axis_mask"),
        "shrink_axis_mask": mask("shrink_axis_mask"),
        "ellipsis_mask": mask("ellipsis_mask"),
    }
    result = t(nn.StridedSliceOp, x, *(t.integers(*n) for n in limits), **properties)
    carried(t, op, result, op.operands[0])


@rule("PAD", "PADV2", "MIRROR_PAD")
def pad(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    pads = t.known(op.operands[1], "padding")
    limits = [t.integers(*(int(n) for n in pads[:, side])) for side in (0, 1)]
    more = [t.reshaped(t.value(op.operands[2]), ())] if op.builtin() == "PADV2" else []
    mode = "constant"
    if op.builtin() == "MIRROR_PAD":
        mode = op.word("mode").lower()
    carried(t, op, t(nn.PadOp, x, *limits, *more, pad_mode=StringAttr(mode)), op.operands[0])


@rule("TILE", "BROADCAST_TO")
def tile(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    if op.builtin() == "TILE":
        result = t(nn.TileOp, x, t.integers(*t.listed(op.operands[1], "multiples")))
    elif t.data(op.operands[1]) is not None:
        result = t(nn.BroadcastOp, x, t.integers(*t.listed(op.operands[1], "shape")))
    else:
        result = t(nn.BroadcastOp, x, t.value(op.operands[1]))
    carried(t, op, result, op.operands[0])


@rule("SHAPE")
def shape(t: Translation, op: tfl.TflOp) -> None:
    element = given_type(op.results[0]).element_type
    t.set(op.results[0], t(nn.ShapeOfOp, t.value(op.operands[0]), output_type=element))


@rule("FILL")
def fill(t: Translation, op: tfl.TflOp) -> None:
    dims, value = op.operands
    target = t.value(dims) if t.data(dims) is None else None
    if target is None:
        target = t.integers(*t.listed(dims, "shape"))
    t.set(op.results[0], t(nn.BroadcastOp, t.value(value), target))


@rule("RANGE")
def range_(t: Translation, op: tfl.TflOp) -> None:
    element = given_type(op.results[0]).element_type
    limits = [t.value(operand) for operand in op.operands]
    t.set(op.results[0], t(nn.RangeOp, *limits, output_type=element))


@rule("GATHER")
def gather(t: Translation, op: tfl.TflOp) -> None:
    x, indices = (t.value(operand) for operand in op.operands)
    axis = t.array(np.array(int(op.integer("axis"))))
    batch = integer(op.integer("batch_dims"))
    carried(t, op, t(nn.GatherOp, x, indices, axis, batch_dims=batch), op.operands[0])


@rule("DYNAMIC_UPDATE_SLICE")
def update_slice(t: Translation, op: tfl.TflOp) -> None:
    operands = [t.value(operand) for operand in op.operands]
    made = tfl.DynamicUpdateSliceOp.create(operands=operands, result_types=[operands[0].type])
    carried(t, op, t.builder.insert(made).results[0], op.operands[0])


@rule("ONE_HOT")
def one_hot(t: Translation, op: tfl.TflOp) -> None:
    indices, depth, on, off = op.operands
    count = t.array(np.array(t.listed(depth, "depth")[0]))
    values = [t.value(operand) for operand in (on, off)]
    axis = integer(op.integer("axis"))
    t.set(op.results[0], t(nn.OneHotOp, t.value(indices), count, *values, axis=axis))


@rule("REVERSE_V2", "REVERSE_SEQUENCE")
def reverse(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    if op.builtin() == "REVERSE_SEQUENCE":
        axes = {
            "batch_axis": integer(op.integer("batch_dim")),
            "seq_axis": integer(op.integer("seq_dim")),
        }
        carried(t, op, t(nn.ReverseSequenceOp, x, t.value(op.operands[1]), **axes), op.operands[0])
        return
    axes_ = t.listed(op.operands[1], "axes")
    count, last = len(axes_), np.iinfo(np.int64)
    limits = [t.integers(*[n] * count) for n in (-1, last.min, -1)]
    carried(t, op, t(nn.SliceOp, x, *limits, t.integers(*axes_)), op.operands[0])


REDUCTIONS = namesakes("litert", nn.ReduceOp)


@rule(*REDUCTIONS)
def reduction(t: Translation, op: tfl.TflOp) -> None:
    x, axes = t.value(op.operands[0]), t.integers(*t.listed(op.operands[1], "axes"))
    keep = truth(op.flag("keep_dims"))
    t.set(op.results[0], t(REDUCTIONS[op.builtin()], x, axes, keep_dims=keep))


@rule("L2_NORMALIZATION")
def l2_normalization(t: Translation, op: tfl.TflOp) -> None:
    x = t.value(op.operands[0])
    properties = {"eps": number(1e-6), "eps_mode": StringAttr("max")}
    result = t(nn.NormalizeL2Op, x, t.integers(len(shape_of(x)) - 1), **properties)
    t.set(op.results[0], t.activated(result, op))


@rule("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def depth(t: Translation, op: tfl.TflOp) -> None:
    kind = nn.DepthToSpaceOp if op.builtin() == "DEPTH_TO_SPACE" else nn.SpaceToDepthOp
    properties = {
        "mode": StringAttr("blocks_first"),
        "block_size": integer(op.integer("block_size")),
    }
    x = channels_first(t, t.value(op.operands[0]))
    carried(t, op, channels_last(t, t(kind, x, **properties)), op.operands[0])


@rule("BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND")
def blocks(t: Translation, op: tfl.TflOp) -> None:
    kind = nn.BatchToSpaceOp if op.builtin() == "BATCH_TO_SPACE_ND" else nn.SpaceToBatchOp
    x, block = t.value(op.operands[0]), t.listed(op.operands[1], "block shape")
    limits = t.known(op.operands[2], "crops or padding")
    rest = [0] * (len(shape_of(x)) - 1 - len(block))
    operands = [[1, *block, *(1 for _ in rest)]]
    operands += [[0, *(int(n) for n in limits[:, side]), *rest] for side in (0, 1)]
    result = t(kind, x, *(t.integers(*numbers) for numbers in operands))
    carried(t, op, result, op.operands[0])
