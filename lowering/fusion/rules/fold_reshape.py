"""Reshapes of reshapes."""

from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ....dialects import kernel
from ....dialects.inferred import tensor
from ..rule import FusionRule


class FoldReshape(FusionRule):
    """`reshape(reshape(x)) = reshape(x)`; `reshape(x) = x` if the shape is the same."""

    def apply(self, op: Operation) -> bool:
        if not isinstance(op, kernel.ReshapeOp):
            return False
        if op.input.type == op.result.type:
            Rewriter.replace_op(op, [], [op.input])
            return True
        if not isinstance(source := op.input.owner, kernel.ReshapeOp):
            return False
        Rewriter.replace_op(op, kernel.ReshapeOp(source.input, tensor(op.result)))
        return True
