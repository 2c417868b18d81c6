"""
Attention as ONNX Runtime fuses it (domain `com.microsoft`): with its projections, or given queries, keys and values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.elements import largest_of
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .quantization import dequantized
from .rotary import counted, size_of
from .runtime_fused import plus


@rule("com.microsoft.Attention")
def attention(node: Node) -> Values:
    """Queries, keys and values are products of one input. Weights and biases of the three are side by side."""
    if node.get(6) is not None:
        raise node.refuse(
            "a buffer of keys and values (past_sequence_length, input 6) is not supported"
        )
    total = shape_of(node[1])[1]
    sizes = node("qkv_hidden_sizes") or [total // 3] * 3
    product = plus(node, node.write(nn.MatMulOp, node[0], node[1]), 2)
    return _of_product(node, product, sizes, node.get(3), node.get(4), node.get(5))


@rule("com.microsoft.QAttention")
def quantized_attention(node: Node) -> Values:
    """The same with codes: input and weights are codes, the results are not."""
    kind = tensor(node[2]).element_type
    x = dequantized(node, node[0], node[3], node.get(6), kind)
    weights = dequantized(node, node[1], node[4], node.get(7), kind)
    product = node.write(nn.AddOp, node.write(nn.MatMulOp, x, weights), node[2])
    sizes = [shape_of(node[1])[1] // 3] * 3
    return _of_product(node, product, sizes, node.get(5), node.get(8), None)


def _of_product(
    node: Node,
    product: SSAValue,
    sizes: Sequence[int],
    padding: SSAValue | None,
    past: SSAValue | None,
    added: SSAValue | None,
) -> Values:
    """
    Attention with queries, keys and values side by side; and all keys and values, `[2, batch, head, row, column]`.
    """
    if node("do_rotary", 0):
        raise node.refuse("do_rotary is not supported; rotate queries and keys by RotaryEmbedding")
    write, heads = node.write, node.number("num_heads")
    parts = write.all(nn.VariadicSplitOp, product, write.integer(2), write.integers(*sizes))
    query, key, value = (in_heads(node, part, heads) for part in parts)
    if past is not None:
        old = (
            write(nn.SqueezeOp, write.slice(past, i, i + 1, 0), write.integers(0)) for i in (0, 1)
        )
        key, value = (
            write(nn.ConcatOp, before, new, axis=2)
            for before, new in zip(old, (key, value), strict=True)
        )
    mask = mask_of(node, query, key, padding, added, past)
    result = joined(node, _attended(node, query, key, value, mask))
    if not node.uses(1):
        return result
    both = [write(nn.UnsqueezeOp, each, write.integers(0)) for each in (key, value)]
    return [result, write.joined(both, 0)]


@rule("com.microsoft.MultiHeadAttention")
def multi_head_attention(node: Node) -> Values:
    """
    Keys and values may be split into heads already, be packed side by side, with or without queries, or follow those of
    a past.
    """
    write, heads = node.write, node.number("num_heads")
    if node.get(8) is not None:
        raise node.refuse("buffers of a past are not supported; let keys and values grow")
    query, key, value = _three(node)
    if (bias := node.get(3)) is not None:
        sizes = [shape_of(each)[-1] for each in (query, key, value)]
        if DYNAMIC_INDEX in sizes:
            raise node.refuse("hidden sizes are unknown; give the model's inputs fixed shapes")
        starts = [0, sizes[0], sizes[0] + sizes[1], sum(sizes)]
        query, key, value = (
            each
            if len(shape_of(each)) == 4
            else write(nn.AddOp, each, write.slice(bias, starts[i], starts[i + 1], 0))
            for i, each in enumerate((query, key, value))
        )
    query, key, value = (
        each if len(shape_of(each)) == 4 else in_heads(node, each, heads)
        for each in (query, key, value)
    )
    if (past := node.get(6)) is not None:
        key = write(nn.ConcatOp, past, key, axis=2)
        value = write(nn.ConcatOp, node[7], value, axis=2)
    mask = mask_of(node, query, key, node.get(4), node.get(5), past)
    if not node.uses(3):
        return [joined(node, _attended(node, query, key, value, mask)), key, value]
    scores = scores_of(node, query, key, mask)
    weights = write(nn.SoftmaxOp, scores, axis=3)
    return [joined(node, write(nn.MatMulOp, weights, value)), key, value, scores]


def _three(node: Node) -> Sequence[SSAValue]:
    """Queries, keys and values, which may be packed `[batch, row, head, 3 or 2, column]`."""
    if node.rank(0) == 5:
        return _unpacked(node, node[0], 3)
    if node.rank(1) == 5:
        return [node[0], *_unpacked(node, node[1], 2)]
    return [node[i] for i in range(3)]


def _unpacked(node: Node, packed: SSAValue, count: int) -> list[SSAValue]:
    write, shape = node.write, shape_of(packed)
    hidden = -1 if DYNAMIC_INDEX in (shape[2], shape[4]) else shape[2] * shape[4]
    joined = write.integers(0, 0, hidden)
    parts = [write.slice(packed, i, i + 1, 3) for i in range(count)]
    return [write(nn.ReshapeOp, part, joined, special_zero=True) for part in parts]


def in_heads(node: Node, value: SSAValue, heads: int) -> SSAValue:
    """`[batch, row, head * column]` as `[batch, head, row, column]`."""
    target = node.write.integers(0, 0, heads, -1)
    apart = node.write(nn.ReshapeOp, value, target, special_zero=True)
    return node.write.transposed(apart, (0, 2, 1, 3))


def joined(node: Node, value: SSAValue) -> SSAValue:
    rows = node.write.transposed(value, (0, 2, 1, 3))
    return node.write(nn.ReshapeOp, rows, node.write.integers(0, 0, -1), special_zero=True)


def _attended(
    node: Node, query: SSAValue, key: SSAValue, value: SSAValue, mask: SSAValue | None
) -> SSAValue:
    write, options = node.write, [] if mask is None else [mask]
    if scale := float(node("scale", 0.0)):
        zero = write.scalar_like(query, 0) if mask is None else mask
        options = [zero, write.scalar_like(query, scale)]
    return write(nn.ScaledDotProductAttentionOp, query, key, value, *options)


def scores_of(node: Node, query: SSAValue, key: SSAValue, mask: SSAValue | None) -> SSAValue:
    """Scaled products of queries and keys, and the mask."""
    write = node.write
    scale = float(node("scale", 0.0)) or 1 / math.sqrt(shape_of(query)[-1])
    scores = write(nn.MultiplyOp, write(nn.MatMulOp, query, key, transpose_b=True), scale)
    return scores if mask is None else write(nn.AddOp, scores, mask)


def mask_of(
    node: Node,
    query: SSAValue,
    key: SSAValue,
    padding: SSAValue | None,
    added: SSAValue | None,
    past: SSAValue | None = None,
) -> SSAValue | None:
    """
    A mask that is added to scores `[batch, head, query, key]`: it hides keys that do not count, later keys, and what a
    given mask hides. Keys of a past come first; query i sees these and i + 1 more.
    """
    write, mask = node.write, added
    most = largest_of(tensor(query).element_type)
    if padding is not None:
        counts = _counted(node, padding, key)
        hidden = write.scalar_like(query, max(float(node("mask_filter_value", -10000.0)), -most))
        own = write(nn.SelectOp, counts, write.scalar_like(query, 0), hidden)
        mask = own if mask is None else write(nn.AddOp, mask, own)
    if node("unidirectional", 0):
        last = counted(node, size_of(node, query, 2))
        if past is not None:
            last = write(nn.AddOp, last, size_of(node, past, len(shape_of(past)) - 2))
        last = write(nn.UnsqueezeOp, last, write.integers(1))
        earlier = write(nn.LessEqualOp, counted(node, size_of(node, key, 2)), last)
        mask = write.scalar_like(query, 0) if mask is None else mask
        mask = write(nn.SelectOp, earlier, mask, write.scalar_like(query, -most))
    return mask


def _counted(node: Node, padding: SSAValue, key: SSAValue) -> SSAValue:
    """
    Which keys count, in a shape that broadcasts to scores. The mask says it for each key, for each query and key, or as
    the number of keys. Two numbers for each sequence are where its keys end and where they begin; of three and two
    more, the first are the numbers of keys.
    """
    write, rank = node.write, len(shape_of(padding))
    if rank == 1:
        size, batch = shape_of(padding)[0], shape_of(key)[0]
        places = counted(node, size_of(node, key, 2))
        numbers = converted(node, padding, i64)
        if DYNAMIC_INDEX in (size, batch) or size == batch:
            return write(nn.LessOp, places, write(nn.UnsqueezeOp, numbers, write.integers(1, 2, 3)))
        if size not in (2 * batch, 3 * batch + 2):
            raise node.refuse(
                f"a mask of {size} numbers for {batch} sequences is not supported; give each its length, or a mask of "
                "its keys"
            )
        ends, starts = (
            write.reshaped(write.slice(numbers, i * batch, (i + 1) * batch, 0), (batch, 1, 1, 1))
            for i in (0, 1)
        )
        counts = write(nn.LessOp, places, ends)
        if size == 2 * batch:
            counts = write(nn.LogicalAndOp, counts, write(nn.GreaterEqualOp, places, starts))
        return counts
    if rank > 3:
        raise node.refuse(f"a mask of {rank} dimensions is not supported; use 2 or 3")
    counts = write(nn.NotEqualOp, padding, 0)
    return write(nn.UnsqueezeOp, counts, write.integers(*((1, 2) if rank == 2 else (1,))))
