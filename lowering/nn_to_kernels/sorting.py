"""Top-k and sorting: a sort gives the order, a gather the elements."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, i1, i32
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import body_type
from ...dialects.kernel.whole import sort_room
from ...dialects.tensor_types import typed
from ..bodies import Scalar, build_body
from .indexing import gather_along
from .rule import is_wide_unsigned, kernel_rule
from .writer import KernelWriter

FEW = 64
"""So many elements are kept by insertion, more by selecting some or by sorting all; booleans are counted."""


def order_of(write: KernelWriter, value: SSAValue, count: int, mode: str) -> SSAValue:
    """The numbers of the first elements along the last dimension, sorted up (`min`) or down (`max`)."""
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
    room = sort_room(count, size)
    is_part = inserts or room < size
    kept = typed(i32, [*rows, count if is_part else size])
    body = build_body([element, element], before, is_wide_unsigned(tensor(value).element_type))
    new = kernel.SortOp(value, body, [kept] if inserts else [kept, typed(i32, [*rows, room])])
    order = write.kernel(new, value)
    if is_part or count == size:
        return order
    none = [0] * len(shape_of(value))
    part = typed(i32, [*rows, count])
    return write.add(kernel.SliceOp(order, none, [1] * len(none), part))


@kernel_rule(nn.TopKOp)
def top_k(op: nn.TopKOp, write: KernelWriter) -> list[SSAValue]:
    shape = static_shape(op.input)
    axis = normalize_axis(op, op.axis.value.data, len(shape))
    count = static_shape(op.values)[axis]
    last = [*(d for d in range(len(shape)) if d != axis), axis]
    back = [last.index(d) for d in range(len(shape))]
    rows = write.transpose(op.input, last)
    order = order_of(write, rows, count, op.mode.data)
    if op.sort.data == "index":
        order = gather_along(write, order, order_of(write, order, count, "min"), len(shape) - 1)
    values = gather_along(write, rows, order, len(shape) - 1)
    numbers = write.convert(order, op.index_element_type)
    return [write.transpose(value, back) for value in (values, numbers)]
