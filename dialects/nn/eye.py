"""Identity matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ..blob import BlobAttr
from ..inferred import INDEX, MAX_RANK, Constants, shape_of, static_shape
from ..names import Names
from ..operation import op_definition
from .comparison import EqualOp
from .derived import DerivedOp
from .elementwise import AddOp, ConvertOp
from .shape import BroadcastOp
from .shaped import TypedOp
from .writer import Writer


@op_definition
class EyeOp(TypedOp, DerivedOp):
    """
    `result[…, i, j] = 1 if j = i + diagonal_index else 0`, of constant `num_rows` and `num_columns`, for each entry of
    `batch_shape`.

        %n = nn.constant dense<3> : tensor<i64>
        %m = nn.constant dense<4> : tensor<i64>
        %y = nn.eye %n, %m, %diagonal {output_type = f32} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    """

    name = "nn.eye"
    NAMES: ClassVar = Names("Eye-9")

    num_rows = operand_def(INDEX)
    num_columns = operand_def(INDEX)
    diagonal_index = operand_def(INDEX)
    batch_shape = opt_operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        sizes: list[int] = []
        for name in ("num_rows", "num_columns", "diagonal_index"):
            value: SSAValue = getattr(self, name)
            if shape_of(value) not in ((), (1,)):
                raise self.op_error(f"{name} is a {value.type}; it must be a scalar")
            known = constants(value)
            sizes.append(DYNAMIC_INDEX if known is None else known[0])
        batch: Sequence[int] | None = ()
        if self.batch_shape is not None and (batch := constants(self.batch_shape)) is None:
            shape = shape_of(self.batch_shape)
            if len(shape) != 1 or not 0 <= shape[0] <= MAX_RANK:
                raise self.op_error(
                    f"batch_shape is a {self.batch_shape.type}; it must be a vector of known size"
                )
            batch = [DYNAMIC_INDEX] * shape[0]
        shape = (*batch, *sizes[:2])
        if any(size < 0 and size != DYNAMIC_INDEX for size in shape):
            raise self.op_error(f"sizes {list(shape)} must not be negative")
        return shape

    def decompose(self, write: Writer) -> SSAValue:
        *batch, rows, columns = static_shape(self.result)
        diagonal = write.converted(self.diagonal_index, i64)
        column: TensorType[Any] = TensorType(i64, [rows, 1])
        first = write.constant(BlobAttr.of(column, range(rows)))
        wanted = write(AddOp, first, write.reshaped(diagonal, ()))
        matrix = write(EqualOp, write.integers(*range(columns)), wanted)
        numbers = write(ConvertOp, matrix, destination_type=self.output_type)
        return (
            write(BroadcastOp, numbers, write.integers(*batch, rows, columns)) if batch else numbers
        )
