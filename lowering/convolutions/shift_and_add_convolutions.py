"""
`shift-and-add-convolutions`: a convolution with few output channels is summed for each tap apart, as channels of one
that fills vectors; shifted sums are added.

This is kn2row (Anderson et al., Low-memory GEMM-based convolution algorithms, https://arxiv.org/abs/1709.03395), for
the last dimensions of the window or all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import Shape, shape_of
from ...dialects.nn.window import Window
from ...dialects.nn.writer import Writer
from ...dialects.walk import all_operations
from ..machine import planned_isa
from .trailing_elementwise import Trailing

ADDITION = 8
"""What adding one of the shifted sums costs, in vectors of products of one channel: sums are moved, too."""

LEAST_GAIN = 1.1
"""How many times as much the convolution costs as it is."""

MOST_TAPS = 32
"""Shifted sums that are added in one kernel."""


@dataclass(frozen=True)
class ShiftAndAddConvolutions(ModulePass):
    """
    `conv(x, f)[o, p] = sum_k conv(x, f')[k * O + o, p + k * dilation]`

    The taps k are those of the last dimensions of the window of `f`, or of all. `f'` has one tap there, and O output
    channels for each k.

    Filters are constant, in one group, and move by 1 along these dimensions. The O outputs of `f` do not fill a vector.
    There are channels enough that the additions cost little beside the products.

    Sums of codes are exact; those of floating point are added in another order. `isa` is that of `sink-constants`.
    """

    name = "shift-and-add-convolutions"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lanes = planned_isa(self.isa).lanes
        for inner in all_operations(op):
            if isinstance(inner, nn.ConvolutionOp) and (count := shifted_dimensions(inner, lanes)):
                _split(inner, count)


def shifted_dimensions(op: nn.ConvolutionOp, lanes: int) -> int:
    """How many of the last dimensions of the window are worth it; none where filters or sizes are not known."""
    shapes = [shape_of(value) for value in (op.input, op.filters, op.result)]
    if any(size < 1 for shape in shapes for size in shape):
        return 0
    if nn.constant_of(op.filters) is None or op.column_scale is not None:
        return 0
    window = op.window(shapes[1][2:])
    units, channels, positions = *shapes[1][:2], shapes[2][2:]
    costs = {0: cost(window, units, channels, positions, lanes, 0)}
    for count in range(1, len(positions) + 1):
        if window.strides[-count] != 1 or prod(window.kernel[-count:]) > MOST_TAPS:
            break
        costs[count] = cost(window, units, channels, positions, lanes, count) * LEAST_GAIN
    return min(costs, key=lambda count: costs[count])


def cost(
    window: Window, units: int, channels: int, positions: Shape, lanes: int, count: int
) -> float:
    """Vectors of products of one channel, where `count` of the last dimensions of the window are summed apart."""
    first = len(positions) - count
    taps = prod(window.kernel[first:])
    spans = [
        size + extent - 1
        for size, extent in zip(positions[first:], window.extents[first:], strict=True)
    ]
    points = prod(positions[:first]) * prod(spans)
    products = points * -(-units * taps // lanes) * channels * prod(window.kernel[:first])
    return products + (ADDITION * units * taps * prod(positions) if count else 0)


def _split(op: nn.ConvolutionOp, count: int) -> None:
    """Replaces a convolution by the sum of the shifted results of another."""
    chain, block = Trailing(op, (), op.result), Block()
    write = Writer(InsertPoint.at_end(block))
    window = op.window(shape_of(op.filters)[2:])
    pads = window.padding(shape_of(op.input)[2:])
    sums = write(
        nn.ConvolutionOp,
        op.input,
        _as_channels(write, op.filters, count),
        strides=window.strides,
        pads_begin=[before for before, _ in pads],
        pads_end=[after for _, after in pads],
        dilations=[*window.dilations[:-count], *[1] * count],
        **({} if op.pad_value is None else {"pad_value": op.pad_value}),
    )
    shape = shape_of(op.result)
    kept = [0] * (len(shape) - 2 - count)
    parts = [
        write.part(sums, [0, number * shape[1], *kept, *shift], shape)
        for number, shift in enumerate(shifts(window, count))
    ]
    chain.replace(reduce(lambda total, part: write(nn.AddOp, total, part), parts), block)


def shifts(window: Window, count: int) -> list[tuple[int, ...]]:
    """How far each tap of the last dimensions lies behind the first one."""
    each = zip(window.kernel[-count:], window.dilations[-count:], strict=True)
    return list(product(*(range(0, taps * apart, apart) for taps, apart in each)))


def _as_channels(write: Writer, filters: SSAValue, count: int) -> SSAValue:
    """Filters `[unit, channel, …, tap…]` as `[tap… * unit, channel, …, 1…]`."""
    import numpy as np

    from ...reference.arrays import array_of, blob_of

    blob = nn.constant_of(filters)
    assert blob is not None
    array = np.moveaxis(array_of(blob), range(-count, 0), range(count))
    array = np.ascontiguousarray(array).reshape(-1, *array.shape[count + 1 :], *[1] * count)
    return write.constant(blob_of(array, blob.type.element_type))
