"""Where numbers lie among sorted ones: bucketize, search_sorted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat, IntegerType, TensorType, f32, f64, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, result_def

from ..compatible import compatible_shapes
from ..inferred import Constants, shape_of, spelled, static_shape, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .comparison import LessEqualOp, LessOp
from .derived import DerivedOp
from .elementwise import ConvertOp
from .reduction import ReduceSumOp
from .writer import Writer


class CountBelowOp(DerivedOp, ABC):
    """How many of the sorted numbers lie below each value; those equal to it count where `counts_equal`."""

    result = result_def(TensorType.constr(IntegerType))
    output_type = prop_def(IntegerType, default_value=i64)

    @property
    @abstractmethod
    def counts_equal(self) -> bool:
        """Whether a sorted number equal to the value counts."""

    def count(self, write: Writer, ordered: SSAValue, values: SSAValue) -> SSAValue:
        """`ordered` of shape [b…, n] or [n], values of shape [b…, m]: the count for each value."""
        rows, shape = static_shape(ordered), static_shape(values)
        common = _common(tensor(ordered).element_type, tensor(values).element_type)
        left, right = (write.converted(value, common) for value in (ordered, values))
        left = write.reshaped(left, (*rows[:-1], 1, rows[-1]) if len(rows) > 1 else rows)
        right = write.reshaped(right, (*shape, 1))
        below = write(LessEqualOp if self.counts_equal else LessOp, left, right)
        ones = write(ConvertOp, below, destination_type=self.output_type)
        return write(ReduceSumOp, ones, write.integers(len(shape)))


def _common(left: Attribute, right: Attribute) -> Attribute:
    """A type in which both can be compared."""
    if left == right:
        return left
    floats = [each for each in (left, right) if isinstance(each, AnyFloat)]
    if not floats:
        return i64
    return f32 if all(each.bitwidth <= 32 for each in floats) else f64


@op_definition
class BucketizeOp(CountBelowOp):
    """
    The bucket of each number, 0 for what lies before the first of the sorted `buckets`: bucket i ends at `buckets[i]`,
    which is part of it where `with_right_bound`, else of the next one.

        %y = nn.bucketize %x, %buckets {output_type = i32, with_right_bound = true}
            : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xi32>
    """

    name = "nn.bucketize"
    NAMES: ClassVar = Names("Bucketize-3")

    input = operand_def(TensorType)
    buckets = operand_def(TensorType)
    with_right_bound = flag_prop(True)

    @property
    def counts_equal(self) -> bool:
        return not self.with_right_bound

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if len(shape_of(self.buckets)) != 1:
            raise self.op_error(f"buckets {spelled(shape_of(self.buckets))} are not a vector")
        return [TensorType(self.output_type, shape_of(self.input))]

    def decompose(self, write: Writer) -> SSAValue:
        return self.count(write, self.buckets, self.input)


@op_definition
class SearchSortedOp(CountBelowOp):
    """
    Where each of `values` would be inserted in its row of `sorted` to keep that in order: before what is equal,
    or behind it in `right_mode`. A single row is for all values.

        %y = nn.search_sorted %sorted, %values {right_mode = false, output_type = i64}
            : (tensor<2x8xf32>, tensor<2x3xf32>) -> tensor<2x3xi64>
    """

    name = "nn.search_sorted"
    NAMES: ClassVar = Names("SearchSorted-15")

    sorted = operand_def(TensorType)
    values = operand_def(TensorType)
    right_mode = flag_prop(False)

    @property
    def counts_equal(self) -> bool:
        return bool(self.right_mode)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        rows, values = shape_of(self.sorted), shape_of(self.values)
        if len(rows) != 1 and not (rows and values and compatible_shapes(rows[:-1], values[:-1])):
            raise self.op_error(
                f"values {spelled(values)} do not fit rows {spelled(rows)}; but for the last, their "
                "dimensions are equal"
            )
        return [TensorType(self.output_type, values)]

    def decompose(self, write: Writer) -> SSAValue:
        return self.count(write, self.sorted, self.values)
