"""Resizing images, and space to depth or batch and back."""

from __future__ import annotations

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.properties import Property
from ..tensorflow import TfOp
from .channels import Channels
from .rules import Legalizer, rule


@rule("ResizeBilinear", "ResizeNearestNeighbor")
def resize(t: Legalizer, op: TfOp, x: SSAValue, sizes: SSAValue) -> SSAValue:
    """An element of the result is sampled at its center, at its corner, or between aligned corners."""
    channels = Channels.of(op, x, 4)
    linear = op.name == "ResizeBilinear"
    align, half = op.flag("align_corners"), op.flag("half_pixel_centers")
    if align and half:
        raise DiagnosticException(
            f"{op.label}: align_corners and half_pixel_centers exclude each other; set one of them"
        )
    coordinates = "asymmetric"
    if align:
        coordinates = "align_corners"
    elif half:
        coordinates = "half_pixel" if linear else "tf_half_pixel_for_nn"
    properties: dict[str, Property] = {
        "mode": "linear_onnx" if linear else "nearest",
        "shape_calculation_mode": "sizes",
        "coordinate_transformation_mode": coordinates,
        "nearest_mode": "round_prefer_ceil" if align else "floor",
        "antialias": False,
        "pads_begin": (),
        "pads_end": (),
    }
    if linear:
        x = t.converted(x, f32)  # its result is of f32 whatever the image is
    axes = t.integers(2, 3)
    resized = t(nn.InterpolateOp, channels.first(t, x), t.long(sizes), axes, **properties)
    return channels.back(t, resized)


@rule("DepthToSpace", "SpaceToDepth", moves=True)
def depth(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    channels, block = Channels.of(op, x, 4), op.integer("block_size")
    kind = nn.DepthToSpaceOp if op.name == "DepthToSpace" else nn.SpaceToDepthOp
    moved = t(kind, channels.first(t, x), mode="blocks_first", block_size=block)
    return channels.back(t, moved)


@rule("SpaceToBatchND", "BatchToSpaceND", moves=True)
def blocks(
    t: Legalizer, op: TfOp, x: SSAValue, block_shape: SSAValue, amounts: SSAValue
) -> SSAValue:
    """Blocks of the dimensions behind the first, as many as there are sizes of a block."""
    kind = nn.BatchToSpaceOp if op.name == "BatchToSpaceND" else nn.SpaceToBatchOp
    block = t.integers_of(op, block_shape, "block shape")
    limits = t.integers_of(op, amounts, "padding or cropping")
    rank = len(shape_of(x))
    if len(limits) != 2 * len(block) or len(block) >= rank:
        raise DiagnosticException(
            f"{op.label}: {len(block)} sizes of a block and {len(limits)} of padding or cropping do not fit "
            f"{rank} dimensions; it needs two of the latter for each of the former"
        )
    rest = rank - 1 - len(block)
    begin, end = ([0, *limits[side::2], *[0] * rest] for side in (0, 1))
    return t(kind, x, *(t.integers(*n) for n in ([1, *block, *[1] * rest], begin, end)))
