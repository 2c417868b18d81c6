"""Images in another size, and blocks of space against channels and batch."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, StringAttr, f32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..channels_last import numbers
from ..tensorflow import TfOp
from .channels import Channels
from .elementwise import converted
from .shapes import long, number, rank
from .translation import Translation, rule
from .values import Value


@rule("ResizeBilinear", "ResizeNearestNeighbor")
def resize(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    """Where an element of the result lies in the input: at its center, its corner, or between aligned corners."""
    x, sizes = t.tensors_of(op, values)
    channels = Channels.of(op, x, 4)
    linear = op.name == "ResizeBilinear"
    align, half = op.flag("align_corners"), op.flag("half_pixel_centers")
    if align and half:
        raise DiagnosticException(
            f"tf.{op.name}: align_corners and half_pixel_centers exclude each other; set one of them"
        )
    coordinates = "asymmetric"
    if align:
        coordinates = "align_corners"
    elif half:
        coordinates = "half_pixel" if linear else "tf_half_pixel_for_nn"
    properties: dict[str, Attribute] = {
        "mode": StringAttr("linear_onnx" if linear else "nearest"),
        "shape_calculation_mode": StringAttr("sizes"),
        "coordinate_transformation_mode": StringAttr(coordinates),
        "nearest_mode": StringAttr("round_prefer_ceil" if align else "floor"),
        "antialias": BoolAttr.from_bool(False),
        "pads_begin": numbers([]),
        "pads_end": numbers([]),
    }
    if linear:
        x = converted(t, x, f32)  # its result is of f32 whatever the image is
    axes = t.integers(2, 3)
    resized = t(nn.InterpolateOp, channels.first(t, x), long(t, sizes), axes, **properties)
    return channels.back(t, resized)


@rule("DepthToSpace", "SpaceToDepth")
def depth(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    channels = Channels.of(op, x, 4)
    kind = nn.DepthToSpaceOp if op.name == "DepthToSpace" else nn.SpaceToDepthOp
    properties = {
        "mode": StringAttr("blocks_first"),
        "block_size": number(op.integer("block_size")),
    }
    return channels.back(t, t(kind, channels.first(t, x), **properties))


@rule("SpaceToBatchND", "BatchToSpaceND")
def blocks(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    """Blocks of the dimensions behind the first, as many as there are sizes of a block."""
    x = t.tensor_of(op, values[0])
    kind = nn.BatchToSpaceOp if op.name == "BatchToSpaceND" else nn.SpaceToBatchOp
    block = t.integers_of(op, values[1], "the sizes of a block")
    limits = t.integers_of(op, values[2], "its padding or cropping")
    if len(limits) != 2 * len(block) or len(block) >= rank(x):
        raise DiagnosticException(
            f"tf.{op.name}: {len(block)} sizes of a block and {len(limits)} of padding or cropping do not fit "
            f"{rank(x)} dimensions; it needs two of the latter for each of the former"
        )
    rest = [0] * (len(shape_of(x)) - 1 - len(block))
    sizes = t.integers(1, *block, *(1 for _ in rest))
    begin, end = t.integers(0, *limits[::2], *rest), t.integers(0, *limits[1::2], *rest)
    return t(kind, x, sizes, begin, end)
