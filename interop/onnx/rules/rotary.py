"""Rotary position embeddings (RoPE) as ONNX Runtime has them: pairs of a head's columns are rotated by an angle."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted


@rule("com.microsoft.RotaryEmbedding")
def rotary_embedding(node: Node) -> Values:
    """Positions are given for each row, or there is one, the first position of all sequences."""

    def turn(x: SSAValue) -> SSAValue:
        positions = node[1]
        if node.rank(1) < 2:
            rows = counted(node, size_of(node, x, 2))
            positions = node.write(nn.AddOp, positions, rows)
        return rotated(node, x, positions, node[2], node[3], bool(node("interleaved", 0)))

    return _in_heads(node, turn)


@rule("com.microsoft.MRotaryEmbedding")
def multimodal_rotary_embedding(node: Node) -> Values:
    """Positions `[3, batch, row]` are in time, height and width; each pair of columns goes by one of the three."""
    write, sections, pairs = node.write, node.needed("mrope_section"), shape_of(node[2])[-1]
    if len(sections) != 3 or min(sections) < 0 or sum(sections) != pairs:
        raise node.refuse(f"mrope_section {sections} does not share {pairs} pairs among three")
    owners = [i for i, size in enumerate(sections) for _ in range(size)]
    if node("mrope_layout", 0):
        every = [range(i, min(3 * sections[i], pairs), 3) for i in range(3)]
        owners = [next((i for i in (1, 2) if pair in every[i]), 0) for pair in range(pairs)]
    owner = write.reshaped(write.integers(*owners), (1, 1, pairs))
    cosines, sines = (_chosen(node, table, owner) for table in (node[2], node[3]))
    return _in_heads(node, lambda x: turned(node, x, cosines, sines, bool(node("interleaved", 0))))


def _chosen(node: Node, table: SSAValue, owner: SSAValue) -> SSAValue:
    """The rows of a table, `[batch, row, pair]`; each pair is of the position that owns it."""
    write = node.write
    found = write(nn.GatherOp, table, node[1], write.integer(0), batch_dims=0)
    result, *rest = (
        write(nn.SqueezeOp, write.slice(found, i, i + 1, 0), write.integers(0)) for i in range(3)
    )
    for i, other in enumerate(rest, 1):
        result = write(nn.SelectOp, write(nn.EqualOp, owner, i), other, result)
    return result


@rule("com.microsoft.GemmaRotaryEmbedding")
def gemma_rotary_embedding(node: Node) -> Values:
    """`x cos(angle) + rotated sin(angle)` of queries and of keys; angles are those of each row."""
    write, heads = node.write, node.write.integers(1)
    cosine, sine = (
        write(nn.UnsqueezeOp, converted(node, write(kind, node[0]), node.element(1)), heads)
        for kind in (nn.CosOp, nn.SinOp)
    )
    return [
        write(
            nn.AddOp,
            write(nn.MultiplyOp, node[i], cosine),
            write(nn.MultiplyOp, node[i + 1], sine),
        )
        for i in (1, 3)
    ]


def _in_heads(node: Node, turn: Callable[[SSAValue], SSAValue]) -> SSAValue:
    """What is made of input 0 as `[batch, head, row, column]`, where its heads may be in one dimension."""
    if node("is_packed_batching", 0):
        raise node.refuse("is_packed_batching is not supported; give each sequence its row")
    if float(node("scale", 1.0)) != 1:
        raise node.refuse(
            f"a scale of {node('scale'):g} is not supported; multiply the tables by it"
        )
    write, x = node.write, node[0]
    if node.rank() != 3:
        return turn(x)
    heads, hidden = node("num_heads", 0), shape_of(x)[-1]
    depth = hidden // heads if heads else 2 * shape_of(node[2])[-1]
    if depth <= 0:
        raise node.refuse("the size of a head is unknown; give the model's inputs fixed shapes")
    x = write(nn.ReshapeOp, x, write.integers(0, 0, -1, depth), special_zero=True)
    result = write.transposed(turn(write.transposed(x, (0, 2, 1, 3))), (0, 2, 1, 3))
    return write(nn.ReshapeOp, result, write.integers(0, 0, -1), special_zero=True)


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
    write, axis = node.write, node.write.integer(0)
    cosines, sines = (
        write(nn.GatherOp, table, positions, axis, batch_dims=0) for table in (cosines, sines)
    )
    return turned(node, x, cosines, sines, is_interleaved)


def turned(
    node: Node, x: SSAValue, cosines: SSAValue, sines: SSAValue, is_interleaved: bool
) -> SSAValue:
    """As `rotated`, by the angles of each row, `[batch, row, pair]`."""
    write, depth, pairs = node.write, shape_of(x)[-1], shape_of(cosines)[-1]
    if DYNAMIC_INDEX in (depth, pairs):
        raise node.refuse("the size of a head is unknown; give the model's inputs fixed shapes")
    if 2 * pairs > depth:
        raise node.refuse(f"a head has {depth} columns, too few for {pairs} pairs of cos_cache")
    cosine, sine = (write(nn.UnsqueezeOp, table, write.integers(-3)) for table in (cosines, sines))
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
    pair = [
        write(
            nn.SubtractOp, write(nn.MultiplyOp, cosine, first), write(nn.MultiplyOp, sine, second)
        ),
        write(nn.AddOp, write(nn.MultiplyOp, sine, first), write(nn.MultiplyOp, cosine, second)),
    ]
    if is_interleaved:
        last = write.integers(4)
        side_by_side = write.joined([write(nn.UnsqueezeOp, each, last) for each in pair], 4)
        pair = [write(nn.ReshapeOp, side_by_side, write.integers(0, 0, 0, -1), special_zero=True)]
    if 2 * pairs < depth:
        pair.append(write.slice(x, 2 * pairs, depth, 3))
    return write.joined(pair, 3)
