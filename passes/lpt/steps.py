"""What the steps of `lpt` are made of: a tuple for each; a transformation is one file, and one line in its tuple."""

from __future__ import annotations

from typing import Any

from ...dialects import infra, rnn
from ...dialects.nn import (
    ConvolutionBackpropDataOp,
    ConvolutionOp,
    GroupConvolutionBackpropDataOp,
    GroupConvolutionOp,
    Nn,
)
from .cleanup.eliminate_fake_quantize import EliminateFakeQuantize
from .cleanup.expand_dequantization import ExpandDequantization
from .cleanup.fold_convert import FoldConvert
from .cleanup.fold_fake_quantize import FoldFakeQuantize
from .cleanup.fuse_arithmetic_to_fake_quantize import (
    FuseMultiplyToFakeQuantize,
    FuseSubtractToFakeQuantize,
)
from .cleanup.fuse_dequantize_to_fake_quantize import FuseDequantizeToFakeQuantize
from .cleanup.multiply_to_group_convolution import MultiplyToGroupConvolution
from .config import LptConfig
from .main.activation.clamp import MoveDequantizeAfterClamp
from .main.activation.clip_codes import ClipCodesOfClamp, ClipCodesOfRelu
from .main.activation.p_relu import MoveDequantizeAfterPRelu
from .main.activation.relu import SinkDequantizeThroughRelu
from .main.arithmetic.add import MoveDequantizeAfterAdd
from .main.arithmetic.multiply_partial import MoveDequantizeToOneInputOfMultiply
from .main.arithmetic.negative import MoveDequantizeAfterNegative
from .main.arithmetic.subtract import MoveDequantizeAfterSubtract
from .main.body.branch import CarryCodesThroughIf
from .main.body.iterator import CarryCodes
from .main.convolution.column_scales import KeepScalesOfColumns
from .main.convolution.convolution import MoveDequantizeAfterConvolution
from .main.convolution.convolution_backprop_data import MoveDequantizeAfterConvolutionBackpropData
from .main.convolution.group_convolution import MoveDequantizeAfterGroupConvolution
from .main.convolution.group_convolution_backprop_data import (
    MoveDequantizeAfterGroupConvolutionBackpropData,
)
from .main.convolution.shift_data import ShiftData
from .main.convolution.weights_zero_point import SplitZeroPointOffFilters
from .main.image.batch_to_space import SinkDequantizeThroughBatchToSpace
from .main.image.depth_to_space import SinkDequantizeThroughDepthToSpace
from .main.image.interpolate import SinkDequantizeThroughInterpolate
from .main.image.pad import SinkDequantizeThroughPad
from .main.image.space_to_batch import SinkDequantizeThroughSpaceToBatch
from .main.matrix.attention import DecomposeQuantizedAttention
from .main.matrix.dynamic import QuantizeMatMulDynamically
from .main.matrix.mat_mul import MoveDequantizeAfterMatMul
from .main.matrix.zero_points import SplitZeroPointOffWeights, SplitZeroPointsOffMatMul
from .main.movement.concat import SinkDequantizeThroughConcat
from .main.movement.gather import SinkDequantizeThroughGather
from .main.movement.other import sinks_through
from .main.movement.shuffle_channels import SinkDequantizeThroughShuffleChannels
from .main.movement.slice import SinkDequantizeThroughSlice
from .main.movement.split import SinkDequantizeThroughSplit
from .main.movement.strided_slice import SinkDequantizeThroughStridedSlice
from .main.movement.tile import SinkDequantizeThroughTile
from .main.movement.transpose import SinkDequantizeThroughTranspose
from .main.movement.variadic_split import SinkDequantizeThroughVariadicSplit
from .main.normalization.mvn import MoveDequantizeAfterMvn
from .main.normalization.normalize_l2 import MoveDequantizeAfterNormalizeL2
from .main.pooling.avg_pool import MoveDequantizeAfterAvgPool
from .main.pooling.max_pool import SinkDequantizeThroughMaxPool
from .main.quantization.drop_rounding import DropRoundingInFrontOfAdd
from .main.quantization.fake_quantize import FuseArithmeticToFakeQuantize
from .main.quantization.fake_quantize_decomposition import DecomposeFakeQuantize
from .main.quantization.fold_fake_quantize import FoldFakeQuantizeToCodes
from .main.quantization.requantize import SkipRequantize
from .main.recurrent.cell import DecomposeQuantizedCell
from .main.recurrent.sequence import LowerQuantizedSequence
from .main.reduction.reduce_max import SinkDequantizeThroughReduceMax
from .main.reduction.reduce_mean import MoveDequantizeAfterReduceMean
from .main.reduction.reduce_min import SinkDequantizeThroughReduceMin
from .main.reduction.reduce_sum import MoveDequantizeAfterReduceSum
from .main.shape.broadcast import SinkDequantizeThroughBroadcast
from .main.shape.reshape import SinkDequantizeThroughReshape
from .main.shape.squeeze import SinkDequantizeThroughSqueeze
from .main.shape.unsqueeze import SinkDequantizeThroughUnsqueeze
from .main.state.assign_and_read_value import KeepCodesInState
from .markup.avg_pool_precision_preserved import mark_avg_pool_precision_preserved
from .markup.bias import mark_bias
from .markup.can_be_quantized import mark_can_be_quantized
from .markup.granularity import mark_granularity
from .markup.intervals_alignment import mark_intervals_alignment
from .markup.precision_preserved import mark_precision_preserved
from .markup.precisions import mark_restrictions, propagate_precisions
from .markup.quantization_alignment import mark_quantization_alignment
from .pattern import NamedPattern
from .prerequisites.batch_norm_decomposition import BatchNormDecomposition
from .prerequisites.convert_divide import ConvertDivide
from .prerequisites.convert_subtract_constant import ConvertSubtractConstant
from .prerequisites.eliminate_clamp import EliminateClamp
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
from .transformation import Transformation

