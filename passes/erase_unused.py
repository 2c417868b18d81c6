"""Clearing away what a rewrite made unused."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead


def erase_unused(*values: SSAValue) -> None:
    """Erases what gives these values and all that only it needed, where nothing uses it."""
    pending = [value.owner for value in values]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and op.parent is not None and is_trivially_dead(op):
            pending += [operand.owner for operand in op.operands]
            Rewriter.erase_op(op)


def erase_dead(block: Block) -> None:
    """Erases all operations of a block that have no effect and give nothing that is read."""
    for op in reversed(list(block.ops)):
        if is_trivially_dead(op):
            Rewriter.erase_op(op)


def erase_all_dead(op: Operation) -> None:
    """As `erase_dead`, in all that an operation holds."""
    for region in op.regions:
        for block in region.blocks:
            for each in reversed(list(block.ops)):
                if is_trivially_dead(each):
                    Rewriter.erase_op(each)
                elif each.regions:
                    erase_all_dead(each)
