"""Unread results."""

from xdsl.ir import Operation

from ....dialects.kernel import KernelOp
from ..kernel_builder import KernelBuilder
from ..rule import FusionRule


class DropUnreadResult(FusionRule):
    """A result without readers is not written if the kernel has another one with readers."""

    def apply(self, op: Operation) -> bool:
        if not isinstance(op, KernelOp):
            return False
        unread = [result for result in op.results if result.first_use is None]
        if not unread or len(unread) == len(op.results):
            return False
        KernelBuilder.of(op).replace((op,))
        return True
