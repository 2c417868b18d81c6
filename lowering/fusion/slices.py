"""Kernels that are slices, transposed or not, and the views that take their place."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import kernel
from ...dialects.inferred import tensor
from ...dialects.kernel import Access, KernelOp, Term
from ...dialects.rewriter import Rewriter
from .recomputation import is_data_movement
from .transposes import is_layout_agnostic


def slice_of(op: Operation) -> Access | None:
    """The access of a kernel that is a slice, transposed or not."""
    if not isinstance(op, kernel.MapOp) or not is_data_movement(op):
        return None
    source, target = tensor(op.ins[0]), tensor(op.results[0])
    access = op.accesses[0]
    if source.element_type != target.element_type:
        return None
    dims = [term.dim for term in access.terms if term.dim is not None and term.step > 0]
    same_rank = len(access.terms) == access.rank
    return access if same_rank and sorted(dims) == list(range(access.rank)) else None


def replace_by_view(op: Operation, whole: SSAValue, terms: Sequence[Term]) -> None:
    """Makes a view of `whole` of the slice that `op` copies."""
    offsets, steps = [term.offset for term in terms], [term.step for term in terms]
    Rewriter.replace_op(op, kernel.SliceOp(whole, offsets, steps, tensor(op.results[0])))


def is_factor(op: Operation) -> bool:
    """Whether only kernels read the result, and one of them needs it in memory order, without an access."""
    (result,) = op.results
    readers = [use.operation for use in result.uses]
    if not all(isinstance(reader, KernelOp) for reader in readers):
        return False
    return not all(is_layout_agnostic(reader, result) for reader in readers)
