"""What ONNX Runtime's decoders and encoders of texts are made of, but attention (domain `com.microsoft`)."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DYNAMIC_INDEX, f32, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, spelled
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .rotary import counted


@rule("com.microsoft.TorchEmbedding")
def torch_embedding(node: Node) -> Values:
    """The rows of a table; the other inputs are for training."""
    return node.write(nn.GatherOp, node[0], node[1], node.write.integer(0), batch_dims=0)


@rule("com.microsoft.IsAllFinite")
def is_all_finite(node: Node) -> Values:
    """Whether no element of any input is infinite or NaN, or none is of one of both."""
    write = node.write
    kinds = [nn.IsNanOp] * (not node("isinf_only", 0)) + [nn.IsInfOp] * (not node("isnan_only", 0))
    if not kinds:
        raise node.refuse("isinf_only and isnan_only exclude each other; set one of them")
    found = [
        write(nn.ReduceLogicalOrOp, write(kind, node[i]), write.integers(*range(node.rank(i))))
        for i in range(len(node.inputs))
        for kind in kinds
    ]
    result, *rest = found
    for other in rest:
        result = write(nn.LogicalOrOp, result, other)
    return write(nn.LogicalNotOp, result)


@rule("com.microsoft.NGramRepeatBlock")
def n_gram_repeat_block(node: Node) -> Values:
    """The score of a token is minus infinity if it would repeat a sequence of `ngram_size` tokens."""
    write, size, length = node.write, node.number("ngram_size"), shape_of(node[0])[1]
    if length == DYNAMIC_INDEX or size < 1:
        raise node.refuse(
            f"ngram_size {size} of {spelled([length])} tokens is not supported; give the model's inputs fixed shapes"
        )
    if length < size:
        return node[1]
    ids, count = node[0], length - size + 1
    last = write.slice(ids, count, length, 1)
    same: SSAValue | None = None
    for i in range(size - 1):
        tokens, own = write.slice(ids, i, i + count, 1), write.slice(last, i, i + 1, 1)
        equal = write(nn.EqualOp, tokens, own)
        same = equal if same is None else write(nn.LogicalAndOp, same, equal)
    ends, scores = write.slice(ids, size - 1, length, 1), node[1]
    none, stays = (write.scalar_like(scores, sign * math.inf) for sign in (-1, 1))
    if same is None:
        limits = write(nn.BroadcastOp, none, write(nn.ShapeOfOp, ends))
    else:
        limits = write(nn.SelectOp, same, none, stays)
    return write(
        nn.ScatterElementsUpdateOp, scores, ends, limits, write.integer(1), reduction="min"
    )


@rule("com.microsoft.RelativePositionBias")
def relative_position_bias(node: Node) -> Values:
    """
    The bias of each key for each query, `[1, head, query, key]`, by how far they are apart. Half of the buckets (of one
    direction) are of one distance each, the others reach `max_distance` in logarithmic steps.
    """
    write, (buckets, _) = node.write, shape_of(node[0])
    both, most = bool(node("is_bidirectional", 0)), node.number("max_distance")
    rows, columns = (
        counted(node, write.reshaped(converted(node, node[i], i64), ())) for i in (1, 2)
    )
    rows = write(nn.UnsqueezeOp, rows, write.integers(1))
    ahead = write(nn.SubtractOp, columns, rows)
    if buckets < 2 + 2 * both:
        raise node.refuse(
            f"bias_table has {spelled([buckets])} rows; it needs at least {2 + 2 * both}"
        )
    each = buckets // (1 + both)
    near = each // 2
    far = write(nn.AbsOp, ahead) if both else write(nn.MaximumOp, write(nn.NegativeOp, ahead), 0)
    steps = write(
        nn.LogOp, write(nn.DivideOp, write(nn.MaximumOp, converted(node, far, f32), 1.0), near)
    )
    steps = write(nn.MultiplyOp, steps, (each - near) / math.log(most / near))
    steps = write(nn.AddOp, converted(node, steps, i64), near)
    bucket = write(
        nn.SelectOp, write(nn.LessOp, far, near), far, write(nn.MinimumOp, steps, each - 1)
    )
    if both:
        later = converted(node, write(nn.GreaterOp, ahead, 0), i64)
        bucket = write(nn.AddOp, bucket, write(nn.MultiplyOp, later, each))
    found = write(nn.GatherOp, node[0], bucket, write.integer(0), batch_dims=0)
    return write(nn.UnsqueezeOp, write.transposed(found, (2, 0, 1)), write.integers(0))


@rule("com.microsoft.GatedRelativePositionBias")
def gated_relative_position_bias(node: Node) -> Values:
    """
    `(u (r eco_a - 1) + 2) rel_pos`, where u and r are the sigmoids of the sums of the halves of `query weight + bias`,
    for each row of each head.
    """
    if node.get(6) is not None:
        raise node.refuse("token_offset is not supported; give each sequence its row")
    write, heads = node.write, node.number("num_heads")
    query = write(nn.AddOp, node[0], node[1])
    query = write(nn.ReshapeOp, query, write.integers(0, 0, heads, -1), special_zero=True)
    product = write(nn.MatMulOp, write.transposed(query, (0, 2, 1, 3)), node[3])
    halves = write.split(write(nn.AddOp, product, node[4]), 2, 3)
    update, reset = (
        write(nn.SigmoidOp, write(nn.ReduceSumOp, half, write.integers(3), keep_dims=True))
        for half in halves
    )
    factor = write(nn.SubtractOp, write(nn.MultiplyOp, reset, node[5]), 1)
    factor = write(nn.AddOp, write(nn.MultiplyOp, update, factor), 2)
    return write(nn.MultiplyOp, factor, node[2])
