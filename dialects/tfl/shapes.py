"""Operations that move, choose, make and reduce elements."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import AnyAttr, operand_def, result_def

from .operation import (
    BYTES,
    ELEMENT,
    FLAG,
    FLOAT,
    INTEGER,
    INTEGERS,
    MOVED,
    NUMBERS,
    OF_32_BITS,
    WORD,
    TflOp,
    operation,
)

BatchToSpaceNdOp = operation(
    "batch_to_space_nd", "input, block_shape, indices -> output", elements=BYTES
)
BroadcastArgsOp = operation("broadcast_args", "lhs, rhs -> output", elements=("int32", "int64"))
BroadcastToOp = operation("broadcast_to", "input, shape -> output", version=2, elements=MOVED)
ConcatenationOp = operation(
    "concatenation",
    "values* -> output",
    codes_version=2,
    axis=INTEGER,
    fused_activation_function=WORD,
    elements=MOVED,
)
CumsumOp = operation(
    "cumsum", "input, axis -> output", exclusive=FLAG, reverse=FLAG, elements=NUMBERS
)
DepthToSpaceOp = operation(
    "depth_to_space", "input -> output", codes_version=2, block_size=INTEGER, elements=BYTES
)
DynamicUpdateSliceOp = operation(
    "dynamic_update_slice",
    "operand, update, start_indices -> output",
    elements=(*NUMBERS, "int8", "bool"),
)
EmbeddingLookupOp = operation("embedding_lookup", "lookup, value -> output", elements=MOVED)
EmbeddingLookupSparseOp = operation(
    "embedding_lookup_sparse",
    "ids, indices, dense_shape, weights, value -> output",
    combiner=INTEGER,
)
ExpandDimsOp = operation("expand_dims", "input, dim -> output")
FillOp = operation("fill", "dims, input -> result")
GatherOp = operation(
    "gather",
    "params, indices -> output",
    codes_version=2,
    axis=INTEGER,
    batch_dims=INTEGER,
    elements=MOVED,
)
GatherNdOp = operation("gather_nd", "params, indices -> output", elements=MOVED)
HashtableLookupOp = operation("hashtable_lookup", "lookup, key, value -> output, hits")
MirrorPadOp = operation("mirror_pad", "input, pad -> output", mode=WORD, elements=NUMBERS)
OneHotOp = operation("one_hot", "indices, depth, on_value, off_value -> output", axis=INTEGER)
PackOp = operation("pack", "values* -> output", values_count=INTEGER, axis=INTEGER)
PadOp, PadV2Op = (
    operation(
        name,
        f"input, {others} -> output",
        codes_version=2,
        elements=NUMBERS,
        codes="same",
        codes_16="same",
    )
    for name, others in (("pad", "padding"), ("padv2", "padding, constant_values"))
)
MatrixDiagOp = operation("matrix_diag", "diagonal -> output")
MatrixSetDiagOp = operation("matrix_set_diag", "input, diagonal -> output")
RankOp = operation("rank", "input -> output")
RangeOp = operation("range", "start, limit, delta -> result")
ReshapeOp = operation("reshape", "input, shape? -> output", new_shape=INTEGERS)
ReverseSequenceOp = operation(
    "reverse_sequence",
    "input, seq_lengths -> output",
    seq_dim=INTEGER,
    batch_dim=INTEGER,
    elements=(*NUMBERS, "int16", "uint8"),
)
ReverseV2Op = operation("reverse_v2", "input, axis -> output", elements=(*NUMBERS, "uint8", "bool"))
ScatterNdOp = operation(
    "scatter_nd", "indices, updates, shape -> output", elements=(*NUMBERS, "int8", "uint8", "bool")
)
ShapeOp = operation("shape", "input -> output", out_type=ELEMENT)
SliceOp = operation("slice", "input, begin, size -> output")
SpaceToBatchNdOp = operation(
    "space_to_batch_nd", "input, block_shape, paddings -> output", elements=BYTES
)
SpaceToDepthOp = operation("space_to_depth", "input -> output", block_size=INTEGER, elements=BYTES)
SplitOp = operation(
    "split",
    "split_dim, value -> outputs*",
    codes_version=2,
    num_splits=INTEGER,
    elements=(*OF_32_BITS, "int16", "int8", "uint8"),
)
SplitVOp = operation(
    "split_v",
    "value, size_splits, split_dim -> outputs*",
    codes_version=2,
    num_splits=INTEGER,
    elements=MOVED[:-1],
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
    elements=MOVED,
)
TileOp = operation("tile", "input, multiples -> output", elements=(*NUMBERS, "uint8", "bool"))
TopkV2Op = operation("topk_v2", "input, k -> values, indices", elements=NUMBERS)
TransposeOp = operation("transpose", "input, perm -> output", codes_version=2, elements=MOVED)
UniqueOp = operation("unique", "input -> output, idx", idx_out_type=ELEMENT)
SegmentSumOp = operation("segment_sum", "input, segment_ids -> output")
SparseToDenseOp = operation(
    "sparse_to_dense",
    "indices, output_shape, values, default_value -> output",
    validate_indices=FLAG,
)
UnsortedSegmentMaxOp, UnsortedSegmentMinOp, UnsortedSegmentProdOp, UnsortedSegmentSumOp = (
    operation(f"unsorted_segment_{kind}", "input, segment_ids, num_segments -> output")
    for kind in ("max", "min", "prod", "sum")
)
WhereOp = operation("where", "condition -> index")
ZerosLikeOp = operation("zeros_like", "input -> output")
UnpackOp = operation("unpack", "input -> outputs*", num=INTEGER, axis=INTEGER)


class ReductionOp(TflOp):
    """A reduction: one element of all along some axes."""

    TABLE: ClassVar = "ReducerOptions"
    ELEMENTS: ClassVar = NUMBERS

    input = operand_def(AnyAttr())
    axes = operand_def(AnyAttr())
    output = result_def(AnyAttr())
    keep_dims = FLAG


MeanOp = operation(
    "mean", base=ReductionOp, codes_version=2, elements=FLOAT, codes="any", codes_16="any"
)
ReduceAllOp = operation("reduce_all", base=ReductionOp, elements=())
ReduceAnyOp = operation("reduce_any", base=ReductionOp, elements=())
ReduceMaxOp = operation(
    "reduce_max", base=ReductionOp, codes_version=2, codes="same", codes_16="same"
)
ReduceMinOp = operation(
    "reduce_min", base=ReductionOp, codes_version=2, codes="same", codes_16="same"
)
ReduceProdOp = operation("reduce_prod", base=ReductionOp)
SumOp = operation("sum", base=ReductionOp)

ArgMaxOp = operation("arg_max", "input, dim -> output", output_type=ELEMENT)
ArgMinOp = operation("arg_min", "input, dim -> output", output_type=ELEMENT)

NonMaxSuppressionV4Op = operation(
    "non_max_suppression_v4",
    "boxes, scores, max_output_size, iou_threshold, score_threshold -> selected_indices, valid_outputs",
)
NonMaxSuppressionV5Op = operation(
    "non_max_suppression_v5",
    "boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma "
    "-> selected_indices, selected_scores, valid_outputs",
)
