"""What rules write kernels with: kernels, and the operations around them that bring values into their form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.origins import origin_of, set_origins
from ...dialects.tensor_types import typed
from ...reference.arrays import Array, blob_of_view, dtype_of
from ...reference.constants import constant_array
from ..kernel_bodies.bodies import BodyBuilder, Scalar, conversion, same
from .rule import constant, is_low, is_wide_unsigned, uniform


class KernelWriter:
    """Writes the kernels that an operation becomes. Each method gives the new value."""

    def __init__(self, op: Operation):
        self.op = op
        self.ops: list[Operation] = []

    def add(self, op: Operation) -> SSAValue:
        """The first result of a new operation."""
        self.ops.append(op)
        return op.results[0]

    def kernel(self, op: Operation, *low: SSAValue) -> SSAValue:
        """The first result of a new kernel; it computes in low precision where one of the values is low."""
        set_origins(op, origin_of(self.op, any(map(is_low, low))))
        return self.add(op)

    def constant(self, array: Array, element: Attribute | None = None) -> SSAValue:
        """A constant of an array's contents."""
        return self.add(constant(array, element))

    def view(self, array: Array, element: Attribute) -> SSAValue:
        """A constant of the elements of another, as this view of it has them."""
        return self.add(nn.ConstantOp(blob_of_view(array, element)))

    def map(
        self,
        result: TensorType[Any],
        ins: Sequence[SSAValue],
        compute: Callable[..., Scalar | float],
        access: Sequence[Access] | None = None,
    ) -> SSAValue:
        """A `map_kernel`."""
        return self.add(map_kernel(self.op, result, ins, compute, access))

    def elementwise(
        self,
        compute: Callable[[Scalar], Scalar]
        | Callable[[Scalar, Scalar], Scalar]
        | Callable[[Scalar, Scalar, Scalar], Scalar],
    ) -> SSAValue:
        """The operation as a kernel of one result over the broadcast of its operands."""
        return self.map(tensor(self.op.results[0]), self.op.operands, compute)

    def data_movement(self, source: SSAValue, access: Access, shape: Sequence[int]) -> SSAValue:
        """A kernel that only moves elements: `result[p] = source[access(p)]`."""
        return self.map(typed(tensor(source).element_type, shape), [source], same, [access])

    def cropped(self, value: SSAValue, begin: Sequence[int], shape: Sequence[int]) -> SSAValue:
        """The part of a value that has this shape, from `begin` on."""
        return value if shape_of(value) == tuple(shape) else self.part(value, begin, shape)

    def part(self, value: SSAValue, begin: Sequence[int], shape: Sequence[int]) -> SSAValue:
        """A kernel that copies the part of a value that has this shape, from `begin` on."""
        terms = tuple(Term(d, 1, first) for d, first in enumerate(begin))
        return self.data_movement(value, Access(len(shape), terms), shape)

    def concat(self, parts: Sequence[SSAValue], axis: int) -> SSAValue:
        """One after the other along an axis."""
        shape = list(shape_of(parts[0]))
        shape[axis] = sum(shape_of(part)[axis] for part in parts)
        type = typed(tensor(parts[0]).element_type, shape)
        return self.add(kernel.ConcatOp(parts, axis, type))

    def reshape(self, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        if shape_of(value) == shape:
            return value
        if (array := constant_array(value)) is not None:
            return self.view(array.reshape(shape), tensor(value).element_type)
        return self.add(kernel.ReshapeOp(value, typed(tensor(value).element_type, shape)))

    def swap(self, value: SSAValue) -> SSAValue:
        """The last two dimensions exchanged."""
        rank = len(shape_of(value))
        return self.transpose(value, (*range(rank - 2), rank - 1, rank - 2))

    def transpose(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        """Dimension `order[i]` becomes dimension i; of a constant, as a view."""
        rank = len(order)
        if list(order) == list(range(rank)):
            return value
        if (array := constant_array(value)) is not None:
            return self.view(array.transpose(order), tensor(value).element_type)
        shape = shape_of(value)
        access = Access(rank, tuple(Term(order.index(i)) for i in range(rank)))
        return self.data_movement(value, access, [shape[i] for i in order])

    def convert(self, value: SSAValue, target: Attribute) -> SSAValue:
        """The same numbers in a wider type; of a constant, here and now."""
        source = tensor(value).element_type
        if source == target:
            return value
        if (array := constant_array(value)) is not None:
            return self.constant(array.astype(dtype_of(target)), target)
        result = typed(target, shape_of(value))
        return self.map(result, [value], conversion(source, target))

    def channels_last(self, value: SSAValue) -> SSAValue:
        """[batch, channels, positions…] as [batch, positions…, channels]."""
        rank = len(shape_of(value))
        return self.transpose(value, (0, *range(2, rank), 1))

    def channels_first(self, value: SSAValue) -> SSAValue:
        """[batch, positions…, channels] as [batch, channels, positions…]."""
        rank = len(shape_of(value))
        return self.transpose(value, (0, rank - 1, *range(1, rank - 1)))


def map_kernel(
    op: Operation,
    result: TensorType[Any],
    ins: Sequence[SSAValue],
    compute: Callable[..., Scalar | float],
    access: Sequence[Access] | None = None,
) -> kernel.MapOp:
    """
    A kernel over all elements of `result`: `compute(body, *scalars)` of the elements of `ins`, which
    broadcast as NumPy does where `access` does not say otherwise. Constants that repeat one element become
    numbers in the body. Integers are unsigned in it if those of an operand are. It may give a number.
    """
    domain = result.get_shape()
    if DYNAMIC_INDEX in domain:
        static_shape(op.results[0])
    for value in ins:
        static_shape(value)
    if access is None:
        access = [Access.broadcast(domain, shape_of(value)) for value in ins]
    numbers = [uniform(value) for value in ins]
    reads = list(zip(ins, access, strict=True))
    kept = [i for i, number in enumerate(numbers) if number is None and reads.index(reads[i]) == i]
    types = [body_type(tensor(value).element_type) for value in ins]

    unsigned = any(is_wide_unsigned(tensor(value).element_type) for value in ins)
    body = BodyBuilder(Block(arg_types=[types[i] for i in kept]), unsigned)
    scalars = body.scalars(body.block.args)
    given = {reads[i]: scalar for i, scalar in zip(kept, scalars, strict=True)}
    value = compute(
        *(
            given[read] if number is None else body.constant(number, type)
            for read, number, type in zip(reads, numbers, types, strict=True)
        )
    )
    if not isinstance(value, Scalar):
        value = body.constant(value, body_type(result.element_type))
    new = kernel.MapOp(
        domain,
        [ins[i] for i in kept],
        [*(access[i] for i in kept), Access.identity(len(domain))],
        body.region(value),
        results=[result],
    )
    low = any(is_low(value) for value in (*ins, *op.results))
    set_origins(new, origin_of(op, low))
    return new
