"""
`lpt`: low precision transformations, in four steps.

Each step is a tuple below; a transformation is one file, and one line in its tuple.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects.qnn import FakeQuantizeOp
from ..fold_constants import fold_constants
from ..lpt_extensions import extensions
from ..quantized import is_quantized
from .cleanup.compute_codes_in_float import compute_codes_in_float
from .cleanup.eliminate_fake_quantize import EliminateFakeQuantize
from .cleanup.erase_markup import erase_markup
from .cleanup.expand_dequantization import ExpandDequantization
from .cleanup.fold_convert import FoldConvert
from .cleanup.fold_fake_quantize import FoldFakeQuantize as FoldConstantFakeQuantize
from .cleanup.fuse_arithmetic_to_fake_quantize import (
    FuseMultiplyToFakeQuantize,
    FuseSubtractToFakeQuantize,
)
from .cleanup.fuse_dequantize_to_fake_quantize import FuseDequantizeToFakeQuantize
from .cleanup.multiply_to_group_convolution import MultiplyToGroupConvolution
from .config import DEFAULT, PRESETS, LptConfig, preset
from .config_file import read_config
from .main.activation.clamp import MoveDequantizeAfterClamp
from .main.activation.p_relu import MoveDequantizeAfterPRelu
from .main.activation.relu import SinkDequantizeThroughRelu
from .main.arithmetic.add import MoveDequantizeAfterAdd
from .main.arithmetic.multiply_partial import MoveDequantizeToOneInputOfMultiply
from .main.arithmetic.subtract import MoveDequantizeAfterSubtract
from .main.body.branch import CarryCodesThroughIf
from .main.body.iterator import CarryCodesThroughLoop, CarryCodesThroughTensorIterator
from .main.convolution.convolution import MoveDequantizeAfterConvolution
from .main.convolution.convolution_backprop_data import MoveDequantizeAfterConvolutionBackpropData
from .main.convolution.group_convolution import MoveDequantizeAfterGroupConvolution
from .main.convolution.group_convolution_backprop_data import (
    MoveDequantizeAfterGroupConvolutionBackpropData,
)
from .main.convolution.weights_zero_point import SplitZeroPointOffFilters
from .main.image.batch_to_space import SinkDequantizeThroughBatchToSpace
from .main.image.depth_to_space import SinkDequantizeThroughDepthToSpace
from .main.image.interpolate import SinkDequantizeThroughInterpolate
from .main.image.pad import SinkDequantizeThroughPad
from .main.image.space_to_batch import SinkDequantizeThroughSpaceToBatch
from .main.matrix.mat_mul import MoveDequantizeAfterMatMul
from .main.movement.concat import SinkDequantizeThroughConcat
from .main.movement.gather import SinkDequantizeThroughGather
from .main.movement.shuffle_channels import SinkDequantizeThroughShuffleChannels
from .main.movement.slice import SinkDequantizeThroughSlice
from .main.movement.split import SinkDequantizeThroughSplit
from .main.movement.strided_slice import SinkDequantizeThroughStridedSlice
from .main.movement.transpose import SinkDequantizeThroughTranspose
from .main.movement.variadic_split import SinkDequantizeThroughVariadicSplit
from .main.normalization.mvn import MoveDequantizeAfterMvn
from .main.normalization.normalize_l2 import MoveDequantizeAfterNormalizeL2
from .main.pooling.avg_pool import MoveDequantizeAfterAvgPool
from .main.pooling.max_pool import SinkDequantizeThroughMaxPool
from .main.quantization.fake_quantize import FuseArithmeticToFakeQuantize
from .main.quantization.fake_quantize_decomposition import DecomposeFakeQuantize
from .main.quantization.fold_fake_quantize import FoldFakeQuantize
from .main.quantization.requantize import SkipRequantize
from .main.recurrent.cell import (
    DecomposeQuantizedGruCell,
    DecomposeQuantizedLstmCell,
    DecomposeQuantizedRnnCell,
)
from .main.recurrent.sequence import (
    LowerQuantizedGruSequence,
    LowerQuantizedLstmSequence,
    LowerQuantizedRnnSequence,
)
from .main.reduction.reduce_max import SinkDequantizeThroughReduceMax
from .main.reduction.reduce_mean import MoveDequantizeAfterReduceMean
from .main.reduction.reduce_min import SinkDequantizeThroughReduceMin
from .main.reduction.reduce_sum import MoveDequantizeAfterReduceSum
from .main.shape.broadcast import SinkDequantizeThroughBroadcast
from .main.shape.reshape import SinkDequantizeThroughReshape
from .main.shape.squeeze import SinkDequantizeThroughSqueeze
from .main.shape.unsqueeze import SinkDequantizeThroughUnsqueeze
from .main.state.assign_and_read_value import KeepCodesInState
from .main.sweep import sweep
from .markup.avg_pool_precision_preserved import mark_avg_pool_precision_preserved
from .markup.bias import mark_bias
from .markup.can_be_quantized import mark_can_be_quantized
from .markup.granularity import mark_granularity
from .markup.intervals_alignment import mark_intervals_alignment
from .markup.precision_preserved import mark_precision_preserved
from .markup.precisions import mark_restrictions, propagate_precisions
from .markup.quantization_alignment import mark_quantization_alignment
from .pattern import NamedPattern, enabled
from .plan import Plan
from .prerequisites.convert_subtract_constant import ConvertSubtractConstant
from .prerequisites.fuse_convert_to_fake_quantize import FuseConvertToFakeQuantize
from .prerequisites.lin_op_sequence_fusion import (
    FuseAdds,
    FuseMultiplies,
    MoveMultiplyAboveAdd,
)
from .prerequisites.move_fake_quantize import MoveFakeQuantize
from .prerequisites.pad_fusion import PadFusion
from .prerequisites.pull_reshape_through_dequantization import PullReshapeThroughDequantization
from .prerequisites.pull_transpose_through_dequantization import PullTransposeThroughDequantization
from .prerequisites.raise_dequantization import RaiseDequantization
from .prerequisites.raise_group_convolution import RaiseGroupConvolution
from .prerequisites.raise_last_convert import RaiseLastConvert
from .prerequisites.shift_weights import ShiftWeights
from .target import Target
from .transformation import Transformation

PREREQUISITES: tuple[tuple[NamedPattern, ...], ...] = (
    (RaiseGroupConvolution(),),
    (FuseAdds(), FuseMultiplies(), MoveMultiplyAboveAdd(), PadFusion()),
    (
        FuseConvertToFakeQuantize(),
        EliminateFakeQuantize(),
        RaiseDequantization(),
        RaiseLastConvert(),
    ),
    (ConvertSubtractConstant(), ShiftWeights()),
    (PullReshapeThroughDequantization(), PullTransposeThroughDequantization()),
    (MoveFakeQuantize(),),
)
"""Step 1. Phases of patterns, each applied until none matches: arithmetic first, while it is written out."""

MARKUP = (
    mark_restrictions,
    mark_granularity,
    mark_can_be_quantized,
    mark_precision_preserved,
    mark_avg_pool_precision_preserved,
    mark_bias,
    propagate_precisions,
    mark_quantization_alignment,
    mark_intervals_alignment,
)
"""Step 2. Analyses, in this order, each printing what it found."""

MAIN: tuple[Transformation[Any], ...] = (
    # quantization
    SkipRequantize(),
    FuseArithmeticToFakeQuantize(),
    DecomposeFakeQuantize(),
    FoldFakeQuantize(),
    # state
    KeepCodesInState(),
    # body
    CarryCodesThroughTensorIterator(),
    CarryCodesThroughLoop(),
    CarryCodesThroughIf(),
    # recurrent
    DecomposeQuantizedLstmCell(),
    DecomposeQuantizedGruCell(),
    DecomposeQuantizedRnnCell(),
    LowerQuantizedLstmSequence(),
    LowerQuantizedGruSequence(),
    LowerQuantizedRnnSequence(),
    # matrix
    MoveDequantizeAfterMatMul(),
    # convolution
    SplitZeroPointOffFilters(),
    MoveDequantizeAfterConvolution(),
    MoveDequantizeAfterGroupConvolution(),
    MoveDequantizeAfterConvolutionBackpropData(),
    MoveDequantizeAfterGroupConvolutionBackpropData(),
    # arithmetic
    MoveDequantizeAfterAdd(),
    MoveDequantizeToOneInputOfMultiply(),
    MoveDequantizeAfterSubtract(),
    # activation
    MoveDequantizeAfterClamp(),
    MoveDequantizeAfterPRelu(),
    SinkDequantizeThroughRelu(),
    # normalization
    MoveDequantizeAfterMvn(),
    MoveDequantizeAfterNormalizeL2(),
    # pooling
    MoveDequantizeAfterAvgPool(),
    SinkDequantizeThroughMaxPool(),
    # reduction
    SinkDequantizeThroughReduceMax(),
    MoveDequantizeAfterReduceMean(),
    SinkDequantizeThroughReduceMin(),
    MoveDequantizeAfterReduceSum(),
    # image
    SinkDequantizeThroughBatchToSpace(),
    SinkDequantizeThroughDepthToSpace(),
    SinkDequantizeThroughInterpolate(),
    SinkDequantizeThroughPad(),
    SinkDequantizeThroughSpaceToBatch(),
    # movement
    SinkDequantizeThroughConcat(),
    SinkDequantizeThroughSplit(),
    SinkDequantizeThroughTranspose(),
    SinkDequantizeThroughGather(),
    SinkDequantizeThroughShuffleChannels(),
    SinkDequantizeThroughSlice(),
    SinkDequantizeThroughStridedSlice(),
    SinkDequantizeThroughVariadicSplit(),
    # shape
    SinkDequantizeThroughReshape(),
    SinkDequantizeThroughSqueeze(),
    SinkDequantizeThroughUnsqueeze(),
    SinkDequantizeThroughBroadcast(),
)
"""Step 3. Transformations; one sweep offers each operation to those about it, in this order."""


def cleanup_phases(config: LptConfig) -> tuple[tuple[NamedPattern, ...], ...]:
    """Step 4. Phases of patterns: what cannot be fused is written out."""
    return (
        (FuseDequantizeToFakeQuantize(),),
        (FuseMultiplyToFakeQuantize(), FuseSubtractToFakeQuantize()),
        (ShiftWeights(),),
        (MultiplyToGroupConvolution(config),),
        (ExpandDequantization(config),),
        (EliminateFakeQuantize(), FoldConvert(), FoldConstantFakeQuantize()),
    )


def prerequisites(module: ModuleOp, config: LptConfig) -> None:
    """Step 1: all dequantization of the model becomes `qnn.dequantize`, with constants that are known."""
    fold_constants(module)
    check_intervals(module)
    for patterns in PREREQUISITES:
        _apply(enabled(patterns, config), module)


def check_intervals(module: ModuleOp) -> None:
    """
    Raises DiagnosticException for intervals that are none, which shows where constants had to be folded first: the
    model had them so.
    """
    for op in module.walk():
        if isinstance(op, FakeQuantizeOp):
            try:
                op.verify_()
            except VerifyException as error:
                raise DiagnosticException(str(error)) from error


def target_of(config: LptConfig, only: tuple[str, ...] = ()) -> Target:
    """The transformations of the main step. Raises DiagnosticException for a name that nothing has."""
    return Target.of(config, MAIN, extensions(), only, pattern_names())


def transformations() -> tuple[Transformation[Any], ...]:
    """All of the main step, those that packages add too."""
    return (*MAIN, *extensions())


def pattern_names() -> frozenset[str]:
    """What the patterns of the first and the last step are called."""
    phases = (*PREREQUISITES, *cleanup_phases(LptConfig()))
    return frozenset(one.name for patterns in phases for one in patterns)


def transformation_names() -> frozenset[str]:
    """All names that a configuration can disable."""
    return pattern_names() | {one.name for one in transformations()}


def markup(module: ModuleOp, config: LptConfig) -> None:
    """Step 2: says, in attributes, which precisions are possible where."""
    target = target_of(config)
    for mark in MARKUP:
        mark(module, target)


def main(module: ModuleOp, config: LptConfig, only: tuple[str, ...] = ()) -> None:
    """Step 3: decomposes FakeQuantize and moves dequantization, as the markup plans it."""
    sweep(module, target_of(config, only), Plan.read(module, config))


def cleanup(module: ModuleOp, config: LptConfig) -> None:
    """
    Step 4: fuses dequantization back where nothing used the codes, and writes out the rest. Folds first what the main
    step wrote out of constants.
    """
    fold_constants(module)
    for patterns in cleanup_phases(config):
        _apply(enabled(patterns, config), module)
    if not config.update_precisions:
        compute_codes_in_float(module)
    erase_markup(module)


def _apply(patterns: list[RewritePattern], module: ModuleOp) -> None:
    PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_module(module)
    dce(module)


@dataclass(frozen=True)
class Configured(ModulePass):
    """
    A pass that follows a configuration: a preset (by default `cpu-x86`, or what a file names), a TOML file's changes
    to one, or the user's own.
    """

    preset: str | None = None
    config: LptConfig | str | None = None

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raises ValueError where an option has no value: it would be as if nobody had given it."""
        for key, value in spec.parameters.items():
            if not value:
                raise ValueError(f"{cls.name}: {key} needs a value")
        return super().from_spec(spec)

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        """The pass as text, which has a name for a configuration of Python where it is a preset."""
        if not isinstance(self.config, LptConfig):
            return super().spec(include_default=include_default)
        named = next((name for name, one in PRESETS.items() if one == self.config), None)
        said = replace(self, preset=named, config=None if named else "LptConfig(…)")
        return said.spec(include_default=include_default)

    @property
    def chosen(self) -> LptConfig:
        """
        The configuration: given, or what a file makes of a preset, or a preset. Raises DiagnosticException where
        there is no such preset, or the file is wrong.
        """
        if isinstance(self.config, LptConfig):
            return self.config
        if self.config is not None:
            return read_config(self.config, self.preset)
        return preset(self.preset or DEFAULT)


@dataclass(frozen=True)
class Lpt(Configured):
    """All four steps. A model that is not quantized stays as it is."""

    name = "lpt"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        config = self.chosen
        if not is_quantized(op):
            return
        prerequisites(op, config)
        markup(op, config)
        main(op, config)
        cleanup(op, config)


@dataclass(frozen=True)
class LptPrerequisites(Configured):
    """Step 1: raise dequantization."""

    name = "lpt-prerequisites"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        prerequisites(op, self.chosen)


@dataclass(frozen=True)
class LptMarkup(Configured):
    """Step 2: say, in attributes, which precisions are possible."""

    name = "lpt-markup"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        markup(op, self.chosen)


@dataclass(frozen=True)
class LptMain(Configured):
    """Step 3: decompose FakeQuantize and move dequantization; `only` the transformations named."""

    name = "lpt-main"

    only: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main(op, self.chosen, self.only)


@dataclass(frozen=True)
class LptCleanup(Configured):
    """Step 4: fuse or expand what is left."""

    name = "lpt-cleanup"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        cleanup(op, self.chosen)
