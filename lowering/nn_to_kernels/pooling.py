"""
Pooling. Padding is a kernel of its own in front, but where few regions do without. Channels go last, but where an input
of the model has them first and its rows fill vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from xdsl.ir import Attribute, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import limits_of
from ...dialects.inferred import static_shape, tensor
from ...dialects.kernel import Access, Reading, Term
from ...dialects.nn.window import Window
from ...reference.arrays import Array, dtype_of
from ..convolutions.padded_regions import Segment
from ..kernel_bodies.bodies import Scalar, same
from .pooling_regions import goes_along_rows, pooled_by_regions, segments_of
from .reduction import (
    Element,
    Quotient,
    check_numbers,
    reduce_kernel,
    signed_order,
    sum_of,
    summand,
)
from .rule import is_integer, is_low, kernel_rule
from .writer import KernelWriter

KEEPING = 4
"""What a result that is kept for the other dimension costs, in elements that are combined."""

PADDING = 2
"""What padding costs for an element, in elements that are combined."""

GAIN = 1.25
"""How many times less must be combined for that to be worth two kernels."""


@kernel_rule(nn.MaxPoolOp)
def max_pool(op: nn.MaxPoolOp, write: KernelWriter) -> SSAValue:
    element = check_numbers(op)
    lowest = limits_of(element)[0] if is_integer(element) else float("-inf")
    order = signed_order(element)
    if (segments := _regions_of(op)) is not None:
        return pooled_by_regions(write, op, segments, "max", order, lambda count: order, element)
    return _pooled(write, op, "max", lowest, (order, element, order), [], order)


@kernel_rule(nn.AvgPoolOp)
def avg_pool(op: nn.AvgPoolOp, write: KernelWriter) -> SSAValue:
    element = check_numbers(op)
    window = op.pooling_window()
    most = prod(window.kernel)
    parts = Quotient(element, most, rounded=is_low(op.input))
    if (segments := _regions_of(op)) is not None:

        def divided(count: int) -> Element:
            divisor = most if op.counts_outside() else count

            def quotient(total: Scalar) -> Scalar:
                return parts.emit(total, total.body.constant(divisor, parts.type))

            return quotient

        result = tensor(op.result).element_type
        addend = summand(element, most)
        return pooled_by_regions(write, op, segments, "sum", addend, divided, result)
    counts = _counts(window, static_shape(op.input)[2:], static_shape(op.result)[2:])
    if op.counts_outside():
        counts = np.full_like(counts, most)
    ins: list[SSAValue] = []
    if counts.size and counts.min() < counts.max():
        places = counts[None, None] if goes_along_rows(op) else counts[None, ..., None]
        ins.append(write.constant(places.astype(dtype_of(parts.type)), parts.type))

    def finish(total: Scalar, *count: Scalar) -> Scalar:
        divisor = count[0] if count else total.body.constant(int(counts.flat[0]), parts.type)
        return parts.emit(total, divisor)

    parts_of = summand(element, most), sum_of(element, most), same
    return _pooled(write, op, "sum", 0, parts_of, ins, finish)


def _counts(window: Window, sizes: Sequence[int], positions: Sequence[int]) -> Array:
    """How many elements of the input each position sees; at least 1, to divide by."""
    counts = np.ones((), np.int64)
    for d, (size, count, (low, _)) in enumerate(
        zip(sizes, positions, window.padding(sizes), strict=True)
    ):
        first = np.arange(count) * window.strides[d] - low
        dilation = window.dilations[d]
        before, until = (
            np.clip(-((first - end) // dilation), 0, window.kernel[d]) for end in (0, size)
        )  # taps before the input's beginning and before its end
        counts = counts[..., None] * (until - before)
    return np.maximum(counts, 1)


def _regions_of(op: nn.MaxPoolOp | nn.AvgPoolOp) -> list[list[Segment]] | None:
    """Its segments in each dimension, where it is pooled by regions: each window at once."""
    window, positions = op.pooling_window(), static_shape(op.result)[2:]
    dimensions = range(len(positions))
    load = _load(window, goes_along_rows(op))
    if goes_along_rows(op) and _pays_to_split(window, positions):
        return None
    if _cheapest(window, dimensions, positions, static_shape(op.input)[2:], load)[1]:
        return None
    return segments_of(op, dimensions)


@dataclass
class _Pooling:
    """
    Elements that are pooled along one dimension after the other: `x`, as the next kernel combines them by `element`. In
    between they are `kept` in this type, and combined as `again` gives them.
    """

    write: KernelWriter
    combiner: str
    along_rows: bool
    images: int
    channels: int
    x: SSAValue
    element: Element
    kept: Attribute
    again: Element

    def pad(self, low: Sequence[int], high: Sequence[int], outside: float) -> None:
        """Puts elements before and behind each dimension."""
        if any((*low, *high)):
            before, after = (_placed(each, 0, 0, self.along_rows) for each in (low, high))
            self.x = self.write.add(kernel.PadOp(self.x, before, after, outside))

    def combine_regions(
        self, op: nn.MaxPoolOp | nn.AvgPoolOp, segments: list[list[Segment]]
    ) -> None:
        """Combines the whole windows of each region, without padding, along the first dimensions."""
        again = self.again
        self.x = pooled_by_regions(
            self.write, op, segments, self.combiner, self.element, lambda count: again, self.kept
        )
        self.element = again

    def combine(self, window: Window, dimensions: Sequence[int], sizes: Sequence[int]) -> None:
        """Combines along some dimensions, which leaves these sizes."""
        self.x = self._reduced(window, dimensions, sizes, self.again, self.kept)
        self.element = self.again

    def finish(
        self,
        window: Window,
        dimensions: Sequence[int],
        positions: Sequence[int],
        finish: Element,
        result: Attribute,
        ins: Sequence[SSAValue],
    ) -> SSAValue:
        """Combines along the last dimensions, and applies a body."""
        value = self._reduced(window, dimensions, positions, finish, result, ins)
        return value if self.along_rows else self.write.channels_first(value)

    def _reduced(
        self,
        window: Window,
        dimensions: Sequence[int],
        sizes: Sequence[int],
        body: Element,
        result: Attribute,
        ins: Sequence[SSAValue] = (),
    ) -> SSAValue:
        access, extents = _readings(window, dimensions, self.along_rows)
        domain = _placed(sizes, self.images, self.channels, self.along_rows)
        x, accesses = [self.x], [access]
        return reduce_kernel(
            self.write, self.combiner, x, domain, extents, accesses, self.element, body, result, ins
        )


def _pooled(
    write: KernelWriter,
    op: nn.MaxPoolOp | nn.AvgPoolOp,
    combiner: str,
    outside: float,
    parts: tuple[Element, Attribute, Element],
    ins: Sequence[SSAValue],
    finish: Element,
) -> SSAValue:
    """
    The pooled elements, combined as the first of `parts` gives them. Of large windows, what is combined along the first
    dimensions is kept in the type that `parts` says, and combined along the others as its last one gives it: 5 x 5
    elements are 10, and 5 x 5 x 5 are 15. Of windows that overlap, so are the elements of a stride.
    """
    window, along_rows = op.pooling_window(), goes_along_rows(op)
    batch, channels, *positions = static_shape(op.result)
    sizes = static_shape(op.input)[2:]
    low, high = _pads(window, sizes, positions)
    x = op.input if along_rows else write.channels_last(op.input)
    pooling = _Pooling(write, combiner, along_rows, batch, channels, x, *parts)
    dimensions, load = list(range(len(positions))), _load(window, along_rows)
    whole = 0
    if along_rows and any((*low, *high)) and segments_of(op, dimensions) is None:
        whole = PADDING * prod(map(sum, zip(sizes, low, high, strict=True)))
    leading = dimensions[: _cheapest(window, dimensions, positions, sizes, load, whole)[1]]
    if leading and (segments := segments_of(op, leading)) is not None:
        pooling.combine_regions(op, segments)
        sizes = _pooled_along(leading, positions, sizes)
        dimensions = dimensions[len(leading) :]
        low, high = ([0 if d in leading else n for d, n in enumerate(pads)] for pads in (low, high))
    pooling.pad(low, high, outside)
    sizes = [size + sum(pads) for size, *pads in zip(sizes, low, high, strict=True)]
    if along_rows and _pays_to_split(window, positions):
        strides, window = _by_strides(window)
        sizes = [*positions[:-1], positions[-1] + window.kernel[-1] - 1]
        pooling.combine(strides, dimensions, sizes)
        load = 1
    while count := _cheapest(window, dimensions, positions, sizes, load)[1]:
        leading, dimensions = dimensions[:count], dimensions[count:]
        sizes = _pooled_along(leading, positions, sizes)
        pooling.combine(window, leading, sizes)
    return pooling.finish(
        window, dimensions, positions, finish, tensor(op.result).element_type, ins
    )


def _pads(
    window: Window, sizes: Sequence[int], positions: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The padding before and behind each dimension, as far as windows reach."""
    low = [before for before, _ in window.padding(sizes)]
    high = [
        max((count - 1) * stride + extent - size - before, 0)
        for count, stride, extent, size, before in zip(
            positions, window.strides, window.extents, sizes, low, strict=True
        )
    ]
    return low, high


