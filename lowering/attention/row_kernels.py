"""Kernels over rows: what the softmax of a row is made of."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term


def map_over_rows(value: SSAValue) -> kernel.MapOp | None:
    """The map that combines a value of this shape with one number for each row, and perhaps scales."""
    op = value.owner
    if not isinstance(op, kernel.MapOp) or len(op.ins) < 2:
        return None
    first, second, *_ = op.accesses
    fits = second == row_access(second.rank)
    fits = fits and all(access.is_identity for access in op.accesses[len(op.ins) :])
    fits = fits and all(tensor(scale) == TensorType(f32, [1]) for scale in op.ins[2:])
    return op if fits and is_elementwise(op, first, op.ins[0]) else None


def reduction_of(value: SSAValue, combiner: str) -> kernel.ReduceOp | None:
    """The reduction by this combiner whose result a value is."""
    op = value.owner
    return op if isinstance(op, kernel.ReduceOp) and op.combiner.data == combiner else None


def reduces_rows(op: kernel.ReduceOp, combiner: str, value: SSAValue) -> bool:
    """Whether a reduction combines the elements of each row of a value as they are."""
    if op.combiner.data != combiner or list(op.x) != [value] or op.ins or len(op.results) != 1:
        return False
    *lead, last = shape_of(value)
    *rows, one = op.shape
    ((points, steps),) = op.readings
    return (
        one == 1
        and op.extents == (last,)
        and points.terms[-1] == Term(None)
        and _is_in_order(points.terms[:-1], lead, rows)
        and steps.terms == (*[Term(None)] * len(lead), Term(0))
        and op.accesses[-1].is_identity
        and gives_argument(op.element.block)
    )


def is_elementwise(op: kernel.KernelOp, access: Access, value: SSAValue) -> bool:
    """Whether each point reads its own element of a value, which may have more dimensions of size 1."""
    return _is_in_order(access.terms, shape_of(value), op.shape)


def _is_in_order(terms: Sequence[Term], sizes: Sequence[int], domain: Sequence[int]) -> bool:
    """Whether these indices are those of a whole domain, in order, apart from dimensions of size 1."""
    where = [(term, size) for term, size in zip(terms, sizes, strict=True) if size > 1]
    return where == [(Term(d), size) for d, size in enumerate(domain) if size > 1]


def gives_argument(block: Block) -> bool:
    first = block.first_op
    return isinstance(first, kernel.YieldOp) and first.values[0] is block.args[0]


def row_access(rank: int) -> Access:
    """An element for each row."""
    return Access(rank, (*map(Term, range(rank - 1)), Term(None)))


def readers(value: SSAValue) -> set[Operation]:
    return {use.operation for use in value.uses}
