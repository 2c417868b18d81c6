"""Dead kernels."""

from ....dialects import kernel, nn
from ....dialects.kernel import EmittedOp
from ....dialects.rewriter import Rewriter
from ..rule import FusionRule

Movement = kernel.ReshapeOp | kernel.SliceOp | kernel.ConcatOp | kernel.PadOp


class EraseDeadKernel(FusionRule[EmittedOp | Movement | nn.ConstantOp]):
    """A kernel without readers is erased."""

    def apply(self, op: EmittedOp | Movement | nn.ConstantOp) -> bool:
        if any(result.first_use is not None for result in op.results):
            return False
        Rewriter.erase_op(op)
        return True
