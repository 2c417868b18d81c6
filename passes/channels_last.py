"""
Channels-last images, as TensorFlow and LiteRT have them; in `nn` channels are first.

An operation that needs channels first stands between two transposes. These cancel with those of its neighbours when a
model is compiled (`lower-to-kernels`) or written (`save_model`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..dialects import nn
from ..dialects.inferred import shape_of
from ..dialects.nn.writer import Writer
from ..dialects.properties import Property

AUTO_PADS = {"SAME": "same_upper", "VALID": "valid", "EXPLICIT": "explicit"}
"""
By `padding`, its name in `nn`. `SAME` makes ⌈size / stride⌉ positions and puts an odd remainder at the end, as
`same_upper` does, also for unknown sizes.
"""


def channels_last_order(rank: int) -> tuple[int, ...]:
    """The permutation from `[batch, channels, *space]` to `[batch, *space, channels]`."""
    return (0, *range(2, rank), 1)


def channels_first(write: Writer, value: SSAValue) -> SSAValue:
    """`[batch, channels, *space]` of `[batch, *space, channels]`."""
    rank = len(shape_of(value))
    return write(nn.TransposeOp, value, write.integers(0, rank - 1, *range(1, rank - 1)))


def channels_last(write: Writer, value: SSAValue) -> SSAValue:
    """`[batch, *space, channels]` of `[batch, channels, *space]`."""
    order = channels_last_order(len(shape_of(value)))
    return write(nn.TransposeOp, value, write.integers(*order))


def window_properties(
    strides: Sequence[int],
    dilations: Sequence[int],
    auto_pad: str,
    begin: Sequence[int] = (),
    end: Sequence[int] = (),
) -> dict[str, Property]:
    """The properties of a window in `nn`, without its kernel. Without explicit padding it has none."""
    none = [0] * len(strides)
    return {
        "strides": strides,
        "dilations": dilations,
        "pads_begin": begin or none,
        "pads_end": end or none,
        "auto_pad": auto_pad,
    }
