"""
Right operands that are computed and lie as [batch…, K, N]: microkernels read adjacent columns there as they would in
`PackedLayout`, a row of the matrix for each step, so that nothing is moved. Where instructions multiply several codes
of k at once, a step has as many rows, which are interleaved in registers.

    mat_mul(a, transpose(w)) = mat_mul(a, w) {k_by_n}

A map that computes a right operand, as dequantization does, and transposes it on the way, writes it as it reads.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access
from ...dialects.rewriter import Rewriter
from ..machine import Isa
from .at_run_time import transposed_source, transposing_map

MOST_ROWS = 128
"""Rows up to which reading a matrix where it lies takes less than packing it; for more, the two take as long."""


def in_place(op: kernel.MatMulOp, isa: Isa) -> kernel.MatMulOp | None:
    """
    The same product of right operands that nothing transposed; None where one lies otherwise, or where columns leave
    most of a vector empty.
    """
    if 2 * op.shape[-1] < isa.lanes:
        return None
    if any(_rows(op, value) > MOST_ROWS for value in op.b):
        return None
    if any(transposed_source(value) is None and transposing_map(value) is None for value in op.b):
        return None
    b = [_as_it_lies(op, value) for value in op.b]
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


def _as_it_lies(op: kernel.MatMulOp, value: SSAValue) -> SSAValue:
    """A right operand as [batch…, K, N]; its source may have other dimensions of size 1."""
    *batch, units, depth = shape_of(value)
    shape, source = (*batch, depth, units), transposed_source(value)
    if source is None:
        computed = transposing_map(value)
        assert computed is not None
        access = [*computed.accesses[:-1], Access.identity(len(shape))]
        type = TensorType(tensor(value).element_type, shape)
        new = computed.rebuilt([], computed.ins, access, computed.body.clone(), [type])
        Rewriter.insert_op(new, InsertPoint.before(computed))
        return new.results[0]
    if shape_of(source) == shape:
        return source
    reshape = kernel.ReshapeOp(source, TensorType(tensor(source).element_type, shape))
    Rewriter.insert_op(reshape, InsertPoint.before(op))
    return reshape.result
