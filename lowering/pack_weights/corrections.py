"""What packing adds to a kernel: constants before it, and sums of weights that a body of its subtracts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import kernel, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of
from ...dialects.kernel import Access, Term
from ...dialects.origins import origins_of, set_origins
from ...dialects.rewriter import Rewriter
from ..kernel_bodies.bodies import Scalar, build_body, same


def constant_before(op: Operation, blob: BlobAttr, hint: str | None) -> SSAValue:
    """A constant in front of an operation."""
    constant = nn.ConstantOp(blob)
    constant.result.name_hint = hint
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result


def sums_before(op: Operation, weights: SSAValue, offset: int) -> SSAValue:
    """In front of a kernel, `offset` times the sums over the last dimension of its codes [batch…, N, K], in i32."""
    *domain, depth = shape_of(weights)
    rank = len(domain)

    def times_offset(total: Scalar) -> Scalar:
        return total * offset

    reduce = kernel.ReduceOp(
        "sum",
        domain,
        [depth],
        [weights],
        [
            (
                Access(rank, (*map(Term, range(rank)), Term(None))),
                Access(1, (*[Term(None)] * rank, Term(0))),
            )
        ],
        build_body([i32], same),
        kernel.Epilogue([], [Access.identity(rank)], build_body([i32], times_offset)),
        results=[TensorType(i32, domain)],
    )
    set_origins(reduce, origins_of(op))
    Rewriter.insert_op(reduce, InsertPoint.before(op))
    return reduce.results[0]


def access_to_sums(rank: int, shape: Sequence[int], first: int = 0) -> Access:
    """From (batch…, m, n) of so many dimensions to sums [batch…, N] of this shape, of which those from `first` on."""
    lead = rank - 1 - len(shape)
    batch = [Term(None) if size == 1 else Term(lead + i) for i, size in enumerate(shape[:-1])]
    return Access(rank, (*batch, Term(rank - 1, 1, first)))


def subtract_from(block: Block, total: int) -> None:
    """Makes a body subtract one more i32 argument, its last, from argument number `total`."""
    first = block.first_op
    assert first is not None
    argument = block.insert_arg(i32, len(block.args))
    value = block.args[total]
    correct = arith.SubiOp(value, argument)
    value.replace_uses_with_if(correct.result, lambda use: use.operation is not correct)
    block.insert_op_before(correct, first)


def replace_by_packed(op: Operation, new: Operation) -> None:
    """
    Replaces a kernel by the same on packed weights, and erases the constants that nothing reads then. Their data goes
    at once, and not when the garbage collector finds them: there is as much of it as there are weights.
    """
    constants = {value.owner for value in op.operands if isinstance(value.owner, nn.ConstantOp)}
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
    Rewriter.replace_op(op, new)
    for constant in constants:
        if constant.result.first_use is None:
            Rewriter.erase_op(constant)
            constant.properties.clear()
