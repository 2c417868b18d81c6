"""Kernels that every reader may recompute, as they cost less than what they would store."""

from ...dialects import kernel, nn
from ...dialects.elements import bits_of
from ...dialects.inferred import tensor
from ...dialects.kernel import YieldOp, body_type

CHEAP = 8
"""The largest body, in operations, that is recomputed rather than stored."""


def is_data_movement(op: kernel.MapOp) -> bool:
    """Whether a kernel is data movement: its result holds elements of one operand, exactly."""
    last = op.body.block.last_op
    if len(op.ins) != 1 or len(op.results) != 1:
        return False
    source, target = tensor(op.ins[0]).element_type, tensor(op.results[0]).element_type
    return (
        target in (source, body_type(source))
        and isinstance(last, YieldOp)
        and last.values[0] is op.body.block.args[0]
        and op.accesses[-1].is_identity
    )


def widens(op: kernel.MapOp) -> bool:
    """Whether a cheap kernel widens elements point by point: narrow ones and constants in, wide ones out."""
    if len(op.results) != 1 or not op.accesses[-1].is_identity:
        return False
    moving = [value for value in op.ins if nn.constant_of(value) is None]
    if len(moving) != 1 or len(op.body.block.ops) > CHEAP:
        return False
    (source,), (result,) = moving, op.results
    return bits_of(tensor(source).element_type) < bits_of(tensor(result).element_type)
