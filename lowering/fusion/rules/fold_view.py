"""Slices that products and convolutions read."""

from ....dialects import kernel
from ..rule import MovementRule
from ..slices import is_factor, replace_by_view, slice_of


class FoldView(MovementRule):
    """
    View folding: `k(copy(slice(x))) = k(view(x))` if only kernels read the slice, and one of them, a product or a
    convolution, reads it in memory order, without an access.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        cut = slice_of(op)
        if cut is None or not is_factor(op):
            return False
        if [term.dim for term in cut.terms] != list(range(cut.rank)):
            return False
        replace_by_view(op, op.operands[0], cut.terms)
        return True
