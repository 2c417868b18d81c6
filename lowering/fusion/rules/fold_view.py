"""Slices that products and convolutions read."""

from xdsl.ir import Operation

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ..rule import FusionRule
from ..slices import replace_by_view, slice_of
from ..transposes import is_layout_agnostic


class FoldView(FusionRule[kernel.MapOp]):
    """
    View folding: `k(copy(slice(x))) = k(view(x))` if only kernels read the slice, and one of them, a product or a
    convolution, reads it in memory order, without an access.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        cut = slice_of(op)
        if cut is None or not _is_factor(op):
            return False
        if [term.dim for term in cut.terms] != list(range(cut.rank)):
            return False
        replace_by_view(op, op.operands[0], cut.terms)
        return True


def _is_factor(op: Operation) -> bool:
    """Whether only kernels read the result, and one of them needs it in memory order, without an access."""
    (result,) = op.results
    readers = [use.operation for use in result.uses]
    if not all(isinstance(reader, KernelOp) for reader in readers):
        return False
    return not all(is_layout_agnostic(reader, result) for reader in readers)
