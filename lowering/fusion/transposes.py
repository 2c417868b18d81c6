"""Transposes of values: which kernels are one, and kernels that read and write another order of dimensions instead."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import kernel
from ...dialects.inferred import tensor
from ...dialects.kernel import Access, KernelOp, Term
from ...dialects.origins import origins_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.tensor_types import typed
from ..kernel_bodies.bodies import movement
from ..separate_results import SINKS
from .accesses import replace_input
from .recomputation import is_data_movement

Order = tuple[int, ...]
"""A permutation: dimension i of the new value is dimension `order[i]` of the old one."""


def order_of(op: Operation) -> Order | None:
    """The permutation, if a kernel is a transpose."""
    if not isinstance(op, kernel.MapOp) or not is_data_movement(op):
        return None
    access, source = op.accesses[0], tensor(op.ins[0])
    if tensor(op.results[0]).element_type != source.element_type:
        return None
    if access.is_identity or (order := permutation_of(access)) is None:
        return None
    is_whole = [op.shape[dim] for dim in order] == list(source.get_shape())
    return inverse(order) if is_whole else None


def permutation_of(access: Access) -> Order | None:
    """The dimensions of the domain in the order of an access, if that permutes them."""
    dims = [term.dim for term in access.terms if term == Term(term.dim) and term.dim is not None]
    is_permutation = sorted(dims) == list(range(access.rank)) and len(access.terms) == len(dims)
    return tuple(dims) if is_permutation else None


def inverse(order: Order) -> Order:
    """The permutation that undoes this one."""
    return tuple(order.index(d) for d in range(len(order)))


def leaves_block(op: Operation) -> bool:
    """Whether a result leaves the block, and so needs a buffer of its own (`separate-results`)."""
    users = [use.operation for result in op.results for use in result.uses]
    return any(
        isinstance(user, SINKS) or (isinstance(user, kernel.ReshapeOp) and leaves_block(user))
        for user in users
    )


def is_layout_agnostic(reader: Operation, value: SSAValue) -> bool:
    """Whether the reader reads `value` by accesses alone, so that any order of its dimensions will do."""
    if not isinstance(reader, KernelOp):
        return False
    if isinstance(reader, kernel.ReduceOp):
        return True
    factors = reader.reads[: len(reader.reads) - len(reader.ins)]
    return value not in factors


def write_permuted(producer: KernelOp, value: SSAValue, order: Order) -> SSAValue:
    """Rebuilds a kernel with one result transposed; the old kernel loses its body."""
    results_before: list[SSAValue] = list(producer.results)
    number = results_before.index(value)
    accesses = producer.accesses
    at = len(producer.ins) + number
    accesses[at] = permuted_access(accesses[at], order)
    results = [tensor(result) for result in producer.results]
    results[number] = permuted_type(value, order)
    new = producer.rebuilt(
        producer.factors,
        producer.ins,
        accesses,
        producer.detach_region(producer.body),
        results,
    )
    Rewriter.insert_op(new, InsertPoint.before(producer))
    for i, (old, result) in enumerate(zip(producer.results, new.results, strict=True)):
        result.name_hint = old.name_hint
        if i != number:
            old.replace_all_uses_with(result)
    return new.results[number]


def read_permuted(reader: Operation, old: SSAValue, new: SSAValue, order: Order) -> None:
    """Makes a kernel read the transposed value instead."""
    assert isinstance(reader, KernelOp)
    if isinstance(reader, kernel.ReduceOp):
        readings = reader.readings
        for i, value in enumerate(reader.x):
            if value is old:
                points, steps = readings[i]
                readings[i] = permuted_access(points, order), permuted_access(steps, order)
                reader.operands[i] = new
        reader.reads_at(readings)
    for i, value in enumerate(reader.ins):
        if value is old:
            replace_input(reader, i, new, permuted_access(reader.accesses[i], order))


def transpose_before(op: Operation, value: SSAValue, order: Order) -> SSAValue:
    """Inserts a transpose of a value before `op`."""
    type = permuted_type(value, order)
    rank = len(order)
    access = Access(rank, tuple(Term(order.index(d)) for d in range(rank)))
    new = movement(value, access, type)
    owner = value.owner
    set_origins(new, origins_of(owner) if isinstance(owner, KernelOp) else [])
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new.results[0]


def permuted_access(access: Access, order: Order) -> Access:
    """The access to the transposed value."""
    return Access(access.rank, tuple(access.terms[d] for d in order))


def permuted_type(value: SSAValue, order: Order) -> TensorType[Any]:
    """The type of the transposed value."""
    type = tensor(value)
    return typed(type.element_type, [type.get_shape()[d] for d in order])
