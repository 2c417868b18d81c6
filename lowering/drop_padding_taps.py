"""
`drop-padding-taps`: a convolution multiplies no taps that see only padding, as those of large dilations do.

Such taps multiply zeros for all outputs, or for some near a border; then the outputs are computed in regions.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.inferred import shape_of, tensor
from ..dialects.nn.convolution import ForwardConvolution
from ..dialects.nn.writer import Writer
from .padded_regions import Line, Regions, Segment
from .trailing_elementwise import Trailing


@dataclass(frozen=True)
class DropPaddingTaps(ModulePass):
    """
    `conv(x, f) = concat_r conv(x_r, f_r)`: outputs of region r are computed with the constant taps `f_r` that read
    an input there, from the inputs `x_r` that those read.

    There is one region where all outputs need the same taps, several where they leave enough multiplications out.
    Elementwise operations behind the convolution, with numbers and constants for each channel, are computed for each
    region, so that they become its epilogue.
    """

    name = "drop-padding-taps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, ForwardConvolution) and (regions := _regions(inner)) is not None:
                _drop(inner, regions)


def _regions(op: ForwardConvolution) -> Regions | None:
    """The regions that are worth it: of known sizes, constant filters, and zeros around the input."""
    types = [tensor(value) for value in (op.input, op.filters, op.result)]
    if any(size < 1 for type in types for size in type.get_shape()) or op.outside:
        return None
    if nn.constant_of(op.filters) is None:
        return None
    kernel = op.split_filters(shape_of(op.filters)).kernel
    window = op.window(kernel)
    sizes, results = shape_of(op.input)[2:], shape_of(op.result)[2:]
    before = [first for first, _ in window.padding(sizes)]
    lines = [
        Line(*each)
        for each in zip(
            kernel, window.strides, window.dilations, before, sizes, results, strict=True
        )
    ]
    return Regions.choose(lines)


def _drop(op: ForwardConvolution, regions: Regions) -> None:
    """Puts the convolutions of regions in the place of one and of what follows it elementwise."""
    chain, block = Trailing.behind(op), Block()
    write = Writer(InsertPoint.at_end(block))
    first, *others = regions.parts()
    if others:
        rank = len(first) + 2
        value = _joined(write, chain, regions, ())
        value = write.transposed(value, (0, rank - 1, *range(1, rank - 1)))
    else:
        value = _convolved(write, chain, first)
    chain.replace(value, block)


def _joined(
    write: Writer, chain: Trailing, regions: Regions, part: tuple[Segment, ...]
) -> SSAValue:
    """The outputs in these segments of the first dimensions, and all along the others, channels last."""
    if len(part) == len(regions.segments):
        value = _convolved(write, chain, part)
        return write.transposed(value, (0, *range(2, len(part) + 2), 1))
    values = [_joined(write, chain, regions, (*part, each)) for each in regions.segments[len(part)]]
    return write.joined(values, 1 + len(part))


def _convolved(write: Writer, chain: Trailing, part: tuple[Segment, ...]) -> SSAValue:
    """One region, and what follows it elementwise."""
    op, x = chain.op, chain.op.operands[0]
    pads = [each.pads for each in part]
    if any(side for both in pads for side in both):
        ends = [write.integers(0, 0, *(both[i] for both in pads)) for i in range(2)]
        x = write(nn.PadOp, x, *ends, pad_mode="constant")
    zeros = [0] * len(part)
    value = write(
        type(op),
        x,
        _filters(write, op.operands[1], part),
        strides=[each.line.stride for each in part],
        pads_begin=zeros,
        pads_end=zeros,
        dilations=[each.line.dilation for each in part],
    )
    return chain.on(write, value, lambda operand: operand)


def _filters(write: Writer, filters: SSAValue, part: tuple[Segment, ...]) -> SSAValue:
    """The taps of a region."""
    import numpy as np

    from ..reference.arrays import array_of, blob_of

    blob = nn.constant_of(filters)
    assert blob is not None
    kept = (..., *(slice(each.low, each.high + 1) for each in part))
    array = np.ascontiguousarray(array_of(blob)[kept])
    return write.constant(blob_of(array, blob.type.element_type))
