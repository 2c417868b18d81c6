"""
Resizing images: by LiteRT's kernels where they do the same, else by a gather or a product with a constant matrix along
each axis.
"""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...reference.nn.interpolate import (
    Resizing,
    nearest_elements,
    resizings,
    weights_between,
)
from ..channels_last import channels_last_order
from .elementwise import as_it_lies
from .movement import gathered, with_pads
from .refusals import refuse, refuse_unknown
from .tensors import Tensor
from .writer import TflWriter, emits, sizes_of

KERNELS = {
    ("linear_onnx", "half_pixel"): ("RESIZE_BILINEAR", False, True),
    ("linear_onnx", "asymmetric"): ("RESIZE_BILINEAR", False, False),
    ("linear_onnx", "align_corners"): ("RESIZE_BILINEAR", True, False),
}
"""By mode and coordinates, the builtin with its `align_corners` and `half_pixel_centers`."""

NEAREST = ("asymmetric", "tf_half_pixel_for_nn")
"""Coordinates for which the kernel for the nearest element does the same if sizes double."""


@emits(nn.InterpolateOp)
def interpolate(write: TflWriter, op: nn.InterpolateOp) -> None:
    shape, rank = shape_of(op.input), len(shape_of(op.input))
    if DYNAMIC_INDEX in [shape[axis] for axis in _axes(write, op)]:
        raise refuse_unknown(op, "it needs known sizes of what it resizes")
    if (wanted := write.known(op.scales_or_sizes)) is None:
        raise refuse(op, "its scales or sizes must be constant; fold or fix them first")
    if (kernel := kernel_of(write, op)) is not None:
        write.set(op.result, by_kernel(write, op, kernel), channels_last_order(4))
        return
    source, order = as_it_lies(write, op.input)
    pads = op.padding(rank)
    source = with_pads(write, source, [pads[i] for i in order])
    x = source
    places = [order.index(axis) for axis in _axes(write, op)]
    for one in resizings(op, x.shape, places, wanted):
        if one.after == one.before and one.scale == 1:
            continue
        x = _along(write, op, x, one)
        if op.rounds_each and x.element != source.element:
            x = _rounded(write, x, source.element)
    if x.element != source.element:
        x = _rounded(write, x, source.element)
    write.set(op.result, x, order)


def _axes(write: TflWriter, op: nn.InterpolateOp) -> list[int]:
    rank = len(shape_of(op.input))
    axes = list(range(rank)) if op.axes is None else write.numbers(op, op.axes, "axes")
    return [axis % rank for axis in axes]


def kernel_of(write: TflWriter, op: nn.InterpolateOp) -> tuple[str, bool, bool] | None:
    """LiteRT's kernel for planes without padding, if it samples at the same positions."""
    rank, axes = len(shape_of(op.input)), _axes(write, op)
    padded = any(begin or end for begin, end in op.padding(rank))
    if rank != 4 or sorted(axes) != [2, 3] or padded:
        return None
    before, after = shape_of(op.input)[2:], shape_of(op.result)[2:]
    mode, coordinates = op.mode.data, op.coordinate_transformation_mode.data
    if mode == "nearest":
        exact = op.nearest_mode.data == "floor" and coordinates in NEAREST
        factors = [b / a for a, b in zip(before, after, strict=True)]
        doubles = all(factor >= 1 and math.log2(factor).is_integer() for factor in factors)
        half = coordinates != "asymmetric"
        return ("RESIZE_NEAREST_NEIGHBOR", False, half) if exact and doubles else None
    # With scales, places are computed of them, and not of the sizes as the kernel does.
    by_sizes = op.shape_calculation_mode.data == "sizes"
    return KERNELS.get((mode, coordinates)) if by_sizes else None


def by_kernel(write: TflWriter, op: nn.InterpolateOp, kernel: tuple[str, bool, bool]) -> Tensor:
    """The resized image, channels last."""
    builtin, align, half = kernel
    order, result = channels_last_order(4), sizes_of(op.result)
    x = write.arranged(op.input, order)
    shape = [result[i] for i in order]
    inside = x if x.quantization is not None else write.cast(x, "float32")
    sizes = write.integers(result[2:])
    found = write.op(
        builtin, [inside, sizes], shape, like=inside, align_corners=align, half_pixel_centers=half
    )
    return found if x.quantization is not None else _rounded(write, found, x.element)


def _along(write: TflWriter, op: nn.InterpolateOp, x: Tensor, one: Resizing) -> Tensor:
    if op.mode.data == "nearest":
        return gathered(write, x, [int(place) for place in nearest_elements(op, one)], one.axis)
    weights = weights_between(op, one).astype(np.float32)
    order = (*(i for i in range(x.rank) if i != one.axis), one.axis)
    last = write.cast(write.transposed(x, order), "float32")
    rows = last if last.rank > 1 else write.reshaped(last, (1, one.before))
    shape = (*rows.shape[:-1], one.after)
    operands = [rows, write.constant(weights), None]
    whole = write.op("FULLY_CONNECTED", operands, shape, keep_num_dims=rows.rank > 2)
    whole = write.reshaped(whole, (*last.shape[:-1], one.after))
    return write.transposed(whole, tuple(order.index(i) for i in range(x.rank)))


def _rounded(write: TflWriter, x: Tensor, element: str) -> Tensor:
    """Converts back to the input's type: integers are rounded, and clamped to their range."""
    if element.startswith("float"):
        return write.cast(x, element)
    limits = np.iinfo(element)
    inside = write.binary("MINIMUM", write.binary("MAXIMUM", x, limits.min), limits.max)
    return write.cast(write.unary("ROUND", inside), element)
