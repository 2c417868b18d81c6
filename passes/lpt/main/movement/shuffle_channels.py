"""ShuffleChannels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .....dialects.inferred import shape_of
from .....dialects.nn import ShuffleChannelsOp
from .....reference.arrays import Array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough


class SinkDequantizeThroughShuffleChannels(SinkThrough[ShuffleChannelsOp]):
    """`shuffle_channels(dq(q)) = dq'(shuffle_channels(q))`: scales are shuffled alike."""

    name: ClassVar[str] = "shuffle_channels"
    op: ClassVar[type[ShuffleChannelsOp]] = ShuffleChannelsOp

    def changes(
        self, op: ShuffleChannelsOp, dequantization: Dequantization
    ) -> Sequence[Change] | str:
        axis, groups = op.axis.value.data % len(shape_of(op.input)), op.group.value.data

        def shuffled(array: Array) -> Array:
            if array.shape[axis] == 1:
                return array
            before, after = array.shape[:axis], array.shape[axis + 1 :]
            dealt = array.reshape(*before, groups, -1, *after).swapaxes(axis, axis + 1)
            return dealt.reshape(array.shape)

        return [shuffled]
