"""Kernels that every reader may recompute, since that costs less than storing their results."""

from ...dialects import kernel, nn
from ...dialects.elements import bits_of
from ...dialects.inferred import tensor
from ...dialects.kernel import YieldOp, body_type

CHEAP = 8
"""The largest body, in operations, that is recomputed rather than stored."""


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
