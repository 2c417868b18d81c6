"""Fusions into reductions: their elements are computed where they are read."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import kernel, nn
from ...dialects.blob import bits_of
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term, YieldOp, body_type
from ...dialects.origins import origins_of, set_origins
from .inlining import inline_body, quantize_round_trip
from .kernel_builder import is_data_movement

CHEAP = 8
"""The largest body, in operations, that is recomputed rather than stored."""

MAX_FACTORS = 8
"""The most operands of one reduction."""


def read_in_reduction(op: Operation) -> bool:
    """`reduce(f(x)) = reduce'(x)`, where f only moves or widens elements; each reader recomputes it."""
    if not isinstance(op, kernel.MapOp) or not (is_data_movement(op) or _widens(op)):
        return False
    return _compute_inside(op, _reductions(op))


def compute_in_reduction(op: Operation) -> bool:
    """`reduce(f(x)) = reduce'(x)`, if f(x) has no other reader and nothing is computed twice."""
    if not isinstance(op, kernel.MapOp) or len(op.results) != 1:
        return False
    (result,) = op.results
    found = _reductions(op)
    if len(found) != 1 or len({use.operation for use in result.uses}) != 1:
        return False
    if prod(found[0].shape) * prod(found[0].extents) > prod(op.shape):
        return False
    return _compute_inside(op, found)


def _widens(op: kernel.MapOp) -> bool:
    """Whether a cheap kernel widens elements: narrow ones and constants in, wide ones out."""
    moving = [value for value in op.ins if nn.constant_of(value) is None]
    if len(moving) != 1 or len(op.results) != 1 or len(op.body.block.ops) > CHEAP:
        return False
    (source,), (result,) = moving, op.results
    return bits_of(tensor(source).element_type) < bits_of(tensor(result).element_type)


def _reductions(op: kernel.MapOp) -> list[kernel.ReduceOp]:
    """The reductions over the result of a kernel."""
    (result,) = op.results
    readers = dict.fromkeys(use.operation for use in result.uses)
    return [
        reader
        for reader in readers
        if isinstance(reader, kernel.ReduceOp)
        and reader.parent is op.parent
        and result not in reader.ins
        and len(reader.x) + len(op.ins) - 1 <= MAX_FACTORS
    ]


def _compute_inside(op: kernel.MapOp, readers: Sequence[kernel.ReduceOp]) -> bool:
    if not op.accesses[-1].is_identity:
        return False
    for reader in readers:
        _put_inside(op, reader)
    return bool(readers)


def _put_inside(op: kernel.MapOp, reader: kernel.ReduceOp) -> None:
    """Inlines the body of `op` into the element of its reader."""
    (result,) = op.results
    x: list[SSAValue] = []
    readings: list[tuple[Access, Access]] = []
    block = Block()

    def read(value: SSAValue, points: Access, steps: Access) -> SSAValue:
        x.append(value)
        readings.append((points, steps))
        return block.insert_arg(body_type(tensor(value).element_type), len(block.args))

    arguments: list[SSAValue] = []
    for value, (points, steps) in zip(reader.x, reader.readings, strict=True):
        if value is not result:
            arguments.append(read(value, points, steps))
            continue
        given = [
            read(operand, access.after(points), _distances(access).after(steps))
            for operand, access in zip(op.ins, op.accesses, strict=False)
        ]
        (yielded,) = inline_body(block, op.body.block, given)
        arguments.append(quantize_round_trip(block, yielded, tensor(value).element_type))
    yields = inline_body(block, reader.element.block, arguments)
    block.add_op(YieldOp(*yields))
    new = kernel.ReduceOp(
        reader.combiner.data,
        reader.shape,
        reader.extents,
        x,
        [points for points, _ in readings],
        [steps for _, steps in readings],
        Region(block),
        reader.ins,
        reader.accesses,
        reader.body.clone(),
        results=[tensor(value) for value in reader.results],
        partials=reader.partials,
        attributes=dict(reader.attributes),
    )
    set_origins(new, [*origins_of(reader), *origins_of(op)])
    Rewriter.replace_op(reader, new)


def _distances(access: Access) -> Access:
    """The access without its offsets: distances from the element of the first point."""
    return Access(
        access.rank,
        tuple(Term(t.dim, t.step, 0) if t.dim is not None else Term(None) for t in access.terms),
    )


def read_unit_dimensions(op: Operation) -> bool:
    """`reduce(reshape(x)) = reduce'(x)` where the reshape only adds or drops dimensions of size 1."""
    if not isinstance(op, kernel.ReduceOp):
        return False
    for i, (value, (points, steps)) in enumerate(zip(op.x, op.readings, strict=True)):
        if not isinstance(source := value.owner, kernel.ReshapeOp):
            continue
        before, after = shape_of(source.input), shape_of(value)
        if [n for n in before if n != 1] != [n for n in after if n != 1]:
            continue
        kept = [d for d, size in enumerate(after) if size != 1]
        places = iter(kept)
        order = [next(places) if size != 1 else None for size in before]
        readings = op.readings
        readings[i] = (_picked(points, order), _picked(steps, order))
        op.operands[i] = source.input
        op.reads_at(readings)
        return True
    return False


def _picked(access: Access, order: list[int | None]) -> Access:
    terms = (Term(None) if d is None else access.terms[d] for d in order)
    return Access(access.rank, tuple(terms))
