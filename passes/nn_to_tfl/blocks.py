"""Blocks of space against channels and batch: LiteRT's kernels for planes, transposes for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.nn.blocks import BatchOp, DepthOp
from ..channels_last import channels_last_order
from .elementwise import common_order
from .movement import cropped, with_pads
from .tensors import Tensor
from .writer import Writer, emits, refuse_unknown, sizes_of


def _known_shape(op: Operation) -> tuple[int, ...]:
    shape = shape_of(op.operands[0])
    if DYNAMIC_INDEX in shape:
        raise refuse_unknown(op, "it needs known sizes")
    return shape


def _rearranged(
    write: Writer, x: Tensor, parts: Sequence[int], order: Sequence[int], shape: Sequence[int]
) -> Tensor:
    """The elements cut into `parts`, these in another order, under a new shape."""
    return write.reshaped(write.transposed(write.reshaped(x, parts), tuple(order)), shape)


@emits(nn.DepthToSpaceOp, nn.SpaceToDepthOp)
def depth(write: Writer, op: DepthOp) -> None:
    block, rank = op.block_size.value.data, len(shape_of(op.input)) - 2
    if block == 1:
        write.values[op.result] = write.view(op.input)
        return
    if rank == 2 and op.mode.data == "blocks_first" and block > 1:
        order = channels_last_order(4)
        x = write.arranged(op.input, order)
        builtin = "DEPTH_TO_SPACE" if isinstance(op, nn.DepthToSpaceOp) else "SPACE_TO_DEPTH"
        sizes = sizes_of(op.result)
        shape = [sizes[i] for i in order]
        write.set(op.result, write.op(builtin, [x], shape, like=x, block_size=block), order)
        return
    (batch, channels, *sizes), first = _known_shape(op), op.mode.data == "blocks_first"
    x, result = write.plain(op.input), sizes_of(op.result)
    blocks = [block] * rank
    if isinstance(op, nn.DepthToSpaceOp):
        kept = channels // block**rank
        parts = [batch, *(blocks if first else [kept]), *([kept] if first else blocks), *sizes]
        channel, at = (1 + rank, 1) if first else (1, 2)
        order = [0, channel, *(i for k in range(rank) for i in (2 + rank + k, at + k))]
    else:
        parts = [batch, channels, *(n for size in sizes for n in (size // block, block))]
        spaces, inner = [2 + 2 * k for k in range(rank)], [3 + 2 * k for k in range(rank)]
        order = [0, *([*inner, 1] if first else [1, *inner]), *spaces]
    write.set(op.result, _rearranged(write, x, parts, order, result))


@emits(nn.BatchToSpaceOp)
def batch_to_space(write: Writer, op: nn.BatchToSpaceOp) -> None:
    block, begin, end = _limits(write, op)
    if _is_plane(block, begin, end):
        _plane(write, op, "BATCH_TO_SPACE_ND", block, begin, end)
        return
    shape, rank, result = _known_shape(op), len(block) - 1, sizes_of(op.result)
    batch = result[0]
    parts = [*block[1:], batch, *shape[1:]]
    order = [rank, *(i for k in range(rank) for i in (rank + 1 + k, k))]
    grown = [batch, *(n * by for n, by in zip(shape[1:], block[1:], strict=True))]
    whole = _rearranged(write, write.plain(op.input), parts, order, grown)
    write.set(op.result, cropped(write, whole, begin, result, [1] * len(begin)))


@emits(nn.SpaceToBatchOp)
def space_to_batch(write: Writer, op: nn.SpaceToBatchOp) -> None:
    block, begin, end = _limits(write, op)
    if _is_plane(block, begin, end):
        _plane(write, op, "SPACE_TO_BATCH_ND", block, begin, end)
        return
    _known_shape(op)
    rank, result = len(block) - 1, sizes_of(op.result)
    x = with_pads(write, write.plain(op.input), list(zip(begin, end, strict=True)))
    pairs = [n for size, by in zip(x.shape[1:], block[1:], strict=True) for n in (size // by, by)]
    order = [*(2 + 2 * k for k in range(rank)), 0, *(1 + 2 * k for k in range(rank))]
    write.set(op.result, _rearranged(write, x, [x.shape[0], *pairs], order, result))


def _limits(write: Writer, op: BatchOp) -> list[list[int]]:
    operands = {"block_shape": op.block_shape, "begin": op.begin, "end": op.end}
    return [write.numbers(op, value, name) for name, value in operands.items()]


def _is_plane(block: Sequence[int], begin: Sequence[int], end: Sequence[int]) -> bool:
    """Whether it is all about the last two of four dimensions."""
    return len(block) == 4 and block[1] == 1 and begin[1] == end[1] == 0


def _plane(
    write: Writer,
    op: BatchOp,
    builtin: str,
    block: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
) -> None:
    order, sizes = channels_last_order(4), sizes_of(op.result)
    x = write.arranged(op.input, order)
    limits = write.constant(list(zip(begin[2:], end[2:], strict=True)), "int32")
    shape = [sizes[i] for i in order]
    found = write.op(builtin, [x, write.integers(block[2:]), limits], shape, like=x)
    write.set(op.result, found, order)


@emits(nn.ShuffleChannelsOp)
def shuffle_channels(write: Writer, op: nn.ShuffleChannelsOp) -> None:
    rank, groups = len(shape_of(op.input)), op.group.value.data
    layout = common_order(write, [op.input], rank)
    x, axis = write.arranged(op.input, layout), layout.index(op.axis.value.data % rank)
    _known_shape(op)
    before, size, after = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    parts = (*before, groups, size // groups, *after)
    order = list(range(rank + 1))
    order[axis], order[axis + 1] = axis + 1, axis
    write.set(op.result, _rearranged(write, x, parts, order, x.shape), layout)
