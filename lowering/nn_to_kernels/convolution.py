"""
Convolutions, channels last; padding is a kernel of its own in front.

A transposed convolution is one over the input with zeros between its elements, its filters reversed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import Float32Type, IntegerType, TensorType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.nn.convolution import BackwardConvolution, ForwardConvolution
from ..bodies import build_body, conversion
from ..machine import CACHE_LINE, FIRST_LEVEL_WAY_BYTES
from .matrix import product_type
from .rule import kernel_rule, known_array
from .writer import KernelWriter


@kernel_rule(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(op: ForwardConvolution, write: KernelWriter) -> SSAValue:
    a, b = _factors(write, op.input, op.filters)
    filters = op.split_filters(static_shape(op.filters))
    window = op.window(filters.kernel)
    sizes = static_shape(op.input)[2:]
    low = [before for before, _ in window.padding(sizes)]
    b = _filters_last(write, b, grouped=op.GROUPED)
    a = write.channels_last(a)
    spans = _spans(static_shape(op.result)[2:], window.strides, window.extents)
    a = _surround(write, a, low, spans, outside=op.outside)
    zeros = [(0, 0)] * len(low)
    if not op.outside and isinstance(tensor(a).element_type, IntegerType):
        zeros = [
            (max(before, 0), max(span - size - before, 0))
            for before, span, size in zip(low, spans, sizes, strict=True)
        ]
    return _convolve(write, op, a, b, filters.groups, window.strides, window.dilations, zeros)


@kernel_rule(nn.ConvolutionBackpropDataOp, nn.GroupConvolutionBackpropDataOp)
def convolution_backprop_data(op: BackwardConvolution, write: KernelWriter) -> SSAValue:
    a, b = _factors(write, op.input, op.filters)
    filters = op.split_filters(static_shape(op.filters))
    window = op.window(filters.kernel)
    sizes, result = static_shape(op.input)[2:], static_shape(op.result)[2:]
    skipped = op.pads_before(filters.kernel, sizes, result)
    b = _reversed_filters(write, b, grouped=op.GROUPED)
    ones = [1] * len(sizes)
    low = [extent - 1 - skip for extent, skip in zip(window.extents, skipped, strict=True)]
    spans = _spans(result, ones, window.extents)
    gaps = [stride - 1 for stride in window.strides]
    a = _surround(write, write.channels_last(a), low, spans, gaps)
    return _convolve(write, op, a, b, filters.groups, ones, window.dilations)


def _factors(write: KernelWriter, input: SSAValue, filters: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Input and filters in the type in which they are multiplied."""
    product = product_type(tensor(input).element_type, tensor(filters).element_type)
    if product is None:
        return input, filters
    return write.convert(input, product), write.convert(filters, product)


def _filters_last(write: KernelWriter, filters: SSAValue, *, grouped: bool) -> SSAValue:
    """[(groups,) outputs, inputs, taps…] as [groups * outputs, taps…, inputs]."""
    shape = shape_of(filters)
    if grouped:
        filters = write.reshape(filters, (shape[0] * shape[1], *shape[2:]))
    return write.channels_last(filters)


def _reversed_filters(write: KernelWriter, filters: SSAValue, *, grouped: bool) -> SSAValue:
    """[(groups,) inputs, outputs, taps…] as [groups * outputs, taps from the last on…, inputs]."""
    if not grouped:
        filters = write.reshape(filters, (1, *shape_of(filters)))
    shape = shape_of(filters)
    rank = len(shape)
    taps = range(3, rank)
    access = Access(
        rank,
        (*(Term(d) for d in range(3)), *(Term(d, -1, shape[d] - 1) for d in taps)),
    )
    if (array := known_array(filters)) is not None:
        flipped = np.ascontiguousarray(np.flip(array, tuple(taps)))
        filters = write.constant(flipped, tensor(filters).element_type)
    else:
        filters = write.data_movement(filters, access, shape)
    filters = write.transpose(filters, (0, 2, *taps, 1))
    return write.reshape(filters, (shape[0] * shape[2], *shape[3:], shape[1]))


def _spans(positions: Sequence[int], strides: Sequence[int], extents: Sequence[int]) -> list[int]:
    """What all positions of a window read together."""
    return [
        (count - 1) * stride + extent
        for count, stride, extent in zip(positions, strides, extents, strict=True)
    ]


def _surround(
    write: KernelWriter,
    value: SSAValue,
    low: Sequence[int],
    spans: Sequence[int],
    gaps: Sequence[int] | None = None,
    outside: int = 0,
) -> SSAValue:
    """
    [batch, positions…, channels] with `outside` before and between the elements, and after them until it spans
    `spans`. Where `low` is negative, as many of the first elements are left out.
    """
    gaps = [0] * len(low) if gaps is None else gaps
    sizes = shape_of(value)[1:-1]
    widths = [size + max(size - 1, 0) * gap for size, gap in zip(sizes, gaps, strict=True)]
    high = [max(s - w - b, 0) for s, w, b in zip(spans, widths, low, strict=True)]
    before = [max(b, 0) for b in low]
    if any((*before, *high, *gaps)):
        inside, line = shape_of(value)[-1], _line_between(value)
        first, between = ([0, *side, 0] for side in (before, gaps))
        value = write.add(kernel.PadOp(value, first, [0, *high, line], outside, between))
        shape = (*shape_of(value)[:-1], inside)
        value = write.cropped(value, [0] * len(shape), shape)
    if min(low, default=0) >= 0:
        return value
    skipped = [max(-b, 0) for b in low]
    shape = shape_of(value)
    kept = (shape[0], *(n - s for n, s in zip(shape[1:-1], skipped, strict=True)), shape[-1])
    return write.cropped(value, [0, *skipped, 0], kept)


def _line_between(value: SSAValue) -> int:
    """
    How many channels of floats are put behind those of a position, so that a window's positions do not compete for few
    sets of the first-level cache: those of a cache line, where quarters of a way of it would lie between two of them.
    """
    element = tensor(value).element_type
    if not isinstance(element, Float32Type):
        return 0
    competes = shape_of(value)[-1] * 4 % (FIRST_LEVEL_WAY_BYTES // 4) == 0
    return CACHE_LINE // 4 if competes else 0


def _convolve(
    write: KernelWriter,
    op: Operation,
    a: SSAValue,
    b: SSAValue,
    groups: int,
    strides: Sequence[int],
    dilations: Sequence[int],
    zeros: Sequence[tuple[int, int]] = (),
) -> SSAValue:
    """The convolution of what has so many `zeros` before and after it, along each dimension of positions."""
    result = tensor(op.results[0])
    batch, units, *positions = result.get_shape()
    domain = (batch, *positions, units)
    element = tensor(a).element_type
    summed: Attribute = i32 if isinstance(element, IntegerType) else body_type(element)

    new = kernel.ConvolutionOp(
        domain,
        groups,
        shape_of(b)[1:-1],
        strides,
        dilations,
        a,
        b,
        [],
        [Access.identity(len(domain))],
        build_body([summed], conversion(summed, result.element_type)),
        zero_lines=zeros[0] if zeros else (0, 0),
        zero_columns=zeros[-1] if len(zeros) > 1 else (0, 0),
        results=[TensorType(result.element_type, domain)],
    )
    return write.channels_first(write.kernel(new, op.operands[0]))
