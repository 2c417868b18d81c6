"""Rows that belong together: maxima of segments, and sparse rows that lack elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AnyAttr, VarConstraint, operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import DiagnosticException

from ..compatible import compatible_shapes
from ..elements import is_integer, largest_of, limits_of
from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    choice,
    constant_integers,
    label,
    shape_of,
    spelled,
    static_shape,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import word_prop
from .derived import DerivedOp
from .expression import Expression, concatenated, constant, places
from .non_zero import first_of
from .scatter import ScatterElementsUpdateOp
from .shaped import ShapedOp
from .writer import Writer


@op_definition
class SegmentMaxOp(ShapedOp, DerivedOp):
    """
    `result[s] = max over i of data[i], segment_ids[i] = s`, for the first `num_segments` segments, or as many as the
    segment_ids have. Segments without rows are 0 (`fill_mode` `zero`) or the lowest finite number (`lowest`).

        %n = nn.constant dense<3> : tensor<i64>
        %y = nn.segment_max %x, %segments, %n {fill_mode = "zero"}
            : (tensor<6x2xf32>, tensor<6xi64>, tensor<i64>) -> tensor<3x2xf32>
    """

    name = "nn.segment_max"
    NAMES: ClassVar = Names("SegmentMax-16")

    data = operand_def(SAME_ELEMENT)
    segment_ids = operand_def(INDEX)
    num_segments = opt_operand_def(INDEX)
    fill_mode = word_prop()

    @property
    def is_widened(self) -> bool:
        """The lowest number is that of its own type."""
        return False

    def count(self, constants: Constants) -> int | None:
        """The number of segments, if it is known."""
        if self.num_segments is not None:
            return known[0] if (known := constants(self.num_segments)) else None
        return None if (ids := constants(self.segment_ids)) is None else max(ids, default=-1) + 1

    @property
    def fill(self) -> float:
        """What a segment without rows is."""
        element = tensor(self.data).element_type
        if self.fill_mode.data == "zero":
            return 0
        return limits_of(element)[0] if is_integer(element) else -largest_of(element)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "fill_mode", "zero", "lowest")
        data, ids = shape_of(self.data), shape_of(self.segment_ids)
        if not data or not compatible_shapes(ids, data[:1]):
            raise self.op_error(
                f"segment_ids {spelled(ids)} must be one for each row of data {spelled(data)}"
            )
        count = self.count(constants)
        rows = DYNAMIC_INDEX if count is None else count
        return [rows, *data[1:]]

    def decompose(self, write: Writer) -> SSAValue:
        """A scatter of rows; those of segments beyond the last one go to a row that is cut off."""
        if (count := self.count(constant_integers)) is None:
            raise DiagnosticException(
                f"{label(self)}: only the run can tell how many segments there are; give a constant num_segments"
            )
        data, shape = Expression(write, self.data), static_shape(self.data)
        ids = Expression(write, self.segment_ids).at_most(count)
        ids = ids.reshaped(shape[0], *[1] * (len(shape) - 1)).broadcast(*shape)
        empty = data.constant((), [self.fill]).broadcast(count + 1, *shape[1:])
        axis = constant(write, i64, (), [0])
        most = write(
            ScatterElementsUpdateOp,
            empty.value,
            ids.value,
            data.value,
            axis,
            reduction="max",
            use_init_val=False,
        )
        return data.on(most).slice(0, 0, count).value


@op_definition
class SparseFillEmptyRowsOp(DerivedOp):
    """
    A sparse matrix of a constant `dense_shape`, with `default_value` in column 0 of each row that has no element; and
    whether a row had none.

        %shape = nn.constant dense<[5, 4]> : tensor<2xi64>
        %i, %v, %empty = nn.sparse_fill_empty_rows %values, %shape, %indices, %default
            : (tensor<3xf32>, tensor<2xi64>, tensor<3x2xi64>, tensor<f32>)
            -> (tensor<?x2xi64>, tensor<?xf32>, tensor<5xi1>)
    """

    name = "nn.sparse_fill_empty_rows"
    NAMES: ClassVar = Names("SparseFillEmptyRows-16")

    PLACE: ClassVar = VarConstraint("PLACE", AnyAttr())

    values = operand_def(SAME_ELEMENT)
    dense_shape = operand_def(INDEX)
    indices = operand_def(TensorType.constr(PLACE))
    default_value = operand_def(SAME_ELEMENT)
    output_indices = result_def(TensorType.constr(PLACE))
    output_values = result_def(SAME_ELEMENT)
    empty_row_indicator = result_def(TensorType.constr(i1))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        values, indices = shape_of(self.values), shape_of(self.indices)
        if len(values) != 1 or not compatible_shapes(indices, (values[0], 2)):
            raise self.op_error(
                f"values {spelled(values)} must be a vector, indices {spelled(indices)} [value, 2]"
            )
        shape = constants(self.dense_shape)
        if shape is not None and len(shape) != 2:
            raise self.op_error(f"dense_shape {list(shape)} must be two sizes")
        return [
            TensorType(tensor(self.indices).element_type, [DYNAMIC_INDEX, 2]),
            TensorType(tensor(self.values).element_type, [DYNAMIC_INDEX]),
            TensorType(i1, [DYNAMIC_INDEX if shape is None else shape[0]]),
        ]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        """Elements and one more for each row, in the order of rows; those that rows do not need come last."""
        (rows, _), (count,) = self.known(self.dense_shape, "dense_shape"), static_shape(self.values)
        values, indices = Expression(write, self.values), Expression(write, self.indices)
        row = indices.slice(1, 0, 1).reshaped(count)
        zero = constant(write, i64, (), [0])
        none, some = (
            Expression(write, constant(write, i32, (size,), [number] * size))
            for size, number in ((rows, 0), (count, 1))
        )
        used = none.on(write(ScatterElementsUpdateOp, none.value, row.value, some.value, zero))
        empty = used.equals(0)
        all_rows = places(write, rows).to(indices.element)
        keys = concatenated(0, row, empty.where(all_rows, rows))
        _, order = keys.top(count + rows, 0, "min", i64)
        column = all_rows.constant((rows, 1), [0] * rows)
        added = concatenated(1, all_rows.reshaped(rows, 1), column)
        default = values.on(self.default_value).reshaped(1).broadcast(rows)
        places_of = order
        total = empty.to(i64).sum(0, keep=True) + count
        return [
            first_of(
                write, concatenated(0, indices, added).gathered(places_of, 0).value, total.value, 0
            ),
            first_of(
                write, concatenated(0, values, default).gathered(places_of, 0).value, total.value, 0
            ),
            empty.value,
        ]
