"""Unread results."""

from ....dialects.kernel import KernelOp
from ..kernel_builder import KernelBuilder
from ..rule import FusionRule


class DropUnreadResult(FusionRule[KernelOp]):
    """A result without readers is not written; a kernel without any other is erased before (`EraseDeadKernel`)."""

    def apply(self, op: KernelOp) -> bool:
        if all(result.first_use is not None for result in op.results):
            return False
        KernelBuilder.of(op).replace((op,))
        return True
