"""Iterators and branches made anew, with other operands, ports or results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import infra
from ..dialects.locations import inherit
from ..dialects.rewriter import Rewriter

BodiedT = TypeVar("BodiedT", bound=infra.IteratorOp | infra.IfOp)


def rebuilt(
    op: BodiedT,
    operands: Sequence[SSAValue] | None = None,
    types: Sequence[Attribute] | None = None,
    properties: Mapping[str, Attribute] = MappingProxyType({}),
) -> BodiedT:
    """
    The operation with its bodies, in front of itself, where other operands, types of results or properties are given.
    What is left of it has no bodies, and is to be replaced.
    """
    new = type(op).create(
        operands=list(op.operands if operands is None else operands),
        result_types=list(op.result_types if types is None else types),
        properties={**op.properties, **properties},
        attributes=dict(op.attributes),
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    inherit(new, op)
    for old, result in zip(op.results, new.results, strict=False):
        result.name_hint = old.name_hint
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new


def with_used_results(op: BodiedT) -> BodiedT:
    """
    Replaces the operation by the same with the results that are used, and with those of its bodies that these, the
    values that are carried and a condition need; gives it as it is where that is all of them.
    """
    kept = [i for i, result in enumerate(op.results) if result.first_use is not None]
    properties: dict[str, Attribute] = {}
    if isinstance(op, infra.IteratorOp):
        outputs = [op.outputs.data[i] for i in kept]
        needed = {slot_of(port) for port in (*op.inputs, *outputs)} - {None}
        condition = op.body_condition if isinstance(op, infra.LoopOp) else None
        if condition is not None:
            needed.add(condition.value.data)
        slots = [slot for slot in range(len(op.yielded)) if slot in needed]
        place = {slot: number for number, slot in enumerate(slots)}
        properties["inputs"] = ArrayAttr(_renumbered(port, place) for port in op.inputs)
        properties["outputs"] = ArrayAttr(_renumbered(port, place) for port in outputs)
        if condition is not None:
            properties["body_condition"] = IntegerAttr(place[condition.value.data], i64)
        is_whole = len(slots) == len(op.yielded)
    else:
        slots, is_whole = kept, True
    if is_whole and len(kept) == len(op.results):
        return op
    for region in op.regions:
        last = region.block.last_op
        assert isinstance(last, infra.YieldOp)
        last.operands = [last.operands[slot] for slot in slots]
    types, hints = [op.results[i].type for i in kept], [op.results[i].name_hint for i in kept]
    new = rebuilt(op, types=types, properties=properties)
    results: list[SSAValue | None] = [None] * len(op.results)
    for i, result, hint in zip(kept, new.results, hints, strict=True):
        results[i], result.name_hint = result, hint
    Rewriter.replace_op(op, [], results)
    return new


def slot_of(port: infra.PortAttr) -> int | None:
    """The number of the body's result that a port refers to."""
    is_given = isinstance(port, infra.MergedAttr | infra.ConcatenatedAttr | infra.IterationAttr)
    return port.result.data if is_given else None


def _renumbered(port: infra.PortAttr, place: Mapping[int, int]) -> infra.PortAttr:
    """The port, by the new number of the body's result."""
    if (slot := slot_of(port)) is None:
        return port
    return type(port).new([IntAttr(place[slot]), *port.parameters[1:]])
