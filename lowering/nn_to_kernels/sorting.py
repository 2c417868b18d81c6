"""Top-k and sorting: a sort gives the order, a gather the elements; the first one alone takes two reductions."""

from __future__ import annotations

from math import inf, prod

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType, i1, i32
from xdsl.ir import Attribute, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import bits_of
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.kernel.whole import sort_room
from ...dialects.tensor_types import typed
from ..codegen.schedule.order import goes_side_by_side
from ..kernel_bodies.bodies import Scalar, build_body, select
from ..machine import MOST_LANES
from .indexing import gather_along
from .reduction import reduce_kernel, signed_order
from .rule import is_wide_unsigned, kernel_rule
from .writer import KernelWriter

FEW = 64
"""
The most elements of 64 bits that are kept by insertion; for more, some are selected, or all are sorted by their halves.
"""

LEAST = -(2**31)

LINE = 1 << 20
"""The first of so many elements is found by reductions, which read a constant of as many numbers."""


def order_along(write: KernelWriter, value: SSAValue, axis: int, count: int, mode: str) -> SSAValue:
    """The numbers of the first elements along an axis, sorted up (`min`) or down (`max`)."""
    shape, element = shape_of(value), tensor(value).element_type
    others = [d for d in range(len(shape)) if d != axis]
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    has_keys = element != i1 and bits_of(body_type(element)) <= bits_of(i32)
    if (
        not has_keys
        and element != i1
        and count > FEW
        and sort_room(count, shape[axis]) == shape[axis]
    ):
        return _by_halves(write, value, axis, count, mode)
    fills = has_keys and 2 * outer * inner >= MOST_LANES
    is_side_by_side = fills and goes_side_by_side(shape[axis], count)
    if is_side_by_side and 2 * inner >= MOST_LANES:
        lines = write.reshape(value, (outer, shape[axis], inner))
        order = _by_keys(write, lines, count, mode)
        return write.reshape(order, (*shape[:axis], count, *shape[axis + 1 :]))
    moved = [axis, *others] if is_side_by_side else [*others, axis]
    around = tuple(shape[d] for d in others)
    x = write.transpose(value, moved)
    if is_side_by_side:
        lines = write.reshape(x, (1, shape[axis], outer * inner))
        order = write.reshape(_by_keys(write, lines, count, mode), (count, *around))
    elif has_keys:
        rows = write.reshape(x, (outer * inner, shape[axis]))
        order = write.reshape(_by_keys(write, rows, count, mode), (*around, count))
    else:
        order = _by_comparison(write, x, count, mode)
    return write.transpose(order, [moved.index(d) for d in range(len(shape))])


def _by_keys(write: KernelWriter, value: SSAValue, count: int, mode: str) -> SSAValue:
    """Along the second dimension."""
    element = tensor(value).element_type

    def key(x: Scalar) -> Scalar:
        return _key(x, element, mode)

    body = build_body([body_type(element)], key)
    return write.kernel(kernel.OrderOp(value, count, body), value)


def _key(x: Scalar, element: Attribute, mode: str) -> Scalar:
    """An integer in whose order elements are: both zeros have the same, and NaN has the greatest."""
    if isinstance(x.type, AnyFloat):
        bits = bits_of(x.type)
        greatest = 2 ** (bits - 1) - 1
        word = (x + 0).bitcast(IntegerType(bits))
        key = select(x.equals(x), word ^ (word >> bits - 1) & greatest, greatest)
    else:
        key = signed_order(element)(x)
    return key ^ -1 if mode == "max" else key


