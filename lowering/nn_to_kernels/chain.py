"""The operations around a kernel: what brings values into the form it wants, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term
from ...reference.arrays import dtype_of
from ..bodies import Scalar
from .rule import constant, known_array, map_kernel, moved


class Chain:
    """The operations that bring an operand into the form a product wants."""

    def __init__(self, op: Operation):
        self.op = op
        self.ops: list[Operation] = []

    def add(self, op: Operation) -> SSAValue:
        self.ops.append(op)
        return op.results[0]

    def reshape(self, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        if shape_of(value) == shape:
            return value
        if (array := known_array(value)) is not None:
            return self.add(constant(array.reshape(shape), tensor(value).element_type))
        type: TensorType[Any] = TensorType(tensor(value).element_type, shape)
        return self.add(kernel.ReshapeOp(value, type))

    def swap(self, value: SSAValue) -> SSAValue:
        """The last two dimensions exchanged."""
        rank = len(shape_of(value))
        return self.transpose(value, (*range(rank - 2), rank - 1, rank - 2))

    def transpose(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        """Dimension `order[i]` becomes dimension i; of a constant, here and now."""
        rank = len(order)
        if list(order) == list(range(rank)):
            return value
        element = tensor(value).element_type
        if (array := known_array(value)) is not None:
            return self.add(constant(np.ascontiguousarray(array.transpose(order)), element))
        shape = shape_of(value)
        result: TensorType[Any] = TensorType(element, [shape[i] for i in order])
        access = Access(rank, tuple(Term(order.index(i)) for i in range(rank)))
        return self.add(moved(self.op, value, result, access))

    def convert(self, value: SSAValue, target: Attribute) -> SSAValue:
        """The same numbers in a wider type; of a constant, here and now."""
        source = tensor(value).element_type
        if source == target:
            return value
        if (array := known_array(value)) is not None:
            return self.add(constant(array.astype(dtype_of(target)), target))
        result: TensorType[Any] = TensorType(target, shape_of(value))

        def compute(x: Scalar) -> Scalar:
            return x.convert(source, target)

        return self.add(map_kernel(self.op, result, [value], compute))

    def channels_last(self, value: SSAValue) -> SSAValue:
        """[batch, channels, positions…] as [batch, positions…, channels]."""
        rank = len(shape_of(value))
        return self.transpose(value, (0, *range(2, rank), 1))

    def channels_first(self, value: SSAValue) -> SSAValue:
        """[batch, positions…, channels] as [batch, channels, positions…]."""
        rank = len(shape_of(value))
        return self.transpose(value, (0, rank - 1, *range(1, rank - 1)))
