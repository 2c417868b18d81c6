"""Builtins that move, choose and reduce elements."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn, tfl
from ....dialects.inferred import shape_of, tensor
from ....dialects.names import namesakes
from ....reference.arrays import element_of
from ..graph import Operator, Tensor
from .reader import Reader, integer, number, reads, sizes, there, truth


def carried(read: Reader, op: Operator, value: SSAValue, source: Tensor | None) -> None:
    """A result made of elements of `source`: quantized again only if differently."""
    (target,) = op.outputs
    if source is not None and source.quantization == target.quantization:
        read.same(target, value)
    else:
        read.set(target, value)


@reads("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(read: Reader, op: Operator) -> None:
    x, target = read.value(op.inputs[0]), op.outputs[0]
    if sum(size < 0 for size in target.shape) <= 1:
        result = _reshaped(read, op, x)
    elif op.builtin == "RESHAPE" and len(op.inputs) > 1:
        result = read(nn.ReshapeOp, x, read.value(op.inputs[1]))
    elif op.builtin == "EXPAND_DIMS":
        result = read(nn.UnsqueezeOp, x, read.index(*read.integers(op.inputs[1], "axis")))
    elif op.builtin == "SQUEEZE" and len(op.options["squeezeDims"]):
        result = read(nn.SqueezeOp, x, read.index(*op.options["squeezeDims"]))
    else:
        raise DiagnosticException(
            "its result has several unknown sizes; convert the model with fixed shapes"
        )
    if target.variable:
        read.values[target] = result
        return
    own = None if op.inputs[0] is None else op.inputs[0].quantization
    if own is not None and target.quantization != own:
        raise DiagnosticException("it gives codes another meaning, which cannot be read")
    carried(read, op, result, op.inputs[0])


def _reshaped(read: Reader, op: Operator, x: SSAValue) -> SSAValue:
    """A value under its new shape, a constant of the name that the file has for it."""
    shape = op.outputs[0].shape
    if op.builtin != "RESHAPE" or len(op.inputs) < 2 or shape_of(x) == tuple(shape):
        return read.reshaped(x, shape)
    given = there(op.inputs[1])
    if given.data is None:
        return read.reshaped(x, shape)
    return read(nn.ReshapeOp, x, read.shape(given, shape))


@reads("TRANSPOSE")
def transpose(read: Reader, op: Operator) -> None:
    order = read.integers(op.inputs[1], "permutation")
    carried(read, op, read.transposed(read.value(op.inputs[0]), order), op.inputs[0])


@reads("CONCATENATION")
def concatenation(read: Reader, op: Operator) -> None:
    parts = [read.value(operand) for operand in op.inputs]
    result = read(nn.ConcatOp, *parts, axis=integer(op.options["axis"]))
    carried(read, op, read.activated(result, op.options["fusedActivationFunction"]), op.inputs[0])


@reads("PACK")
def pack(read: Reader, op: Operator) -> None:
    axis = int(op.options["axis"])
    axis += len(op.outputs[0].shape) if axis < 0 else 0
    parts = [read(nn.UnsqueezeOp, read.value(operand), read.index(axis)) for operand in op.inputs]
    carried(read, op, read(nn.ConcatOp, *parts, axis=integer(axis)), op.inputs[0])


@reads("UNPACK", "SPLIT", "SPLIT_V")
def split(read: Reader, op: Operator) -> None:
    if op.builtin == "SPLIT":
        axis, source = read.integers(op.inputs[0], "axis")[0], op.inputs[1]
    elif op.builtin == "SPLIT_V":
        axis, source = read.integers(op.inputs[2], "axis")[0], op.inputs[0]
    else:
        axis, source = int(op.options["axis"]), op.inputs[0]
    x, along = read.value(source), read.constant(np.array(axis))
    if op.builtin == "SPLIT_V":
        lengths = read.index(*read.integers(op.inputs[1], "sizes"))
        made = read.write.builder.insert(nn.VariadicSplitOp.of(x, along, lengths))
    else:
        made = read.write.builder.insert(
            nn.SplitOp.of(x, along, num_splits=integer(len(op.outputs)))
        )
    for target, value in zip(op.outputs, made.results, strict=True):
        found: SSAValue = value
        if op.builtin == "UNPACK":
            found = read(nn.SqueezeOp, value, read.index(axis))
        read.same(target, found)


@reads("SLICE")
def slice_(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    if any(operand is not None and operand.data is None for operand in op.inputs[1:]):
        carried(read, op, _slice_of_computed(read, op, x), op.inputs[0])
        return
    begin, size = (
        read.integers(i, n) for i, n in zip(op.inputs[1:], ("begin", "size"), strict=True)
    )
    ends = [np.iinfo(np.int64).max if n < 0 else b + n for b, n in zip(begin, size, strict=True)]
    axes = range(len(begin))
    limits = [read.index(*numbers) for numbers in (begin, ends, [1] * len(begin), axes)]
    carried(read, op, read(nn.SliceOp, x, *limits), op.inputs[0])


def _slice_of_computed(read: Reader, op: Operator, x: SSAValue) -> SSAValue:
    """`x[begin : begin + size]`, to the end where the size is negative."""
    begin, size = (long(read, operand) for operand in op.inputs[1:])
    far = read.scalar(size, np.iinfo(np.int64).max)
    is_rest = read(nn.LessOp, size, read.scalar(size, 0))
    end = read(nn.SelectOp, is_rest, far, read(nn.AddOp, begin, size))
    rank = len(shape_of(x))
    return read(nn.SliceOp, x, begin, end, read.index(*[1] * rank), read.index(*range(rank)))


def long(read: Reader, operand: Tensor | None) -> SSAValue:
    """Limits as i64."""
    value = read.value(operand)
    if tensor(value).element_type == i64:
        return value
    return read(nn.ConvertOp, value, destination_type=i64)


@reads("STRIDED_SLICE")
def strided_slice(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    limits = [read.integers(operand, "limits") for operand in op.inputs[1:4]]
    places = range(len(limits[0]))

    def mask(name: str) -> Attribute:
        return sizes([int(op.options[name]) >> place & 1 for place in places])

    if op.options.get("offset"):
        limits[1] = [b + e for b, e in zip(limits[0], limits[1], strict=True)]
    properties = {
        "begin_mask": mask("beginMask"),
        "end_mask": mask("endMask"),
        "new_axis_mask": mask("newAxisMask"),
        "shrink_axis_mask": mask("shrinkAxisMask"),
        "ellipsis_mask": mask("ellipsisMask"),
    }
    result = read(nn.StridedSliceOp, x, *(read.index(*n) for n in limits), **properties)
    carried(read, op, result, op.inputs[0])


@reads("PAD", "PADV2", "MIRROR_PAD")
def pad(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    pads = read.known(op.inputs[1], "padding")
    limits = [read.index(*(int(n) for n in pads[:, side])) for side in (0, 1)]
    more = [read.reshaped(read.value(op.inputs[2]), ())] if op.builtin == "PADV2" else []
    mode = "constant"
    if op.builtin == "MIRROR_PAD":
        mode = "symmetric" if op.options["mode"] else "reflect"
    carried(read, op, read(nn.PadOp, x, *limits, *more, pad_mode=StringAttr(mode)), op.inputs[0])


@reads("TILE", "BROADCAST_TO")
def tile(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    if op.builtin == "TILE":
        result = read(nn.TileOp, x, read.index(*read.integers(op.inputs[1], "multiples")))
    elif op.inputs[1] is not None and op.inputs[1].data is not None:
        result = read(nn.BroadcastOp, x, read.index(*read.integers(op.inputs[1], "shape")))
    else:
        result = read(nn.BroadcastOp, x, read.value(op.inputs[1]))
    carried(read, op, result, op.inputs[0])


@reads("SHAPE")
def shape(read: Reader, op: Operator) -> None:
    element = element_of(np.dtype(op.outputs[0].element))
    read.set(op.outputs[0], read(nn.ShapeOfOp, read.value(op.inputs[0]), output_type=element))


@reads("FILL")
def fill(read: Reader, op: Operator) -> None:
    dims, value = op.inputs
    target = read.value(dims) if dims is not None and dims.data is None else None
    if target is None:
        target = read.index(*read.integers(dims, "shape"))
    read.set(op.outputs[0], read(nn.BroadcastOp, read.value(value), target))


@reads("RANGE")
def range_(read: Reader, op: Operator) -> None:
    element = element_of(np.dtype(op.outputs[0].element))
    limits = [read.value(operand) for operand in op.inputs]
    read.set(op.outputs[0], read(nn.RangeOp, *limits, output_type=element))


@reads("GATHER")
def gather(read: Reader, op: Operator) -> None:
    x, indices = (read.value(operand) for operand in op.inputs)
    axis = read.constant(np.array(int(op.options["axis"])))
    batch = integer(op.options.get("batchDims", 0))
    carried(read, op, read(nn.GatherOp, x, indices, axis, batch_dims=batch), op.inputs[0])


@reads("DYNAMIC_UPDATE_SLICE")
def update_slice(read: Reader, op: Operator) -> None:
    operands = [read.value(operand) for operand in op.inputs]
    made = tfl.DynamicUpdateSliceOp.create(operands=operands, result_types=[operands[0].type])
    carried(read, op, read.write.builder.insert(made).results[0], op.inputs[0])


@reads("ONE_HOT")
def one_hot(read: Reader, op: Operator) -> None:
    indices, depth, on, off = op.inputs
    count = read.constant(np.array(read.integers(depth, "depth")[0]))
    values = [read.value(operand) for operand in (on, off)]
    axis = integer(op.options["axis"])
    read.set(op.outputs[0], read(nn.OneHotOp, read.value(indices), count, *values, axis=axis))


@reads("REVERSE_V2", "REVERSE_SEQUENCE")
def reverse(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    if op.builtin == "REVERSE_SEQUENCE":
        axes = {
            "batch_axis": integer(op.options["batchDim"]),
            "seq_axis": integer(op.options["seqDim"]),
        }
        carried(
            read, op, read(nn.ReverseSequenceOp, x, read.value(op.inputs[1]), **axes), op.inputs[0]
        )
        return
    axes_ = read.integers(op.inputs[1], "axes")
    count, last = len(axes_), np.iinfo(np.int64)
    limits = [read.index(*[n] * count) for n in (-1, last.min, -1)]
    carried(read, op, read(nn.SliceOp, x, *limits, read.index(*axes_)), op.inputs[0])


REDUCTIONS = namesakes("litert", nn.ReduceOp)


@reads(*REDUCTIONS)
def reduction(read: Reader, op: Operator) -> None:
    x, axes = read.value(op.inputs[0]), read.index(*read.integers(op.inputs[1], "axes"))
    keep = truth(op.options.get("keepDims", False))
    read.set(op.outputs[0], read(REDUCTIONS[op.builtin], x, axes, keep_dims=keep))


@reads("L2_NORMALIZATION")
def l2_normalization(read: Reader, op: Operator) -> None:
    x = read.value(op.inputs[0])
    properties = {"eps": number(1e-6), "eps_mode": StringAttr("max")}
    result = read(nn.NormalizeL2Op, x, read.index(len(shape_of(x)) - 1), **properties)
    read.set(op.outputs[0], read.activated(result, op.options["fusedActivationFunction"]))


@reads("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def depth(read: Reader, op: Operator) -> None:
    kind = nn.DepthToSpaceOp if op.builtin == "DEPTH_TO_SPACE" else nn.SpaceToDepthOp
    properties = {
        "mode": StringAttr("blocks_first"),
        "block_size": integer(op.options["blockSize"]),
    }
    x = read.channels_first(read.value(op.inputs[0]))
    carried(read, op, read.channels_last(read(kind, x, **properties)), op.inputs[0])


@reads("BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND")
def blocks(read: Reader, op: Operator) -> None:
    kind = nn.BatchToSpaceOp if op.builtin == "BATCH_TO_SPACE_ND" else nn.SpaceToBatchOp
    x, block = read.value(op.inputs[0]), read.integers(op.inputs[1], "block shape")
    limits = read.known(op.inputs[2], "crops or padding")
    rest = [0] * (len(shape_of(x)) - 1 - len(block))
    operands = [[1, *block, *(1 for _ in rest)]]
    operands += [[0, *(int(n) for n in limits[:, side]), *rest] for side in (0, 1)]
    result = read(kind, x, *(read.index(*numbers) for numbers in operands))
    carried(read, op, result, op.inputs[0])
