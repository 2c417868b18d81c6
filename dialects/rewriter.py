"""
xDSL's `Rewriter`, and what it is made of, for passes that rewrite thousands of operations: the same changes in fewer
calls. xDSL makes the list of operands anew three times for each use that it replaces, and goes up to the module for
each operation that it inserts.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl import rewriter
from xdsl.ir import Block, Operation, SSAValue, SSAValues

from .walk import block_operations

# pyright: reportPrivateUsage=false
# xDSL's public names for the links between operations, values and uses are functions.


def replace_all_uses(old: SSAValue, new: SSAValue) -> None:
    """`SSAValue.replace_all_uses_with`; uses are in the same order afterwards."""
    if old is new:
        return
    move_uses(old, new)
    if new._name is None and old._name is not None:
        new.name_hint = old._name


def move_uses(old: SSAValue, new: SSAValue) -> None:
    """Replaces a value by another one, which keeps its own name, or none, in all operations."""
    use, head = old.first_use, new.first_use
    old.first_use = None
    while use is not None:
        following, op = use._next_use, use._operation
        operands = list(op._operands)
        operands[use._index] = new
        op._operands = SSAValues(operands)
        use._prev_use, use._next_use = None, head
        if head is not None:
            head._prev_use = use
        head, use = use, following
    new.first_use = head


def append(block: Block, op: Operation) -> None:
    """`Block.add_op`."""
    last = block._last_op
    if last is None or op.regions or op.parent is not None:
        block.add_op(op)
        return
    op.parent, op._prev_op = block, last
    last._next_op = block._last_op = op


def insert_before(op: Operation, place: Operation) -> None:
    """`Block.insert_op_before` in the block of `place`."""
    block, before = place.parent, place._prev_op
    assert block is not None, "operations are inserted in blocks"
    if before is None or op.regions or op.parent is not None:
        block.insert_op_before(op, place)
        return
    op.parent, op._prev_op, op._next_op = block, before, place
    before._next_op = place._prev_op = op


def move_operations(source: Block, target: Block) -> None:
    """Moves all operations of a block to the end of another one, which none of them contains."""
    moved, last = block_operations(source), target._last_op
    if not moved:
        return
    for op in moved:
        op.parent = target
    if last is None:
        target._first_op = moved[0]
    else:
        last._next_op, moved[0]._prev_op = moved[0], last
    target._last_op = moved[-1]
    source._first_op = source._last_op = None


class Rewriter(rewriter.Rewriter):
    """xDSL's, with faster methods of the same meaning."""

    @staticmethod
    def insert_op(
        op_or_ops: Operation | Sequence[Operation], insertion_point: rewriter.InsertPoint
    ) -> None:
        """Inserts operations there."""
        place = insertion_point.insert_before
        for op in (op_or_ops,) if isinstance(op_or_ops, Operation) else op_or_ops:
            if place is None:
                append(insertion_point.block, op)
            else:
                insert_before(op, place)

    @staticmethod
    def replace_op(
        op: Operation,
        new_ops: Operation | Sequence[Operation],
        new_results: Sequence[SSAValue | None] | None = None,
        safe_erase: bool = True,
    ) -> None:
        """Replaces an operation by others. Raises ValueError where it is in no block, or has other results."""
        if op.parent is None:
            raise ValueError("Cannot replace an operation without a parent")
        ops = (new_ops,) if isinstance(new_ops, Operation) else new_ops
        if new_results is None:
            new_results = ops[-1].results if ops else ()
        if len(op.results) != len(new_results):
            raise ValueError(f"Expected {len(op.results)} new results, but got {len(new_results)}")
        for old, new in zip(op.results, new_results, strict=True):
            if new is None:
                old.erase(safe_erase)
            else:
                replace_all_uses(old, new)
        hint = op.results[0]._name if ops and op.results else None
        for new_op in ops:
            insert_before(new_op, op)
            for result in new_op.results if hint is not None else ():
                result.name_hint = result._name or hint
        rewriter.Rewriter.erase_op(op, safe_erase)
