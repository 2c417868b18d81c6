"""Operations of a block as a graph: who depends on whom, and an order in which all are defined before use."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Block, Operation


def feeds(producer: Operation, targets: Collection[Operation | Block], reader: Operation) -> bool:
    """
    Whether one of `targets` depends on a result of `producer`. The search ends at `reader`, which uses both: nothing
    behind it leads back.
    """
    seen: set[Operation] = {reader}
    waiting: list[Operation] = [producer]
    while waiting:
        users = {use.operation for result in waiting.pop().results for use in result.uses}
        if not users.isdisjoint(targets):
            return True
        waiting += users - seen
        seen |= users
    return False


def restore_order(block: Block) -> None:
    """Sorts the operations of a block topologically, and otherwise keeps their order."""
    ordered: list[Operation] = []
    placed: set[Operation] = set()
    for first in block.ops:
        waiting = [first]
        while waiting:
            op = waiting[-1]
            missing = [
                owner
                for value in op.operands
                if isinstance(owner := value.owner, Operation)
                and owner.parent is block
                and owner not in placed
            ]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if op not in placed:
                placed.add(op)
                ordered.append(op)
    for op in ordered:
        op.detach()
    block.add_ops(ordered)
