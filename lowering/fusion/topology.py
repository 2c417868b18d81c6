"""Operations of a block as a graph: which depends on which, and an order in which all are defined before use."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import TypeVar

from xdsl.ir import Block, Operation

from ...dialects.accessors import operands_of
from ...dialects.kernel import KernelOp

ProducerT = TypeVar("ProducerT", bound=Operation)


def producer_pairs(op: KernelOp, kind: type[ProducerT]) -> Iterator[tuple[ProducerT, ProducerT]]:
    """Any two of the operations of a kind whose results `op` combines, in the order of its operands."""
    owners = dict.fromkeys(value.owner for value in op.ins)
    return combinations([each for each in owners if isinstance(each, kind)], 2)


def are_independent(first: Operation, second: Operation, reader: Operation) -> bool:
    """Whether neither of two operations depends on the other; `reader` uses both."""
    return not feeds(first, {second}, reader) and not feeds(second, {first}, reader)


def feeds(producer: Operation, targets: Collection[Operation | Block], reader: Operation) -> bool:
    """
    Whether one of `targets` depends on a result of `producer`. The search ends at `reader`, which uses both: nothing
    behind it leads back. It goes from both ends in turn, and ends when one of them has no edge left: a constant has
    none, and neither has a result that only `reader` uses. What `producer` itself depends on leads no further, either,
    so that in a long program it stays near the three.
    """
    down = deque([producer])
    up = deque(each for each in targets if isinstance(each, Operation) and each is not producer)
    before = deque([producer])
    below, above, earlier = {producer, reader}, set(up), {producer}
    while down and up:
        users = {use.operation for result in down.popleft().results for use in result.uses} - below
        if not users.isdisjoint(above):
            return True
        below |= users
        down += users
        if before:
            found = _sources(before.popleft()) - earlier
            earlier |= found
            before += found
        if (target := up.popleft()) in earlier:
            continue
        found = _sources(target) - above - earlier
        if not found.isdisjoint(below):
            return True
        above |= found
        up += found
    return False


def _sources(op: Operation) -> set[Operation]:
    """The operations that an operation depends on at once."""
    return {owner for value in operands_of(op) if isinstance(owner := value.owner, Operation)}


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
                for value in operands_of(op)
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
