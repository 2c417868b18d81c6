"""Space to depth or batch, and back: LiteRT's kernels for planes, a decomposition otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.nn.blocks import BatchOp, DepthOp
from ..channels_last import channels_last_order
from .elementwise import as_it_lies, builtin_of
from .refusals import refuse_unknown
from .tensors import Tensor
from .writer import TflWriter, emits, sizes_of


def _on_plane(
    write: TflWriter, op: DepthOp | BatchOp, more: Sequence[Tensor] = (), **options: Any
) -> None:
    """The builtin of an operation, channels last."""
    order, sizes = channels_last_order(4), sizes_of(op.result)
    x, shape = write.arranged(op.input, order), [sizes[i] for i in order]
    found = write.op(builtin_of(op), [x, *more], shape, like=x, **options)
    write.set(op.result, found, order)


def _need_sizes(op: DepthOp | BatchOp | nn.ShuffleChannelsOp) -> None:
    if DYNAMIC_INDEX in shape_of(op.input):
        raise refuse_unknown(op, "it needs known sizes")


@emits(nn.DepthToSpaceOp, nn.SpaceToDepthOp)
def depth(write: TflWriter, op: DepthOp) -> None:
    block, is_plane = op.block_size.value.data, len(shape_of(op.input)) == 4
    if block == 1:
        write.values[op.result] = write.view(op.input)
    elif is_plane and op.mode.data == "blocks_first":
        _on_plane(write, op, block_size=block)
    else:
        _need_sizes(op)
        write.decomposed(op)


@emits(nn.BatchToSpaceOp, nn.SpaceToBatchOp)
def batch(write: TflWriter, op: BatchOp) -> None:
    operands = {"block_shape": op.block_shape, "begin": op.begin, "end": op.end}
    block, begin, end = (write.numbers(op, value, name) for name, value in operands.items())
    if len(block) == 4 and block[1] == 1 and begin[1] == end[1] == 0:
        limits = write.constant(list(zip(begin[2:], end[2:], strict=True)), "int32")
        _on_plane(write, op, [write.integers(block[2:]), limits])
    else:
        _need_sizes(op)
        write.decomposed(op)


@emits(nn.ShuffleChannelsOp)
def shuffle_channels(write: TflWriter, op: nn.ShuffleChannelsOp) -> None:
    _need_sizes(op)
    x, layout = as_it_lies(write, op.input)
    axis, groups = layout.index(op.axis.value.data % x.rank), op.group.value.data
    parts = (*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :])
    order = list(range(x.rank + 1))
    order[axis], order[axis + 1] = axis + 1, axis
    moved = write.transposed(write.reshaped(x, parts), tuple(order))
    write.set(op.result, write.reshaped(moved, x.shape), layout)
