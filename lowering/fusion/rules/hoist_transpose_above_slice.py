"""Transposed slices."""

from xdsl.ir import Operation, SSAValue

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ..rule import MovementRule
from ..slices import is_factor, replace_by_view, slice_of
from ..transposes import Order, leaves_block, order_of, transpose_before


class HoistTransposeAboveSlice(MovementRule):
    """
    `transpose(slice(x)) = slice(transpose(x))`, so that the transpose can be hoisted into the kernel that computes x,
    or is done once for several slices that products and convolutions read.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if (order := _order_behind(op)) is None or leaves_block(op):
            return False
        (value,) = op.operands
        is_computed = isinstance(value.owner, KernelOp | kernel.ConcatOp | kernel.PadOp)
        if not is_computed and not is_factor(op):
            return False
        readers = (use.operation for use in value.uses)
        transposed = next((reader for reader in readers if order_of(reader) == order), None)
        if transposed is None and not is_computed and not _has_another(op, value, order):
            return False
        whole = transposed.results[0] if transposed else transpose_before(op, value, order)
        cut = slice_of(op)
        assert cut is not None
        replace_by_view(op, whole, [cut.terms[i] for i in order])
        return True


def _has_another(op: Operation, value: SSAValue, order: Order) -> bool:
    """Whether products or convolutions read another slice of the value in this order."""
    readers = (use.operation for use in value.uses)
    return any(r is not op and _order_behind(r) == order and is_factor(r) for r in readers)


def _order_behind(op: Operation) -> Order | None:
    """The order in which a kernel that is a slice writes the dimensions, if it is another one."""
    if (cut := slice_of(op)) is None or order_of(op) is not None:
        return None
    dims = [term.dim for term in cut.terms]
    order = tuple(dims.index(d) for d in range(cut.rank))
    return None if order == tuple(range(cut.rank)) else order
