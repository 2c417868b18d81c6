"""Gather, scatter and top-k."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import shape_of
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted

REDUCTIONS = {"none": "none", "add": "sum", "mul": "prod", "max": "max", "min": "min"}
"""How several updates of one element are combined, by ONNX's names."""


@rule("Scatter", "ScatterElements")
def scatter_elements(node: Node) -> Values:
    return node.write(
        nn.ScatterElementsUpdateOp,
        *(node[i] for i in range(3)),
        node.write.integer(node.axis(node.rank())),
        reduction=node.choice("reduction", "none", REDUCTIONS),
    )


@rule("TensorScatter")
def tensor_scatter(node: Node) -> Values:
    """A cache that gets new entries from an index on, which each batch has its own; a circular cache wraps around."""
    cache, update, write = node[0], node[1], node.write
    shape, rank = shape_of(update), node.rank()
    axis: int = node("axis", -2) % rank
    steps = write.constant(BlobAttr.of(TensorType(i64, [shape[axis]]), range(shape[axis])))
    places = write.reshaped(steps, [-1 if d == axis else 1 for d in range(rank)])
    if (first := node.get(2)) is not None:
        begins = write.reshaped(converted(node, first, i64), [-1] + [1] * (rank - 1))
        places = write(nn.AddOp, places, begins)
    if node("mode", "linear") == "circular":
        places = write(nn.FloorModOp, places, shape_of(cache)[axis])
    places = write.broadcast(places, shape)
    return write(
        nn.ScatterElementsUpdateOp, cache, places, update, write.integer(axis), reduction="none"
    )


@rule("MaxUnpool")
def max_unpool(node: Node) -> Values:
    """Values at indices into the flattened result, whose size follows from the window; all others are 0."""
    x, write, kernel = node[0], node.write, node.needed("kernel_shape")
    shape, count = shape_of(x), len(kernel)
    pads, strides = node("pads") or [0] * (2 * count), node("strides") or [1] * count
    if not len(shape) - 2 == count == len(strides) == len(pads) / 2:
        raise node.refuse(
            f"kernel_shape {list(kernel)}, strides {list(strides)} and pads {list(pads)} do not fit an input of rank "
            f"{len(shape)}; export the model again"
        )
    sizes = [
        (size - 1) * stride - begin - end + extent
        for size, stride, begin, end, extent in zip(
            shape[2:], strides, pads[:count], pads[count:], kernel, strict=True
        )
    ]
    whole = [*shape[:2], *sizes]
    if DYNAMIC_INDEX in shape:
        raise node.refuse("its input has unknown sizes; give the model's inputs fixed shapes")
    zeros = write.constant(BlobAttr.of(TensorType(node.element(), [prod(whole)]), 0))
    flat = [write.reshaped(each, [prod(shape)]) for each in (node[1], x)]
    put = write(nn.ScatterElementsUpdateOp, zeros, *flat, write.integer(0), reduction="none")
    put = write.reshaped(put, whole)
    if node.get(2) is None:
        return put
    wanted = node.integers(2, "output_shape")
    more = [size - had for size, had in zip(wanted, whole, strict=True)]
    none = write.integers(*[0] * len(more))
    return write(nn.PadOp, put, none, write.integers(*more), pad_mode="constant")


@rule("ScatterND")
def scatter_nd(node: Node) -> Values:
    return node.write(
        nn.ScatterNdUpdateOp,
        *(node[i] for i in range(3)),
        reduction=node.choice("reduction", "none", REDUCTIONS),
    )


@rule("Unique")
def unique(node: Node) -> Values:
    """In ours, the axis is an operand."""
    along = [node.write.integer(node.axis(node.rank()))] if "axis" in node.attributes else []
    operands = [node[0], *along]
    return list(node.write.all(nn.UniqueOp, *operands, sorted=bool(node("sorted", 1))))


@rule("Compress")
def compress(node: Node) -> Values:
    """The elements where a condition holds, which may be shorter than the dimension."""
    x, write, along = node[0], node.write, 0
    if "axis" in node.attributes:
        along = node.axis(node.rank())
    else:
        x = write.reshaped(x, (-1,))
    places = write(nn.SqueezeOp, write(nn.NonZeroOp, node[1]), write.integers(0))
    return write(nn.GatherOp, x, places, write.integer(along), batch_dims=0)


@rule("TopK")
def top_k(node: Node) -> Values:
    """`k` is an attribute before version 10; before version 11, always the largest elements."""
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
    """Before version 16, regions are not shifted by half a pixel. `max` is over weighted pixels."""
    mode = node("mode", "avg")
    shifted = node("coordinate_transformation_mode", "output_half_pixel") == "half_pixel"
    return node.write(
        nn.RoiAlignOp,
        *(node[i] for i in range(3)),
        pooled_h=node("output_height", 1),
        pooled_w=node("output_width", 1),
        sampling_ratio=node("sampling_ratio", 0),
        spatial_scale=float(node("spatial_scale", 1.0)),
        mode="weighted_max" if mode == "max" else mode,
        aligned_mode="half_pixel_for_nn" if shifted else "asymmetric",
    )


@rule("GridSample")
def grid_sample(node: Node) -> Values:
    """Since version 20, modes have other names."""
    names = {"linear": "bilinear", "cubic": "bicubic"}
    return node.write(
        nn.GridSampleOp,
        node[0],
        node[1],
        mode=names.get(mode := node("mode", "bilinear"), mode),
        padding_mode=node("padding_mode", "zeros"),
        align_corners=bool(node("align_corners", 0)),
    )
