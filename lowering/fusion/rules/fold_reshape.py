"""Reshapes of reshapes."""

from ....dialects import kernel
from ....dialects.inferred import tensor
from ....dialects.rewriter import Rewriter
from ..rule import FusionRule


class FoldReshape(FusionRule[kernel.ReshapeOp]):
    """`reshape(reshape(x)) = reshape(x)`; `reshape(x) = x` if the shape is the same."""

    def apply(self, op: kernel.ReshapeOp) -> bool:
        if op.input.type == op.result.type:
            Rewriter.replace_op(op, [], [op.input])
            return True
        if not isinstance(source := op.input.owner, kernel.ReshapeOp):
            return False
        Rewriter.replace_op(op, kernel.ReshapeOp(source.input, tensor(op.result)))
        return True
