"""How kernels read their inputs: other values, other accesses."""

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import SSAValue

from ...dialects import kernel
from ...dialects.inferred import shape_of
from ...dialects.kernel import Access, KernelOp, Term


def replace_input(op: KernelOp, index: int, value: SSAValue, access: Access) -> None:
    """Makes input number `index` of a kernel read another value in another way."""
    accesses = op.accesses
    accesses[index] = access
    op.operands[len(op.reads) - len(op.ins) + index] = value
    op.properties["access"] = ArrayAttr([one.map() for one in accesses])


def without_units(reshape: kernel.ReshapeOp, access: Access) -> Access | None:
    """The access to the input of a reshape that only adds or drops dimensions of size 1."""
    source, target = shape_of(reshape.input), shape_of(reshape.result)
    if [s for s in source if s != 1] != [s for s in target if s != 1]:
        return None
    kept = iter(t for t, size in zip(access.terms, target, strict=True) if size != 1)
    return Access(access.rank, tuple(next(kept) if s != 1 else Term(None) for s in source))
