"""Transposed slices."""

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ..rule import FusionRule
from ..slices import replace_by_view, slice_of
from ..transposes import leaves_block, order_of, transpose_before


class HoistTransposeAboveSlice(FusionRule[kernel.MapOp]):
    """`transpose(slice(f(x))) = slice(transpose(f(x)))`, so that the transpose can be hoisted into f."""

    def apply(self, op: kernel.MapOp) -> bool:
        if (cut := slice_of(op)) is None or order_of(op) is not None or leaves_block(op):
            return False
        (value,) = op.operands
        dims = [term.dim for term in cut.terms if term.dim is not None]
        can_hoist = isinstance(value.owner, KernelOp | kernel.ConcatOp | kernel.PadOp)
        if dims == sorted(dims) or not can_hoist:
            return False
        order = tuple(dims.index(d) for d in range(len(dims)))
        whole = transpose_before(op, value, order)
        replace_by_view(op, whole, [cut.terms[i] for i in order])
        return True
