"""Picking, repeating and making elements."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.elements import is_unsigned
from ...dialects.inferred import label, normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.tensor_types import typed
from ...reference.constants import constant_array
from ...reference.nn.selection import range_ as range_of
from ..kernel_bodies.bodies import Scalar, select
from .indexing import gather
from .rule import kernel_rule, known_integers
from .take import take
from .writer import KernelWriter


@kernel_rule(nn.GatherOp)
def gather_(op: nn.GatherOp, write: KernelWriter) -> SSAValue:
    """Indices that are known and lie inside are slices, most often."""
    shape = static_shape(op.input)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    indices = static_shape(op.indices)
    batch = op.batch_dims.value.data
    batch += len(indices) if batch < 0 else 0
    known, size = constant_array(op.indices), shape[axis]
    if known is not None and not batch and (np.abs(known + 0.5) < size).all():
        places = [int(index) % size for index in known.reshape(-1)]
        value = take(write, op.input, axis, places)
    else:
        value = gather(write, op.input, op.indices, axis, batch)
    return write.reshape(value, static_shape(op.result))


@kernel_rule(nn.StridedSliceOp)
def strided_slice(op: nn.StridedSliceOp, write: KernelWriter) -> SSAValue:
    shape = static_shape(op.input)
    begin = known_integers(op, op.begin, "begin")
    end = known_integers(op, op.end, "end")
    steps = [1] * len(begin)
    if op.strides is not None:
        steps = known_integers(op, op.strides, "strides")
    terms: list[Term] = []
    domain: list[int] = []
    for kind, place, dimension in op.entries(len(begin), len(shape)):
        size = shape[dimension] if dimension < len(shape) else 1
        if kind == "new":
            continue
        if kind == "keep":
            limits = range(size)
        elif kind == "shrink":
            first = begin[place] % size
            limits = range(first, first + 1)
        else:
            limits = range(*op.limits(place, begin, end, steps[place]).indices(size))
        terms.append(Term(dimension, limits.step, limits.start if len(limits) else 0))
        domain.append(len(limits))
    value: SSAValue = op.input
    if terms != [Term(d) for d in range(len(shape))] or tuple(domain) != shape:
        value = write.data_movement(value, Access(len(shape), tuple(terms)), domain)
    return write.reshape(value, static_shape(op.result))


@kernel_rule(nn.TileOp)
def tile(op: nn.TileOp, write: KernelWriter) -> SSAValue:
    """Each dimension behind a new one that repeats it."""
    result = static_shape(op.result)
    shape = (*[1] * (len(result) - len(shape_of(op.input))), *static_shape(op.input))
    value = write.reshape(op.input, shape)
    counts = [0 if not n else m // n for m, n in zip(result, shape, strict=True)]
    if any(count != 1 for count in counts) and 0 not in result:
        pairs = [n for pair in zip(counts, shape, strict=True) for n in pair]
        access = Access(len(pairs), tuple(Term(2 * d + 1) for d in range(len(shape))))
        value = write.data_movement(value, access, pairs)
    elif 0 in result:  # a value without elements
        value = write.data_movement(value, Access.identity(len(result)), result)
    return write.reshape(value, result)


@kernel_rule(nn.RangeOp)
def range_(op: nn.RangeOp, write: KernelWriter) -> SSAValue:
    limits = [constant_array(value) for value in op.operands]
    if any(limit is None for limit in limits):
        raise DiagnosticException(
            f"{label(op)}: start, stop and step are not constant; run fold-constants first or make them such"
        )
    numbers = range_of(op, *(limit for limit in limits if limit is not None))
    assert isinstance(numbers, np.ndarray)
    return write.constant(numbers, op.output_type)


@kernel_rule(nn.OneHotOp)
def one_hot(op: nn.OneHotOp, write: KernelWriter) -> SSAValue:
    result = static_shape(op.result)
    rank = len(result)
    axis = normalize_axis(op, op.axis.value.data, rank)
    element = tensor(op.indices).element_type
    scalar = body_type(element)
    places = write.constant(np.arange(result[axis], dtype=np.int32), i32)
    on, off = (write.reshape(value, ()) for value in (op.on_value, op.off_value))

    indices: SSAValue = op.indices

    def from_start(index: Scalar) -> Scalar:
        return select(index < 0, index + result[axis], index)

    if op.negative_indices_mode.data == "normalize" and not is_unsigned(element):
        indices = write.map(tensor(indices), [indices], from_start)

    def compute(index: Scalar, place: Scalar, on: Scalar, off: Scalar) -> Scalar:
        return select(index.equals(place.convert(i32, scalar)), on, off)

    others = tuple(Term(d) for d in range(rank) if d != axis)
    access = [Access(rank, others), Access(rank, (Term(axis),)), Access(rank, ()), Access(rank, ())]
    operands = [indices, places, on, off]
    return write.map(tensor(op.result), operands, compute, access)


@kernel_rule(nn.ReverseSequenceOp)
def reverse_sequence(op: nn.ReverseSequenceOp, write: KernelWriter) -> SSAValue:
    """Step t of an entry of length n is step n - 1 - t, or t itself behind its end."""
    shape = static_shape(op.input)
    rank = len(shape)
    batch = normalize_axis(op, op.batch_axis.value.data, rank)
    axis = normalize_axis(op, op.seq_axis.value.data, rank)
    element = tensor(op.seq_lengths).element_type
    static_shape(op.seq_lengths)
    steps = write.constant(np.arange(shape[axis], dtype=np.int32), i32)

    def compute(length: Scalar, step: Scalar) -> Scalar:
        length = length.convert(element, i32)
        return select(length > step, length - 1 - step, step)

    type = typed(i32, (shape[batch], shape[axis]))
    access = [Access(2, (Term(0),)), Access(2, (Term(1),))]
    places = write.map(type, [op.seq_lengths, steps], compute, access)
    order = [batch, axis, *(d for d in range(rank) if d not in (batch, axis))]
    value = gather(write, write.transpose(op.input, order), places, 1, 1)
    back = [order.index(d) for d in range(rank)]
    return write.transpose(value, back)