PREREQUISITES: tuple[tuple[NamedPattern[Any], ...], ...] = (
    (RaiseGroupConvolution(),),
    (BatchNormDecomposition(), ConvertDivide()),
    (FuseAdds(), FuseMultiplies(), MoveMultiplyAboveAdd(), PadFusion()),
    (
        FuseConvertToFakeQuantize(),
        EliminateFakeQuantize(),
        RaiseDequantization(),
        RaiseLastConvert(),
    ),
    (ConvertSubtractConstant(),),
    (PullReshapeThroughDequantization(), PullTransposeThroughDequantization()),
    (ShiftWeights(),),
    (EliminateClamp(),),
    (MoveFakeQuantize(),),
)
"""Step 1. Pattern sets, each applied until none matches: arithmetic first, while it is written out."""

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

_OWN: tuple[Transformation[Any], ...] = (
    # quantization
    SkipRequantize(),
    DropRoundingInFrontOfAdd(),
    FuseArithmeticToFakeQuantize(),
    DecomposeFakeQuantize(),
    FoldFakeQuantizeToCodes(),
    # state
    KeepCodesInState(),
    # body
    CarryCodes.about(infra.TensorIteratorOp),
    CarryCodes.about(infra.LoopOp),
    CarryCodesThroughIf(),
    # recurrent
    DecomposeQuantizedCell.about(rnn.LstmCellOp),
    DecomposeQuantizedCell.about(rnn.GruCellOp),
    DecomposeQuantizedCell.about(rnn.RnnCellOp),
    LowerQuantizedSequence.about(rnn.LstmSequenceOp),
    LowerQuantizedSequence.about(rnn.GruSequenceOp),
    LowerQuantizedSequence.about(rnn.RnnSequenceOp),
    # matrix
    DecomposeQuantizedAttention(),
    QuantizeMatMulDynamically(),
    SplitZeroPointsOffMatMul(),
    SplitZeroPointOffWeights(),
    MoveDequantizeAfterMatMul(),
    # convolution
    ShiftData.about(ConvolutionOp),
    ShiftData.about(GroupConvolutionOp),
    SplitZeroPointOffFilters.about(ConvolutionOp),
    SplitZeroPointOffFilters.about(GroupConvolutionOp),
    SplitZeroPointOffFilters.about(ConvolutionBackpropDataOp),
    SplitZeroPointOffFilters.about(GroupConvolutionBackpropDataOp),
    MoveDequantizeAfterConvolution(),
    KeepScalesOfColumns(),
    MoveDequantizeAfterGroupConvolution(),
    MoveDequantizeAfterConvolutionBackpropData(),
    MoveDequantizeAfterGroupConvolutionBackpropData(),
    # arithmetic
    MoveDequantizeAfterAdd(),
    MoveDequantizeToOneInputOfMultiply(),
    MoveDequantizeAfterSubtract(),
    MoveDequantizeAfterNegative(),
    # activation
    SinkDequantizeThroughRelu(),
    ClipCodesOfRelu(),
    ClipCodesOfClamp(),
    MoveDequantizeAfterClamp(),
    MoveDequantizeAfterPRelu(),
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
    SinkDequantizeThroughTile(),
    SinkDequantizeThroughVariadicSplit(),
    # shape
    SinkDequantizeThroughReshape(),
    SinkDequantizeThroughSqueeze(),
    SinkDequantizeThroughUnsqueeze(),
    SinkDequantizeThroughBroadcast(),
)
MAIN = (*_OWN, *sinks_through(Nn.operations, _OWN))
"""Step 3. Transformations; one sweep offers each operation to those about it, in this order."""


def cleanup_pattern_sets(config: LptConfig) -> tuple[tuple[NamedPattern[Any], ...], ...]:
    """Step 4. Pattern sets, each applied until none matches: what cannot be fused is written out."""
    return (
        (FuseDequantizeToFakeQuantize(),),
        (ShiftWeights(),),
        (MultiplyToGroupConvolution(config),),
        (ExpandDequantization(config),),
        (FuseMultiplyToFakeQuantize(), FuseSubtractToFakeQuantize()),
        (EliminateFakeQuantize(), FoldConvert(), FoldFakeQuantize()),
        (BatchNormDecomposition(), ConvertDivide()),
        (FuseAdds(), FuseMultiplies(), MoveMultiplyAboveAdd()),
    )


def pattern_names() -> frozenset[str]:
    """What the patterns of the first and the last step are called."""
    sets = (*PREREQUISITES, *cleanup_pattern_sets(LptConfig()))
    return frozenset(one.name for patterns in sets for one in patterns)
