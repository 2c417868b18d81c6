"""
`drop-padding-taps`: a convolution does not multiply taps that see only padding, as there are with large dilations.

Such taps multiply a constant for all outputs, or for some near a border; then outputs are computed in regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import EllipsisType
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import TAPS
from ...dialects.nn.convolution import Filters, ForwardConvolution
from ...dialects.nn.writer import Writer
from ...dialects.walk import all_operations
from ..codegen.schedule.winograd import FEWEST_CHANNELS
from .padded_regions import Regions, Segment, WindowDimension
from .trailing_elementwise import Trailing

if TYPE_CHECKING:
    from ...reference.arrays import Array


class DropPaddingTaps(ModulePass):
    """
    `conv(x, f) = concat_r (conv(x_r, f_r) + outside * (sum(f) - sum(f_r)))`: outputs of region r are computed with the
    constant taps `f_r` that read an input there, from the inputs `x_r` that those read. The other taps read `outside`:
    0, or the zero point of codes, whose products with the taps are a number for each channel.

    There is one region where all outputs need the same taps. There are several where they leave enough multiplications
    out, but not for a depthwise convolution, nor where the kernel itself leaves out taps that see zeros.
    Elementwise operations behind the convolution, with numbers and constants for each channel, are computed for each
    region, so that they become its epilogue.
    """

    name = "drop-padding-taps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if isinstance(inner, ForwardConvolution) and (regions := _regions(inner)) is not None:
                _drop(inner, regions)


def _regions(op: ForwardConvolution) -> Regions | None:
    """The regions, if they are worth it; sizes must be known and filters constant."""
    types = [tensor(value) for value in (op.input, op.filters, op.result)]
    if any(size < 1 for type in types for size in type.get_shape()):
        return None
    if (blob := nn.constant_of(op.filters)) is None:
        return None
    filters = op.split_filters(shape_of(op.filters))
    lines = WindowDimension.each(op)
    skips = not op.outside and kernel_skips_zeros(op.input, lines)
    regions = worthwhile_regions(lines, filters, shape_of(op.input)[0], skips=skips)
    return None if regions is None or not _is_finite(blob) else regions


def kernel_skips_zeros(input: SSAValue, lines: Sequence[WindowDimension]) -> bool:
    """
    Whether the kernel of a convolution leaves out all taps that see only zeros. Signed codes are read as unsigned ones
    where only these are fast, and their zeros are none then. A register tile has several columns, and those that lie
    apart need other taps where these are dilated.
    """
    last = lines[-1]
    return tensor(input).element_type != i8 and (last.dilation == 1 or last.taps == 1)


def worthwhile_regions(
    lines: Sequence[WindowDimension], filters: Filters, batch: int, *, skips: bool
) -> Regions | None:
    """
    The regions of a convolution of so many images with finite filters, if they are worth it: a single one where the
    kernel `skips` what other taps see.
    """
    is_fast = _has_planes_of_3x3(lines, filters)
    divided = len(lines)
    if filters.groups > filters.inputs == 1:
        divided = 0  # a depthwise convolution is bound by what it moves, and regions move it again
    elif is_fast and len(lines) > 2:
        divided = 1
    elif skips:
        divided = 0
    batch = 1 if is_fast or filters.groups > 1 else batch
    return Regions.choose(*lines, divided=divided, batch=batch)


def _has_planes_of_3x3(lines: Sequence[WindowDimension], filters: Filters) -> bool:
    """
    Whether each plane, of a volume or of many images, may take Winograd's algorithm, which is worth more than regions
    of a plane.
    """
    plane = lines[-2:]
    return (
        len(plane) == 2
        and filters.groups == 1
        and min(filters.inputs, filters.outputs) >= FEWEST_CHANNELS
        and all((each.taps, each.stride, each.dilation) == (TAPS, 1, 1) for each in plane)
    )


def _is_finite(filters: BlobAttr) -> bool:
    """Whether filters times 0 are 0."""
    import numpy as np

    from ...reference.arrays import array_of

    array = array_of(filters)
    return array.dtype.kind in "iu" or bool(np.isfinite(array).all())


def _drop(op: ForwardConvolution, regions: Regions) -> None:
    """Replaces a convolution, and the elementwise operations behind it, by the convolutions of regions."""
    chain, block = Trailing.behind(op), Block()
    write = Writer(InsertPoint.at_end(block))
    chain.replace(_Split(write, chain, op, regions).result(), block)


@dataclass
class _Split:
    """Writes the convolutions of the regions of one convolution."""

    write: Writer
    chain: Trailing
    op: ForwardConvolution
    regions: Regions

    def result(self) -> SSAValue:
        """All regions together, channels first."""
        segments = self.regions.segments
        low, high = (
            [max(0, *(each.pads[side] for each in line)) for line in segments] for side in range(2)
        )
        self.low, self.padded = low, self.op.input
        if any((*low, *high)):
            ends = [self.write.integers(0, 0, *side) for side in (low, high)]
            outside = [self.op.outside] if self.op.outside else []
            self.padded = self.write(nn.PadOp, self.padded, *ends, *outside, pad_mode="constant")
        first, *others = self.regions.parts()
        if not others:
            return self._convolved(first)
        rank = len(segments) + 2
        return self.write.transposed(self._joined(()), (0, rank - 1, *range(1, rank - 1)))

    def _joined(self, part: tuple[Segment, ...]) -> SSAValue:
        """The outputs of these segments of the first dimensions, and all outputs along the others, channels last."""
        if len(part) == len(self.regions.segments):
            value = self._convolved(part)
            return self.write.transposed(value, (0, *range(2, len(part) + 2), 1))
        values = [self._joined((*part, each)) for each in self.regions.segments[len(part)]]
        return self.write.joined(values, 1 + len(part))

    def _convolved(self, part: tuple[Segment, ...]) -> SSAValue:
        """The convolution of one region, and the elementwise operations behind it."""
        from ...reference.arrays import blob_of

        firsts = [low - each.pads[0] for low, each in zip(self.low, part, strict=True)]
        shape = (*shape_of(self.padded)[:2], *(each.span for each in part))
        x = self.write.part(self.padded, (0, 0, *firsts), shape)
        zeros = [0] * len(part)
        kept = _filters(self.op.filters, part)
        scale = self._column_scale(slice(part[-1].low, part[-1].high + 1))
        scaled = {} if scale is None else {"column_scale": blob_of(scale)}
        value = self.write(
            type(self.op),
            x,
            self.write.constant(kept),
            strides=[each.line.stride for each in part],
            pads_begin=zeros,
            pads_end=zeros,
            dilations=[each.line.dilation for each in part],
            **scaled,
        )
        if (rest := self._left_out(part)) is not None:
            value = self.write(nn.AddOp, value, self.write.constant(rest))
        return self.chain.on(self.write, value, lambda operand: operand)

    def _left_out(self, part: tuple[Segment, ...]) -> BlobAttr | None:
        """What the dropped taps add, for each channel; None where it is 0."""
        import numpy as np

        from ...reference.arrays import blob_of

        if not self.op.outside:
            return None
        every, taps = self._sums_of_taps, tuple(range(-len(part), 0))
        added = self.op.outside * (every.sum(taps) - every[_kept(part)].sum(taps))
        if not added.any():
            return None
        shape = (1, -1, *(1 for _ in self.regions.segments))
        is_scaled = self.op.column_scale is not None
        return blob_of(added.astype(np.float32 if is_scaled else np.int32).reshape(shape))

    @cached_property
    def _sums_of_taps(self) -> Array:
        """For each output channel and tap, the sum over the input channels, times the scale of its column."""
        import numpy as np

        from ...reference.arrays import array_of

        blob = nn.constant_of(self.op.filters)
        assert blob is not None
        inputs = -len(self.regions.segments) - 1
        sums = array_of(blob).sum(inputs, np.int64)
        if self.op.column_scale is None:
            return sums
        return sums * array_of(self.op.column_scale).squeeze(inputs).astype(np.float64)

    def _column_scale(self, columns: slice) -> Array | None:
        """The scales of some columns, in a shape that broadcasts to these columns of the filters."""
        import numpy as np

        from ...reference.arrays import array_of

        if self.op.column_scale is None:
            return None
        scale = array_of(self.op.column_scale)
        return np.ascontiguousarray(scale if scale.shape[-1] == 1 else scale[..., columns])


def _filters(filters: SSAValue, part: tuple[Segment, ...]) -> BlobAttr:
    """The taps of a region."""
    from ...reference.arrays import array_of, blob_of_view

    blob = nn.constant_of(filters)
    assert blob is not None
    return blob_of_view(array_of(blob)[_kept(part)], blob.type.element_type)


def _kept(part: tuple[Segment, ...]) -> tuple[EllipsisType | slice, ...]:
    """The index of a region's taps."""
    return (..., *(slice(each.low, each.high + 1) for each in part))