def _by_halves(write: KernelWriter, value: SSAValue, axis: int, count: int, mode: str) -> SSAValue:
    """
    Elements of 64 bits by the lower halves of their keys, then by the upper ones; what is equal stays in order, so that
    these decide.
    """
    element, half = tensor(value).element_type, typed(i32, shape_of(value))

    def lower(x: Scalar) -> Scalar:
        return _key(x, element, mode).cast(arith.TruncIOp, i32) ^ LEAST

    def upper(x: Scalar) -> Scalar:
        return (_key(x, element, mode) >> bits_of(i32)).cast(arith.TruncIOp, i32)

    first = order_along(write, write.map(half, [value], lower), axis, shape_of(value)[axis], "min")
    later = gather_along(write, write.map(half, [value], upper), first, axis)
    return gather_along(write, first, order_along(write, later, axis, count, "min"), axis)


def _by_comparison(write: KernelWriter, value: SSAValue, count: int, mode: str) -> SSAValue:
    """Along the last dimension."""
    *rows, size = shape_of(value)
    element = body_type(tensor(value).element_type)
    is_real = isinstance(element, AnyFloat)

    def before(left: Scalar, right: Scalar) -> Scalar:
        """NaN is greater than any number, true than false."""
        less, more = (left, right) if mode == "min" else (right, left)
        if element == i1:
            return (less ^ 1) & more
        found = less.compare("lt", more)
        if not is_real:
            return found
        return found | less.equals(less) & more.compare("ne", more)

    inserts = count <= FEW or element == i1
    kept, room = typed(i32, [*rows, count]), typed(i32, [*rows, sort_room(count, size)])
    body = build_body([element, element], before, is_wide_unsigned(tensor(value).element_type))
    return write.kernel(kernel.SortOp(value, body, [kept] if inserts else [kept, room]), value)


def first_along(write: KernelWriter, value: SSAValue, axis: int, mode: str) -> SSAValue:
    """
    The number of the first element in order along an axis, which stays with size 1: the best one, then the least number
    of those that equal it. NaN counts as infinity where the least is looked for; if there is nothing else, the first
    one is.
    """
    shape, element = shape_of(value), tensor(value).element_type
    rank, size = len(shape), shape[axis]
    is_real = isinstance(body_type(element), AnyFloat)
    points = Access(rank, tuple(Term(None if d == axis else d) for d in range(rank)))
    steps = Access(1, tuple(Term(0 if d == axis else None) for d in range(rank)))
    still = Access(1, (Term(None),) * rank)
    domain = [1 if d == axis else n for d, n in enumerate(shape)]
    order = signed_order(element)

    def key(x: Scalar) -> Scalar:
        return select(x.equals(x), x, inf) if is_real and mode == "min" else order(x)

    def number(x: Scalar, best: Scalar, place: Scalar) -> Scalar:
        found = x.equals(best)
        if is_real and mode == "max":
            found = found | x.compare("ne", x)
        return select(found, place, size)

    def or_first(found: Scalar) -> Scalar:
        return select(found < size, found, 0)

    best = reduce_kernel(
        write, mode, [value], domain, [size], [(points, steps)], key, order, element
    )
    places = write.constant(np.arange(size, dtype=np.int32), i32)
    line = Access(rank, (Term(None),)), Access(1, (Term(0),))
    readings = [(points, steps), (points, still), line]
    x = [value, best, places]
    return reduce_kernel(write, "min", x, domain, [size], readings, number, or_first, i32)


@kernel_rule(nn.TopKOp)
def top_k(op: nn.TopKOp, write: KernelWriter) -> list[SSAValue]:
    shape = static_shape(op.input)
    axis = normalize_axis(op, op.axis.value.data, len(shape))
    count = static_shape(op.values)[axis]
    if count == 1 and shape[axis] <= LINE and tensor(op.input).element_type != i1:
        first = first_along(write, op.input, axis, op.mode.data)
        value = gather_along(write, op.input, first, axis)
        return [value, write.convert(first, op.index_element_type)]
    order = order_along(write, op.input, axis, count, op.mode.data)
    if op.sort.data == "index":
        order = gather_along(write, order, order_along(write, order, axis, count, "min"), axis)
    values = gather_along(write, op.input, order, axis)
    return [values, write.convert(order, op.index_element_type)]
