"""
`raise-loop-ports`: merged values of a loop become the counters, slices, concatenations and invariants that they are.

Front ends translate a WHILE to an `infra.loop` whose values are all merged and whose condition the body computes
(`merged_loop`). Here its counters, slices, concatenations and invariants are found; what is none of them stays merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from logging import getLogger

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import dce

from ...dialects import infra
from ...dialects.inferred import label
from .loop import Loop, PortRule

log = getLogger(__name__)


class RaiseLoopPorts(ModulePass):
    """
    Merged values of an `infra.loop` become counters, slices, concatenations and invariants.

    - `counter < limit` in the condition is a trip count; the counter is the number of the iteration.
    - An operand that the body reads part by part is sliced; a buffer that it writes part by part, or appends to, is
      concatenated.
    - A value that the body yields unchanged is invariant; what nothing depends on is removed.
    """

    name = "raise-loop-ports"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [each for each in op.walk() if isinstance(each, infra.LoopOp)]
        for each in reversed(loops):  # those within others first
            raise_ports(each)
        dce(op)


def raise_ports(op: infra.LoopOp) -> Loop:
    """Raises the ports of one loop; the operation may be another one afterwards."""
    from .phases import PHASES  # which take NumPy

    loop = Loop(op)
    for rules in PHASES:
        while any(_applied(loop, rules)):
            loop.reasons.clear()
    for what, reason in loop.reasons.items():
        log.debug("%s: %s stays: %s", label(loop.op), what, reason)
    return loop


def _applied(loop: Loop, rules: Sequence[PortRule]) -> list[bool]:
    """Whether each of the rules changed a loop."""
    return [rule(loop) for rule in rules]
