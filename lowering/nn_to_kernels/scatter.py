"""Updates of elements at indices that are computed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod

import numpy as np
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import ends_of, is_integer
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.tensor_types import typed
from ...reference.arrays import dtype_of
from ..kernel_bodies.bodies import Scalar, build_body, select
from .rule import constant, is_wide_unsigned, kernel_rule, known_integers
from .writer import KernelWriter

Combine = Callable[[Scalar, Scalar], Scalar]


def _last(there: Scalar, update: Scalar) -> Scalar:
    return update


REDUCTIONS: dict[str, Combine] = {
    "none": _last,
    "sum": operator.add,
    "sub": operator.sub,
    "prod": operator.mul,
    "min": Scalar.minimum,
    "max": Scalar.maximum,
}
LOGIC: dict[str, Combine] = {
    "none": _last,
    "sum": Scalar.__or__,
    "sub": Scalar.__xor__,
    "max": Scalar.__or__,
    "prod": Scalar.__and__,
    "min": Scalar.__and__,
}
"""By reduction, the same on booleans."""


def combine_of(kind: str, element: Attribute) -> Combine:
    """What puts two elements together; integers wrap around at their own width."""
    if element == i1:
        return LOGIC[kind]
    combine = REDUCTIONS[kind]
    if is_integer(element):
        return lambda there, update: combine(there, update).wrap(element)
    return combine


def neutral(kind: str, element: Attribute) -> float:
    """What a reduction begins with."""
    if kind in ("sum", "mean", "prod"):
        return int(kind == "prod")
    lowest, highest = ends_of(element)
    return highest if kind == "min" else lowest


def scatter(
    write: KernelWriter,
    data: SSAValue,
    indices: SSAValue,
    updates: SSAValue,
    axis: int,
    combine: Combine,
) -> SSAValue:
    """The data, updated."""
    element = tensor(data).element_type
    body = build_body([body_type(element)] * 2, combine, is_wide_unsigned(element))
    new = kernel.ScatterOp(axis, [data, indices, updates], body, tensor(data))
    return write.kernel(new, data)


@kernel_rule(nn.ScatterUpdateOp)
def scatter_update(op: nn.ScatterUpdateOp, write: KernelWriter) -> SSAValue:
    shape = static_shape(op.data)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    count = prod(static_shape(op.indices))
    indices = write.reshape(op.indices, (count,))
    updates = write.reshape(op.updates, (*shape[:axis], count, *shape[axis + 1 :]))
    return scatter(write, op.data, indices, updates, axis, _last)


@kernel_rule(nn.ScatterElementsUpdateOp)
def scatter_elements_update(op: nn.ScatterElementsUpdateOp, write: KernelWriter) -> SSAValue:
    data = op.data
    shape, element, kind = static_shape(data), tensor(data).element_type, op.reduction.data
    static_shape(op.updates)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    if kind != "none" and not op.use_init_val:
        first = neutral(kind, element)
        begin = write.add(_filled(shape_of(op.indices), first, element))
        data = scatter(write, data, op.indices, begin, axis, _last)
    combine = combine_of("sum" if kind == "mean" else kind, element)
    value = scatter(write, data, op.indices, op.updates, axis, combine)
    if kind == "mean" and element != i1:
        value = _divided(op, write, value, axis)
    return value


def _filled(shape: tuple[int, ...], number: float, element: Attribute) -> nn.ConstantOp:
    with np.errstate(over="ignore"):
        return constant(np.full(shape, number, dtype_of(element)), element)


def _divided(
    op: nn.ScatterElementsUpdateOp, write: KernelWriter, total: SSAValue, axis: int
) -> SSAValue:
    """By how many numbers each element is the sum of."""
    element, before = tensor(total).element_type, int(bool(op.use_init_val))
    ones = write.add(_filled(shape_of(op.indices), 1, i32))
    none = write.add(_filled(shape_of(total), before, i32))
    counts = scatter(write, none, op.indices, ones, axis, combine_of("sum", i32))

    def compute(total: Scalar, count: Scalar) -> Scalar:
        mean = total / count.convert(i32, body_type(element))
        return select(count < 2, total, mean)

    return write.map(tensor(total), [total, counts], compute)


@kernel_rule(nn.ScatterNdUpdateOp)
def scatter_nd_update(op: nn.ScatterNdUpdateOp, write: KernelWriter) -> SSAValue:
    shape = static_shape(op.data)
    *batch, named = static_shape(op.indices)
    kind, element = op.reduction.data, tensor(op.data).element_type
    sizes, rest, count = shape[:named], shape[named:], prod(batch)
    places = _flat(op, write, write.reshape(op.indices, (count, named)), sizes)
    data = write.reshape(op.data, (prod(sizes), *rest))
    updates = write.reshape(op.updates, (count, *rest))
    value = scatter(write, data, places, updates, 0, combine_of(kind, element))
    return write.reshape(value, shape)


def _flat(
    op: nn.ScatterNdUpdateOp, write: KernelWriter, rows: SSAValue, sizes: tuple[int, ...]
) -> SSAValue:
    """Rows of indices as indices into all dimensions as one; not below its size where a row does not lie inside."""
    element, (count, named) = tensor(rows).element_type, shape_of(rows)
    strides = [prod(sizes[i + 1 :]) for i in range(named)]
    total = prod(sizes)

    def compute(*given: Scalar) -> Scalar | int:
        place = 0
        for scalar, size, stride in zip(given, sizes, strides, strict=True):
            index = scalar.convert(element, i64)
            index = select(index < 0, index + size, index)
            inside = (index >= 0) & (index < size)
            place = place + select(inside, index * stride, total)
        return place

    access = [Access(1, (Term(0), Term(None, 1, i))) for i in range(named)]
    return write.map(typed(i64, [count]), [rows] * named, compute, access)
