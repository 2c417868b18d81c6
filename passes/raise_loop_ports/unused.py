"""Results and operands of loops that nothing depends on."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from ...dialects import infra
from ..rebuilt import slot_of
from .loop import Loop


def drop_unused(loop: Loop) -> bool:
    """Removes results without readers, and operands that no used result, condition or effect depends on."""
    changed = loop.eliminate_dead_results()
    needed = _needed(loop)
    dropped = [n for n in range(len(loop.op.inputs)) if n not in needed]
    if dropped:
        loop.drop_inputs(dropped)
    return bool(dropped) or changed


def _needed(loop: Loop) -> set[int]:
    """The numbers of the arguments that results, the condition and effects are made of."""
    op, last = loop.op, loop.body.last_op
    back = {each.argument: each for each in loop.carried()}
    alone = {each.slot for each in back.values()}
    given = {slot_of(port) for port in op.outputs}
    if op.body_condition is not None:
        given.add(op.body_condition.value.data)
    pending: list[SSAValue] = [v for i, v in enumerate(op.yielded) if i in given or i not in alone]
    for each in loop.body.ops:
        if each is not last and not would_be_trivially_dead(each):
            pending += _read_by(each)
    needed = {n for n, port in enumerate(op.inputs) if isinstance(port, infra.MergedAttr)}
    needed -= {each.number for each in back.values()}
    seen = set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, BlockArgument):
            if value.block is loop.body:
                needed.add(value.index)
                pending += [back[value].after] if value in back else []
        elif isinstance(value.owner, Operation):
            pending += _read_by(value.owner)
    if not loop.op.runs():  # then the operand may be the result
        needed |= {each.number for each in back.values() if each.results}
    return needed


def _read_by(op: Operation) -> list[SSAValue]:
    """What an operation reads, its regions included."""
    return [operand for inner in op.walk() for operand in inner.operands]
