"""Picking, repeating and making elements."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import kernel, nn
from ...dialects.elements import is_unsigned
from ...dialects.inferred import label, normalize_axis, shape_of, tensor
from ...dialects.kernel import Access, Term, body_type
from ...reference.nn.selection import range_ as range_of
from ..bodies import Scalar, select
from .chain import Chain
from .rule import (
    Lowered,
    constant,
    known_array,
    known_integers,
    map_kernel,
    moved,
    rule,
    static_shape,
)
from .take import gather, take


@rule(nn.GatherOp)
def gather_(op: nn.GatherOp) -> Lowered:
    """Indices that are known and lie inside are slices, most often."""
    chain, shape = Chain(op), static_shape(op.input)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    indices = static_shape(op.indices)
    batch = op.batch_dims.value.data
    batch += len(indices) if batch < 0 else 0
    known, size = known_array(op.indices), shape[axis]
    if known is not None and not batch and (np.abs(known + 0.5) < size).all():
        places = [int(index) % size for index in known.reshape(-1)]
        value = take(chain, op.input, axis, places)
    else:
        value = gather(chain, op.input, op.indices, axis, batch)
    return Lowered(chain.reshape(value, static_shape(op.result)), ops=chain.ops)


@rule(nn.StridedSliceOp)
def strided_slice(op: nn.StridedSliceOp) -> Lowered:
    chain, shape = Chain(op), static_shape(op.input)
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
    type: TensorType[Any] = TensorType(tensor(op.input).element_type, domain)
    value: SSAValue = op.input
    if terms != [Term(d) for d in range(len(shape))] or type.get_shape() != shape:
        value = chain.add(moved(op, value, type, Access(len(shape), tuple(terms))))
    return Lowered(chain.reshape(value, static_shape(op.result)), ops=chain.ops)


@rule(nn.VariadicSplitOp)
def variadic_split(op: nn.VariadicSplitOp) -> Lowered:
    shape = static_shape(op.input)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    parts: list[kernel.MapOp] = []
    first = 0
    for result in op.results:
        terms = [Term(d, 1, first if d == axis else 0) for d in range(len(shape))]
        first += static_shape(result)[axis]
        parts.append(moved(op, op.input, tensor(result), Access(len(shape), tuple(terms))))
    return Lowered(*(part.results[0] for part in parts), ops=parts)


@rule(nn.TileOp)
def tile(op: nn.TileOp) -> Lowered:
    """Each dimension behind a new one that repeats it."""
    chain, result = Chain(op), static_shape(op.result)
    shape = (*[1] * (len(result) - len(shape_of(op.input))), *static_shape(op.input))
    value = chain.reshape(op.input, shape)
    counts = [0 if not n else m // n for m, n in zip(result, shape, strict=True)]
    if any(count != 1 for count in counts) and 0 not in result:
        pairs = [n for pair in zip(counts, shape, strict=True) for n in pair]
        access = Access(len(pairs), tuple(Term(2 * d + 1) for d in range(len(shape))))
        type: TensorType[Any] = TensorType(tensor(value).element_type, pairs)
        value = chain.add(moved(op, value, type, access))
    elif 0 in result:
        value = _nothing(chain, value, result)
    return Lowered(chain.reshape(value, result), ops=chain.ops)


def _nothing(chain: Chain, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
    """A value without elements."""
    type: TensorType[Any] = TensorType(tensor(value).element_type, shape)
    return chain.add(moved(chain.op, value, type, Access.identity(len(shape))))


@rule(nn.RangeOp)
def range_(op: nn.RangeOp) -> Lowered:
    limits = [known_array(value) for value in op.operands]
    if any(limit is None for limit in limits):
        raise DiagnosticException(
            f"{label(op)}: start, stop and step are not constant; run fold-constants first or make them such"
        )
    numbers = range_of(op, *(limit for limit in limits if limit is not None))
    assert isinstance(numbers, np.ndarray)
    new = constant(numbers, op.output_type)
    return Lowered(new.result, ops=[new])


@rule(nn.OneHotOp)
def one_hot(op: nn.OneHotOp) -> Lowered:
    chain, result = Chain(op), static_shape(op.result)
    rank = len(result)
    axis = normalize_axis(op, op.axis.value.data, rank)
    element = tensor(op.indices).element_type
    scalar = body_type(element)
    places = chain.add(constant(np.arange(result[axis], dtype=np.int32), i32))
    on, off = (chain.reshape(value, ()) for value in (op.on_value, op.off_value))

    from_end = op.negative_indices_mode.data == "normalize" and not is_unsigned(element)

    def compute(index: Scalar, place: Scalar, on: Scalar, off: Scalar) -> Scalar:
        if from_end:
            index = select(index < 0, index + result[axis], index)
        return select(index.equals(place.convert(i32, scalar)), on, off)

    others = tuple(Term(d) for d in range(rank) if d != axis)
    access = [Access(rank, others), Access(rank, (Term(axis),)), Access(rank, ()), Access(rank, ())]
    operands = [op.indices, places, on, off]
    new = map_kernel(op, tensor(op.result), operands, compute, access)
    return Lowered(chain.add(new), ops=chain.ops)


@rule(nn.ReverseSequenceOp)
def reverse_sequence(op: nn.ReverseSequenceOp) -> Lowered:
    """Step t of an entry of length n is step n - 1 - t, or t itself behind its end."""
    chain, shape = Chain(op), static_shape(op.input)
    rank = len(shape)
    batch = normalize_axis(op, op.batch_axis.value.data, rank)
    axis = normalize_axis(op, op.seq_axis.value.data, rank)
    element = tensor(op.seq_lengths).element_type
    static_shape(op.seq_lengths)
    steps = chain.add(constant(np.arange(shape[axis], dtype=np.int32), i32))

    def compute(length: Scalar, step: Scalar) -> Scalar:
        length = length.convert(element, i32)
        return select(length > step, length - 1 - step, step)

    type: TensorType[Any] = TensorType(i32, (shape[batch], shape[axis]))
    access = [Access(2, (Term(0),)), Access(2, (Term(1),))]
    places = chain.add(map_kernel(op, type, [op.seq_lengths, steps], compute, access))
    order = [batch, axis, *(d for d in range(rank) if d not in (batch, axis))]
    value = gather(chain, chain.transpose(op.input, order), places, 1, 1)
    back = [order.index(d) for d in range(rank)]
    return Lowered(chain.transpose(value, back), ops=chain.ops)
