"""How kernels read their inputs: other values, other accesses."""

from typing import TypeGuard

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import kernel
from ...dialects.inferred import shape_of
from ...dialects.kernel import Access, KernelOp, Term
from ...dialects.kernel.access import access_list


def replace_input(op: KernelOp, index: int, value: SSAValue, access: Access) -> None:
    """Makes input number `index` of a kernel read another value by another access."""
    accesses = op.accesses
    accesses[index] = access
    op.operands[len(op.reads) - len(op.ins) + index] = value
    op.properties["access"] = access_list(tuple(accesses))


def changes_units(op: Operation | Block) -> TypeGuard[kernel.ReshapeOp]:
    """Whether this is a reshape that only adds or drops dimensions of size 1."""
    if not isinstance(op, kernel.ReshapeOp):
        return False
    source, target = shape_of(op.input), shape_of(op.result)
    return [s for s in source if s != 1] == [s for s in target if s != 1]


def without_units(reshape: kernel.ReshapeOp, access: Access) -> Access:
    """The access to the input of a reshape that `changes_units`."""
    source, target = shape_of(reshape.input), shape_of(reshape.result)
    kept = iter(t for t, size in zip(access.terms, target, strict=True) if size != 1)
    return Access(access.rank, tuple(next(kept) if s != 1 else Term(None) for s in source))
