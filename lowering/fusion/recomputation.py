"""Kernels that every reader may recompute, since that costs less than storing their results."""

from math import prod

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import bits_of
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import YieldOp, body_type

CHEAP = 8
"""The largest body, in operations, that is recomputed rather than stored."""

CENTERING = (
    *(arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.ConstantOp, YieldOp),
    *(arith.SIToFPOp, arith.UIToFPOp, arith.ExtFOp),
)
"""The operations of what a reduction recomputes of an operand that is there anyway."""


def is_data_movement(op: kernel.MapOp) -> bool:
    """Whether a kernel is data movement: its result holds elements of one operand, exactly, point by point."""
    return moves_elements(op) and op.accesses[-1].is_identity


def moves_elements(op: kernel.MapOp) -> bool:
    """Whether a kernel only moves elements of one operand, wherever it writes them."""
    block = op.body.block
    if len(block.args) != 1 or len(op.results) != 1:
        return False
    last = block.last_op
    assert isinstance(last, YieldOp)
    (given,), (read,), (result,) = last.values, op.ins, op.results
    if given is not block.args[0]:
        return False
    source, target = tensor(read).element_type, tensor(result).element_type
    return target in (source, body_type(source))


def widens(op: kernel.MapOp) -> bool:
    """Whether a cheap kernel widens elements point by point: narrow ones and constants in, wide ones out."""
    if len(op.results) != 1:
        return False
    moving = [value for value in op.operands if nn.constant_of(value) is None]
    if len(moving) != 1:
        return False
    (source,), (result,) = moving, op.results
    if bits_of(tensor(source).element_type) >= bits_of(tensor(result).element_type):
        return False
    return op.accesses[-1].is_identity and len(op.body.block.ops) <= CHEAP


def centers(op: kernel.MapOp) -> bool:
    """
    Whether a kernel makes few sums, products and floats of one operand as large as its result, which is stored in any
    case since a reduction reads it, and of smaller ones: reductions over it read no more then.
    """
    if len(op.results) != 1 or not all(isinstance(each, CENTERING) for each in op.body.block.ops):
        return False
    size = prod(op.shape)
    large = {value for value in op.ins if prod(shape_of(value)) >= size}
    if len(large) != 1 or len(large) == len(op.ins) or len(op.body.block.ops) > CHEAP:
        return False
    return any(isinstance(reader, kernel.ReduceOp) for reader in _readers(large.pop()))


def _readers(value: SSAValue) -> list[Operation]:
    """What reads a value, or a reshape of what it is a reshape of."""
    while isinstance(source := value.owner, kernel.ReshapeOp):
        value = source.input
    found: list[Operation] = []
    waiting = [value]
    while waiting:
        for use in waiting.pop().uses:
            found.append(use.operation)
            if isinstance(use.operation, kernel.ReshapeOp):
                waiting.append(use.operation.result)
    return found
