"""Resizing images, and sampling them between pixels."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import f32, f64
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import constant_integers, label, shape_of, static_shape, tensor
from ....reference.arrays import Array, array_of, blob_of
from ....reference.nn.interpolate import nearest_elements, resizings, weights_between
from .graph import GraphWriter
from .handlers import Written, writes

MODES = {"nearest": "nearest", "linear": "linear", "linear_onnx": "linear", "cubic": "cubic"}

COORDINATES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners")


@writes(nn.InterpolateOp)
def interpolate(graph: GraphWriter, op: nn.InterpolateOp) -> Written:
    """A Resize. For modes that ONNX does not have, a product with a matrix along each axis."""
    mode, where, nearest = (
        op.mode.data,
        op.coordinate_transformation_mode.data,
        op.nearest_mode.data,
    )
    rank, x = len(shape_of(op.input)), graph[op.input]
    pads = op.padding(rank)
    if any(map(any, pads)):
        x = graph("Pad", x, graph.integers(*(b for b, _ in pads), *(e for _, e in pads)))
    axes = list(range(rank))
    if op.axes is not None:
        axes = [axis % rank for axis in constant_integers(op.axes) or ()]
    if not axes:
        return graph("Identity", x)
    is_nearest = mode == "nearest"
    between = is_nearest or not (op.antialias or is_integer(tensor(op.input).element_type))
    if mode not in MODES or where not in COORDINATES or nearest == "simple" or not between:
        return _by_matrices(graph, op, x, axes)
    scales, sizes, blob = "", "", nn.constant_of(op.scales_or_sizes)
    if op.shape_calculation_mode.data == "sizes":
        sizes = graph.vector(op.scales_or_sizes)
    elif blob is not None:
        scales = graph.constant(blob_of(array_of(blob).astype(np.float32)))
    else:
        element = tensor(op.scales_or_sizes).element_type
        scales = graph.cast(graph[op.scales_or_sizes], element, f32)
    return graph(
        "Resize",
        *(x, "", scales, sizes),
        axes=axes,
        mode=MODES[mode],
        coordinate_transformation_mode=where,
        nearest_mode=nearest if is_nearest else None,
        cubic_coeff_a=op.cube_coeff.value.data if mode == "cubic" else None,
    )


def _by_matrices(graph: GraphWriter, op: nn.InterpolateOp, x: str, axes: list[int]) -> str:
    """Integers are computed in f64."""
    blob, element = nn.constant_of(op.scales_or_sizes), tensor(op.input).element_type
    if blob is None:
        raise DiagnosticException(
            f"{label(op)}: with mode '{op.mode.data}', ONNX needs constant scales or sizes; run fold-constants first"
        )
    pads = op.padding(len(shape_of(op.input)))
    shape = [size + sum(pair) for size, pair in zip(static_shape(op.input), pads, strict=True)]
    is_nearest = op.mode.data == "nearest"
    computed = f64 if is_integer(element) and not is_nearest else element
    x = graph.cast(x, element, computed)
    least, most = limits_of(element) if is_integer(element) else (0, 0)
    for one in resizings(op, shape, axes, array_of(blob).reshape(-1)):
        if is_nearest:
            places = graph.integers(*map(int, nearest_elements(op, one)))
            x = graph("Gather", x, places, axis=one.axis)
            continue
        weights: Array = weights_between(op, one)
        order = [*(i for i in range(len(shape)) if i != one.axis), one.axis]
        moved = graph.transposed(x, order)
        product = graph("MatMul", moved, graph.constant(blob_of(weights.T, computed)))
        x = graph.transposed(product, [order.index(i) for i in range(len(shape))])
        if op.rounds_each and computed != element:
            x = _rounded(graph, x, least, most)
    if computed == element:
        return graph("Identity", x)
    return graph.cast(_rounded(graph, x, least, most), computed, element)


def _rounded(graph: GraphWriter, x: str, least: int, most: int) -> str:
    """The nearest integer between two limits, in f64."""
    return graph("Clip", graph("Round", x), graph.scalar(least, f64), graph.scalar(most, f64))


@writes(nn.GridSampleOp)
def grid_sample(graph: GraphWriter, op: nn.GridSampleOp) -> Written:
    return graph(
        "GridSample",
        *(graph[op.input], graph[op.grid]),
        align_corners=int(bool(op.align_corners)),
        mode={"bilinear": "linear", "bicubic": "cubic"}.get(op.mode.data, op.mode.data),
        padding_mode=op.padding_mode.data,
    )
