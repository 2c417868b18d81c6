"""Elements at indices: gathered, scattered, and the greatest of them."""

from __future__ import annotations

from xdsl.dialects.builtin import i64

from ....dialects import nn
from ..node import Node, Values
from ..registry import rule

REDUCTIONS = {"none": "none", "add": "sum", "mul": "prod", "max": "max", "min": "min"}
"""How updates of one element are put together, by ONNX's names."""


@rule("Scatter", "ScatterElements")
def scatter_elements(node: Node) -> Values:
    return node.write(
        nn.ScatterElementsUpdateOp,
        *(node[i] for i in range(3)),
        node.write.integer(node.axis(node.rank())),
        reduction=REDUCTIONS[node("reduction", "none")],
    )


@rule("ScatterND")
def scatter_nd(node: Node) -> Values:
    return node.write(
        nn.ScatterNdUpdateOp,
        *(node[i] for i in range(3)),
        reduction=REDUCTIONS[node("reduction", "none")],
    )


@rule("Unique")
def unique(node: Node) -> Values:
    """Along an axis, which is an operand here."""
    along = [node.write.integer(node.axis(node.rank()))] if "axis" in node.attributes else []
    operands = [node[0], *along]
    return list(node.write.all(nn.UniqueOp, *operands, sorted=bool(node("sorted", 1))))


@rule("Compress")
def compress(node: Node) -> Values:
    """What is at the places that a condition, as long as the dimension or shorter, says."""
    x, write, along = node[0], node.write, 0
    if "axis" in node.attributes:
        along = node.axis(node.rank())
    else:
        x = write.reshaped(x, (-1,))
    places = write(nn.SqueezeOp, write(nn.NonZeroOp, node[1]), write.integers(0))
    return write(nn.GatherOp, x, places, write.integer(along), batch_dims=0)


@rule("TopK")
def top_k(node: Node) -> Values:
    """`k` is an attribute before version 10, and the greatest are meant before 11."""
    write = node.write
    k = write.integer(node.needed("k")) if node.version < 10 else write.reshaped(node[1], ())
    results = write.all(
        nn.TopKOp,
        node[0],
        k,
        axis=node.axis(node.rank()),
        mode="max" if node("largest", 1) else "min",
        sort="value" if node("sorted", 1) else "none",
        index_element_type=i64,
        stable=True,
    )
    return list(results)


@rule("RoiAlign")
def roi_align(node: Node) -> Values:
    """Before version 16, regions are not moved by half a pixel."""
    shifted = node("coordinate_transformation_mode", "output_half_pixel") == "half_pixel"
    return node.write(
        nn.RoiAlignOp,
        *(node[i] for i in range(3)),
        pooled_h=node("output_height", 1),
        pooled_w=node("output_width", 1),
        sampling_ratio=node("sampling_ratio", 0),
        spatial_scale=float(node("spatial_scale", 1.0)),
        mode=node("mode", "avg"),
        aligned_mode="half_pixel_for_nn" if shifted else "asymmetric",
    )


@rule("GridSample")
def grid_sample(node: Node) -> Values:
    """Modes have had other names since version 20."""
    names = {"linear": "bilinear", "cubic": "bicubic"}
    return node.write(
        nn.GridSampleOp,
        node[0],
        node[1],
        mode=names.get(mode := node("mode", "bilinear"), mode),
        padding_mode=node("padding_mode", "zeros"),
        align_corners=bool(node("align_corners", 0)),
    )
