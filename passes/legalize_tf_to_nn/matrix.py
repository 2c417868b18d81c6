"""Products of matrices, and sums over axes."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.names import namesakes
from ..einsum import einsum
from ..tensorflow import TfOp
from ..tensorflow_rules.shapes import reduced
from .translation import Translation, computes


@computes("MatMul")
def mat_mul(t: Translation, op: TfOp, a: SSAValue, b: SSAValue) -> SSAValue:
    flags = {name: op.flag(name) for name in ("transpose_a", "transpose_b")}
    return t(nn.MatMulOp, a, b, **flags)


REDUCTIONS = namesakes("tensorflow", nn.ReduceOp)
"""What makes one element of many."""


@computes(*REDUCTIONS)
def reduction(t: Translation, op: TfOp, x: SSAValue, axes: SSAValue) -> SSAValue:
    return reduced(t, op, REDUCTIONS[op.name], x, axes)


@computes("MatrixDiagPart")
def matrix_diagonal(t: Translation, op: TfOp, matrix: SSAValue) -> SSAValue:
    """The sum of each row of `matrix * identity`."""
    *_, rows, columns = shape_of(matrix)
    if rows != columns or rows == DYNAMIC_INDEX:
        raise DiagnosticException(
            f"tf.{op.name}: of matrices [{rows}, {columns}]; only square ones of known size have a meaning here"
        )
    identity = [float(row == column) for row in range(rows) for column in range(rows)]
    type = TensorType(tensor(matrix).element_type, [rows, rows])
    only = t(nn.MultiplyOp, matrix, t.constant(BlobAttr.of(type, identity)))
    return t(nn.ReduceSumOp, only, t.integers(-1))


@computes("Einsum")
def einsum_(t: Translation, op: TfOp, *operands: SSAValue) -> SSAValue:
    try:
        return einsum(t, op.text("equation"), operands)
    except DiagnosticException as error:
        raise DiagnosticException(f"{op.label}: {error}") from None