def _placed(along: Sequence[int], images: int, channels: int, along_rows: bool) -> list[int]:
    """Numbers of all dimensions, of which these are the spatial ones."""
    return [images, channels, *along] if along_rows else [images, *along, channels]


def _load(window: Window, along_rows: bool) -> int:
    """
    What loading a vector along the last dimension takes, in contiguous ones: where strides leave gaps in rows, all that
    lies between is loaded, and put together.
    """
    return 2 * window.strides[-1] - 1 if along_rows else 1


def _pays_to_split(window: Window, positions: Sequence[int]) -> bool:
    """
    Whether windows that extend along rows alone, and overlap by whole strides, are combined by `_by_strides`: each
    stride is loaded with gaps once, not once for each window.
    """
    (*others, size), stride = window.kernel, window.strides[-1]
    if prod(others) > 1 or stride == 1 or size % stride or window.dilations[-1] > 1:
        return False
    load, count, strides = _load(window, True), positions[-1], size // stride
    kept = (load * stride + KEEPING) * (count + strides - 1)
    return GAIN * (kept + strides * count) < load * size * count


def _by_strides(window: Window) -> tuple[Window, Window]:
    """The windows of the elements of a stride, and those of as many strides as a window has."""
    *others, size = window.kernel
    stride, ones = window.strides[-1], (1,) * len(window.strides)
    return (
        replace(window, kernel=(*others, stride)),
        replace(window, kernel=(*others, size // stride), strides=ones),
    )


def _cheapest(
    window: Window,
    dimensions: Sequence[int],
    positions: Sequence[int],
    sizes: Sequence[int],
    load: int,
    whole: float = 0,
) -> tuple[float, int]:
    """
    The least cost, in elements that are combined, and along how many of these dimensions to combine values of these
    sizes before the others. 0 is along all at once, which costs `whole` beside what it combines.
    """
    options = [(whole + _combined(window, dimensions) * load * prod(positions), 0)]
    for count in range(1, len(dimensions)):
        leading, others = dimensions[:count], dimensions[count:]
        left = _pooled_along(leading, positions, sizes)
        rest, _ = _cheapest(window, others, positions, left, load)
        made = (_combined(window, leading) + KEEPING) * prod(left)
        options.append(((made + rest) * GAIN, count))
    return min(options)


def _combined(window: Window, dimensions: Sequence[int]) -> int:
    """Elements that a window combines along these dimensions."""
    return prod(window.kernel[d] for d in dimensions)


def _pooled_along(
    dimensions: Sequence[int], positions: Sequence[int], sizes: Sequence[int]
) -> list[int]:
    """The sizes once these dimensions have positions."""
    return [positions[d] if d in dimensions else size for d, size in enumerate(sizes)]


def _readings(
    window: Window, dimensions: Sequence[int], along_rows: bool
) -> tuple[Reading, list[int]]:
    """
    Where points and steps lie in an input whose windows extend in these of the spatial dimensions, and how far.
    """
    rank, front = len(window.kernel) + 2, 1 + along_rows
    points, steps = [Term(d) for d in range(rank)], [Term(None)] * rank
    for n, d in enumerate(dimensions):
        points[front + d] = Term(front + d, window.strides[d])
        steps[front + d] = Term(n, window.dilations[d])
    extents = [window.kernel[d] for d in dimensions]
    return (Access(rank, tuple(points)), Access(len(dimensions), tuple(steps))), extents
