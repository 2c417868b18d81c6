"""Other sources for the operands of a model's operations, as programs that edit graphs want them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..passes.errors import DiagnosticError, as_runtime_error
from ..passes.reshape import retype

Operand = tuple[Operation, int]


def rewire(sources: Mapping[Operand, SSAValue]) -> None:
    """
    Lets operands, of operations of the entry by number, be other values of it, which are computed before them then.
    Types of what follows are inferred anew. Raises DiagnosticException, and leaves operands as they were, where types
    do not fit, or an operation would need its own result.
    """
    for (user, _), value in sources.items():
        if _needs(value, user):
            raise DiagnosticError("an operation would need its own result; take another output")
    before = {(op, place): op.operands[place] for op, place in sources}
    for (op, _), value in sources.items():
        _move_before(value, op)
    _set(sources)
    try:
        _infer(sources)
    except DiagnosticException:
        _set(before)
        _infer(before)
        raise


def _set(sources: Mapping[Operand, SSAValue]) -> None:
    for (op, place), value in sources.items():
        op.operands[place] = value


def _infer(operands: Iterable[Operand]) -> None:
    if (operand := next(iter(operands), None)) is not None:
        module = operand[0].get_toplevel_object()
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
