"""Results that readers read in any order."""

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ....dialects.rewriter import Rewriter
from ..rule import FusionRule
from ..transposes import inverse, is_layout_agnostic, permutation_of, read_permuted, write_permuted


class WriteDomainOrder(FusionRule[KernelOp]):
    """
    A result of a product, convolution or reduction whose readers all use accesses is written in the order of the
    kernel's domain, whose last dimension is the vectorized one.
    """

    def apply(self, op: KernelOp) -> bool:
        if isinstance(op, kernel.MapOp):
            return False
        for value, access in zip(op.results, op.accesses[len(op.ins) :], strict=True):
            if access.is_identity or (order := permutation_of(access)) is None:
                continue
            readers = dict.fromkeys(use.operation for use in value.uses)
            if not all(is_layout_agnostic(reader, value) for reader in readers):
                continue
            order = inverse(order)
            new = write_permuted(op, value, order)
            for reader in readers:
                read_permuted(reader, value, new, order)
            Rewriter.erase_op(op)
            return True
        return False
