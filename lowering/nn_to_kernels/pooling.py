"""Pooling, channels last; padding is a kernel of its own in front."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.ir import Attribute, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import limits_of
from ...dialects.inferred import shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term
from ...dialects.nn.window import Window
from ...reference.arrays import Array, dtype_of
from ..bodies import Scalar, same
from .pooling_regions import pooled_by_regions, segments_of
from .reduction import (
    Element,
    Quotient,
    Reading,
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

GAIN = 1.25
"""How many times less must be combined for that to be worth two kernels."""


@kernel_rule(nn.MaxPoolOp)
def max_pool(op: nn.MaxPoolOp, write: KernelWriter) -> SSAValue:
    element = check_numbers(op)
    lowest = limits_of(element)[0] if is_integer(element) else float("-inf")
    order = signed_order(element)
    if (segments := segments_of(op)) is not None:
        return pooled_by_regions(write, op, segments, "max", order, lambda count: order)
    return _pooled(write, op, "max", lowest, (order, element, order), [], order)


@kernel_rule(nn.AvgPoolOp)
def avg_pool(op: nn.AvgPoolOp, write: KernelWriter) -> SSAValue:
    element = check_numbers(op)
    window = op.pooling_window()
    most = prod(window.kernel)
    parts = Quotient(element, most, rounded=is_low(op.input))
    if (segments := segments_of(op)) is not None:

        def divided(count: int) -> Element:
            divisor = most if op.counts_outside() else count

            def quotient(total: Scalar) -> Scalar:
                return parts.emit(total, total.body.constant(divisor, parts.type))

            return quotient

        return pooled_by_regions(write, op, segments, "sum", summand(element, most), divided)
    counts = _counts(window, static_shape(op.input)[2:], static_shape(op.result)[2:])
    if op.counts_outside():
        counts = np.full_like(counts, most)
    ins: list[SSAValue] = []
    if counts.size and counts.min() < counts.max():
        divisors = counts[None, ..., None].astype(dtype_of(parts.type))
        ins.append(write.constant(divisors, parts.type))

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
    dimension is kept in the type that `parts` says, and combined along the others as its last one gives it: 5 x 5
    elements are 10.
    """
    element, kept, again = parts
    window = op.pooling_window()
    batch, channels, *positions = static_shape(op.result)
    sizes = static_shape(op.input)[2:]
    domain = (batch, *positions, channels)
    low = [before for before, _ in window.padding(sizes)]
    high = [
        max((count - 1) * stride + extent - size - before, 0)
        for count, stride, extent, size, before in zip(
            positions, window.strides, window.extents, sizes, low, strict=True
        )
    ]
    x = write.channels_last(op.input)
    if any((*low, *high)):
        x = write.add(kernel.PadOp(x, [0, *low, 0], [0, *high, 0], outside))
    dimensions = list(range(len(positions)))
    if _is_worth_two(window, positions, shape_of(x)[2:-1]):
        first, *dimensions = dimensions
        partial = (batch, positions[0], *shape_of(x)[2:])
        access, extents = _readings(window, len(domain), [first])
        x = reduce_kernel(write, combiner, [x], partial, extents, [access], element, again, kept)
        element = again
    access, extents = _readings(window, len(domain), dimensions)
    element_type = tensor(op.result).element_type
    value = reduce_kernel(
        write, combiner, [x], domain, extents, [access], element, finish, element_type, ins
    )
    return write.channels_first(value)


def _is_worth_two(window: Window, positions: Sequence[int], others: Sequence[int]) -> bool:
    """
    Whether combining along the first dimension before the others, of which the input has so many elements, takes
    less.
    """
    first, rest = window.kernel[0], prod(window.kernel[1:])
    kept = (first + KEEPING) * positions[0] * prod(others)
    return (kept + rest * prod(positions)) * GAIN < first * rest * prod(positions)


def _readings(window: Window, rank: int, dimensions: Sequence[int]) -> tuple[Reading, list[int]]:
    """
    Where points and steps lie in an input of this rank, channels last, whose windows extend in these of the spatial
    dimensions, and how far.
    """
    points, steps = [Term(d) for d in range(rank)], [Term(None)] * rank
    for n, d in enumerate(dimensions):
        points[d + 1] = Term(d + 1, window.strides[d])
        steps[d + 1] = Term(n, window.dilations[d])
    extents = [window.kernel[d] for d in dimensions]
    return (Access(rank, tuple(points)), Access(len(dimensions), tuple(steps))), extents
