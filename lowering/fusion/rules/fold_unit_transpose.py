"""Transposes that move nothing."""

from ....dialects import kernel
from ....dialects.inferred import shape_of, tensor
from ....dialects.rewriter import Rewriter
from ..rule import MovementRule
from ..transposes import leaves_block, order_of


class FoldUnitTranspose(MovementRule):
    """`transpose(x) = reshape(x)` if only dimensions of size 1 change places and the result stays in the block."""

    def apply(self, op: kernel.MapOp) -> bool:
        if (order := order_of(op)) is None:
            return False
        (value,), shape = op.operands, shape_of(op.operands[0])
        kept = [dim for dim in order if shape[dim] != 1]
        if kept != sorted(kept) or leaves_block(op):
            return False
        Rewriter.replace_op(op, kernel.ReshapeOp(value, tensor(op.results[0])))
        return True
