"""Slices that are the same in every iteration."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation

from ...dialects import infra, nn
from ...dialects.inferred import copy_name
from ...dialects.rewriter import Rewriter
from .loop import Loop


def hoist_slices(loop: Loop) -> bool:
    """
    A slice of an invariant, between limits that are the same in every iteration, is taken in front of the loop, where
    it may be a part of what a loop around this one goes through.
    """
    changed = [_hoist(loop, op) for op in list(loop.body.ops) if isinstance(op, nn.SliceOp)]
    return any(changed)


def _hoist(loop: Loop, op: nn.SliceOp) -> bool:
    if not isinstance(op.input, BlockArgument) or not loop.is_outer(op.result):
        return False
    outer = loop.outer(op.result)
    if isinstance(outer.owner, Operation):
        copy_name(op, outer.owner)
    argument = loop.add_input(outer, infra.InvariantAttr(), outer.type)
    Rewriter.replace_op(op, [], [argument])
    return True
