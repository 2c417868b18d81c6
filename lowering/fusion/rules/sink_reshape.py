"""Maps between two reshapes."""

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import kernel
from ....dialects.inferred import tensor
from ....dialects.kernel import Access
from ....dialects.origins import origins_of, set_origins
from ....dialects.rewriter import Rewriter
from ....dialects.tensor_types import typed
from ..collapses import Collapse, Split, renumbered, sizes_after, uses
from ..rule import FusionRule


class SinkReshape(FusionRule[kernel.MapOp]):
    """
    `f(reshape(x)) = reshape(f'(x))` where the reshape merges dimensions, no other operand of f depends on them, and f'
    meets another kernel: reshapes alone read the result, or x is a product or a convolution that f alone reads.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if len(op.results) != 1 or not op.accesses[-1].is_identity:
            return False
        are_reshaped = all(
            isinstance(use.operation, kernel.ReshapeOp) for use in op.results[0].uses
        )
        for value, access in zip(op.ins, op.accesses, strict=False):
            collapse = Collapse.of(value.owner)
            if collapse is None or not (are_reshaped or _takes_epilogue(collapse)):
                continue
            if split := collapse.split(access, op.shape):
                return _rewrite(op, split)
        return False


def _takes_epilogue(collapse: Collapse) -> bool:
    """Whether the input of the reshape is the result of a product or a convolution, read once."""
    producer = collapse.op.input.owner
    return (
        isinstance(producer, kernel.MatMulOp | kernel.ConvolutionOp)
        and collapse.op.input.has_one_use()
        and collapse.op.result.has_one_use()
    )


def _rewrite(op: kernel.MapOp, split: Split) -> bool:
    """Rebuilds a map over a split domain, if it can read all its operands so."""
    ins: list[SSAValue] = []
    accesses: list[Access] = []
    for value, access in zip(op.ins, op.accesses, strict=False):
        if not uses(access, split):
            ins.append(value)
            accesses.append(renumbered(access, split))
            continue
        collapse = Collapse.of(value.owner)
        if collapse is None or collapse.split(access, op.shape) != split:
            return False
        ins.append(collapse.op.input)
        accesses.append(collapse.read(access, split))
    (result,) = op.results
    domain = sizes_after(op.shape, split)
    accesses.append(Access.identity(len(domain)))
    type = typed(tensor(result).element_type, domain)
    body = op.detach_region(op.body)
    new = op.rebuilt(op.factors, ins, accesses, body, [type], domain=domain)
    set_origins(new, origins_of(op))
    Rewriter.insert_op(new, InsertPoint.before(op))
    Rewriter.replace_op(op, kernel.ReshapeOp(new.results[0], tensor(result)))
    return True
