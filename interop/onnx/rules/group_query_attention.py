"""Attention with a KV cache, as ONNX Runtime's language models have it: `GroupQueryAttention`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, i1, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .quantized_cache import QuantizedCache
from .rotary import counted, rotated, size_of
from .runtime_fused import root_mean_square

BEFORE_SOFTMAX, AFTER_SOFTMAX = 1, 2
"""Which scores the last output has; hidden ones are 0."""


@rule("com.microsoft.GroupQueryAttention")
def group_query_attention(node: Node) -> Values:
    """
    Each sequence has its own length: new keys and values follow those of its past that count, and zeros follow them.
    Where as many rows are new as the longest sequence has, nothing of the past counts.
    """
    _check(node)
    write, cache = node.write, KeyValueCache.of(node)
    query, key, value = _queries_keys_values(node)
    if node.get(14) is not None:
        own = replace(node, attributes={"epsilon": float(node("qk_norm_epsilon", 1e-6))})
        query, key = (
            root_mean_square(own, each, node[14 + i], -1) for i, each in enumerate((query, key))
        )
    if node("do_rotary", 0):
        positions = node.get(9)
        if positions is None:
            rows = counted(node, cache.rows)
            positions = write(nn.AddOp, cache.past, rows)
        tables = node[7], node[8], bool(node("rotary_interleaved", 0))
        query, key = (rotated(node, each, positions, *tables) for each in (query, key))
    stored, (key, value) = _stored(node, cache, (key, value))
    places = counted(node, cache.size)
    hides = cache.hides(places)
    if (bias := node.get(10)) is None:
        mask = write(nn.LogicalNotOp, hides)
    else:
        bias = write(nn.GatherOp, bias, places, write.integer(3), batch_dims=0)
        mask = write(nn.SelectOp, hides, write.scalar_like(bias, -math.inf), bias)
    result, scores = _attended(node, query, key, value, mask)
    if scores is not None and node("qk_output", 0) == BEFORE_SOFTMAX:
        hidden = write.scalar_like(scores, 0)
        scores = write(nn.SelectOp, hides, hidden, scores)
    joined = write.transposed(result, (0, 2, 1, 3))
    joined = write(nn.ReshapeOp, joined, write.integers(0, 0, -1), special_zero=True)
    return [joined, *stored, scores]


def _check(node: Node) -> None:
    if node.uses(3) and node("qk_output", 0) not in (BEFORE_SOFTMAX, AFTER_SOFTMAX):
        raise node.refuse("scores are an output, and qk_output does not say which; use 1 or 2")
    if (node.get(14) is None) != (node.get(15) is None):
        raise node.refuse("q_norm_weight and k_norm_weight go together; give both, or none")
    if node("sliding_window_cache", 0):
        raise node.refuse(
            "sliding_window_cache is not supported; keep the whole sequence, with local_window_size"
        )


def _stored(
    node: Node, cache: KeyValueCache, new: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[SSAValue]]:
    """The buffers with new keys and values in them, and what these mean."""
    stored: list[SSAValue] = []
    meant: list[SSAValue] = []
    for i, each in enumerate(new):
        codes, past = QuantizedCache.of(node, i), node.get(3 + i)
        stored.append(cache.extended(past, each if codes is None else codes.encoded(each)))
        meant.append(stored[i] if codes is None else codes.decoded(stored[i], each))
    return stored, meant


def _queries_keys_values(node: Node) -> list[SSAValue]:
    """The three as `[batch, head, row, column]`; they may be packed into one input."""
    write, heads, shared = (
        node.write,
        node.number("num_heads"),
        node.number("kv_num_heads"),
    )
    counts = [heads, shared, shared]
    hidden = shape_of(node[0])[-1]
    if hidden == DYNAMIC_INDEX:
        raise node.refuse("the hidden size is unknown; give the model's inputs fixed shapes")
    if node.get(1) is None:
        depth = hidden // sum(counts)
        lengths = write.integers(*(each * depth for each in counts))
        parts = write.all(nn.VariadicSplitOp, node[0], write.integer(2), lengths)
    else:
        depth, parts = hidden // heads, [node[i] for i in range(3)]
    apart = [
        write(nn.ReshapeOp, part, write.integers(0, 0, count, depth), special_zero=True)
        for part, count in zip(parts, counts, strict=True)
    ]
    return [write.transposed(each, (0, 2, 1, 3)) for each in apart]


@dataclass(frozen=True)
class KeyValueCache:
    """Where the keys of each sequence lie, and how many there are."""

    node: Node
    rows: SSAValue
    """The number of new keys."""
    past: SSAValue
    """The number of earlier keys that count, `[batch, 1]`."""
    length: SSAValue
    """The number of keys that count, old and new, `[batch, 1]`."""
    capacity: SSAValue
    """The size of the given buffers."""
    size: SSAValue
    """The size of the resulting buffers."""

    @classmethod
    def of(cls, node: Node) -> KeyValueCache:
        write = node.write
        rows = size_of(node, node[0], 1)
        total = write.reshaped(converted(node, node[6], i64), ())
        length = write.reshaped(converted(node, node[5], i64), (-1, 1))
        length = write(nn.AddOp, length, 1)
        is_first = write(nn.EqualOp, rows, total)
        before = write(nn.SubtractOp, length, rows)
        past = write(nn.SelectOp, is_first, write.integer(0), before)
        capacity = write.integer(0) if node.get(3) is None else size_of(node, node[3], 2)
        return cls(node, rows, past, length, capacity, write(nn.MaximumOp, total, capacity))

    def extended(self, past: SSAValue | None, new: SSAValue) -> SSAValue:
        """A buffer with new rows behind those that count."""
        write, places = self.node.write, counted(self.node, self.size)
        all = new if past is None else write(nn.ConcatOp, past, new, axis=2)
        behind = write(nn.SubtractOp, places, self.past)
        moved = write(nn.AddOp, behind, self.capacity)
        is_new = write(nn.GreaterEqualOp, behind, 0)
        # What lies outside is 0.
        beyond = write(nn.AddOp, self.capacity, self.rows)
        moved = write(nn.SelectOp, write(nn.LessOp, behind, self.rows), moved, beyond)
        index = write(nn.SelectOp, is_new, moved, places)
        return write(nn.GatherOp, all, index, write.integer(2), batch_dims=1)

    def hides(self, places: SSAValue) -> SSAValue:
        """Which keys a query does not see, `[batch, 1, row, key]`. Padding sees what the last query sees."""
        write, node = self.node.write, self.node
        last = write(nn.SubtractOp, self.length, 1)
        if not node("causal", 1):
            outside = write(nn.GreaterOp, places, last)
            return write(nn.UnsqueezeOp, outside, write.integers(1, 2))
        own = write(nn.AddOp, self.past, counted(node, self.rows))
        own = write(nn.MinimumOp, own, last)
        own = write(nn.UnsqueezeOp, own, write.integers(1, 3))
        hidden = write(nn.GreaterOp, places, own)
        if (window := int(node("local_window_size", -1))) > 0:
            first = write(nn.SubtractOp, own, window)
            hidden = write(nn.LogicalOrOp, hidden, write(nn.LessEqualOp, places, first))
        return hidden


def _attended(
    node: Node, query: SSAValue, key: SSAValue, value: SSAValue, mask: SSAValue
) -> tuple[SSAValue, SSAValue | None]:
    """The result, and the scores if they are an output."""
    write, depth = node.write, shape_of(query)[-1]
    scale = float(node("scale", 0.0)) or 1 / math.sqrt(depth)
    sink = node.get(11)
    if sink is None and node("smooth_softmax", 0):
        sink = write.scalar_like(query, 0)
    if sink is not None:
        sink = write(nn.ReshapeOp, sink, write.integers(1, -1, 1, 1))
    if node.uses(3) or node("softcap", 0.0):
        key, value = _of_all_heads(node, key, value)
        scores = _scores(node, query, key, scale, mask)
        powers, total = _powers(node, scores, sink)
        result = write(nn.DivideOp, write(nn.MatMulOp, powers, value), total)
        if node.uses(3) and node("qk_output", 0) == AFTER_SOFTMAX:
            scores = write(nn.DivideOp, powers, total)
        return result, scores
    options = [mask, write.scalar_like(query, scale), *([] if sink is None else [sink])]
    return write(nn.ScaledDotProductAttentionOp, query, key, value, *options), None


def _of_all_heads(node: Node, key: SSAValue, value: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Keys and values of each head of queries."""
    write, heads, shared = (
        node.write,
        node.number("num_heads"),
        node.number("kv_num_heads"),
    )
    if shared == heads:
        return key, value
    owners = write.integers(*(head * shared // heads for head in range(heads)))
    axis = write.integer(1)
    key, value = (write(nn.GatherOp, each, owners, axis, batch_dims=0) for each in (key, value))
    return key, value


def _scores(node: Node, query: SSAValue, key: SSAValue, scale: float, mask: SSAValue) -> SSAValue:
    """Scaled products, those with a cap `cap tanh(score / cap)`, and the mask."""
    write, cap = node.write, float(node("softcap", 0.0))
    scores = write(nn.MatMulOp, query, key, transpose_b=True)
    scores = write(nn.MultiplyOp, scores, scale / (cap or 1))
    if cap:
        scores = write(nn.MultiplyOp, write(nn.TanhOp, scores), cap)
    if tensor(mask).element_type == i1:
        return write(nn.SelectOp, mask, scores, write.scalar_like(scores, -math.inf))
    return write(nn.AddOp, scores, mask)


def _powers(node: Node, scores: SSAValue, sink: SSAValue | None) -> tuple[SSAValue, SSAValue]:
    """The weights of keys, and the sum that they are divided by."""
    write, last = node.write, node.write.integers(-1)
    most = write(nn.ReduceMaxOp, scores, last, keep_dims=True)
    if sink is not None:
        most = write(nn.MaximumOp, most, sink)
    powers = write(nn.ExpOp, write(nn.SubtractOp, scores, most))
    total = write(nn.ReduceSumOp, powers, last, keep_dims=True)
    if sink is not None:
        total = write(nn.AddOp, total, write(nn.ExpOp, write(nn.SubtractOp, sink, most)))
    return powers, total
