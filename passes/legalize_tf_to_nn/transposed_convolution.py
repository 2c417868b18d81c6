"""Transposed convolutions, which TensorFlow calls gradients of convolutions with respect to their inputs."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import DYNAMIC_INDEX, Shape, shape_of, spelled
from ...dialects.nn.window import Window
from ...dialects.properties import Property
from ..channels_last import AUTO_PADS
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
    elements of the result that none of its positions reads are 0. The sizes of the result may be computed, as those of
    an image of unknown size.
    """
    channels = Channels.of(op, x, RANKS[op.name])
    *kernel, outputs, inputs = filters_of(op, filters, channels)
    _check_channels(op, "filters take", inputs, "its input has", shape_of(x)[channels.place])
    window = window_of(channels, tuple(kernel))
    space = _space(t, op, sizes, channels, outputs)
    positions = tuple(shape_of(x)[i] for i in channels.space)
    wanted = t.known(space)
    moved = channels.first(t, x), channels_first(t, filters)
    if wanted is None or DYNAMIC_INDEX in positions:
        result = t(nn.ConvolutionBackpropDataOp, *moved, space, **_of_computed(window))
    else:
        properties = _of_known(op, window, positions, tuple(wanted))
        result = t(nn.ConvolutionBackpropDataOp, *moved, **properties)
    return channels.back(t, result)


def _of_computed(window: Window) -> dict[str, Property]:
    """The properties beside sizes that are computed. Of SAME padding the smaller half is cut off before."""
    properties = {**properties_of(window), "output_padding": (0,) * len(window.kernel)}
    if window.auto_pad == AUTO_PADS["SAME"]:
        properties["auto_pad"] = "same_lower"
    return properties


def _of_known(op: TfOp, window: Window, positions: Shape, wanted: Shape) -> dict[str, Property]:
    """The properties that lead to known sizes, so that those of the result follow its input's at a reshape."""
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
    return {
        **properties_of(window),
        "pads_begin": [begin for begin, _ in pads],
        "pads_end": [end for _, end in pads],
        "auto_pad": "explicit",
        "output_padding": more,
    }


def _check_channels(op: TfOp, one: str, count: int, other: str, given: int | None) -> None:
    if given not in (count, DYNAMIC_INDEX, None):
        raise DiagnosticException(
            f"{op.label}: {one} {count} channels, {other} {given}; transposed convolutions in groups are not "
            "supported"
        )


def _space(t: Translation, op: TfOp, sizes: SSAValue, channels: Channels, outputs: int) -> SSAValue:
    """The spatial sizes of the result. The operand has them alone, or with batch and channels."""
    listed = t.known_one_by_one(sizes)
    begin, end = 0, channels.rank - 2
    if len(listed) == channels.rank:
        _check_channels(op, "filters make", outputs, "its result has", listed[channels.place])
        begin, end = channels.space[0], channels.space[-1] + 1
    elif len(listed) != end:
        raise DiagnosticException(
            f"{op.label}: how many sizes of its result there are is unknown; give the inputs of the model sizes"
        )
    found = [size for size in listed[begin:end] if size is not None]
    return (
        t.integers(*found) if len(found) == end - begin else t.slice(t.long(sizes), begin, end, 0)
    )
