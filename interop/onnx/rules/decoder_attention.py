"""Attention of one new token (domain `com.microsoft`), as ONNX Runtime's decoders have it."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, spelled
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .rotary import counted, size_of
from .runtime_attention import in_heads, joined, mask_of, scores_of


@rule("com.microsoft.DecoderMaskedMultiHeadAttention")
def decoder_masked_multi_head_attention(node: Node) -> Values:
    """
    Keys and values that are in heads already are those of an encoder. Others follow those of a past, or are written
    into its buffers behind the first `past_sequence_length` rows. Scores are an output, too.
    """
    write, is_cross = node.write, node.get(1) is not None and node.rank(1) == 4
    query, key, value = _three(node, is_cross)
    padding, added, last = node.get(3), node.get(4), None
    if node("past_present_share_buffer", 0) and not is_cross:
        last = write.reshaped(converted(node, node[7], i64), ())
        key, value = (
            _written(node, node[5 + i], each, last) for i, each in enumerate((key, value))
        )
    elif node.get(5) is not None:
        key, value = (
            write(nn.ConcatOp, node[5 + i], each, axis=2) for i, each in enumerate((key, value))
        )
    present = (None, None) if is_cross else (key, value)
    if last is not None:
        places = counted(node, size_of(node, key, 2))
        padding, added = (_up_to(node, each, places) for each in (padding, added))
    if node.get(9) is not None and not is_cross:
        sources = _sources(node, key, last)
        key, value = (_of_beams(node, each, sources) for each in (key, value))
    mask = mask_of(node, query, key, padding, added)
    scores = scores_of(node, query, key, mask)
    if last is not None:
        counts = write(nn.LessEqualOp, counted(node, size_of(node, key, 2)), last)
        scores = write(nn.SelectOp, counts, scores, write.scalar_like(scores, -math.inf))
    result = write(nn.MatMulOp, write(nn.SoftmaxOp, scores, axis=3), value)
    return [joined(node, result), *present, scores]


def _three(node: Node, is_cross: bool) -> list[SSAValue]:
    """Queries, keys and values in heads; they may be in one input, and a bias may be added."""
    write, heads = node.write, node.number("num_heads")
    parts = [node[0]] if node.get(1) is None else [node[i] for i in range(3)]
    if len(parts) == 1:
        width = heads * shape_of(node[6])[-1] if node.get(6) is not None else 0
        total = shape_of(parts[0])[-1]
        sizes = [(total - width) // 2] * 2 + [width] if width else [total // 3] * 3
        parts = [*write.all(nn.VariadicSplitOp, parts[0], write.integer(2), write.integers(*sizes))]
    apart = 1 if is_cross else 3
    if (bias := node.get(10)) is not None:
        ends = [0]
        for part in parts[:apart]:
            ends.append(ends[-1] + shape_of(part)[-1])
        if DYNAMIC_INDEX in shape_of(bias) or ends[-1] > shape_of(bias)[0]:
            raise node.refuse(f"a bias {spelled(shape_of(bias))} does not fit {ends[-1]} columns")
        parts[:apart] = [
            write(nn.AddOp, part, write.slice(bias, ends[i], ends[i + 1], 0))
            for i, part in enumerate(parts[:apart])
        ]
    return [in_heads(node, part, heads) for part in parts[:apart]] + parts[apart:]


def _written(node: Node, buffer: SSAValue, new: SSAValue, place: SSAValue) -> SSAValue:
    """A buffer `[batch, head, row, column]` with one row replaced."""
    write = node.write
    here = write(nn.EqualOp, counted(node, size_of(node, buffer, 2)), place)
    return write(nn.SelectOp, write(nn.UnsqueezeOp, here, write.integers(1)), new, buffer)


def _up_to(node: Node, mask: SSAValue | None, places: SSAValue) -> SSAValue | None:
    """A mask of as many keys as a buffer has; there is nothing behind those that it is of."""
    if mask is None:
        return None
    axis = node.write.integer(len(shape_of(mask)) - 1)
    return node.write(nn.GatherOp, mask, places, axis, batch_dims=0)


def _sources(node: Node, key: SSAValue, last: SSAValue | None) -> SSAValue:
    """The row of the batch that each key of each row comes from, `[key, row]`. The new one is its own."""
    write, (batch, beams, size) = node.write, shape_of(node[9])
    if last is None or DYNAMIC_INDEX in (batch, beams, size) or size != shape_of(key)[2]:
        raise node.refuse(
            f"cache_indirection {spelled(shape_of(node[9]))} is supported with buffers of as many keys alone; give the "
            "model's inputs fixed shapes"
        )
    rows = batch * beams
    firsts = write.reshaped(write.integers(*(i - i % beams for i in range(rows))), (rows, 1))
    chosen = converted(node, write.reshaped(node[9], (rows, size)), i64)
    chosen = write.transposed(write(nn.AddOp, chosen, firsts), (1, 0))
    is_new = write.reshaped(write.integers(*range(size)), (size, 1))
    own = write.reshaped(write.integers(*range(rows)), (1, rows))
    return write(nn.SelectOp, write(nn.EqualOp, is_new, last), own, chosen)


def _of_beams(node: Node, value: SSAValue, sources: SSAValue) -> SSAValue:
    """Keys or values `[batch, head, key, column]`, each from the row that it belongs to."""
    write = node.write
    by_key = write.transposed(value, (2, 0, 1, 3))
    found = write(nn.GatherOp, by_key, sources, write.integer(1), batch_dims=1)
    return write.transposed(found, (1, 2, 0, 3))
