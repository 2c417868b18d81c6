"""Rotary position embeddings (RoPE) as ONNX Runtime has them: pairs of a head's columns are rotated by an angle."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of
from ..node import Node, Values
from ..rule_table import rule


@rule("com.microsoft.RotaryEmbedding")
def rotary_embedding(node: Node) -> Values:
    """Positions are given for each row, or there is one, the first position of all sequences."""
    if node("is_packed_batching", 0):
        raise node.refuse("is_packed_batching is not supported; give each sequence its row")
    write, x, positions = node.write, node[0], node[1]
    is_joined = node.rank() == 3
    if is_joined:
        heads, hidden = node("num_heads", 0), shape_of(x)[-1]
        depth = hidden // heads if heads else 2 * shape_of(node[2])[-1]
        if depth <= 0:
            raise node.refuse("the size of a head is unknown; give the model's inputs fixed shapes")
        x = write(nn.ReshapeOp, x, write.integers(0, 0, -1, depth), special_zero=True)
        x = write.transposed(x, (0, 2, 1, 3))
    if node.rank(1) < 2:
        positions = write(nn.AddOp, positions, counted(node, size_of(node, x, 2)))
    result = rotated(node, x, positions, node[2], node[3], bool(node("interleaved", 0)))
    if is_joined:
        result = write.transposed(result, (0, 2, 1, 3))
        result = write(nn.ReshapeOp, result, write.integers(0, 0, -1), special_zero=True)
    return result


def size_of(node: Node, value: SSAValue, axis: int) -> SSAValue:
    """The size of one dimension, which follows the shapes of the model's inputs."""
    shape = node.write(nn.ShapeOfOp, value)
    return node.write.reshaped(node.write.slice(shape, axis, axis + 1, 0), ())


def counted(node: Node, stop: SSAValue) -> SSAValue:
    """0, 1, … below a size."""
    write = node.write
    return write(nn.RangeOp, write.integer(0), stop, write.integer(1), output_type=i64)


def rotated(
    node: Node,
    x: SSAValue,
    positions: SSAValue,
    cosines: SSAValue,
    sines: SSAValue,
    is_interleaved: bool,
) -> SSAValue:
    """
    `[batch, head, row, column]`, rotated by the angles of `positions`, `[batch, row]`, in tables `[position, pair]`.
    The two columns of a pair are neighbours if `interleaved`, and else as far apart as there are pairs. Other columns
    stay.
    """
    write, depth, pairs = node.write, shape_of(x)[-1], shape_of(cosines)[-1]
    if DYNAMIC_INDEX in (depth, pairs):
        raise node.refuse("the size of a head is unknown; give the model's inputs fixed shapes")
    if 2 * pairs > depth:
        raise node.refuse(f"a head has {depth} columns, too few for {pairs} pairs of cos_cache")
    axis, of_heads = write.integer(0), write.integers(-3)
    cosine, sine = (
        write(nn.UnsqueezeOp, write(nn.GatherOp, table, positions, axis, batch_dims=0), of_heads)
        for table in (cosines, sines)
    )
    if is_interleaved:
        apart = write(
            nn.ReshapeOp,
            write.slice(x, 0, 2 * pairs, 3),
            write.integers(0, 0, 0, pairs, 2),
            special_zero=True,
        )
        last = write.integers(4)
        first, second = (write(nn.SqueezeOp, write.slice(apart, i, i + 1, 4), last) for i in (0, 1))
    else:
        first, second = (write.slice(x, i * pairs, (i + 1) * pairs, 3) for i in (0, 1))
    turned = [
        write(
            nn.SubtractOp, write(nn.MultiplyOp, cosine, first), write(nn.MultiplyOp, sine, second)
        ),
        write(nn.AddOp, write(nn.MultiplyOp, sine, first), write(nn.MultiplyOp, cosine, second)),
    ]
    if is_interleaved:
        last = write.integers(4)
        side_by_side = write.joined([write(nn.UnsqueezeOp, each, last) for each in turned], 4)
        turned = [write(nn.ReshapeOp, side_by_side, write.integers(0, 0, 0, -1), special_zero=True)]
    if 2 * pairs < depth:
        turned.append(write.slice(x, 2 * pairs, depth, 3))
    return write.joined(turned, 3)
