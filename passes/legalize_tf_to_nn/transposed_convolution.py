"""Transposed convolutions, which TensorFlow calls gradients of convolutions with respect to their inputs."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import DYNAMIC_INDEX, Shape, shape_of, spelled
from ...dialects.properties import Property
from ..tensorflow import TfOp
from ..tensorflow_rules.channels import Channels
from .convolution import channels_first, filters_of
from .translation import Translation, computes
from .windows import properties_of, window_of

RANKS = {"Conv2DBackpropInput": 4, "Conv3DBackpropInputV2": 5}
"""The number of dimensions of what a transposed convolution takes."""


@computes(*RANKS)
def transposed_convolution(
    t: Translation, op: TfOp, sizes: SSAValue, filters: SSAValue, x: SSAValue
) -> SSAValue:
    """
    Filters `[*kernel, outputs, inputs]`. Padding is that of the convolution which makes `x` of the result;
    elements of the result that none of its positions reads are 0.
    """
    channels = Channels.of(op, x, RANKS[op.name])
    *kernel, outputs, inputs = filters_of(op, filters, channels)
    _check_channels(op, "filters take", inputs, "its input has", shape_of(x)[channels.place])
    wanted = _wanted(t, op, sizes, channels, outputs)
    window = window_of(channels, tuple(kernel))
    positions = tuple(shape_of(x)[i] for i in channels.space)
    if window.positions(wanted) != positions:
        raise DiagnosticException(
            f"{op.label}: a convolution of {spelled(wanted)} makes {spelled(window.positions(wanted))} of it, "
            f"and this input is {spelled(positions)}; give the inputs of the model sizes that fit"
        )
    pads = window.padding(wanted)
    reached = [
        (count - 1) * stride + extent
        for count, stride, extent in zip(positions, window.strides, window.extents, strict=True)
    ]
    more = [
        begin + size + end - span
        for size, span, (begin, end) in zip(wanted, reached, pads, strict=True)
    ]
    properties: dict[str, Property] = {
        **properties_of(window),
        "pads_begin": [begin for begin, _ in pads],
        "pads_end": [end for _, end in pads],
        "auto_pad": "explicit",
        "output_padding": more,
    }
    moved = channels.first(t, x), channels_first(t, filters)
    return channels.back(t, t(nn.ConvolutionBackpropDataOp, *moved, **properties))


def _check_channels(op: TfOp, one: str, count: int, other: str, given: int | None) -> None:
    if given not in (count, DYNAMIC_INDEX, None):
        raise DiagnosticException(
            f"{op.label}: {one} {count} channels, {other} {given}; transposed convolutions in groups are not "
            "supported"
        )


def _wanted(t: Translation, op: TfOp, sizes: SSAValue, channels: Channels, outputs: int) -> Shape:
    """The spatial sizes of the result. The operand has them alone, or with batch and channels."""
    listed = t.known_one_by_one(sizes)
    if len(listed) == channels.rank:
        _check_channels(op, "filters make", outputs, "its result has", listed[channels.place])
        listed = [listed[i] for i in channels.space]
    found = tuple(number for number in listed if number is not None)
    if len(found) != channels.rank - 2:
        raise DiagnosticException(
            f"{op.label}: the sizes of its result decide on padding and are unknown; give the inputs of the "
            "model sizes"
        )
    return found
