"""Convolutions: plain, grouped and depthwise."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import DYNAMIC_INDEX, Shape, shape_of, spelled
from ..tensorflow import TfOp
from ..tensorflow_rules.channels import Channels
from .translation import Translation, computes
from .windows import properties_of, window_of

RANKS = {"Conv2D": 4, "Conv3D": 5}
"""The number of dimensions of what a convolution takes."""


@computes(*RANKS)
def convolution(t: Translation, op: TfOp, x: SSAValue, filters: SSAValue) -> SSAValue:
    """Filters `[*kernel, inputs, outputs]`; input with more channels than `inputs` is of groups."""
    channels = Channels.of(op, x, RANKS[op.name])
    shape = filters_of(op, filters, channels)
    groups = _groups(op, shape_of(x)[channels.place], shape)
    window = properties_of(window_of(channels, shape[:-2]))
    filters = channels_first(t, filters)
    if groups == 1:
        result = t(nn.ConvolutionOp, channels.first(t, x), filters, **window)
    else:
        outputs, *rest = shape_of(filters)
        filters = t(nn.ReshapeOp, filters, t.integers(groups, outputs // groups, *rest))
        result = t(nn.GroupConvolutionOp, channels.first(t, x), filters, **window)
    return channels.back(t, result)


def filters_of(op: TfOp, filters: SSAValue, channels: Channels) -> Shape:
    """The shape of filters. Raises DiagnosticException where it is not one, or not known."""
    shape = shape_of(filters)
    if len(shape) != channels.rank or DYNAMIC_INDEX in shape:
        raise DiagnosticException(
            f"{op.label}: filters {spelled(shape)}; they must have {channels.rank} dimensions of known size"
        )
    return shape


def channels_first(t: Translation, filters: SSAValue) -> SSAValue:
    """Filters `[*kernel, a, b]` as `[b, a, *kernel]`."""
    *kernel, a, b = range(len(shape_of(filters)))
    return t(nn.TransposeOp, filters, t.integers(b, a, *kernel))


def _groups(op: TfOp, channels: int, filters: Shape) -> int:
    """The number of groups for these filters and channels. Raises DiagnosticException where they do not fit."""
    *_, inputs, outputs = filters
    if channels == DYNAMIC_INDEX:
        raise DiagnosticException(
            f"{op.label}: how many channels its input has is unknown, so in how many groups filters "
            f"{spelled(filters)} take them; give the inputs of the model their channels"
        )
    groups = channels // inputs if inputs else 0
    if groups < 1 or groups * inputs != channels or outputs % groups:
        raise DiagnosticException(
            f"{op.label}: filters {spelled(filters)} do not fit an input of {channels} channels; these must be "
            f"a multiple of {inputs}, and the {outputs} outputs one of the groups that makes"
        )
    return groups


@computes("DepthwiseConv2dNative")
def depthwise(t: Translation, op: TfOp, x: SSAValue, filters: SSAValue) -> SSAValue:
    """Filters `[*kernel, channels, multiplier]`: each channel is a group."""
    channels = Channels.of(op, x, 4)
    window = properties_of(window_of(channels, filters_of(op, filters, channels)[:-2]))
    filters = t(nn.TransposeOp, filters, t.integers(2, 3, 0, 1))
    filters = t(nn.UnsqueezeOp, filters, t.integers(2))
    return channels.back(t, t(nn.GroupConvolutionOp, channels.first(t, x), filters, **window))
