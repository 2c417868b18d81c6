"""Attention: in heads or with all heads in one dimension, masked, causal, with what was there before."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DYNAMIC_INDEX, Float32Type, Float64Type, TensorType, i1
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Values
from ..rule_table import SaidByFunctionError, rule


@rule("Attention")
def attention(node: Node) -> Values:
    """
    `nn.scaled_dot_product_attention`; a query that may see no key gives zeros.

    ONNX's own function is read instead where it has more: capped scores, scores as a result, a window of keys for each
    query, lengths of sequences, a past with causal masking, a mask shorter than the keys, or rounding to 16 bits after
    each step.
    """
    write, is_joined, causal = node.write, node.rank() == 3, bool(node("is_causal", 0))
    windows = {node(f"{side}_window_size", -1) for side in ("left", "right")}
    kept = node("softcap", 0.0) or node.uses(3) or node.get(6) is not None or windows != {-1}
    if kept or (causal and node.get(4) is not None) or not _is_wide(node):
        raise SaidByFunctionError
    query, key, value = (node[i] for i in range(3))
    if (ranks := [node.rank(i) for i in range(3)]) not in ([3] * 3, [4] * 3):
        raise node.refuse(f"query, key and value have ranks {ranks}; they must all be 3, or all 4")
    if is_joined:
        query = _in_heads(node, query, "q_num_heads")
        key, value = (_in_heads(node, each, "kv_num_heads") for each in (key, value))
    if (past := node.get(4)) is not None:
        key, value = (write(nn.ConcatOp, *two, axis=2) for two in ((past, key), (node[5], value)))
    rows, columns = shape_of(query)[2], shape_of(key)[2]
    mask = node.get(3)
    if mask is not None and (
        shape_of(mask)[-1] != columns or DYNAMIC_INDEX in (columns, rows if causal else 0)
    ):
        raise SaidByFunctionError
    if mask is not None and causal:
        mask, causal = _causal(node, mask, rows, columns), False
    options = [] if mask is None else [mask]
    if "scale" in node.attributes:
        options = [
            write.scalar_like(query, 0) if mask is None else mask,
            write.scalar_like(query, node("scale")),
        ]
    result = write(nn.ScaledDotProductAttentionOp, query, key, value, *options, causal=bool(causal))
    if mask is not None:
        result = write(nn.SelectOp, _sees_any(node, mask), result, write.scalar_like(result, 0))
    if is_joined:
        result = write.transposed(result, (0, 2, 1, 3))
        result = write(nn.ReshapeOp, result, write.integers(0, 0, -1), special_zero=True)
    return [result, key, value]


def _is_wide(node: Node) -> bool:
    """Whether nothing is rounded to less than 32 bits."""
    return all(isinstance(node.element(i), Float32Type | Float64Type) for i in range(3))


def _in_heads(node: Node, value: SSAValue, count: str) -> SSAValue:
    """`[batch, row, head * column]` as `[batch, head, row, column]`."""
    target = node.write.integers(0, 0, node.needed(count), -1)
    heads = node.write(nn.ReshapeOp, value, target, special_zero=True)
    return node.write.transposed(heads, (0, 2, 1, 3))


def _causal(node: Node, mask: SSAValue, rows: int, columns: int) -> SSAValue:
    """A mask that hides later keys, too."""
    type = TensorType(i1, [rows, columns])
    allowed = [int(k <= i) for i in range(rows) for k in range(columns)]
    earlier = node.write.constant(BlobAttr.of(type, allowed))
    if tensor(mask).element_type == i1:
        return node.write(nn.LogicalAndOp, mask, earlier)
    return node.write(nn.SelectOp, earlier, mask, node.write.scalar_like(mask, -math.inf))


def _sees_any(node: Node, mask: SSAValue) -> SSAValue:
    """Whether a query sees a key at all."""
    write, last = node.write, node.write.integers(-1)
    if tensor(mask).element_type == i1:
        return write(nn.ReduceLogicalOrOp, mask, last, keep_dims=True)
    most = write(nn.ReduceMaxOp, mask, last, keep_dims=True)
    return write(nn.NotEqualOp, most, -math.inf)
