"""
Images with the channels behind space, as TensorFlow and LiteRT have them; `nn` has them in front of it.

An operation that wants them in front stands between two transposes, which meet those of its neighbours and
go when a model is compiled (`lower-to-kernels`) or written (`save_model`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, SSAValue

from ..dialects import nn
from ..dialects.inferred import shape_of
from ..dialects.nn.writer import Writer

AUTO_PADS = {"SAME": "same_upper", "VALID": "valid", "EXPLICIT": "explicit"}
"""
By `padding`, what `nn` calls it. `SAME` makes ⌈size / stride⌉ positions and puts the odd rest at the end, as
`same_upper` does, also of sizes that are not known yet.
"""


def numbers(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """A property with a number for each dimension of space."""
    return DenseArrayBase.from_list(i64, list(values))


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
) -> dict[str, Attribute]:
    """The properties by which `nn` says a window, its kernel aside; without explicit padding it has none."""
    none = [0] * len(strides)
    return {
        "strides": numbers(strides),
        "dilations": numbers(dilations),
        "pads_begin": numbers(begin or none),
        "pads_end": numbers(end or none),
        "auto_pad": StringAttr(auto_pad),
    }
