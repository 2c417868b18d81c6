"""Inlines kernels into the elements of reductions, which compute them where they read them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Region, SSAValue

from ...dialects import kernel
from ...dialects.inferred import tensor
from ...dialects.kernel import Access, Term, YieldOp, body_type
from ...dialects.origins import origins_of, set_origins
from ...dialects.rewriter import Rewriter
from .inlining import inline_body, quantize_round_trip

MAX_FACTORS = 8
"""
The most operands of one reduction. It limits compile time: each operand has an access of its own along the window, in
every unrolled step.
"""


def reductions_over(op: kernel.MapOp) -> list[kernel.ReduceOp]:
    """The reductions over the result of a kernel."""
    (result,) = op.results
    readers = dict.fromkeys(use.operation for use in result.uses)
    return [
        reader
        for reader in readers
        if isinstance(reader, kernel.ReduceOp)
        and result not in reader.ins
        and len(reader.x) + len(op.ins) - 1 <= MAX_FACTORS
    ]


def compute_inside(op: kernel.MapOp, readers: Sequence[kernel.ReduceOp]) -> bool:
    """Inlines a kernel into all of `readers`, the reductions over its result. Returns whether there are any."""
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
        readings,
        Region(block),
        kernel.Epilogue(reader.ins, reader.accesses, reader.body.clone()),
        results=[tensor(value) for value in reader.results],
        partials=reader.partials,
        attributes=dict(reader.attributes),
    )
    set_origins(new, [*origins_of(reader), *origins_of(op)])
    Rewriter.replace_op(reader, new)


def _distances(access: Access) -> Access:
    """The access without its offsets: distances from the element of the first point."""
    return Access(access.rank, tuple(Term(t.dim, t.step) for t in access.terms))
