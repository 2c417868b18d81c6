"""Kernels that read reshapes."""

from ....dialects.kernel import KernelOp
from ..accesses import changes_units, replace_input, without_units
from ..rule import FusionRule


class FoldReshapeIntoAccess(FusionRule[KernelOp]):
    """`k(reshape(x)) = k'(x)` where the reshape only adds or drops dimensions of size 1 and k reads it by an access."""

    def apply(self, op: KernelOp) -> bool:
        for i, value in enumerate(op.ins):
            if changes_units(source := value.owner):
                replace_input(op, i, source.input, without_units(source, op.accesses[i]))
                return True
        return False
