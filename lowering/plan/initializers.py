"""What computes the initial values of states and nothing else: it need not run once they are set."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from ...dialects import infra

STATEFUL = (infra.ReadValueOp, infra.IteratorOp, infra.IfOp)
"""What an initial value may be computed from, but not computed with: it stays where it is."""


def initializers(block: Block) -> dict[Operation, list[Operation]]:
    """For each read of a state, the operations that only its initial value needs, in the block's order."""
    position = {op: i for i, op in enumerate(block.ops)}
    reads = [op for op in block.ops if isinstance(op, infra.ReadValueOp)]
    return {read: sorted(_only_for(read), key=position.__getitem__) for read in reads}


def _only_for(read: infra.ReadValueOp) -> set[Operation]:
    mine: set[Operation] = set()
    waiting = [read.init.owner]
    while waiting:
        op = waiting.pop()
        if not isinstance(op, Operation) or op in mine or isinstance(op, STATEFUL):
            continue
        uses = (use.operation for result in op.results for use in result.uses)
        if all(user is read or user in mine for user in uses):
            mine.add(op)
            waiting += [value.owner for value in op.operands]
    return mine
