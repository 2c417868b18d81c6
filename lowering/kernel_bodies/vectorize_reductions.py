"""
`vectorize-reductions`: reduction vectorization; how many partial accumulators each reduction keeps.

If neighbouring output points are adjacent in memory, code generation vectorizes over them and each sum keeps its
order. If the elements of one window are adjacent, n lanes accumulate every n-th element each (`partials`), in several
independent vectors; the window goes through memory in order, and its adjacent dimensions are merged, before that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term
from ...dialects.origins import origins_of, set_origins
from ...dialects.properties import integer
from ...dialects.rewriter import Rewriter
from ..codegen.schedule.reduction_blocks import are_enough
from ..machine import planned_isa

ACCUMULATOR_VECTORS = 4
"""Vectors of partial accumulators: enough to hide the latency of an addition."""


@dataclass(frozen=True)
class VectorizeReductions(ModulePass):
    """Sets `partial_accumulators` of every `kernel.reduce`. `isa` names the instruction set (default: the host's)."""

    name = "vectorize-reductions"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        width = planned_isa(self.isa).lanes
        for inner in kernel.outside_bodies(op):
            if isinstance(inner, kernel.AttentionOp) and inner.partial_accumulators is None:
                lanes = lanes_along(inner.keys.value.data, width)
                inner.properties["partial_accumulators"] = integer(lanes)
            if not isinstance(inner, kernel.ReduceOp) or inner.partial_accumulators is not None:
                continue
            _walk_in_memory_order(inner)
            while len(inner.extents) > 1 and runs_through_window(inner) and can_merge(inner):
                inner = _merge(inner)
            if (partials := chosen_partials(inner, width)) > 1:
                inner.properties["partial_accumulators"] = integer(partials)


def _walk_in_memory_order(op: kernel.ReduceOp) -> None:
    """Sorts the window's dimensions as they lie in the first operand, if its last one then is adjacent there."""
    if not op.x or runs_through_window(op):
        return
    points, steps = op.readings[0]
    told = [term.dim for term in steps.terms if term.dim is not None]
    order = [dim for dim in range(len(op.extents)) if dim not in told] + told
    if not told or len(order) != len(op.extents):
        return
    last, inside = points.terms[-1], steps.terms[-1]
    moves = last.dim is not None and op.shape[last.dim] > 1
    if moves or inside != Term(order[-1]):
        return
    window = [op.extents[dim] for dim in order]
    op.reads_at([(at, _renamed(inside, order)) for at, inside in op.readings])
    op.properties["window"] = DenseArrayBase.from_list(i64, window)


def _renamed(steps: Access, order: Sequence[int]) -> Access:
    """The access after dimension `order[n]` has become number n."""
    terms = (
        term if term.dim is None else Term(order.index(term.dim), term.step, term.offset)
        for term in steps.terms
    )
    return Access(steps.rank, tuple(terms))


def runs_through_window(op: kernel.ReduceOp) -> bool:
    """Whether adjacent elements of the first operand belong to the same window, not to neighbouring points."""
    if not op.x or not op.extents:
        return False
    points, steps = op.readings[0]
    if not points.terms:
        return False
    last, inside = points.terms[-1], steps.terms[-1]
    moves = last.dim is not None and op.shape[last.dim] > 1
    return not moves and inside.dim == len(op.extents) - 1 and abs(inside.step) == 1


def chosen_partials(op: kernel.ReduceOp, width: int) -> int:
    """
    The number of partial accumulators that pays off for a window; a power of 2. Points that share elements of both
    operands are computed together, and need a vector each.
    """
    if not runs_through_window(op):
        return 1
    found = lanes_along(op.extents[-1], width)
    return min(found, width) if _share_elements(op) else found


def _share_elements(op: kernel.ReduceOp) -> bool:
    """Whether points read the same elements of either operand, as those of a product of matrices do."""
    if len(op.x) != 2:
        return False
    first, second = (
        {term.dim for term in points.terms if term.dim is not None} for points, _ in op.readings
    )
    apart = [prod(op.shape[dim] for dim in dims) for dims in (first - second, second - first)]
    return are_enough(min(apart), max(apart))


def lanes_along(size: int, width: int) -> int:
    """The same for a sum over so many adjacent elements."""
    if size < width:
        return 1
    return min(ACCUMULATOR_VECTORS * width, 1 << (size.bit_length() - 1))


def can_merge(op: kernel.ReduceOp) -> bool:
    """Whether the last two dimensions of the window are adjacent, and merge, in every operand."""
    return all(
        _merged_at(op, shape_of(value), points, steps) is not None
        for value, (points, steps) in zip(op.x, op.readings, strict=True)
    )


def _merged_at(
    op: kernel.ReduceOp, shape: Sequence[int], points: Access, steps: Access
) -> int | None:
    """The operand's first dimension of the two; None unless the window covers both completely with step 1."""
    rank = len(op.extents)
    dims = [term.dim for term in steps.terms]
    if rank - 2 not in dims:
        return None
    first = dims.index(rank - 2)
    if first + 1 >= len(dims) or dims[first + 1] != rank - 1:
        return None
    for at in (first, first + 1):
        term, size = steps.terms[at], op.extents[rank - 2 + at - first]
        if term != Term(term.dim) or shape[at] != size or points.terms[at] != Term(None):
            return None
    return first


def _merge(op: kernel.ReduceOp) -> kernel.ReduceOp:
    """Merges the last two dimensions of the window."""
    rank = len(op.extents)
    x: list[SSAValue] = []
    readings: list[tuple[Access, Access]] = []
    for value, (points, steps) in zip(op.x, op.readings, strict=True):
        shape = shape_of(value)
        at = _merged_at(op, shape, points, steps)
        assert at is not None
        merged = (*shape[:at], prod(shape[at : at + 2]), *shape[at + 2 :])
        reshape = kernel.ReshapeOp(value, TensorType(tensor(value).element_type, merged))
        Rewriter.insert_op(reshape, InsertPoint.before(op))
        x.append(reshape.result)
        readings.append(
            (
                Access(points.rank, (*points.terms[:at], *points.terms[at + 1 :])),
                Access(rank - 1, (*steps.terms[: at + 1], *steps.terms[at + 2 :])),
            )
        )
    new = op.rebuilt(
        [x],
        op.ins,
        op.accesses,
        op.body.clone(),
        [tensor(result) for result in op.results],
    )
    window = (*op.extents[:-2], prod(op.extents[-2:]))
    new.properties["window"] = DenseArrayBase.from_list(i64, window)
    new.reads_at(readings)
    set_origins(new, origins_of(op))
    Rewriter.replace_op(op, new)
    return new
