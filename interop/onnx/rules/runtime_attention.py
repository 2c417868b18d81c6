"""Attention as ONNX Runtime fuses it (domain `com.microsoft`): with its projections, or of queries, keys and values."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import largest_of
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Values
from ..rule_table import rule


@rule("com.microsoft.Attention")
def attention(node: Node) -> Values:
    """Queries, keys and values are products of one input; weights and bias of the three stand side by side."""
    if node.get(4) is not None or node("do_rotary", 0) or node.uses(1):
        raise node.refuse("a past (input 4), its output and do_rotary are not supported")
    write, heads = node.write, int(node.needed("num_heads"))
    total = shape_of(node[1])[1]
    sizes = node("qkv_hidden_sizes") or [total // 3] * 3
    product = write(nn.MatMulOp, node[0], node[1])
    if (bias := node.get(2)) is not None:
        product = write(nn.AddOp, product, bias)
    lengths = write.integers(*sizes)
    parts = write.all(nn.VariadicSplitOp, product, write.integer(2), lengths)
    query, key, value = (_in_heads(node, part, heads) for part in parts)
    mask = _mask(node, query, key, node.get(3), node.get(5))
    return _joined(node, _attended(node, query, key, value, mask))


@rule("com.microsoft.MultiHeadAttention")
def multi_head_attention(node: Node) -> Values:
    """Keys and values may have heads of their own already, or follow those of a past."""
    write, heads = node.write, int(node.needed("num_heads"))
    if node.rank(0) != 3 or node.get(1) is None or node.get(8) is not None or node.uses(3):
        raise node.refuse("packed queries and keys, buffers of a past and scores are not supported")
    query, key, value = (node[i] for i in range(3))
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
        each if len(shape_of(each)) == 4 else _in_heads(node, each, heads)
        for each in (query, key, value)
    )
    if (past := node.get(6)) is not None:
        key = write(nn.ConcatOp, past, key, axis=2)
        value = write(nn.ConcatOp, node[7], value, axis=2)
    earlier = 0 if past is None else shape_of(past)[2]
    mask = _mask(node, query, key, node.get(4), node.get(5), earlier)
    return [_joined(node, _attended(node, query, key, value, mask)), key, value]


def _in_heads(node: Node, value: SSAValue, heads: int) -> SSAValue:
    """`[batch, row, head * column]` as `[batch, head, row, column]`."""
    target = node.write.integers(0, 0, heads, -1)
    apart = node.write(nn.ReshapeOp, value, target, special_zero=True)
    return node.write.transposed(apart, (0, 2, 1, 3))


def _joined(node: Node, value: SSAValue) -> SSAValue:
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


def _mask(
    node: Node,
    query: SSAValue,
    key: SSAValue,
    padding: SSAValue | None,
    added: SSAValue | None,
    past: int = 0,
) -> SSAValue | None:
    """
    What is added to scores `[batch, head, query, key]`: for keys that do not count, for later ones, and as given. Keys
    of a past come first; query i sees these, and i + 1 more.
    """
    write, mask = node.write, added
    rows, columns = shape_of(query)[2], shape_of(key)[2]
    if padding is not None:
        counts = _counted(node, padding, columns)
        hidden = write.scalar_like(query, float(node("mask_filter_value", -10000.0)))
        own = write(nn.SelectOp, counts, write.scalar_like(query, 0), hidden)
        mask = own if mask is None else write(nn.AddOp, mask, own)
    if node("unidirectional", 0):
        if DYNAMIC_INDEX in (rows, columns, past):
            raise node.refuse("the lengths are unknown; give the model's inputs fixed shapes")
        seen = [int(k <= i + past) for i in range(rows) for k in range(columns)]
        earlier = write.constant(BlobAttr.of(TensorType(i1, [rows, columns]), seen))
        most = largest_of(tensor(query).element_type)
        mask = write.scalar_like(query, 0) if mask is None else mask
        mask = write(nn.SelectOp, earlier, mask, write.scalar_like(query, -most))
    return mask


def _counted(node: Node, padding: SSAValue, columns: int) -> SSAValue:
    """Which keys count, by a mask of them, for each query or not, or by their number, in a shape as scores have it."""
    write, rank = node.write, len(shape_of(padding))
    if rank == 1:
        if columns == DYNAMIC_INDEX:
            raise node.refuse("the number of keys is unknown; give the model's inputs fixed shapes")
        element = tensor(padding).element_type
        places = write.constant(BlobAttr.of(TensorType(element, [columns]), range(columns)))
        return write(nn.LessOp, places, write(nn.UnsqueezeOp, padding, write.integers(1, 2, 3)))
    if rank > 3:
        raise node.refuse(f"a mask of {rank} dimensions is not supported; use 2 or 3")
    counts = write(nn.NotEqualOp, padding, 0)
    return write(nn.UnsqueezeOp, counts, write.integers(*((1, 2) if rank == 2 else (1,))))
