"""Matrix products of groups of rows, inverses and determinants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ..compatible import compatible_dims
from ..inferred import INDEX, SAME_ELEMENT, Constants, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .derived import DerivedOp
from .expression import Expression, concatenated, constant, places
from .matrix import MatMulOp
from .shaped import InputOp, SameTypeOp, ShapedOp
from .writer import Writer


@op_definition
class GroupedMatMulOp(ShapedOp, DerivedOp):
    """
    `result[t, n] = sum_k a[t, k] * b[g, n, k]`, where row t is in group g, the first whose end is behind it:
    `t < offsets[g]`. Rows behind the last end are 0. Without offsets `a` has rows `[group, row, k]` of each group.

        %y = nn.grouped_mat_mul %a, %b, %offsets
            : (tensor<6x4xf32>, tensor<3x5x4xf32>, tensor<3xi32>) -> tensor<6x5xf32>
    """

    name = "nn.grouped_mat_mul"
    NAMES: ClassVar = Names("GroupedMatMul-17")

    a = operand_def(SAME_ELEMENT)
    b = operand_def(SAME_ELEMENT)
    offsets = opt_operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        a, b = shape_of(self.a), shape_of(self.b)
        ends = () if self.offsets is None else shape_of(self.offsets)
        groups = (ends if self.offsets is not None else a[:1]) + b[:1]
        fits = (
            len(b) == 3
            and len(a) == (3 if self.offsets is None else 2)
            and len(groups) == 2
            and compatible_dims(*groups)
            and compatible_dims(a[-1], b[-1])
        )
        if not fits:
            raise self.op_error(
                "takes rows [row, k], matrices [group, n, k] and ends [group], or rows [group, row, k] "
                f"and matrices alone, not {spelled(a)}, {spelled(b)} and {spelled(ends)}"
            )
        return (*a[:-1], b[1])

    def decompose(self, write: Writer) -> SSAValue:
        a, b = Expression(write, self.a), Expression(write, self.b)
        if self.offsets is None:
            return write(MatMulOp, a.value, b.value, transpose_b=True)
        (rows, depth), groups = a.shape, b.shape[0]
        ends = Expression(write, self.offsets).to(i32)
        begins = concatenated(0, ends.constant((1,), [0]), ends).slice(0, 0, groups)
        row = places(write, 1, rows)
        member = (row >= begins.reshaped(groups, 1)) & (row < ends.reshaped(groups, 1))
        products = a.on(
            write(MatMulOp, a.reshaped(1, rows, depth).value, b.value, transpose_b=True)
        )
        return member.reshaped(groups, rows, 1).where(products, 0).sum(0).value


@op_definition
class InverseOp(SameTypeOp, DerivedOp):
    """
    The inverse of each matrix `[…, n, n]`, `input @ result = 1`; with `adjoint` that times the determinant. A matrix
    that has none gives infinities or NaN.

        %y = nn.inverse %x {adjoint = false} : tensor<2x3x3xf32>
    """

    name = "nn.inverse"
    NAMES: ClassVar = Names("Inverse-14", "MatrixInverse")

    adjoint = flag_prop(False)

    def check(self, constants: Constants) -> None:
        shape = floating(self, self.input).get_shape()
        if len(shape) < 2 or not compatible_dims(*shape[-2:]):
            raise self.op_error(f"takes square matrices, not {spelled(shape)}")

    def decompose(self, write: Writer) -> SSAValue:
        """Gauss-Jordan elimination of the matrix beside the unit matrix; the pivot is the greatest of its column."""
        x = Expression(write, self.input)
        size, count = x.shape[-1], prod(x.shape[:-2])
        unit = x.constant((1, size, size), [i == j for i in range(size) for j in range(size)])
        both = concatenated(2, x.reshaped(count, size, size), unit.broadcast(count, size, size))
        determinant = x.constant((1, 1, 1), [1])
        for k in range(size):
            step = _Elimination.of(both, k)
            determinant = determinant * step.factor
            top = step.top / step.leading
            both = step.here.where(top, step.rows - step.rows.slice(2, k, k + 1) * top)
        found = both.slice(2, size, 2 * size)
        if self.adjoint:
            found = found * determinant
        return found.reshaped(*x.shape).value


@op_definition
class DeterminantOp(InputOp, DerivedOp):
    """
    The determinant of each matrix `[…, n, n]`.

        %y = nn.determinant %x : tensor<2x3x3xf32> -> tensor<2xf32>
    """

    name = "nn.determinant"
    NAMES: ClassVar = Names("", "MatrixDeterminant", "", "Det-22")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = floating(self, self.input).get_shape()
        if len(shape) < 2 or not compatible_dims(*shape[-2:]):
            raise self.op_error(f"takes square matrices, not {spelled(shape)}")
        return shape[:-2]

    def decompose(self, write: Writer) -> SSAValue:
        """The product of the pivots of an elimination; where one is 0, so is the product."""
        x = Expression(write, self.input)
        *batch, size, _ = x.shape
        rows = x.reshaped(prod(batch), size, size)
        determinant = x.constant((1, 1, 1), [1])
        for k in range(size):
            step = _Elimination.of(rows, k)
            determinant = determinant * step.factor
            pivot = step.leading.equals(0).where(1, step.leading)
            rows = step.rows - step.rows.slice(2, k, k + 1) * (step.top / pivot)
        return determinant.broadcast(prod(batch), 1, 1).reshaped(*batch).value


@dataclass(frozen=True)
class _Elimination:
    """One step of an elimination: the row of the pivot, the greatest of its column, has changed places with row k."""

    rows: Expression
    top: Expression
    """Row k."""
    here: Expression
    """Which row is row k."""
    leading: Expression
    """The pivot."""
    factor: Expression
    """What the determinant has of this step."""

    @classmethod
    def of(cls, rows: Expression, k: int) -> _Elimination:
        count, size, _ = rows.shape
        column = rows.slice(2, k, k + 1)
        row = places(rows.write, size).reshaped(1, size, 1)
        first = row.on(constant(rows.write, i32, (1, 1, 1), [k]))
        pivot = (row >= first).where(column.magnitude(), -1).top(1, 1)[1]
        top = rows.gathered(pivot.reshaped(count, 1), 1, 1)
        swapped = row.equals(pivot).where(rows.slice(1, k, k + 1), rows)
        leading = top.slice(2, k, k + 1)
        factor = pivot.equals(first).where(leading, 0 - leading)
        return cls(swapped, top, row.equals(first), leading, factor)
