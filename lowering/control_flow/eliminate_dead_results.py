"""`eliminate-dead-results`: removes results of iterators and branches without readers, and what only they need."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, i1, i64
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.transforms.dead_code_elimination import dce

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.rebuilt import with_used_results


class EliminateDeadResults(ModulePass):
    """
    Removes unused results from the outside in, then the operations that this leaves dead. A loop with a known trip
    count loses its conditions.
    """

    name = "eliminate-dead-results"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if not isinstance(inner, infra.IteratorOp | infra.IfOp):
                continue
            if isinstance(inner, infra.LoopOp):
                _fix_count(inner)
            with_used_results(inner)
            dce(op)


def _fix_count(op: infra.LoopOp) -> None:
    """Replaces the conditions of a loop by its trip count, if that is known."""
    if (count := op.iterations()) is None:
        return
    numbers = (BlobAttr.of(TensorType(i64, []), count), BlobAttr.of(TensorType(i1, []), 1))
    for i, blob in enumerate(numbers):
        constant = nn.ConstantOp(blob)
        Rewriter.insert_op(constant, InsertPoint.before(op))
        op.operands[i] = constant.result
    op.properties.pop("body_condition", None)
