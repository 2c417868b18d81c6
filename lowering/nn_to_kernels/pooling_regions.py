"""
Pooling of an image that lies channels first, as inputs of models do: neighbours in a row share vectors. Positions whose
windows reach beyond a border are regions of their own, with smaller windows, so that nothing is padded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod

from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of, static_shape
from ...dialects.kernel import Access, Term
from ..convolutions.padded_regions import Segment, WindowDimension
from ..machine import MOST_LANES
from .reduction import Element, reduce_kernel
from .writer import KernelWriter

FEWEST_POSITIONS = MOST_LANES // 2
"""Positions in a row that are worth a vector."""

MOST_REGIONS = 9
"""Regions of an image that has a border on each side."""

Pool = nn.MaxPoolOp | nn.AvgPoolOp
Divided = Callable[[int], Element]
"""What becomes of the combined elements of a window that has so many."""


def goes_along_rows(op: Pool) -> bool:
    """Whether the image lies channels first, with rows that are worth vectors."""
    positions = static_shape(op.result)[2:]
    return (
        isinstance(op.input.owner, Block) and bool(positions) and positions[-1] >= FEWEST_POSITIONS
    )


def segments_of(op: Pool, along: Sequence[int]) -> list[list[Segment]] | None:
    """
    The segments of each dimension where windows extend along some of them only, or None where the image is not such an
    input or has too many regions.
    """
    if not goes_along_rows(op):
        return None
    positions = static_shape(op.result)[2:]
    window, sizes = op.pooling_window(), static_shape(op.input)[2:]
    low = [before for before, _ in window.padding(sizes)]
    fields = window.kernel, window.strides, window.dilations, low, sizes, positions
    lines = [WindowDimension(*each) for each in zip(*fields, strict=True)]
    lines = [
        line if d in along else WindowDimension(1, 1, 1, 0, line.size, line.size)
        for d, line in enumerate(lines)
    ]
    if any(last < first for line in lines for first, last in line.reads):
        return None
    found = [
        [Segment.of(line, first, end - 1) for first, end in pairwise((0, *line.cuts, line.result))]
        for line in lines
    ]
    return found if prod(map(len, found)) <= MOST_REGIONS else None


def pooled_by_regions(
    write: KernelWriter,
    op: Pool,
    segments: Sequence[Sequence[Segment]],
    combiner: str,
    element: Element,
    divided: Divided,
    result: Attribute,
) -> SSAValue:
    """All regions side by side, with elements of this type."""

    def joined(part: tuple[Segment, ...]) -> SSAValue:
        if len(part) == len(segments):
            return _region(write, op, part, combiner, element, divided, result)
        values = [joined((*part, each)) for each in segments[len(part)]]
        return values[0] if len(values) == 1 else write.concat(values, 2 + len(part))

    return joined(())


def _region(
    write: KernelWriter,
    op: Pool,
    part: Sequence[Segment],
    combiner: str,
    element: Element,
    divided: Divided,
    result: Attribute,
) -> SSAValue:
    batch, channels = shape_of(op.input)[:2]
    domain, taps = (batch, channels, *(each.count for each in part)), [each.taps for each in part]
    rank = len(domain)
    points = [Term(d, each.line.stride, -each.pads[0]) for d, each in enumerate(part, start=2)]
    steps = [Term(n, each.line.dilation) for n, each in enumerate(part)]
    access = (
        Access(rank, (Term(0), Term(1), *points)),
        Access(len(part), (Term(None), Term(None), *steps)),
    )
    finish = divided(prod(taps))
    return reduce_kernel(
        write, combiner, [op.input], domain, taps, [access], element, finish, result
    )
