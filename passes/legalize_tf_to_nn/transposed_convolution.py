"""Transposed convolutions: what TensorFlow calls the gradient of a convolution for its input."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import DYNAMIC_INDEX, Shape, shape_of, spelled
from ..channels_last import numbers
from ..tensorflow import TfOp
from .channels import Channels
from .convolution import channels_first, filters_of
from .translation import Translation, rule
from .values import Value
from .windows import properties_of, window_of

RANKS = {"Conv2DBackpropInput": 4, "Conv3DBackpropInputV2": 5}
"""The number of dimensions of what a transposed convolution takes."""


@rule(*RANKS)
def transposed_convolution(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    """
    Filters `[*kernel, outputs, inputs]`. Padding is that of the convolution which makes `x` of the result;
    elements of the result that none of its positions reads are 0.
    """
    sizes, filters, x = t.tensors_of(op, values)
    channels = Channels.of(op, x, RANKS[op.name])
    *kernel, outputs, inputs = filters_of(op, filters, channels)
    _check_channels(op, "filters take", inputs, "its input has", shape_of(x)[channels.place])
    wanted = _wanted(t, op, sizes, channels, outputs)
    window = window_of(channels, tuple(kernel))
    positions = tuple(shape_of(x)[i] for i in channels.space)
    if window.positions(wanted) != positions:
        raise DiagnosticException(
            f"tf.{op.name}: a convolution of {spelled(wanted)} makes {spelled(window.positions(wanted))} of it, "
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
    properties = {
        **properties_of(window),
        "pads_begin": numbers([begin for begin, _ in pads]),
        "pads_end": numbers([end for _, end in pads]),
        "auto_pad": StringAttr("explicit"),
        "output_padding": numbers(more),
    }
    result = t(
        nn.ConvolutionBackpropDataOp,
        channels.first(t, x),
        channels_first(t, filters),
        **properties,
    )
    return channels.back(t, result)


def _check_channels(op: TfOp, one: str, count: int, other: str, given: int | None) -> None:
    if given not in (count, DYNAMIC_INDEX, None):
        raise DiagnosticException(
            f"tf.{op.name}: {one} {count} channels, {other} {given}; transposed convolutions in groups are not "
            "supported"
        )


def _wanted(t: Translation, op: TfOp, sizes: SSAValue, channels: Channels, outputs: int) -> Shape:
    """The result's sizes of space, which the operand lists alone or among batch and channels."""
    listed = t.known_one_by_one(sizes)
    if len(listed) == channels.rank:
        _check_channels(op, "filters make", outputs, "its result has", listed[channels.place])
        listed = [listed[i] for i in channels.space]
    found = tuple(number for number in listed if number is not None)
    if len(found) != channels.rank - 2:
        raise DiagnosticException(
            f"tf.{op.name}: the sizes of its result decide on padding and are unknown; give the inputs of the "
            "model sizes"
        )
    return found
