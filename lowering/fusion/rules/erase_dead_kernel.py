"""Dead kernels."""

from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ....dialects import kernel, nn
from ....dialects.kernel import EmittedOp
from ..rule import FusionRule

_PURE = (EmittedOp, kernel.ReshapeOp, kernel.SliceOp, kernel.ConcatOp, kernel.PadOp, nn.ConstantOp)


class EraseDeadKernel(FusionRule):
    """A kernel without readers is erased."""

    def apply(self, op: Operation) -> bool:
        if not isinstance(op, _PURE) or any(result.first_use is not None for result in op.results):
            return False
        Rewriter.erase_op(op)
        return True
