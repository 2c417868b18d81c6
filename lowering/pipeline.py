"""`lower-to-kernels`: the list of passes from a model to a planned program."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from ..dialects import context, kernel
from ..passes.decompose_cells import DecomposeCells
from ..passes.fold_constants import FoldConstants
from ..passes.infer_shapes import infer_types
from ..passes.lower_sequences import LowerSequences
from .expand_math import ExpandMath
from .fusion import FuseKernels
from .nn_to_kernels import NnToKernels
from .order_sums import OrderSums
from .pack_weights import PackWeights
from .plan import PlanMemory
from .prune import PruneBodies
from .results import SeparateResults
from .simplify_bodies import SimplifyBodies
from .single_iterations import LowerSingleIterations


def lowering_passes(isa: str | None = None) -> tuple[ModulePass, ...]:
    """The passes in order. `isa` names the instruction set (default: the host's best)."""
    return (
        LowerSequences(),
        DecomposeCells(),
        FoldConstants(),
        CommonSubexpressionElimination(),
        PruneBodies(),
        LowerSingleIterations(),
        NnToKernels(),
        SeparateResults(),
        FuseKernels(),
        SimplifyBodies(),
        PackWeights(isa),
        OrderSums(isa),
        ExpandMath(),
        PlanMemory(),
    )


@dataclass(frozen=True)
class LowerToKernels(ModulePass):
    """All of `lowering_passes`."""

    name = "lower-to-kernels"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        infer_types(op, keep=True)
        for item in lowering_passes(self.isa):
            item.apply(ctx, op)


def lower(module: ModuleOp, isa: str | None = None) -> kernel.ProgramOp:
    """
    The program of a module, which stays as it is. Raises DiagnosticException, naming the operation, where one
    cannot be compiled.
    """
    clone = module.clone()
    LowerToKernels(isa).apply(context(), clone)
    clone.verify()
    (program,) = (op for op in clone.ops if isinstance(op, kernel.ProgramOp))
    return program
