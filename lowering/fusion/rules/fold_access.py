"""Kernels that read the result of data movement."""

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ..accesses import replace_input
from ..recomputation import is_data_movement
from ..rule import FusionRule


class FoldAccess(FusionRule[KernelOp]):
    """Access folding: `k(move(x)) = k'(x)`; data movement becomes the access of its reader."""

    def apply(self, op: KernelOp) -> bool:
        for i, value in enumerate(op.ins):
            if isinstance(source := value.owner, kernel.MapOp) and is_data_movement(source):
                replace_input(op, i, source.ins[0], source.accesses[0].after(op.accesses[i]))
                return True
        return False
