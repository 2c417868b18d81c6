"""Clearing away what a rewrite made unused."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
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
