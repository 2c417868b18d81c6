"""Operations of a block as a graph: which depends on which, and an order in which all are defined before use."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Block, Operation


def feeds(producer: Operation, targets: Collection[Operation | Block], reader: Operation) -> bool:
    """
    Whether one of `targets` depends on a result of `producer`. The search ends at `reader`, which uses both: nothing
    behind it leads back. It goes from both ends in turn, and ends when one of them has no edge left: a constant has
    none, and neither has a result that only `reader` uses.
    """
    down: list[Operation] = [producer]
    up = [each for each in targets if isinstance(each, Operation) and each is not producer]
    below, above = {producer, reader}, set(up)
    while down and up:
        users = {use.operation for result in down.pop().results for use in result.uses} - below
        sources = {value.owner for value in up.pop().operands} - above
        below |= users
        above |= sources
        if not (users.isdisjoint(above) and sources.isdisjoint(below)):
            return True
        down += users
        up += [source for source in sources if isinstance(source, Operation)]
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
