"""Elements at indices that are computed: one index for each element."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.origins import origin_of, set_origins
from ..bodies import build_body, same
from .chain import Chain
from .rule import Lowered, is_low, rule


def along(axis: int, rank: int) -> Access:
    """Where a point lies, but for what an index says of `axis`."""
    return Access(rank, tuple(Term(None if d == axis else d) for d in range(rank)))


def gather_along(chain: Chain, value: SSAValue, indices: SSAValue, axis: int) -> SSAValue:
    """An element for each index, along an axis."""
    domain = shape_of(indices)
    rank, element = len(domain), tensor(value).element_type
    new = kernel.GatherOp(
        domain,
        axis,
        value,
        indices,
        along(axis, rank),
        Access.identity(rank),
        [],
        [Access.identity(rank)],
        build_body([body_type(element)], same),
        results=[TensorType(element, domain)],
    )
    set_origins(new, origin_of(chain.op, is_low(value)))
    return chain.add(new)


@rule(nn.GatherElementsOp)
def gather_elements(op: nn.GatherElementsOp) -> Lowered:
    chain, rank = Chain(op), len(static_shape(op.input))
    static_shape(op.indices)
    axis = normalize_axis(op, op.axis.value.data, rank)
    return Lowered(gather_along(chain, op.input, op.indices, axis), ops=chain.ops)
