"""
Operations whose inputs are parts of their results: concatenations, paddings and scatters.

What computes a part writes it where it lies in the whole, if it may; else the part is copied there.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from ...dialects import infra, kernel, nn
from ...dialects.inferred import shape_of
from ...dialects.kernel import strides_of
from ..separate_results import is_read_once, root_of
from .memref_layout import is_dense
from .program_memory import memref

if TYPE_CHECKING:
    from .planner import Planner

WholeOp = kernel.ConcatOp | kernel.PadOp | kernel.ScatterOp
"""An operation into whose result others can write their own."""

Part = tuple[WholeOp, int]
"""The operation, and the number of the input that is part of its result."""


def expect_parts(planner: Planner, op: WholeOp, early: Container[Operation]) -> None:
    """
    Notes the inputs that their producers can write directly into the result: producers that run with the operation.
    Those in `early` only initialize a state, and run apart from the others.
    """
    parts = op.operands
    if isinstance(op, kernel.ScatterOp):
        parts = [op.data] if _is_alone(planner, op.data) else []
    for number, value in enumerate(parts):
        root = root_of(value)
        producer = root.owner
        if (
            isinstance(producer, Operation)
            and not isinstance(producer, nn.ConstantOp | infra.ReadValueOp)
            and (producer in early) == (op in early)
            and root not in planner.sinks
        ):
            planner.parts.setdefault(root, (op, number))


def _is_alone(planner: Planner, value: SSAValue) -> bool:
    """Whether nothing else reads what this value holds, or one that its producer writes inside of it."""
    whole = root_of(value).owner
    inside = [
        part
        for number, part in enumerate(whole.operands if isinstance(whole, Operation) else ())
        if planner.parts.get(root_of(part)) == (whole, number)
    ]
    return is_read_once(value) and all(_is_alone(planner, part) for part in inside)


def place_of_part(planner: Planner, op: WholeOp, number: int) -> SSAValue:
    """The memref of one input, inside that of the whole."""
    result = op.results[0]
    whole = planner.place.get(result) or planner.target(result)
    if isinstance(op, kernel.ScatterOp):
        return whole
    shape = shape_of(op.operands[number])
    steps, firsts = [1] * len(shape), [0] * len(shape)
    if isinstance(op, kernel.PadOp):
        firsts, steps = op.low.get_values(), [gap + 1 for gap in op.interior.get_values()]
    else:
        firsts[op.axis.value.data] = _starts(planner, op)[number]
    strides = zip(strides_of(memref(whole)), steps, strict=True)
    return planner.memory.part(whole, shape, firsts, [stride * step for stride, step in strides])


def _starts(planner: Planner, op: kernel.ConcatOp) -> Sequence[int]:
    """Where each input begins along the axis."""
    if op not in planner.starts:
        sizes = [shape_of(value)[op.axis.value.data] for value in op.inputs]
        planner.starts[op] = list(accumulate(sizes, initial=0))
    return planner.starts[op]


def _is_in_place(planner: Planner, op: WholeOp, number: int) -> bool:
    root = root_of(op.operands[number])
    return planner.parts.get(root) == (op, number) and root in planner.sinks


def emit_concat(planner: Planner, op: kernel.ConcatOp) -> None:
    """Copies the inputs that do not lie in the result yet."""
    for number, value in enumerate(op.inputs):
        if not _is_in_place(planner, op, number):
            planner.memory.copy(planner.where(value), place_of_part(planner, op, number))


def emit_scatter(planner: Planner, op: kernel.ScatterOp) -> None:
    """The data are made in the place of the result, or copied there."""
    memory = planner.memory
    in_place = _is_in_place(planner, op, 0)
    target = place_of_part(planner, op, 0)
    indices, updates = planner.where(op.ins[1]), planner.where(op.ins[2])
    memory.touch(target)
    if not in_place and (data := planner.where(op.data)) is not target:
        memory.copy(data, target)
    memory.add(op.on([target, indices, updates], [target]))


def emit_pad(planner: Planner, op: kernel.PadOp) -> None:
    """Fills what surrounds the input; where there are gaps between its elements, everything."""
    memory = planner.memory
    in_place = _is_in_place(planner, op, 0)
    part = place_of_part(planner, op, 0)
    whole = planner.place[op.result]
    memory.touch(whole)
    for place in [whole] if op.has_gaps else _borders(planner, op, whole):
        memory.fill(place, op.filling.value.data)
    if not in_place:
        memory.copy(planner.where(op.input), part)


def _borders(planner: Planner, op: kernel.PadOp, whole: SSAValue) -> list[SSAValue]:
    """
    The borders around the input: whole ones in the first dimension, the rest in each further one. What ends one line
    and what begins the next lie beside each other in a dense array, and are one border.
    """
    shape, inner = list(memref(whole).get_shape()), shape_of(op.input)
    low, high = op.low.get_values(), op.high.get_values()
    firsts = [0] * len(shape)
    borders: list[SSAValue] = []

    def add(d: int, first: int, width: int, lines: int = 0) -> None:
        """Along dimension d; along the one before, so many lines more, of which the first comes before the input."""
        starts = [*firsts[:d], first, *firsts[d + 1 :]]
        sizes = [*shape[:d], width, *shape[d + 1 :]]
        if lines:
            starts[d - 1], sizes[d - 1] = starts[d - 1] - 1, sizes[d - 1] + lines
        if all(sizes):
            borders.append(planner.memory.part(whole, sizes, starts))

    for d, size in enumerate(inner):
        if d and min(low[d - 1], high[d - 1], low[d], high[d]) > 0 and is_dense(memref(whole)):
            add(d, low[d] + size, high[d] + low[d], lines=1)
        else:
            add(d, 0, low[d])
            add(d, low[d] + size, high[d])
        firsts[d], shape[d] = low[d], size
    return borders
