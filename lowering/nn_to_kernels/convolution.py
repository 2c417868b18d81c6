"""
Convolutions, channels last; padding is a kernel of its own in front.

A transposed convolution is one over the input with zeros between its elements, its filters reversed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np
from xdsl.dialects.builtin import Float32Type, IntegerType, f32, i32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import kernel, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import label, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term
from ...dialects.kernel.base import sum_type
from ...dialects.nn.convolution import BackwardConvolution, Filters, ForwardConvolution
from ...dialects.tensor_types import typed
from ...reference.arrays import Array, array_of
from ...reference.constants import constant_array
from ..convolutions.padded_regions import WORTH, WindowDimension, live_part
from ..kernel_bodies.bodies import Scalar, build_body, conversion
from ..machine import CACHE_LINE, FIRST_LEVEL_WAY_BYTES
from .matrix import product_type
from .rule import kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(op: ForwardConvolution, write: KernelWriter) -> SSAValue:
    filters = op.split_filters(static_shape(op.filters))
    window = op.window(filters.kernel)
    scales: Array | None = None
    if op.column_scale is None:
        a, b = _factors(write, op.input, op.filters)
    else:
        a, b, scales = _scaled_factors(write, op, filters, op.column_scale)
    sizes = static_shape(op.input)[2:]
    low = [before for before, _ in window.padding(sizes)]
    b = _filters_last(write, b, grouped=op.GROUPED)
    a = write.channels_last(a)
    spans = _spans(static_shape(op.result)[2:], window.strides, window.extents)
    a = _surround(write, a, low, spans, outside=op.outside)
    taken = kernel.ConvolutionWindow(filters.kernel, window.strides, window.dilations)
    if not op.outside and _leaves_out_zeros(op):
        zeros = [
            (max(before, 0), max(span - size - before, 0))
            for before, span, size in zip(low, spans, sizes, strict=True)
        ]
        taken = replace(taken, zeros=zeros)
    return _convolve(write, op, a, b, filters.groups, taken, scales)


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
    taken = kernel.ConvolutionWindow(filters.kernel, ones, window.dilations)
    return _convolve(write, op, a, b, filters.groups, taken)


def _factors(write: KernelWriter, input: SSAValue, filters: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Input and filters in the type in which they are multiplied."""
    product = product_type(tensor(input).element_type, tensor(filters).element_type)
    if product is None:
        return input, filters
    return write.convert(input, product), write.convert(filters, product)


MOST_COLUMNS, MOST_COLUMNS_OF_ONE_CHANNEL = 4, 7
"""Columns that are summed apart: all their sums are in registers, which a filter of one channel shares with fewer."""


def _scaled_factors(
    write: KernelWriter, op: ForwardConvolution, filters: Filters, column_scale: BlobAttr
) -> tuple[SSAValue, SSAValue, Array | None]:
    """
    Input and filters in the types in which they are multiplied, and the scales [columns, N] of their sums, if these
    are of codes. Where there are too many, codes of the input are multiplied by taps in f32, times their scales; so are
    those of a filter of one channel with one product for each column.
    """
    codes, scale = constant_array(op.filters), array_of(column_scale)
    if codes is None:
        raise DiagnosticException(
            f"{label(op)}: filters with a column_scale are not constant; run fold-constants first or make them constant"
        )
    *others, columns = filters.kernel
    is_depthwise = filters.inputs == 1 and filters.outputs <= filters.groups
    if is_depthwise:
        has_rows = prod(others) > 1 < columns
        is_summed_apart = has_rows and columns <= MOST_COLUMNS_OF_ONE_CHANNEL
    else:
        is_summed_apart = columns <= MOST_COLUMNS and filters.inputs > 1
    if is_summed_apart:
        lead = 1 + op.GROUPED
        shape = (*codes.shape[:lead], *scale.shape[lead:-1], columns)
        each = np.broadcast_to(scale, shape).reshape(-1, columns)
        return op.input, op.filters, np.ascontiguousarray(each.T)
    taps = write.constant((codes * scale).astype(np.float32), f32)
    return op.input if is_depthwise else write.convert(op.input, f32), taps, None


def _leaves_out_zeros(op: ForwardConvolution) -> bool:
    """
    Whether what filters see of the padding need not be multiplied. Filters of floats must be known to be finite; and
    their kernels, which share what does not depend on sizes, only do so where it is worth it.
    """
    if isinstance(tensor(op.filters).element_type, IntegerType):
        return True
    if live_part(WindowDimension.each(op)) > WORTH:
        return False
    array = constant_array(op.filters)
    return array is not None and bool(np.isfinite(array).all())


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
    if (array := constant_array(filters)) is not None:
        filters = write.view(np.flip(array, tuple(taps)), tensor(filters).element_type)
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
    How many channels of floats are put behind those of a position: those of a cache line, where positions would
    otherwise lie quarters of a way of the first-level cache apart. Then those of a window would compete for few of its
    sets.
    """
    element = tensor(value).element_type
    if not isinstance(element, Float32Type):
        return 0
    competes = shape_of(value)[-1] * 4 % (FIRST_LEVEL_WAY_BYTES // 4) == 0
    return CACHE_LINE // 4 if competes else 0


def _scaled_sum(*arguments: Scalar) -> Scalar:
    """`sum(sum_of_column * scale)`; the arguments are the sums of all columns, then their scales."""
    count = len(arguments) // 2
    first, *others = (each.convert(i32, f32) for each in arguments[:count])
    total = first * arguments[count]
    for each, scale in zip(others, arguments[count + 1 :], strict=True):
        total = each.fma(scale, total)
    return total


def _convolve(
    write: KernelWriter,
    op: Operation,
    a: SSAValue,
    b: SSAValue,
    groups: int,
    window: kernel.ConvolutionWindow,
    scales: Array | None = None,
) -> SSAValue:
    """The convolution of an input with its padding; `scales` are those [columns, N] of sums of codes."""
    result = tensor(op.results[0])
    batch, units, *positions = result.get_shape()
    domain = (batch, *positions, units)
    summed = sum_type(tensor(b).element_type)
    body = build_body([summed], conversion(summed, result.element_type))
    ins: list[SSAValue] = []
    access: list[Access] = []
    if scales is not None:
        columns, last = range(len(scales)), Term(len(domain) - 1)
        ins = [write.constant(scales)] * len(columns)
        access = [Access(len(domain), (Term(None, 1, column), last)) for column in columns]
        body = build_body([summed] * len(columns) + [f32] * len(columns), _scaled_sum)

    new = kernel.ConvolutionOp(
        domain,
        groups,
        window,
        a,
        b,
        kernel.Epilogue(ins, [*access, Access.identity(len(domain))], body),
        column_sums=scales is not None,
        results=[typed(result.element_type, domain)],
    )
    return write.channels_first(write.kernel(new, op.operands[0]))
