"""Elements, or slices, once each."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, i1, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, prop_def, result_def

from ..blob import BlobAttr
from ..inferred import (
    INDEX,
    MAKE_CONSTANT,
    SAME_ELEMENT,
    Constants,
    normalize_axis,
    shape_of,
    static_shape,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .comparison import LessOp, NotEqualOp, SelectOp
from .cumulative import CumSumOp
from .derived import DerivedOp
from .elementwise import ConvertOp, SubtractOp
from .expression import Expression
from .movement import ConcatOp
from .non_zero import first_of, first_places
from .reduction import ReduceLogicalOrOp
from .scatter import ScatterUpdateOp
from .selection import GatherOp
from .writer import Writer

WIDEST = 64
"""Elements of slices that are compared: each takes a sort."""


@op_definition
class UniqueOp(DerivedOp):
    """
    The elements of the input, each once; with a constant `axis`, the slices along it. They are `sorted`, or in the
    order in which they come first. Further results are, of each of them, the index of the first that is equal and how
    many are; and in between, of each element of the input, which of the unique ones it is.

        %values, %first, %inverse, %counts = nn.unique %x {sorted = true, index_element_type = i64,
              count_element_type = i64}
            : (tensor<8xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<8xi64>, tensor<?xi64>)
    """

    name = "nn.unique"
    NAMES: ClassVar = Names("Unique-10", onnx="Unique-28")

    input = operand_def(SAME_ELEMENT)
    axis = opt_operand_def(INDEX)
    values = result_def(SAME_ELEMENT)
    first_indices = result_def(INDEX)
    inverse = result_def(INDEX)
    counts = result_def(INDEX)
    sorted = flag_prop(True)
    index_element_type = prop_def(IntegerType, default_value=i64)
    count_element_type = prop_def(IntegerType, default_value=i64)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, element = shape_of(self.input), tensor(self.input).element_type
        if self.axis is None:
            total = DYNAMIC_INDEX if DYNAMIC_INDEX in shape else prod(shape)
            values: Sequence[int] = [DYNAMIC_INDEX]
        else:
            if (known := constants(self.axis)) is None or len(known) != 1:
                raise self.op_error(f"axis must be one constant; {MAKE_CONSTANT}")
            axis = normalize_axis(self, known[0], len(shape))
            total, values = shape[axis], [*shape[:axis], DYNAMIC_INDEX, *shape[axis + 1 :]]
            if prod(size for size in values if size != DYNAMIC_INDEX) > WIDEST:
                raise self.op_error(
                    f"slices along axis {axis} have more than {WIDEST} elements; compare fewer"
                )
        index, count = self.index_element_type, self.count_element_type
        some = [DYNAMIC_INDEX if total else 0]
        values = [some[0] if size == DYNAMIC_INDEX else size for size in values]
        return [
            TensorType(element, values),
            TensorType(index, some),
            TensorType(index, [total]),
            TensorType(count, some),
        ]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        value, shape = self.input, static_shape(self.input)
        element = tensor(value).element_type
        if 0 in shape_of(self.inverse):
            empty = [BlobAttr.of(tensor(result), []) for result in self.results]
            return [write.constant(blob) for blob in empty]
        value = write.converted(value, i32 if element == i1 else element)
        axis = 0
        if self.axis is None:
            shape = (prod(shape),)
            value = write.reshaped(value, shape)
        else:
            axis = normalize_axis(self, self.known(self.axis, "axis")[0], len(shape))
        front = [axis, *(d for d in range(len(shape)) if d != axis)]
        moved = [shape[d] for d in front]
        rows = write.reshaped(write.transposed(value, front), (moved[0], prod(moved[1:])))
        groups = _Groups(write, rows, bool(self.sorted))
        values = write.reshaped(groups.values, moved)
        values = write.transposed(values, [front.index(d) for d in range(len(shape))])
        values = write.converted(values, element)
        index, count = self.index_element_type, self.count_element_type
        numbers = (groups.first, index), (groups.inverse, index), (groups.counts, count)
        first, inverse, counts = (write(ConvertOp, n, destination_type=t) for n, t in numbers)
        size = groups.count
        return (
            first_of(write, values, size, axis),
            first_of(write, first, size, 0),
            inverse,
            first_of(write, counts, size, 0),
        )


class _Groups:
    """The groups of equal rows; of each its values, its first row, its count. There is room for one of each row."""

    def __init__(self, write: Writer, rows: SSAValue, is_sorted: bool):
        self.write = write
        self.size, width = shape_of(rows)
        self.numbers = self._range(0)
        order = self.numbers
        for column in reversed(range(width)):
            keys = write.reshaped(write.slice(rows, column, column + 1, 1), (self.size,))
            order = self._at(order, self._order(self._at(keys, order)))
        ordered = self._at(rows, order)
        begins = self._changes(ordered)
        starts, self.count = first_places(write, begins)
        exists = write(LessOp, self.numbers, write(ConvertOp, self.count, destination_type=i64))
        limited = write(SelectOp, exists, starts, write.scalar_like(starts, self.size))
        ends = write(ConcatOp, limited, write.integers(self.size), axis=0)
        ends = write.slice(ends, 1, self.size + 1, 0)
        self.counts = write(SubtractOp, ends, limited)
        self.first, self.values = self._at(order, starts), self._at(ordered, starts)
        upto = write(CumSumOp, write(ConvertOp, begins, destination_type=i64), self._scalar(0))
        self.inverse = self._put(order, write(SubtractOp, upto, 1))
        if not is_sorted:
            self._sort(self._order(write(SelectOp, exists, self.first, self._range(self.size))))

    def _sort(self, order: SSAValue) -> None:
        """Puts the groups in another order."""
        self.first, self.values, self.counts = (
            self._at(each, order) for each in (self.first, self.values, self.counts)
        )
        self.inverse = self._at(self._put(order, self.numbers), self.inverse)

    def _range(self, first: int) -> SSAValue:
        type: TensorType[Any] = TensorType(i64, [self.size])
        return self.write.constant(BlobAttr.of(type, range(first, first + self.size)))

    def _scalar(self, number: int) -> SSAValue:
        return self.write.constant(BlobAttr.of(TensorType(i64, []), number))

    def _at(self, value: SSAValue, places: SSAValue) -> SSAValue:
        return self.write(GatherOp, value, places, self._scalar(0), batch_dims=0)

    def _put(self, places: SSAValue, value: SSAValue) -> SSAValue:
        """A permutation: `result[places] = value`."""
        return self.write(ScatterUpdateOp, self._range(0), places, value, self._scalar(0))

    def _order(self, keys: SSAValue) -> SSAValue:
        """What sorts keys; equal ones stay in order."""
        return Expression(self.write, keys).top(self.size, 0, "min", i64)[1].value

    def _changes(self, ordered: SSAValue) -> SSAValue:
        """Which rows differ from the one before; the first one does."""
        write, last = self.write, self.size - 1
        pair = write.slice(ordered, 1, self.size, 0), write.slice(ordered, 0, last, 0)
        differ = write(ReduceLogicalOrOp, write(NotEqualOp, *pair), write.integers(1))
        begins = write.constant(BlobAttr.of(TensorType(i1, [1]), [1]))
        return write(ConcatOp, begins, differ, axis=0)
