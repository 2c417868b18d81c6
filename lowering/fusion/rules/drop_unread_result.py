"""Unread results."""

from ....dialects.kernel import KernelOp
from ..kernel_builder import KernelBuilder
from ..rule import FusionRule


class DropUnreadResult(FusionRule[KernelOp]):
    """A result without readers is not written if the kernel has another one with readers."""

    def apply(self, op: KernelOp) -> bool:
        unread = [result for result in op.results if result.first_use is None]
        if not unread or len(unread) == len(op.results):
            return False
        KernelBuilder.of(op).replace((op,))
        return True
