"""Lookup at computed indices, one for each element."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.tensor_types import typed
from ..kernel_bodies.bodies import build_body, same
from .rule import kernel_rule
from .writer import KernelWriter


def gather_along(write: KernelWriter, value: SSAValue, indices: SSAValue, axis: int) -> SSAValue:
    """An element for each index, along an axis."""
    domain = shape_of(indices)
    rank = len(domain)
    around = (Term(None if d == axis else d) for d in range(rank))
    access = Access(rank, tuple(around)), Access.identity(rank)
    return _gathered(write, value, indices, axis, domain, access)


def gather(
    write: KernelWriter, value: SSAValue, places: SSAValue, axis: int, batch: int
) -> SSAValue:
    """`result[b…, o…, p…, i…] = value[b…, o…, places[b…, p…], i…]`, with `batch` dimensions b."""
    shape, inner = shape_of(value), shape_of(places)[batch:]
    domain = (*shape[:axis], *inner, *shape[axis + 1 :])
    rank, more = len(domain), len(inner)
    before = (Term(d) for d in range(axis))
    behind = (Term(d) for d in range(axis + more, rank))
    looked = (*(Term(d) for d in range(batch)), *(Term(axis + d) for d in range(more)))
    access = Access(rank, (*before, Term(None), *behind)), Access(rank, looked)
    return _gathered(write, value, places, axis, domain, access)


def _gathered(
    write: KernelWriter,
    value: SSAValue,
    indices: SSAValue,
    axis: int,
    domain: Sequence[int],
    access: tuple[Access, Access],
) -> SSAValue:
    """Elements of a value at indices along an axis; `access` says where in both a point lies."""
    points, places = access
    element = tensor(value).element_type
    new = kernel.GatherOp(
        domain,
        axis,
        [value],
        [indices],
        [(points, places)],
        kernel.Epilogue([], [Access.identity(len(domain))], build_body([body_type(element)], same)),
        results=[typed(element, domain)],
    )
    return write.kernel(new, value)


@kernel_rule(nn.GatherElementsOp)
def gather_elements(op: nn.GatherElementsOp, write: KernelWriter) -> SSAValue:
    rank = len(static_shape(op.input))
    static_shape(op.indices)
    axis = normalize_axis(op, op.axis.value.data, rank)
    return gather_along(write, op.input, op.indices, axis)
