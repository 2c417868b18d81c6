"""
Right operands that are computed and lie as [batch…, K, N]: microkernels read adjacent columns there as they would in
`PackedLayout`, a row of the matrix for each step, so that nothing is moved.

    mat_mul(a, transpose(w)) = mat_mul(a, w) {k_by_n}
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ..machine import Isa
from .at_run_time import transposed_source

MOST_ROWS = 128
"""Rows up to which reading a matrix where it lies takes less than packing it; for more, the two take as long."""


def in_place(op: kernel.MatMulOp, isa: Isa) -> kernel.MatMulOp | None:
    """
    The same product of right operands that nothing transposed; None where one lies otherwise, where columns leave most
    of a vector empty, or where they are integers, of which instructions multiply several of k at once.
    """
    if not isinstance(op.accumulator, AnyFloat) or 2 * op.shape[-1] < isa.lanes:
        return None
    sources = [source for value in op.b if (source := transposed_source(value)) is not None]
    if len(sources) < len(op.b) or any(_rows(op, value) > MOST_ROWS for value in op.b):
        return None
    b = [_in_shape(op, *pair) for pair in zip(op.b, sources, strict=True)]
    return kernel.MatMulOp(
        op.shape,
        op.groups.value.data,
        list(op.a),
        b,
        kernel.Epilogue(list(op.ins), op.accesses, op.detach_region(op.body)),
        results=[tensor(result) for result in op.results],
        k_by_n=True,
        attributes=op.attributes,
    )


def _rows(op: kernel.MatMulOp, value: SSAValue) -> int:
    """How many rows share a right operand."""
    *batch, _, _ = shape_of(value)
    return prod(op.shape[:-1]) // max(1, prod(batch))


def _in_shape(op: kernel.MatMulOp, value: SSAValue, source: SSAValue) -> SSAValue:
    """The source of a right operand, which may have other dimensions of size 1, as [batch…, K, N]."""
    *batch, units, depth = shape_of(value)
    shape = (*batch, depth, units)
    if shape_of(source) == shape:
        return source
    reshape = kernel.ReshapeOp(source, TensorType(tensor(source).element_type, shape))
    Rewriter.insert_op(reshape, InsertPoint.before(op))
    return reshape.result
