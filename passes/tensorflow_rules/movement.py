"""Data movement: concatenation, splits, transposes, padding, reversal."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..tensorflow import TfOp
from .rules import Legalizer, rule
from .slices import FAR


@rule("Transpose", moves=True)
def transpose(t: Legalizer, op: TfOp, x: SSAValue, order: SSAValue) -> SSAValue:
    return t(nn.TransposeOp, x, t.integers(*t.integers_of(op, order, "permutation")))


@rule("ReverseV2", moves=True)
def reverse(t: Legalizer, op: TfOp, x: SSAValue, axes: SSAValue) -> SSAValue:
    for axis in t.integers_of(op, axes, "axes"):
        x = reversed_along(t, x, axis % len(shape_of(x)))
    return x


def reversed_along(t: Legalizer, x: SSAValue, axis: int) -> SSAValue:
    """The elements of an axis in reverse order; reversing twice cancels."""
    op, limits = x.owner, (FAR, -FAR, -1, axis)
    if isinstance(op, nn.SliceOp) and [t.known(v) for v in op.operands[1:]] == [
        [n] for n in limits
    ]:
        return op.input
    return t(nn.SliceOp, x, *map(t.integers, limits))


@rule("ReverseSequence", moves=True)
def reverse_sequence(t: Legalizer, op: TfOp, x: SSAValue, lengths: SSAValue) -> SSAValue:
    batch, along = op.integer("batch_dim"), op.integer("seq_dim")
    return t(nn.ReverseSequenceOp, x, lengths, batch_axis=batch, seq_axis=along)


@rule("Split", moves=True)
def split(t: Legalizer, op: TfOp, axis: SSAValue, x: SSAValue) -> Sequence[SSAValue]:
    (along,) = t.integers_of(op, axis, "axis")
    return t.split(x, len(op.op.results), along)


@rule("SplitV", moves=True)
def split_v(
    t: Legalizer, op: TfOp, x: SSAValue, lengths: SSAValue, axis: SSAValue
) -> Sequence[SSAValue]:
    (along,) = t.integers_of(op, axis, "axis")
    sizes = t.integers_of(op, lengths, "sizes")
    if len(set(sizes)) == 1 and sizes[0] >= 0:
        return t.split(x, len(sizes), along)
    return t.all(nn.VariadicSplitOp, x, t.integer(along), t.integers(*sizes))


@rule("Pack", moves=True)
def pack(t: Legalizer, op: TfOp, *parts: SSAValue) -> SSAValue:
    axis = op.integer("axis")
    axis += len(shape_of(parts[0])) + 1 if axis < 0 else 0
    return t.joined([t(nn.UnsqueezeOp, part, t.integers(axis)) for part in parts], axis)


@rule("Unpack", moves=True)
def unpack(t: Legalizer, op: TfOp, x: SSAValue) -> Sequence[SSAValue]:
    axis = op.integer("axis")
    parts = t.split(x, len(op.op.results), axis)
    return [t(nn.SqueezeOp, part, t.integers(axis)) for part in parts]


@rule("Tile", moves=True)
def tile(t: Legalizer, op: TfOp, x: SSAValue, repeats: SSAValue) -> SSAValue:
    known = t.known(repeats)
    return x if known is not None and set(known) <= {1} else t(nn.TileOp, x, t.long(repeats))


@rule("Gather", "GatherV2", moves=True)
def gather(
    t: Legalizer, op: TfOp, x: SSAValue, indices: SSAValue, axis: SSAValue | None = None
) -> SSAValue:
    along = t.integer(op.integer("axis")) if axis is None else t.long(axis)
    return t(nn.GatherOp, x, indices, along, batch_dims=op.integer("batch_dims"))


@rule("Pad", "PadV2", "MirrorPad", moves=True)
def pad(t: Legalizer, op: TfOp, x: SSAValue, sizes: SSAValue, *value: SSAValue) -> SSAValue:
    pads = t.integers_of(op, sizes, "padding")
    value = tuple(t(nn.ReshapeOp, each, t.integers()) if shape_of(each) else each for each in value)
    limits = t.integers(*pads[0::2]), t.integers(*pads[1::2])
    mode = op.text("mode").lower() if op.name == "MirrorPad" else "constant"
    return t(nn.PadOp, x, *limits, *value, pad_mode=mode)
