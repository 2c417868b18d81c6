"""Products of matrices, and sums over axes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, TensorType
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.names import namesakes
from ..tensorflow import TfOp
from .translation import Translation, rule
from .values import Value


@rule("MatMul")
def mat_mul(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return _product(t, op, values, op.flag("transpose_a"), op.flag("transpose_b"))


@rule("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_mat_mul(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return _product(t, op, values, op.flag("adj_x"), op.flag("adj_y"))


def _product(t: Translation, op: TfOp, values: Sequence[Value], left: bool, right: bool) -> Value:
    a, b = t.tensors_of(op, values)
    flags = {
        "transpose_a": BoolAttr.from_bool(left),
        "transpose_b": BoolAttr.from_bool(right),
    }
    return t(nn.MatMulOp, a, b, **flags)


REDUCTIONS = namesakes("tensorflow", nn.ReduceOp)
"""What makes one element of many."""


@rule(*REDUCTIONS)
def reduction(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    axes = t.integers(*t.integers_of(op, values[1], "axes"))
    keep = BoolAttr.from_bool(op.flag("keep_dims"))
    return t(REDUCTIONS[op.name], x, axes, keep_dims=keep)


@rule("MatrixDiagPart")
def matrix_diagonal(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    """The sum of each row of `matrix * identity`."""
    matrix = t.tensor_of(op, values[0])
    *_, rows, columns = shape_of(matrix)
    if rows != columns or rows == DYNAMIC_INDEX:
        raise DiagnosticException(
            f"tf.{op.name}: of matrices [{rows}, {columns}]; only square ones of known size have a meaning here"
        )
    identity = [float(row == column) for row in range(rows) for column in range(rows)]
    type = TensorType(tensor(matrix).element_type, [rows, rows])
    only = t(nn.MultiplyOp, matrix, t.constant(BlobAttr.of(type, identity)))
    return t(nn.ReduceSumOp, only, t.integers(-1))
