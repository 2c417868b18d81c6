"""Operators of ONNX Runtime that ONNX has as well, or had not yet when they came (domain `com.microsoft`)."""

from __future__ import annotations

from ....dialects import nn
from ....dialects.inferred import shape_of
from ..node import Node, Values
from ..rule_table import rule
from .runtime_fused import as_onnx


@rule("com.microsoft.Trilu", "com.microsoft.Pad", "com.microsoft.GridSample")
def same(node: Node) -> Values:
    type = node.type.rpartition(".")[2]
    return as_onnx(node, type, {"Trilu": 14, "Pad": 11, "GridSample": 16}[type], *node.inputs)


@rule("com.microsoft.Range")
def range_(node: Node) -> Values:
    """Steps of 1 where none are given."""
    step = node.get(2)
    steps = node.write.scalar_like(node[0], 1) if step is None else step
    return as_onnx(node, "Range", 11, node[0], node[1], steps)


@rule("com.microsoft.GatherND")
def gather_nd(node: Node) -> Values:
    return node.write(nn.GatherNdOp, node[0], node[1], batch_dims=0)


@rule("com.microsoft.ExpandDims")
def expand_dims(node: Node) -> Values:
    return node.write(nn.UnsqueezeOp, node[0], node.write.integers(*node.integers(1, "axis")))


@rule("com.microsoft.Inverse")
def inverse(node: Node) -> Values:
    return node.write(nn.InverseOp, node[0])


@rule("com.microsoft.CDist")
def distances(node: Node) -> Values:
    """Of each row of a from each row of b: `√(sum_k (a[k] - b[k])²)`, or the square of it."""
    write, (a, b) = node.write, (node[0], node[1])
    rows = write(nn.UnsqueezeOp, a, write.integers(1))
    apart = write(nn.SubtractOp, rows, write(nn.UnsqueezeOp, b, write.integers(0)))
    match metric := node("metric", "sqeuclidean"):
        case "sqeuclidean":
            total = write(nn.MultiplyOp, apart, apart)
            return write(nn.ReduceSumOp, total, write.integers(len(shape_of(a))), keep_dims=False)
        case "euclidean":
            return write(nn.ReduceL2Op, apart, write.integers(len(shape_of(a))), keep_dims=False)
        case _:
            raise node.refuse(f"metric {metric} is not supported; use euclidean or sqeuclidean")
