"""
Operators of ONNX Runtime on images whose channels lie in blocks (NCHWc, domain `com.microsoft.nchwc`), which its
optimizer writes at the level ORT_ENABLE_ALL. Images are read as `[batch, channel, row, column]`, with as many channels
as whole blocks have.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ....dialects import nn
from ....dialects.inferred import shape_of
from ....reference.arrays import Array, array_of, blob_of
from ..channel_blocks import WIDE
from ..node import Node, Values
from ..rule_table import rule
from .runtime_channels_last import channels_first, channels_last
from .runtime_fused import as_onnx, fused

RANK = 4
"""The number of dimensions of images and filters."""


@rule("com.microsoft.nchwc.ReorderInput")
def reorder_input(node: Node) -> Values:
    """Zeros fill the last block."""
    _check_image(node)
    x = channels_first(node, node[0]) if node("channels_last", 0) else node[0]
    if (channels := shape_of(x)[1]) == DYNAMIC_INDEX:
        raise node.refuse("the number of channels is unknown; give the model's inputs fixed shapes")
    if channels % WIDE == 0:  # whole blocks of either size
        return x
    if not (missing := -channels % node.scope.model.channels_in_block):
        return x
    write = node.write
    none, more = write.integers(0, 0, 0, 0), write.integers(0, missing, 0, 0)
    return write(nn.PadOp, x, none, more, write.scalar_like(x, 0), pad_mode="constant")


@rule("com.microsoft.nchwc.ReorderOutput")
def reorder_output(node: Node) -> Values:
    _check_image(node)
    channels, x = node.number("channels"), node[0]
    if not 0 < channels <= shape_of(x)[1]:
        raise node.refuse(
            f"channels is {channels}, and the image has {shape_of(x)[1]}; let ONNX Runtime optimize the model again"
        )
    if channels != shape_of(x)[1]:
        x = node.write.slice(x, 0, channels, 1)
    return channels_last(node, x) if node("channels_last", 0) else x


@rule("com.microsoft.nchwc.Conv")
def convolution(node: Node) -> Values:
    """A convolution, an addition, and an activation. Filters are constants in blocks."""
    _check_image(node)
    blob, block = nn.constant_of(node[1]), node.scope.model.channels_in_block
    shape = shape_of(node[1])
    if blob is None or len(shape) != RANK or shape[0] % block:
        raise node.refuse(
            f"filters (input 1) of shape {list(shape)} are no constant whose first size is a multiple of {block}; let "
            "ONNX Runtime optimize the model again"
        )
    filters = blob_of(_unblocked(array_of(blob), block), node.element(1))
    given = [node[0], node.write.constant(filters), node.get(2)]
    return fused(node, "Conv", 11, given, node.get(3))


def _unblocked(filters: Array, block: int) -> Array:
    """
    Filters `[output, input, row, column]` in their order. Their outputs lie in blocks, and so do their inputs, unless
    there are fewer than a block has: those of an image in color, or the one of a filter for each channel.
    """
    outputs, inputs, *kernel = filters.shape
    if inputs < block:
        apart = filters.reshape(outputs // block, inputs, *kernel, block)
        return apart.transpose(0, 4, 1, 2, 3).reshape(filters.shape)
    apart = filters.reshape(outputs // block, inputs // block, *kernel, block, block)
    return apart.transpose(0, 5, 1, 4, 2, 3).reshape(filters.shape)


@rule("com.microsoft.nchwc.MaxPool")
def max_pool(node: Node) -> Values:
    _check_image(node)
    return as_onnx(node, "MaxPool", 12, node[0])


@rule("com.microsoft.nchwc.AveragePool")
def average_pool(node: Node) -> Values:
    _check_image(node)
    return as_onnx(node, "AveragePool", 19, node[0])


@rule("com.microsoft.nchwc.GlobalMaxPool")
def global_max_pool(node: Node) -> Values:
    return node.write(nn.ReduceMaxOp, node[0], node.write.integers(2, 3), keep_dims=True)


@rule("com.microsoft.nchwc.GlobalAveragePool")
def global_average_pool(node: Node) -> Values:
    return node.write(nn.ReduceMeanOp, node[0], node.write.integers(2, 3), keep_dims=True)


@rule("com.microsoft.nchwc.Upsample")
def upsample(node: Node) -> Values:
    """Whole multiples: each element again and again, or linear between them."""
    _check_image(node)
    scales = node.write.constant(blob_of(np.array(node.needed("scales"), np.float32)))
    given = {"mode": node("mode", "nearest"), "nearest_mode": "floor"}
    is_nearest = given["mode"] == "nearest"
    given["coordinate_transformation_mode"] = (
        "asymmetric" if is_nearest else node("coordinate_transformation_mode", "half_pixel")
    )
    return as_onnx(replace(node, attributes=given), "Resize", 13, node[0], None, scales)


def _check_image(node: Node) -> None:
    if (rank := node.rank()) != RANK:
        raise node.refuse(
            f"input 0 has rank {rank}, and images have {RANK}; let ONNX Runtime optimize the model again"
        )
