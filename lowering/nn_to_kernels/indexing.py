"""Elements at indices that are computed: one index for each element."""

from __future__ import annotations

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.origins import origin_of, set_origins
from ..bodies import build_body, same
from .rule import Lowered, is_low, rule


def along(axis: int, rank: int) -> Access:
    """Where a point lies, but for what an index says of `axis`."""
    return Access(rank, tuple(Term(None if d == axis else d) for d in range(rank)))


@rule(nn.GatherElementsOp)
def gather_elements(op: nn.GatherElementsOp) -> Lowered:
    rank, domain = len(static_shape(op.input)), static_shape(op.indices)
    axis = normalize_axis(op, op.axis.value.data, rank)
    new = kernel.GatherOp(
        domain,
        axis,
        op.input,
        op.indices,
        along(axis, rank),
        Access.identity(rank),
        [],
        [Access.identity(rank)],
        build_body([body_type(tensor(op.input).element_type)], same),
        results=[tensor(op.result)],
    )
    set_origins(new, origin_of(op, is_low(op.input)))
    return Lowered(new.results[0], ops=[new])
