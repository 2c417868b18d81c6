"""Other sources for the operands of a model's operations, as programs that edit graphs want them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..passes.errors import DiagnosticError, as_runtime_error
from ..passes.reshape import retype


def rewire(uses: Sequence[tuple[Operation, int]], value: SSAValue) -> None:
    """
    Lets operands, of operations of the entry by number, be another value of it, which is computed before them then.
    Types of what follows are inferred anew. Raises DiagnosticException, and leaves operands as they were, where types
    do not fit, or an operation would need its own result.
    """
    for user, _ in uses:
        if _needs(value, user):
            raise DiagnosticError("an operation would need its own result; take another output")
    before = [(op, place, op.operands[place]) for op, place in uses]
    for op, place in uses:
        _move_before(value, op)
        op.operands[place] = value
    try:
        _infer(uses)
    except DiagnosticException:
        for op, place, old in before:
            op.operands[place] = old
        _infer(uses)
        raise


def _infer(uses: Sequence[tuple[Operation, int]]) -> None:
    for op, _ in uses[:1]:
        module = op.get_toplevel_object()
        assert isinstance(module, ModuleOp)
        with as_runtime_error():
            retype(module, {})


def _needs(value: SSAValue, user: Operation) -> bool:
    """Whether a value is computed from what an operation gives."""
    waiting, seen = [value], set[Operation]()
    while waiting:
        owner = waiting.pop().owner
        if owner is user:
            return True
        if isinstance(owner, Operation) and owner not in seen:
            seen.add(owner)
            waiting += [each for inner in owner.walk() for each in inner.operands]
    return False


def _move_before(value: SSAValue, user: Operation) -> None:
    """Moves what computes a value, which does not need `user`, in front of it."""
    owner = value.owner
    if (
        isinstance(owner, Block)
        or owner.parent is not user.parent
        or owner.is_before_in_block(user)
    ):
        return
    assert user.parent is not None
    owner.detach()
    user.parent.insert_op_before(owner, user)
    for inner in owner.walk():
        for operand in inner.operands:
            _move_before(operand, owner)
