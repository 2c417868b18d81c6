"""Pooling, channels last; padding is a kernel of its own in front."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import limits_of
from ...dialects.inferred import static_shape, tensor
from ...dialects.kernel import Access, Term
from ...dialects.nn.window import Window
from ...reference.arrays import Array, dtype_of
from ..bodies import Scalar
from .reduction import Element, Quotient, check_numbers, reduce_kernel, signed_order, summand
from .rule import is_integer, is_low, kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.MaxPoolOp)
def max_pool(op: nn.MaxPoolOp, write: KernelWriter) -> SSAValue:
    element = check_numbers(op)
    lowest = limits_of(element)[0] if is_integer(element) else float("-inf")
    order = signed_order(element)
    return _pooled(write, op, "max", lowest, order, [], order)


@kernel_rule(nn.AvgPoolOp)
def avg_pool(op: nn.AvgPoolOp, write: KernelWriter) -> SSAValue:
    element = check_numbers(op)
    window = op.pooling_window()
    most = prod(window.kernel)
    counts = _counts(window, static_shape(op.input)[2:], static_shape(op.result)[2:])
    if op.counts_outside():
        counts = np.full_like(counts, most)
    parts = Quotient(element, most, rounded=is_low(op.input))
    ins: list[SSAValue] = []
    if counts.size and counts.min() < counts.max():
        divisors = counts[None, ..., None].astype(dtype_of(parts.type))
        ins.append(write.constant(divisors, parts.type))

    def finish(total: Scalar, *count: Scalar) -> Scalar:
        divisor = count[0] if count else total.body.constant(int(counts.flat[0]), parts.type)
        return parts.emit(total, divisor)

    return _pooled(write, op, "sum", 0, summand(element, most), ins, finish)


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
    element: Element,
    ins: Sequence[SSAValue],
    finish: Element,
) -> SSAValue:
    window = op.pooling_window()
    batch, channels, *positions = static_shape(op.result)
    sizes = static_shape(op.input)[2:]
    domain, spatial = (batch, *positions, channels), len(positions)
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
    rank = len(domain)
    points = (Term(d + 1, stride) for d, stride in enumerate(window.strides))
    steps = (Term(d, dilation) for d, dilation in enumerate(window.dilations))
    access = (
        Access(rank, (Term(0), *points, Term(rank - 1))),
        Access(spatial, (Term(None), *steps, Term(None))),
    )
    element_type = tensor(op.result).element_type
    value = reduce_kernel(
        write, combiner, x, domain, window.kernel, access, element, finish, element_type, ins
    )
    return write.channels_first(value)
