"""Operators of ONNX Runtime with channels last (domain `com.microsoft`)."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..node import Node, Values
from ..rule_table import rule
from .runtime_fused import as_onnx, fused


def channels_first(node: Node, value: SSAValue) -> SSAValue:
    """`[batch, *image, channel]` as `[batch, channel, *image]`."""
    rank = node.rank()
    return node.write.transposed(value, (0, rank - 1, *range(1, rank - 1)))


def channels_last(node: Node, value: SSAValue) -> SSAValue:
    """The inverse."""
    return node.write.transposed(value, (0, *range(2, node.rank()), 1))


@rule("com.microsoft.NhwcMaxPool")
def max_pool(node: Node) -> Values:
    return channels_last(node, as_onnx(node, "MaxPool", 12, channels_first(node, node[0])))


@rule("com.microsoft.QLinearConv")
def convolution(node: Node) -> Values:
    """ONNX's convolution. With `channels_last`, image and result have channels last; filters do not."""
    if not node("channels_last", 0):
        return as_onnx(node, "QLinearConv", 10, *node.inputs)
    x = channels_first(node, node[0])
    return channels_last(node, as_onnx(node, "QLinearConv", 10, x, *node.inputs[1:]))


@rule("com.microsoft.NhwcConv")
def convolution_of_filters(node: Node) -> Values:
    """Filters have their channels last, too: `[output, *kernel, input]`."""
    image, filters = (channels_first(node, node[i]) for i in (0, 1))
    return channels_last(node, as_onnx(node, "Conv", 11, image, filters, node.get(2)))


@rule("com.microsoft.NhwcFusedConv")
def fused_convolution(node: Node) -> Values:
    """A convolution, an addition, and an activation. Filters are those of ONNX's own."""
    added = node.get(3)
    added = None if added is None else channels_first(node, added)
    x = channels_first(node, node[0])
    return channels_last(node, fused(node, "Conv", 11, [x, node[1], node.get(2)], added))
