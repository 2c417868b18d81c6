"""Windows: convolutions, their transposes, pooling, and images in another size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import InferredOp, shape_of, spelled
from ....dialects.nn.window import Window
from ....dialects.properties import Property
from ..node import Node, Values
from ..rule_table import rule
from .normalization import per_channel

AUTO_PAD = {
    "NOTSET": "explicit",
    "VALID": "valid",
    "SAME_UPPER": "same_upper",
    "SAME_LOWER": "same_lower",
}


def window(node: Node, count: int) -> dict[str, Any]:
    """The properties of a window over `count` spatial dimensions."""
    pads = node("pads") or [0] * (2 * count)
    if len(pads) != 2 * count:
        raise node.refuse(
            f"pads {pads} must be {2 * count} numbers, two for each spatial dimension"
        )
    auto_pad = node.choice("auto_pad", "NOTSET", AUTO_PAD)
    if auto_pad != "explicit":
        pads = [0] * (2 * count)
    return {
        "strides": node("strides") or [1] * count,
        "dilations": node("dilations") or [1] * count,
        "pads_begin": pads[:count],
        "pads_end": pads[count:],
        "auto_pad": auto_pad,
    }


def grouped(node: Node, filters: SSAValue, groups: int) -> SSAValue:
    """Filters with a dimension for groups in front."""
    shape = shape_of(filters)
    if DYNAMIC_INDEX in shape:
        raise node.refuse(
            f"filters of {spelled(shape)} for {groups} groups need known sizes; give them a fixed shape"
        )
    if shape[0] % groups:
        raise node.refuse(f"{shape[0]} filters cannot be in {groups} groups")
    return node.write.reshaped(filters, (groups, shape[0] // groups, *shape[1:]))


@rule("Conv")
def conv(node: Node) -> Values:
    result = convolved(node, node[0], node[1])
    if (bias := node.get(2)) is None:
        return result
    return node.write(nn.AddOp, node.before_bias(result), per_channel(node, bias, node.rank()))


def convolved(node: Node, x: SSAValue, filters: SSAValue, **more: Attribute) -> SSAValue:
    """The convolution that a node describes, with other operands."""
    groups, properties = node("group", 1), window(node, len(shape_of(x)) - 2)
    kind: type[InferredOp] = nn.ConvolutionOp
    if groups != 1:
        filters = grouped(node, filters, groups)
        kind = nn.GroupConvolutionOp
    return node.write(kind, x, filters, **(properties | more))


@rule("DeformConv")
def deform_conv(node: Node) -> Values:
    """Between the outermost pixels and the outside, values fall to zero."""
    properties = window(node, node.rank() - 2) | {
        "group": node("group", 1),
        "deformable_group": node("offset_group", 1),
        "bilinear_interpolation_pad": True,
    }
    masks = [] if node.get(4) is None else [node[4]]
    x, filters, offsets = (node[i] for i in range(3))
    result = node.write(nn.DeformableConvolutionOp, x, offsets, filters, *masks, **properties)
    if (bias := node.get(3)) is None:
        return result
    return node.write(nn.AddOp, result, per_channel(node, bias, node.rank()))


@rule("ConvTranspose")
def conv_transpose(node: Node) -> Values:
    """Pads follow from an output shape or from `auto_pad`, shared between both ends as ONNX says."""
    x, filters = node[0], node[1]
    write, shape = node.write, shape_of(x)
    count, groups = len(shape) - 2, node("group", 1)
    properties = window(node, count)
    more = node("output_padding") or [0] * count
    wanted = node("output_shape")
    auto_pad = node("auto_pad", "NOTSET")
    if wanted or auto_pad != "NOTSET":
        pads = _pads_of_transpose(node, shape[2:], shape_of(filters)[2:], more, wanted, auto_pad)
        begin, end = zip(*pads, strict=True) if pads else ((), ())
        # What ONNX adds beyond the span is padding of the result, and no less of it.
        more = [extra - min(e, 0) for extra, e in zip(more, end, strict=True)]
        properties |= {
            "pads_begin": begin,
            "pads_end": [max(e, 0) for e in end],
            "auto_pad": "explicit",
        }
    kind: type[InferredOp] = nn.ConvolutionBackpropDataOp
    if groups != 1:
        filters = grouped(node, filters, groups)
        kind = nn.GroupConvolutionBackpropDataOp
    result = write(kind, x, filters, **properties, output_padding=more)
    if (bias := node.get(2)) is None:
        return result
    return write(nn.AddOp, node.before_bias(result), per_channel(node, bias, len(shape)))


def _pads_of_transpose(
    node: Node, shape: Any, kernel: Any, more: list[int], wanted: list[int] | None, auto_pad: str
) -> list[tuple[int, int]]:
    count = len(shape)
    strides, dilations = (node(name) or [1] * count for name in ("strides", "dilations"))
    if DYNAMIC_INDEX in shape:
        raise node.refuse(
            "its pads depend on sizes that are unknown; give the model's inputs fixed shapes"
        )
    pads: list[tuple[int, int]] = []
    for i, size in enumerate(shape):
        span = (size - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 + more[i]
        if auto_pad == "VALID" and not wanted:
            pads.append((0, 0))
            continue
        target = wanted[-count:][i] if wanted else size * strides[i]
        total = span - target
        if total < 0:
            pads.append((0, total))
            continue
        less = total // 2
        pads.append((less, total - less) if auto_pad == "SAME_UPPER" else (total - less, less))
    return pads


# --- pooling ----------------------------------------------------------------------------------------


def _pooling(node: Node) -> dict[str, Property]:
    kernel = node.needed("kernel_shape")
    rounding = "ceil_torch" if node("ceil_mode", 0) else "floor"
    return window(node, len(kernel)) | {
        "kernel": kernel,
        "rounding_type": rounding,
    }


@rule("AveragePool")
def average_pool(node: Node) -> Values:
    exclude, properties = not node("count_include_pad", 0), _pooling(node)
    begins, ends = (cast(list[int], properties[f"pads_{end}"]) for end in ("begin", "end"))
    if exclude or not node("ceil_mode", 0) or not any((*begins, *ends)):
        return node.write(nn.AvgPoolOp, node[0], **properties, exclude_pad=exclude)
    return _with_padding_counted(node, begins, ends, properties)


def _with_padding_counted(
    node: Node, begins: Sequence[int], ends: Sequence[int], properties: dict[str, Property]
) -> SSAValue:
    """
    Averages of rounded-up windows: zeros of the padding count, but not elements behind it. A window that begins in the
    padding behind the input is left out.
    """
    write, x = node.write, node[0]
    zeros = [write.integers(0, 0, *each) for each in (begins, ends)]
    padded = write(nn.PadOp, x, *zeros, write.scalar_like(x, 0), pad_mode="constant")
    count = len(begins)
    none = dict.fromkeys(("pads_begin", "pads_end"), [0] * count)
    result = write(nn.AvgPoolOp, padded, **(properties | none), exclude_pad=True)
    strides = cast(list[int], properties["strides"])
    reach = [begin + stride - 1 for begin, stride in zip(begins, strides, strict=True)]
    sizes = write.slice(write(nn.ShapeOfOp, x), 2, 2 + count, 0)
    stops = write(
        nn.DivideOp, write(nn.AddOp, sizes, write.integers(*reach)), write.integers(*strides)
    )
    starts, steps = write.integers(*[0] * count), write.integers(*[1] * count)
    axes = write.integers(*range(2, 2 + count))
    return write(nn.SliceOp, result, starts, stops, steps, axes)


def average_of_whole_windows(node: Node, x: SSAValue) -> SSAValue:
    """Averages of rounded-up windows of `x`: zeros count, those of the padding and those behind it."""
    properties = _pooling(node)
    properties |= _padded_up(node, shape_of(x)[2:], properties)
    properties["rounding_type"] = "floor"
    return node.write(nn.AvgPoolOp, x, **properties, exclude_pad=False)


@rule("MaxPool")
def max_pool(node: Node) -> Values:
    """
    The second output holds indices into the flattened input, whose images are in row-major order or, with
    `storage_order` 1, in column-major order.
    """
    properties, write, x = _pooling(node), node.write, node[0]
    most = write(nn.MaxPoolOp, x, **properties)
    if not node.uses(1):
        return most
    whole = write(nn.MaxPoolIndicesOp, x, **properties)
    _, _, *sizes = shape_of(x)
    if not node("storage_order", 0) or len(sizes) == 1:
        return [most, whole]
    if DYNAMIC_INDEX in sizes:
        raise node.refuse(
            f"storage_order = 1 is not supported for an input of shape {spelled(shape_of(x))}; "
            "give the model's inputs fixed shapes"
        )
    inner = write(nn.MaxPoolIndicesOp, x, **properties, axis=2)
    place, rest = write(nn.SubtractOp, whole, inner), inner
    for d in reversed(range(len(sizes))):
        index, rest = write(nn.FloorModOp, rest, sizes[d]), write(nn.DivideOp, rest, sizes[d])
        place = write(nn.AddOp, place, write(nn.MultiplyOp, index, math.prod(sizes[:d])))
    return [most, place]


def _exponent(node: Node) -> float:
    """The p of an Lp norm."""
    if not (p := node("p", 2.0)) > 0:
        raise node.refuse(f"a norm of p = {p} is not supported; use a p above 0")
    return p


@rule("LpPool")
def lp_pool(node: Node) -> Values:
    """
    The root of the sum of powers: the average of powers times the number of elements; where windows are rounded up, a
    convolution.
    """
    x, write, p = node[0], node.write, _exponent(node)
    power = write(nn.PowerOp, write(nn.AbsOp, x), float(p))
    properties = _pooling(node)
    kernel = node.needed("kernel_shape")
    if not node("ceil_mode", 0):
        mean = write(nn.AvgPoolOp, power, **properties, exclude_pad=False)
        return write(nn.PowerOp, write(nn.MultiplyOp, mean, float(math.prod(kernel))), 1 / p)
    shape = shape_of(x)
    ones = BlobAttr.of(TensorType(node.element(), (1, 1, *kernel)), 1.0)
    if DYNAMIC_INDEX in shape[:2]:
        raise node.refuse("its channels are unknown; give the model's inputs fixed shapes")
    flat = write.reshaped(power, (shape[0] * shape[1], 1, *shape[2:]))
    del properties["kernel"], properties["rounding_type"]
    properties |= _padded_up(node, shape[2:], properties)
    total = write(nn.ConvolutionOp, flat, write.constant(ones), **properties)
    total = write.reshaped(total, (*shape[:2], *shape_of(total)[2:]))
    return write(nn.PowerOp, total, 1 / p)


def _padded_up(
    node: Node, sizes: Sequence[int], properties: dict[str, Property]
) -> dict[str, Property]:
    """Pads with which as many windows fit as rounding up gives."""
    if DYNAMIC_INDEX in sizes:
        raise node.refuse(
            "with ceil_mode = 1 it needs known sizes; give the model's inputs fixed shapes"
        )
    strides, dilations, begins, ends = (
        tuple(cast(Sequence[int], properties[name]))
        for name in ("strides", "dilations", "pads_begin", "pads_end")
    )
    auto_pad = str(properties["auto_pad"])
    kernel = tuple(node.needed("kernel_shape"))
    each = Window(kernel, strides, dilations, begins, ends, auto_pad, "ceil_torch")
    counts, pads = each.positions(sizes), each.padding(sizes)
    reached = [
        max((count - 1) * stride + extent - size - begin, end)
        for count, stride, extent, size, (begin, end) in zip(
            counts, each.strides, each.extents, sizes, pads, strict=True
        )
    ]
    return {"auto_pad": "explicit", "pads_begin": [begin for begin, _ in pads], "pads_end": reached}


@rule("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(node: Node) -> Values:
    axes = node.write.integers(*range(2, node.rank()))
    kinds: dict[str, type[InferredOp]] = {
        "GlobalAveragePool": nn.ReduceMeanOp,
        "GlobalMaxPool": nn.ReduceMaxOp,
    }
    if node.type in kinds:
        return node.write(kinds[node.type], node[0], axes, keep_dims=True)
    write, p = node.write, _exponent(node)
    power = write(nn.PowerOp, write(nn.AbsOp, node[0]), float(p))
    return write(nn.PowerOp, write(nn.ReduceSumOp, power, axes, keep_dims=True), 1 / p)


@rule("Col2Im")
def col2im(node: Node) -> Values:
    """Windows added up into an image."""
    properties = window(node, len(node.integers(1, "the sizes of the image")))
    del properties["auto_pad"]
    return node.write(nn.Col2ImOp, *(node[i] for i in range(3)), **properties)
