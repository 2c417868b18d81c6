"""
A row times a right operand that is computed, whose units lie one after the other: each sum is a reduction.

    mat_mul(a, b)[j] = reduce "sum" of a[k] * b[j, k]

So every element of b is read once, where it lies; packing it first would read and write it, too. The product of a
query and the keys of a decoder's cache is of this form.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term
from ..bodies import Scalar, build_body
from ..machine import Isa
from .at_run_time import natural_source


def reduces_row(op: kernel.MatMulOp, isa: Isa, streams: int) -> bool:
    """Whether there is one row of f32 (one for each stream) that fills vectors."""
    if len(op.a) != 1 or op.groups.value.data != 1:
        return False
    (a,), (b,) = op.a, op.b
    *batch, _, depth = shape_of(b)
    rows = prod(op.shape[:-1]) // max(1, prod(batch))
    return (
        rows <= streams
        and depth >= isa.lanes
        and tensor(a).element_type == tensor(b).element_type == f32
        and natural_source(b) is not None
    )


def reduce_row(op: kernel.MatMulOp) -> None:
    """Replaces a product by a reduction."""
    (a,), (given,) = op.a, op.b
    b = natural_source(given)
    assert b is not None
    *_, depth = shape_of(given)
    shape = shape_of(given)
    if shape_of(b) != shape:
        reshape = kernel.ReshapeOp(b, tensor(given))
        Rewriter.insert_op(reshape, InsertPoint.before(op))
        b = reshape.result
    rank = len(op.shape)
    points = [_point(a, rank, rank - 2), _point(b, rank, rank - 1)]
    steps = [_step(a), _step(b)]
    new = kernel.ReduceOp(
        "sum",
        op.shape,
        [depth],
        [a, b],
        points,
        steps,
        build_body([f32, f32], _product),
        list(op.ins),
        op.accesses,
        op.detach_region(op.body),
        results=[tensor(result) for result in op.results],
        attributes=op.attributes,
    )
    Rewriter.replace_op(op, new)


def _product(a: Scalar, b: Scalar) -> Scalar:
    return a * b


def _point(value: SSAValue, rank: int, unit: int) -> Access:
    """Where the row or unit of a point begins; dimensions are aligned at the back, and those of size 1 repeat."""
    *batch, _, _ = shape_of(value)
    first = rank - 2 - len(batch)
    terms = (Term(None) if size == 1 else Term(first + d) for d, size in enumerate(batch))
    return Access(rank, (*terms, Term(unit), Term(None)))


def _step(value: SSAValue) -> Access:
    return Access(1, (*[Term(None)] * (len(shape_of(value)) - 1), Term(0)))
