"""
`plan-memory`: kernels on tensors become a `kernel.program` on memory that is decided once.

Every intermediate value gets a place in one arena, by lifetime; outputs, states and the parts of a
concatenation are written where they belong by what computes them. The entry function and the variables
give way to the program; its verifier checks that no value is read after its place was reused.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, kernel, nn
from ...dialects.module import entry_of
from ...dialects.rewriter import Rewriter


class PlanMemory(ModulePass):
    """Replaces the entry by its program."""

    name = "plan-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .planner import plan

        entry = entry_of(op)
        program = plan(op)
        Rewriter.insert_op(program, InsertPoint.before(entry))
        constants = [
            inner for inner in kernel.outside_bodies(entry) if isinstance(inner, nn.ConstantOp)
        ]
        entry.detach()
        entry.erase()
        for constant in constants:
            constant.properties.clear()  # else only the garbage collector would let go of their data
        for variable in [each for each in op.ops if isinstance(each, infra.VariableOp)]:
            variable.detach()
            variable.erase()
