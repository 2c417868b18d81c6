"""
Transposes and views: a producer writes the order of dimensions that its consumers read.

Convolutions need channels last, so each comes between two transposes. A transpose is hoisted into its producer, which
then writes the other order; other readers only change their accesses. Transposes remain at the inputs and outputs of
a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, KernelOp, Term
from ...dialects.origins import origins_of, set_origins
from ..bodies import Body, Scalar, build_body
from ..separate_results import SINKS
from .kernel_builder import is_data_movement

Order = tuple[int, ...]
"""A permutation: dimension i of the new value is dimension `order[i]` of the old one."""


def order_of(op: Operation) -> Order | None:
    """The permutation, if a kernel is a transpose."""
    if not isinstance(op, kernel.MapOp) or not is_data_movement(op):
        return None
    access, source = op.accesses[0], tensor(op.ins[0])
    if tensor(op.results[0]).element_type != source.element_type:
        return None
    if any(term != Term(term.dim) or term.dim is None for term in access.terms):
        return None
    dims = [term.dim for term in access.terms if term.dim is not None]
    shape = [op.shape[dim] for dim in dims]
    if sorted(dims) != list(range(len(op.shape))) or shape != list(source.get_shape()):
        return None
    order = tuple(dims.index(i) for i in range(len(dims)))
    return None if order == tuple(range(len(order))) else order


def hoist_transpose_above_slice(op: Operation) -> bool:
    """`transpose(slice(f(x))) = slice(transpose(f(x)))`, so that the transpose can be hoisted into f."""
    if (cut := _cut_of(op)) is None or order_of(op) is not None or _leaves(op):
        return False
    (value,) = op.operands
    dims = [term.dim for term in cut.terms if term.dim is not None]
    producer = value.owner
    if dims == sorted(dims) or not isinstance(producer, KernelOp | kernel.ConcatOp | kernel.PadOp):
        return False
    order = tuple(dims.index(d) for d in range(len(dims)))
    whole = _permuted(op, value, order)
    terms = [cut.terms[i] for i in order]
    _replace_by_slice(op, whole, terms)
    return True


def fold_view(op: Operation) -> bool:
    """View folding: a slice that a product or convolution reads becomes a view of the whole instead of a copy."""
    cut = _cut_of(op)
    if cut is None or _leaves(op) or not _is_combined(op):
        return False
    if [term.dim for term in cut.terms] != list(range(cut.rank)):
        return False
    _replace_by_slice(op, op.operands[0], cut.terms)
    return True


def _is_combined(op: Operation) -> bool:
    """Whether only kernels read the result, and one of them needs it in memory order, without an access."""
    (result,) = op.results
    readers = [use.operation for use in result.uses]
    if not all(isinstance(reader, KernelOp) for reader in readers):
        return False
    return not all(_reads_anyhow(reader, result) for reader in readers)


def _cut_of(op: Operation) -> Access | None:
    """The access of a kernel that is a slice, transposed or not."""
    if not isinstance(op, kernel.MapOp) or not is_data_movement(op):
        return None
    source, target = tensor(op.ins[0]), tensor(op.results[0])
    access = op.accesses[0]
    if source.element_type != target.element_type or source.get_shape() == target.get_shape():
        return None
    dims = [term.dim for term in access.terms if term.dim is not None and term.step > 0]
    same_rank = len(access.terms) == access.rank
    return access if same_rank and sorted(dims) == list(range(access.rank)) else None


def _replace_by_slice(op: Operation, whole: SSAValue, terms: Sequence[Term]) -> None:
    offsets, steps = [term.offset for term in terms], [term.step for term in terms]
    Rewriter.replace_op(op, kernel.SliceOp(whole, offsets, steps, tensor(op.results[0])))


def fold_unit_transpose(op: Operation) -> bool:
    """`transpose(x) = reshape(x)` if only dimensions of size 1 change places."""
    if (order := order_of(op)) is None:
        return False
    (value,), shape = op.operands, shape_of(op.operands[0])
    kept = [dim for dim in order if shape[dim] != 1]
    if kept != sorted(kept) or _leaves(op):
        return False
    Rewriter.replace_op(op, kernel.ReshapeOp(value, tensor(op.results[0])))
    return True


def hoist_transpose(op: Operation) -> bool:
    """
    Transpose hoisting: `transpose(f(x)) = f'(x)`, where f' writes the other order, if all transposes of f(x) are this
    one.
    """
    if (order := order_of(op)) is None:
        return False
    (value,) = op.operands
    producer = value.owner
    if not isinstance(producer, Operation) or producer.parent is not op.parent:
        return False
    if not isinstance(producer, KernelOp | kernel.ConcatOp | kernel.PadOp):
        return False
    if isinstance(producer, kernel.MapOp) and is_data_movement(producer):
        return False  # `fold_access` combines the two
    readers = [use.operation for use in value.uses]
    same = [reader for reader in readers if order_of(reader) == order]
    if len(same) > 1 and any(map(_leaves, same)):
        return False
    if not all(reader in same or _reads_anyhow(reader, value) for reader in readers):
        return False
    new = _written_in_order(producer, value, order)
    new.name_hint = value.name_hint
    for reader in dict.fromkeys(readers):
        if reader in same:
            Rewriter.replace_op(reader, [], [new])
        else:
            assert isinstance(reader, KernelOp)
            _read_in_order(reader, value, new, order)
    producer.detach()
    producer.erase()
    return True


def write_in_order(op: Operation) -> bool:
    """
    A result whose readers all use accesses is written in the order of its kernel's domain, whose last dimension is
    the vectorized one.
    """
    if not isinstance(op, KernelOp) or isinstance(op, kernel.MapOp):
        return False
    for value, access in zip(op.results, op.accesses[len(op.ins) :], strict=True):
        if access.is_identity or not _is_permutation(access):
            continue
        readers = dict.fromkeys(use.operation for use in value.uses)
        if not all(_reads_anyhow(reader, value) for reader in readers):
            continue
        dims = [term.dim for term in access.terms]
        order = tuple(dims.index(d) for d in range(len(dims)))
        new = _kernel_in_order(op, value, order)
        for reader in readers:
            assert isinstance(reader, KernelOp)
            _read_in_order(reader, value, new, order)
        op.detach()
        op.erase()
        return True
    return False


SQUARE = 16
"""The least number of units and positions for which a map transposes tiles in registers (`MapSchedule`)."""


def sink_transpose(op: Operation) -> bool:
    """
    Transpose sinking: `f'(x) = transpose(f(x))` where f' is a product or a convolution whose transposed stores would
    be scalar; a map transposes tiles in registers. It runs last, since `hoist_transpose` is its inverse.
    """
    if not isinstance(op, kernel.MatMulOp | kernel.ConvolutionOp):
        return False
    *positions, units = op.shape
    if min(units, prod(positions)) < SQUARE:
        return False
    for value, access in zip(op.results, op.accesses[len(op.ins) :], strict=True):
        dims = tuple(term.dim for term in access.terms if term.dim is not None)
        if not _is_permutation(access) or dims[-1] == len(dims) - 1:
            continue
        new = _kernel_in_order(op, value, tuple(dims.index(d) for d in range(len(dims))))
        owner = new.owner
        assert isinstance(owner, Operation)
        value.replace_all_uses_with(_permuted(op, new, dims))
        op.detach()
        op.erase()
        sink_transpose(owner)
        return True
    return False


def _is_permutation(access: Access) -> bool:
    dims = [term.dim for term in access.terms if term == Term(term.dim) and term.dim is not None]
    return sorted(dims) == list(range(access.rank)) and len(access.terms) == access.rank


def _leaves(op: Operation) -> bool:
    """Whether a result leaves the block, and so needs a buffer of its own (`separate-results`)."""
    users = [use.operation for result in op.results for use in result.uses]
    return any(
        isinstance(user, SINKS) or (isinstance(user, kernel.ReshapeOp) and _leaves(user))
        for user in users
    )


def _reads_anyhow(reader: Operation, value: SSAValue) -> bool:
    """Whether the reader reads `value` by accesses alone, so that any order of its dimensions will do."""
    if not isinstance(reader, KernelOp):
        return False
    if isinstance(reader, kernel.ReduceOp):
        return True
    factors = reader.reads[: len(reader.reads) - len(reader.ins)]
    return value not in factors


def _written_in_order(
    producer: KernelOp | kernel.ConcatOp | kernel.PadOp, value: SSAValue, order: Order
) -> SSAValue:
    """The transposed value, from a rebuilt producer."""
    match producer:
        case kernel.ConcatOp():
            parts = [_permuted(producer, part, order) for part in producer.inputs]
            axis = order.index(producer.axis.value.data)
            new = kernel.ConcatOp(parts, axis, _permuted_type(value, order))
        case kernel.PadOp():
            low, high, gaps = (
                [side.get_values()[d] for d in order]
                for side in (producer.low, producer.high, producer.interior)
            )
            inside = _permuted(producer, producer.input, order)
            new = kernel.PadOp(inside, low, high, producer.filling.value.data, gaps)
        case _:
            return _kernel_in_order(producer, value, order)
    Rewriter.insert_op(new, InsertPoint.before(producer))
    return new.result


def _kernel_in_order(producer: KernelOp, value: SSAValue, order: Order) -> SSAValue:
    """Rebuilds a kernel with one result transposed."""
    results_before: list[SSAValue] = list(producer.results)
    number = results_before.index(value)
    accesses = producer.accesses
    at = len(producer.ins) + number
    accesses[at] = _permuted_access(accesses[at], order)
    results = [tensor(result) for result in producer.results]
    results[number] = _permuted_type(value, order)
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


def _permuted(op: Operation, value: SSAValue, order: Order) -> SSAValue:
    """Inserts a transpose of a value before `op`."""
    type = _permuted_type(value, order)
    rank = len(order)
    access = Access(rank, tuple(Term(order.index(d)) for d in range(rank)))
    body = build_body([kernel.body_type(type.element_type)], _same)
    new = kernel.MapOp(type.get_shape(), [value], [access, Access.identity(rank)], body, [type])
    owner = value.owner
    set_origins(new, origins_of(owner) if isinstance(owner, KernelOp) else [])
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new.results[0]


def _read_in_order(reader: KernelOp, old: SSAValue, new: SSAValue, order: Order) -> None:
    """Makes a kernel read the transposed value instead."""
    if isinstance(reader, kernel.ReduceOp) and old in reader.x:
        readings = reader.readings
        for i, value in enumerate(reader.x):
            if value is old:
                points, steps = readings[i]
                readings[i] = _permuted_access(points, order), _permuted_access(steps, order)
                reader.operands[i] = new
        reader.reads_at(readings)
    accesses = reader.accesses
    for i, value in enumerate(reader.ins):
        if value is old:
            accesses[i] = _permuted_access(accesses[i], order)
            reader.operands[len(reader.reads) - len(reader.ins) + i] = new
    reader.properties["access"] = ArrayAttr([one.map() for one in accesses])


def _permuted_access(access: Access, order: Order) -> Access:
    return Access(access.rank, tuple(access.terms[d] for d in order))


def _permuted_type(value: SSAValue, order: Order) -> TensorType[Any]:
    type = tensor(value)
    return TensorType(type.element_type, [type.get_shape()[d] for d in order])


def _same(body: Body, x: Scalar) -> Scalar:
    return x
