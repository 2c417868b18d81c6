"""`lower-to-kernels`: the list of passes from a model to a planned program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from ..dialects import context, kernel
from ..dialects.verification import verify_program
from ..passes.decompose_cells import DecomposeCells
from ..passes.decompose_ops import DecomposeOps
from ..passes.fold_constants import FoldConstants
from ..passes.infer_shapes import infer_types
from ..passes.instrumentation import apply_pass
from ..passes.lower_sequences import LowerSequences
from .attention.fuse_attention import FuseAttention
from .attention.fuse_softmax import FuseSoftmax
from .attention.group_query_heads import GroupQueryHeads
from .control_flow.eliminate_dead_results import EliminateDeadResults
from .control_flow.hoist_input_products import HoistInputProducts
from .control_flow.loop_invariant_code_motion import LoopInvariantCodeMotion
from .control_flow.single_iterations import LowerSingleIterations
from .convolutions.add_parallel_convolutions import AddParallelConvolutions
from .convolutions.convolution_multiply_fusion import ConvolutionMultiplyFusion
from .convolutions.drop_padding_taps import DropPaddingTaps
from .convolutions.shift_and_add_convolutions import ShiftAndAddConvolutions
from .convolutions.split_dilated_convolutions import SplitDilatedConvolutions
from .convolutions.split_transposed_convolutions import SplitTransposedConvolutions
from .dynamic_shapes.bound_dynamic_shapes import BoundDynamicShapes
from .dynamic_shapes.bound_iterations import BoundIterations
from .dynamic_shapes.bound_suppression import BoundSuppression
from .expand_math import ExpandMath
from .flag_states import FlagStates
from .fusion import FuseKernels
from .kernel_bodies.algebraic_simplification import AlgebraicSimplification
from .kernel_bodies.approximate_quantized_gelu import ApproximateQuantizedGelu
from .kernel_bodies.approximate_quantized_sigmoid import ApproximateQuantizedSigmoid
from .kernel_bodies.create_lookup_tables import CreateLookupTables
from .kernel_bodies.eliminate_redundant_clamps import EliminateRedundantClamps
from .kernel_bodies.vectorize_reductions import VectorizeReductions
from .machine import Isa
from .nn_to_kernels import NnToKernels
from .offset_codes import OffsetCodes
from .outline_kernels import OutlineKernels
from .pack_weights import PackWeights, pack_weights
from .plan import PlanMemory
from .products.concatenate_products import ConcatenateProducts
from .products.split_activations import SplitActivations
from .products.split_depth import SplitDepth
from .products.split_weights import SplitWeights
from .raise_group_normalization import RaiseGroupNormalization
from .reuse_weights_across_calls import ReuseWeightsAcrossCalls
from .separate_results import SeparateResults
from .share_concatenations import ShareConcatenations
from .sink_constants import SinkConstants

if TYPE_CHECKING:
    from .tuning_configuration import TuningConfigurations


def lowering_passes(isa: str | None = None, schedules: str | None = None) -> tuple[ModulePass, ...]:
    """
    The passes in order. `isa` names the instruction set (default: the host's best), `schedules` a file of measured
    ones.
    """
    return (*fusing_passes(isa), PackWeights(isa, schedules), *planning_passes(isa))


def fusing_passes(isa: str | None = None) -> tuple[ModulePass, ...]:
    """From a model to kernels whose weights are packed next."""
    return (
        SinkConstants(isa),
        LowerSequences(),
        DecomposeCells(),
        SinkConstants(isa),
        CommonSubexpressionElimination(),
        BoundIterations(),
        EliminateDeadResults(),
        LowerSingleIterations(),
        HoistInputProducts(),
        ConcatenateProducts(),
        FlagStates(),
        BoundSuppression(),
        RaiseGroupNormalization(),
        DecomposeOps(),
        FoldConstants(),
        ConvolutionMultiplyFusion(),
        AddParallelConvolutions(),
        GroupQueryHeads(),
        BoundDynamicShapes(),
        SplitTransposedConvolutions(),
        SplitDilatedConvolutions(),
        DropPaddingTaps(),
        ShiftAndAddConvolutions(isa),
        ShareConcatenations(),
        SplitActivations(isa),
        SplitWeights(isa),
        SplitDepth(isa),
        NnToKernels(),
        LoopInvariantCodeMotion(),
        SeparateResults(),
        FuseKernels(isa),
        CreateLookupTables(isa),
        ApproximateQuantizedGelu(),
        AlgebraicSimplification(),
        EliminateRedundantClamps(),
        ApproximateQuantizedSigmoid(),
        OutlineKernels(),
        FuseAttention(),
        OffsetCodes(isa),
    )


def planning_passes(isa: str | None, accurate: bool = False) -> tuple[ModulePass, ...]:
    """From kernels whose weights are packed to a program; `accurate` is that of `ExpandMath`."""
    return (
        LoopInvariantCodeMotion(),
        ReuseWeightsAcrossCalls(),
        VectorizeReductions(isa),
        FuseSoftmax(),
        ExpandMath(accurate),
        PlanMemory(),
    )


@dataclass(frozen=True)
class LowerToKernels(ModulePass):
    """Runs all of `lowering_passes`."""

    name = "lower-to-kernels"

    isa: str | None = None
    schedules: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        infer_types(op, keep=True)
        for item in lowering_passes(self.isa, self.schedules):
            apply_pass(item, ctx, op)


def lower(module: ModuleOp, isa: str | None = None) -> kernel.ProgramOp:
    """
    The program of a module. The module stays as it is. Raises DiagnosticException, naming the operation, where an
    operation cannot be compiled.
    """
    clone = module.clone()
    LowerToKernels(isa).apply(context(), clone)
    return _program(clone)


@dataclass(frozen=True)
class Fused:
    """
    A module of fused kernels whose weights are not packed yet, and the context of its passes. Programs that differ only
    in their schedules come from one of these.
    """

    module: ModuleOp
    isa: Isa
    ctx: Context

    @classmethod
    def of(cls, module: ModuleOp, isa: Isa) -> Fused:
        """The fused kernels of a module, which stays as it is."""
        return cls.out_of(module.clone(), isa)

    @classmethod
    def out_of(cls, module: ModuleOp, isa: Isa) -> Fused:
        """As `of`, but consumes the module, which nobody else may use then."""
        infer_types(module, keep=True)
        ctx = context()
        for item in fusing_passes(isa.name):
            apply_pass(item, ctx, module)
        return cls(module, isa, ctx)

    def program(self, configurations: TuningConfigurations) -> kernel.ProgramOp:
        """The program with these schedules; the cost model chooses where there is none. The module stays as it is."""
        return Fused(self.module.clone(), self.isa, self.ctx).finished(configurations)

    def finished(
        self, configurations: TuningConfigurations, accurate: bool = False
    ) -> kernel.ProgramOp:
        """As `program`, but consumes the module. `accurate` is that of the passes."""
        pack_weights(self.module, self.isa, configurations, accurate)
        for item in planning_passes(self.isa.name, accurate):
            apply_pass(item, self.ctx, self.module)
        return _program(self.module)


def _program(module: ModuleOp) -> kernel.ProgramOp:
    verify_program(module)
    (program,) = (op for op in module.ops if isinstance(op, kernel.ProgramOp))
    return program
