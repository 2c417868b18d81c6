"""`nn.non_zero`: the indices of elements that are not 0. Only a run tells how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, i1, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, result_def
from xdsl.utils.exceptions import DiagnosticException

from ..elements import limits_of
from ..inferred import INDEX, Constants, label, shape_of, static_shape, tensor
from ..names import Names
from ..operation import op_definition
from .comparison import NotEqualOp
from .derived import DerivedOp
from .elementwise import ConvertOp, DivideOp, FloorModOp
from .expression import Expression
from .movement import SliceOp
from .reduction import ReduceSumOp
from .writer import Writer


@op_definition
class NonZeroOp(DerivedOp):
    """
    The indices of all elements that are not 0, in row-major order: `result[d, k]` is the index of the k-th of them in
    dimension d.

        %y = nn.non_zero %x {output_type = i64} : tensor<2x4xf32> -> tensor<2x?xi64>
    """

    name = "nn.non_zero"
    NAMES: ClassVar = Names("NonZero-3", onnx="NonZero-13")

    input = operand_def(TensorType)
    result = result_def(INDEX)
    NEEDS_KNOWN_SHAPES: ClassVar = True
    output_type = prop_def(IntegerType, default_value=i64)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if not (rank := len(shape_of(self.input))):
            raise self.op_error("input is a scalar; reshape it to one element")
        return [TensorType(self.output_type, [rank, DYNAMIC_INDEX])]

    def decompose(self, write: Writer) -> SSAValue:
        shape, size = static_shape(self.input), prod(static_shape(self.input))
        if size > (most := limits_of(i32)[1]):
            raise DiagnosticException(
                f"{label(self)}: input has {size} elements, whose indices do not fit into i32; "
                f"split it into parts of at most {most}"
            )
        flat = write.reshaped(self.input, (size,))
        if tensor(flat).element_type == i1:
            flat = write(ConvertOp, flat, destination_type=i32)
        places, count = first_places(write, write(NotEqualOp, flat, 0), i32)
        rows: list[SSAValue] = []
        for d, of_dimension in enumerate(shape):
            inner = max(prod(shape[d + 1 :]), 1)
            place = write(DivideOp, places, inner) if inner > 1 else places
            if d > 0:
                place = write(FloorModOp, place, max(of_dimension, 1))
            place = write(ConvertOp, place, destination_type=self.output_type)
            rows.append(write.reshaped(place, (1, size)))
        return first_of(write, write.joined(rows, 0), count, 1)


def first_places(
    write: Writer, flags: SSAValue, index: IntegerType = i64
) -> tuple[SSAValue, SSAValue]:
    """Places in a vector of booleans: first of those that are true, in order, then others; and how many are."""
    (size,) = static_shape(flags)
    _, places = Expression(write, flags).top(size, 0, "max", index)
    numbers = write(ConvertOp, flags, destination_type=i32)
    return places.value, write.reshaped(write(ReduceSumOp, numbers, write.integers(0)), (1,))


def first_of(write: Writer, value: SSAValue, count: SSAValue, axis: int) -> SSAValue:
    """The first `count` (a vector of one integer) elements along an axis: a result whose size the run tells."""
    first, step, along = write.integers(0), write.integers(1), write.integers(axis)
    return write(SliceOp, value, first, count, step, along)
