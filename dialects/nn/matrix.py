"""`nn.mat_mul`: matrix products, in floating point and exact in 8 bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, result_def, traits_def

from ..compatible import compatible_dims
from ..elements import bits_of, is_integer
from ..inferred import Constants, Shape, TensorOp, broadcast, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from ..traits import Broadcasts, Multiplies


@op_definition
class MatMulOp(TensorOp):
    """
    `result[…, m, n] = sum_k a[…, m, k] * b[…, k, n]`

    A vector on the left is a row, on the right a column, whatever the flags say. Both operands have one
    floating-point type, which the result shares, or both are 8-bit integers and the result is exact in i32.

        %y = nn.mat_mul %a, %b {transpose_b = true} : (tensor<1x64xf32>, tensor<512x64xf32>) -> tensor<1x512xf32>
    """

    name = "nn.mat_mul"
    NAMES: ClassVar = Names(
        "MatMul-1", "BatchMatMulV2 MatMul", "BATCH_MATMUL FULLY_CONNECTED", "MatMul-13"
    )

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    transpose_a = flag_prop(False)
    transpose_b = flag_prop(False)

    traits = traits_def(Broadcasts(), Multiplies((("a", "b"),)))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        left = _oriented(self, shape_of(self.a), bool(self.transpose_a), row=True)
        right = _oriented(self, shape_of(self.b), bool(self.transpose_b), row=False)
        if not compatible_dims(left[-1], right[-2]):
            raise self.op_error(
                f"reduces {left[-1]} elements on the left and {right[-2]} on the right; "
                "check shapes and transpose flags"
            )
        batch = broadcast(self, left[:-2], right[:-2])
        rows = left[-2:-1] if len(shape_of(self.a)) > 1 else ()
        columns = right[-1:] if len(shape_of(self.b)) > 1 else ()
        element = product_element(self, tensor(self.a).element_type, tensor(self.b).element_type)
        return [TensorType(element, (*batch, *rows, *columns))]


def product_element(op: TensorOp, left: Attribute, right: Attribute) -> Attribute:
    """
    The element type of sums of products: that of both factors, i32 of two 8-bit integers.

    Raises VerifyException, naming `op`, for other types.
    """
    if is_integer(left) and is_integer(right):
        if bits_of(left) == bits_of(right) == 8:
            return i32
        if left == right:
            return left
    elif left == right:
        return left
    raise op.op_error(f"cannot multiply {left} by {right}; use one type, or two 8-bit integers")


def _oriented(op: MatMulOp, shape: Shape, transpose: bool, row: bool) -> Shape:
    if not shape:
        raise op.op_error("an operand is a scalar; multiply it with nn.multiply")
    if len(shape) == 1:
        return (1, *shape) if row else (*shape, 1)
    return (*shape[:-2], shape[-1], shape[-2]) if transpose else shape
