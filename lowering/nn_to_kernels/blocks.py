"""Batch, channels and space traded in blocks: other shapes around one permutation."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, shape_of, tensor
from ...dialects.kernel import Access, Term
from .chain import Chain
from .rule import Lowered, known_integers, moved, rule, static_shape


@rule(nn.DepthToSpaceOp)
def depth_to_space(op: nn.DepthToSpaceOp) -> Lowered:
    block, (batch, channels, *sizes) = op.block_size.value.data, static_shape(op.input)
    rank = len(sizes)
    kept, blocks = channels // block**rank, [block] * rank
    if op.mode.data == "blocks_first":
        parts, first, kept_at = [*blocks, kept], 1, 1 + rank
    else:
        parts, first, kept_at = [kept, *blocks], 2, 1
    order = [0, kept_at, *(d for k in range(rank) for d in (2 + rank + k, first + k))]
    return _traded(op, (batch, *parts, *sizes), order)


@rule(nn.SpaceToDepthOp)
def space_to_depth(op: nn.SpaceToDepthOp) -> Lowered:
    block, (batch, channels, *sizes) = op.block_size.value.data, static_shape(op.input)
    rank = len(sizes)
    parts = (n for size in sizes for n in (size // block, block))
    spaces, blocks = ([begin + 2 * k for k in range(rank)] for begin in (2, 3))
    first = [*blocks, 1] if op.mode.data == "blocks_first" else [1, *blocks]
    return _traded(op, (batch, channels, *parts), [0, *first, *spaces])


@rule(nn.ShuffleChannelsOp)
def shuffle_channels(op: nn.ShuffleChannelsOp) -> Lowered:
    shape, groups = static_shape(op.input), op.group.value.data
    axis = normalize_axis(op, op.axis.value.data, len(shape))
    parts = (*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :])
    order = list(range(len(parts)))
    order[axis : axis + 2] = axis + 1, axis
    return _traded(op, parts, order)


def _traded(op: Any, parts: Sequence[int], order: Sequence[int]) -> Lowered:
    chain = Chain(op)
    value = chain.transpose(chain.reshape(op.input, tuple(parts)), order)
    return Lowered(chain.reshape(value, static_shape(op.result)), ops=chain.ops)


@rule(nn.BatchToSpaceOp)
def batch_to_space(op: nn.BatchToSpaceOp) -> Lowered:
    chain, shape = Chain(op), static_shape(op.input)
    (_, *blocks), begin, _ = _numbers(op)
    rank = len(blocks)
    batch = shape[0] // prod(blocks)
    value = chain.reshape(op.input, (*blocks, batch, *shape[1:]))
    order = [rank, *(d for k in range(rank) for d in (rank + 1 + k, k))]
    grown = (size * block for size, block in zip(shape[1:], blocks, strict=True))
    value = chain.reshape(chain.transpose(value, order), (batch, *grown))
    return Lowered(cropped(chain, value, begin, static_shape(op.result)), ops=chain.ops)


@rule(nn.SpaceToBatchOp)
def space_to_batch(op: nn.SpaceToBatchOp) -> Lowered:
    chain = Chain(op)
    (_, *blocks), begin, end = _numbers(op)
    value: SSAValue = op.input
    static_shape(value)
    if any((*begin, *end)):
        value = chain.add(kernel.PadOp(value, begin, end, 0))
    rank, (batch, *sizes) = len(blocks), shape_of(value)
    parts = (n for size, block in zip(sizes, blocks, strict=True) for n in (size // block, block))
    value = chain.reshape(value, (batch, *parts))
    blocks_at, spaces_at = ([first + 2 * k for k in range(rank)] for first in (2, 1))
    value = chain.transpose(value, [*blocks_at, 0, *spaces_at])
    return Lowered(chain.reshape(value, static_shape(op.result)), ops=chain.ops)


def _numbers(op: nn.BatchToSpaceOp | nn.SpaceToBatchOp) -> list[list[int]]:
    names = ("block_shape", "begin", "end")
    return [
        known_integers(op, value, name) for value, name in zip(op.operands[1:], names, strict=True)
    ]


def cropped(chain: Chain, value: SSAValue, begin: Sequence[int], shape: Sequence[int]) -> SSAValue:
    """The part of a value that has this shape, from `begin` on."""
    if shape_of(value) == tuple(shape):
        return value
    access = Access(len(shape), tuple(Term(d, 1, first) for d, first in enumerate(begin)))
    result: TensorType[Any] = TensorType(tensor(value).element_type, shape)
    return chain.add(moved(chain.op, value, result, access))
