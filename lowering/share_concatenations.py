"""`share-concatenations`: a concatenation that begins like an earlier one takes the result of that."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from ..dialects import nn
from ..dialects.traits import Elementwise
from ..dialects.walk import all_operations, block_operations

Inputs = tuple[SSAValue, ...]


class ShareConcatenations(ModulePass):
    """
    `concat(a, b, c) = concat(concat(a, b), c)` where `concat(a, b)` is computed before, in the same block, and
    elementwise operations alone read both.

    Each layer of a DenseNet concatenates the results of all layers before it: then all of them lie in one buffer, and
    nothing is copied. What is padded or returned lies in a buffer of its own, so it is not shared.
    """

    name = "share-concatenations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            for region in inner.regions:
                for block in region.blocks:
                    _share(block)


def _share(block: Block) -> None:
    """Shares the longest beginnings among the concatenations of a block."""
    known = dict[tuple[int, Inputs], SSAValue]()
    for op in block_operations(block):
        if not isinstance(op, nn.ConcatOp) or not _can_lie_inside(op.result):
            continue
        axis, inputs = op.axis.value.data, tuple(op.inputs)
        lengths = range(len(inputs) - 1, 1, -1)
        begun = next((n for n in lengths if (axis, inputs[:n]) in known), None)
        if begun is not None:
            op.operands = [known[axis, inputs[:begun]], *inputs[begun:]]
        known.setdefault((axis, inputs), op.result)


def _can_lie_inside(value: SSAValue) -> bool:
    """Whether all that read a value do so wherever it lies."""
    users = [use.operation for use in value.uses]
    return all(isinstance(user, nn.ConcatOp) or user.has_trait(Elementwise) for user in users)
