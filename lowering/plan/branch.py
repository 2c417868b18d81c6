"""`infra.if` on memory: both bodies write their results into the same places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Region, SSAValue

from ...dialects import infra, kernel

if TYPE_CHECKING:
    from .planner import Planner


def emit_branch(planner: Planner, op: infra.IfOp) -> None:
    """Writes the branch."""
    targets = [planner.target(result) for result in op.results]
    condition = planner.where(op.condition)
    bodies = [_emit_body(planner, op, body, targets) for body in op.bodies]
    planner.memory.add(kernel.IfOp(condition, *bodies))


def _emit_body(planner: Planner, op: infra.IfOp, body: Block, targets: list[SSAValue]) -> Region:
    memory, block = planner.memory, Block()
    last = body.last_op
    assert isinstance(last, infra.YieldOp)
    memory.step += 1
    with memory.inside(block):
        for argument, value in zip(body.args, op.inputs, strict=True):
            planner.place[argument] = planner.where(value)
        copies = [
            (value, target)
            for value, target in zip(last.values, targets, strict=True)
            if not planner.sink(value, target)
        ]
        planner.emit_block(body)
        memory.step += 1
        for value, target in copies:
            memory.copy(planner.where(value), target)
    return Region(block)
