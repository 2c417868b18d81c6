"""Operations that move, choose, make and reduce elements."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import AnyAttr, operand_def, result_def

from .operation import ELEMENT, FLAG, INTEGER, INTEGERS, WORD, TflOp, operation

BatchToSpaceNdOp = operation("batch_to_space_nd", "input, block_shape, indices -> output")
BroadcastToOp = operation("broadcast_to", "input, shape -> output", version=2)
ConcatenationOp = operation(
    "concatenation",
    "values* -> output",
    codes_version=2,
    axis=INTEGER,
    fused_activation_function=WORD,
)
DepthToSpaceOp = operation("depth_to_space", "input -> output", codes_version=2, block_size=INTEGER)
DynamicUpdateSliceOp = operation("dynamic_update_slice", "operand, update, start_indices -> output")
ExpandDimsOp = operation("expand_dims", "input, dim -> output")
FillOp = operation("fill", "dims, input -> result")
GatherOp = operation(
    "gather", "params, indices -> output", codes_version=2, axis=INTEGER, batch_dims=INTEGER
)
MirrorPadOp = operation("mirror_pad", "input, pad -> output", mode=WORD)
OneHotOp = operation("one_hot", "indices, depth, on_value, off_value -> output", axis=INTEGER)
PackOp = operation("pack", "values* -> output", values_count=INTEGER, axis=INTEGER)
PadOp = operation("pad", "input, padding -> output", codes_version=2)
PadV2Op = operation("padv2", "input, padding, constant_values -> output", codes_version=2)
RangeOp = operation("range", "start, limit, delta -> result")
ReshapeOp = operation("reshape", "input, shape? -> output", new_shape=INTEGERS)
ReverseSequenceOp = operation(
    "reverse_sequence", "input, seq_lengths -> output", seq_dim=INTEGER, batch_dim=INTEGER
)
ReverseV2Op = operation("reverse_v2", "input, axis -> output")
ShapeOp = operation("shape", "input -> output", out_type=ELEMENT)
SliceOp = operation("slice", "input, begin, size -> output")
SpaceToBatchNdOp = operation("space_to_batch_nd", "input, block_shape, paddings -> output")
SpaceToDepthOp = operation("space_to_depth", "input -> output", block_size=INTEGER)
SplitOp = operation("split", "split_dim, value -> outputs*", codes_version=2, num_splits=INTEGER)
SplitVOp = operation(
    "split_v", "value, size_splits, split_dim -> outputs*", codes_version=2, num_splits=INTEGER
)
SqueezeOp = operation("squeeze", "input -> output", squeeze_dims=INTEGERS)
StridedSliceOp = operation(
    "strided_slice",
    "input, begin, end, strides -> output",
    codes_version=2,
    begin_mask=INTEGER,
    end_mask=INTEGER,
    ellipsis_mask=INTEGER,
    new_axis_mask=INTEGER,
    shrink_axis_mask=INTEGER,
    offset=FLAG,
)
TileOp = operation("tile", "input, multiples -> output")
TransposeOp = operation("transpose", "input, perm -> output", codes_version=2)
UnpackOp = operation("unpack", "input -> outputs*", num=INTEGER, axis=INTEGER)


class ReductionOp(TflOp):
    """One element of all along some axes."""

    TABLE: ClassVar = "ReducerOptions"

    input = operand_def(AnyAttr())
    axes = operand_def(AnyAttr())
    output = result_def(AnyAttr())
    keep_dims = FLAG


MeanOp = operation("mean", base=ReductionOp, codes_version=2)
ReduceAllOp = operation("reduce_all", base=ReductionOp)
ReduceAnyOp = operation("reduce_any", base=ReductionOp)
ReduceMaxOp = operation("reduce_max", base=ReductionOp, codes_version=2)
ReduceMinOp = operation("reduce_min", base=ReductionOp, codes_version=2)
ReduceProdOp = operation("reduce_prod", base=ReductionOp)
SumOp = operation("sum", base=ReductionOp)

ArgMaxOp = operation("arg_max", "input, dim -> output", output_type=ELEMENT)
ArgMinOp = operation("arg_min", "input, dim -> output", output_type=ELEMENT)
