"""Finds the operations that only compute initial values of states; once these are set, they need not run."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from ...dialects import infra

STATEFUL = (infra.ReadValueOp, infra.IteratorOp, infra.IfOp)
"""Operations that are never moved into the computation of an initial value, which may use their results."""


def initializers(block: Block) -> dict[Operation, list[Operation]]:
    """
    For each read of a state, the operations that only its initial value needs, in the block's order. Of
    several reads of a state the first one needs them.
    """
    reads: dict[str, list[Operation]] = {}
    found: dict[Operation, list[Operation]] = {}
    for op in block.ops:
        if isinstance(op, infra.ReadValueOp):
            reads.setdefault(op.variable.string_value(), []).append(op)
            found[op] = []
    for same in reads.values():
        found[same[0]] = needed_by(same)
    return found


def needed_by(reads: Sequence[Operation]) -> list[Operation]:
    """The operations that only these reads of one initial value need, in their block's order."""
    block = reads[0].parent
    assert block is not None
    mine: set[Operation] = set()
    waiting = [operand.owner for operand in reads[0].operands]
    while waiting:
        op = waiting.pop()
        if not isinstance(op, Operation) or op in mine or isinstance(op, STATEFUL):
            continue
        uses = (use.operation for result in op.results for use in result.uses)
        if all(user in reads or user in mine for user in uses):
            mine.add(op)
            waiting += [value.owner for value in op.operands]
    return [op for op in block.ops if op in mine]
