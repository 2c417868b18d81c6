"""Erases operations that a rewrite left without users."""

from __future__ import annotations

from functools import cache

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator, MemoryEffect, NoMemoryEffect, SymbolOpInterface
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ..dialects.rewriter import Rewriter
from ..dialects.walk import block_operations


def erase_unused(*values: SSAValue) -> None:
    """Erases the operations that compute these values, and all that only they needed, if nothing uses them."""
    pending = [value.owner for value in values]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and op.parent is not None and is_dead(op):
            pending += [operand.owner for operand in op.operands]
            Rewriter.erase_op(op)


def erase_dead(block: Block) -> None:
    """Erases all operations of a block that have no effects and no used results."""
    for op in reversed(block_operations(block)):
        if is_dead(op):
            Rewriter.erase_op(op)


def erase_all_dead(op: Operation) -> None:
    """As `erase_dead`, for all blocks inside an operation."""
    for region in op.regions:
        for block in region.blocks:
            for each in reversed(block_operations(block)):
                if is_dead(each):
                    Rewriter.erase_op(each)
                elif each.regions:
                    erase_all_dead(each)


def is_dead(op: Operation) -> bool:
    """Whether an operation has no effects and no used results. Most have a used one, which is soon seen."""
    for result in op.results:
        if result.first_use is not None:
            return False
    return _is_pure(type(op)) or is_trivially_dead(op)


@cache
def _is_pure(kind: type[Operation]) -> bool:
    """Whether all traits of a class that say something about effects or ends say that there are none."""
    speak = (MemoryEffect, IsTerminator, SymbolOpInterface)
    found = [each for each in kind.traits if isinstance(each, speak)]
    return bool(found) and all(isinstance(each, NoMemoryEffect) for each in found)
