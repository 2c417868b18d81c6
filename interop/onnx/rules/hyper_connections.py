"""
Hyper-connections, as ONNX Runtime has them (domain `com.microsoft`): a model has several streams instead of one, which
are mixed before and after each of its blocks. Arithmetic is that of f32; results have the type of the streams.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DYNAMIC_INDEX, f32
from xdsl.ir import Attribute, SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, spelled
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted


@rule("com.microsoft.GatedAdd")
def gated_add(node: Node) -> Values:
    """`x + y * gate`"""
    return node.write(nn.AddOp, node[0], node.write(nn.MultiplyOp, node[1], node[2]))


@rule("com.microsoft.ScaledSiLU")
def scaled_silu(node: Node) -> Values:
    """`z * sigmoid(z)`, `z = scale * x`, each rounded to the type of `x`."""
    write, element = node.write, node.element()
    scale = write.scalar_like(_wide(node, 0), float(node("alpha", 1.0)))
    if node.get(1) is not None:
        scale = write.reshaped(_wide(node, 1), ())
    z = converted(node, write(nn.MultiplyOp, _wide(node, 0), scale), element)
    return write(nn.MultiplyOp, z, write(nn.SigmoidOp, z))


@rule("com.microsoft.BranchwiseRMSNorm")
def branchwise_rms_norm(node: Node) -> Values:
    """`x / √(mean(x²) + epsilon) * scale`, for each branch."""
    write, x = node.write, _branches(node, _wide(node, 0))
    result = _normal(node, x)
    if node.get(1) is not None:
        result = write(nn.MultiplyOp, result, _gates(node, 1, x, 0))
    return _like_input(node, result)


def _normal(node: Node, x: SSAValue) -> SSAValue:
    """`x / √(mean(x²) + epsilon)`, along the last dimension."""
    write = node.write
    square = write(nn.MultiplyOp, x, x)
    mean = write(nn.ReduceMeanOp, square, write.integers(-1), keep_dims=True)
    return write(
        nn.DivideOp, x, write(nn.SqrtOp, write(nn.AddOp, mean, float(node("epsilon", 1e-5))))
    )


LEAST = 1e-6
"""The least size of a product before its root is taken."""


@rule("com.microsoft.EngramGate")
def engram_gate(node: Node) -> Values:
    """
    `sigmoid(sign(p) √|p|) * value`, p the product of a key and a query, both normalized, over √features; and it,
    normalized.
    """
    write, features = node.write, shape_of(node[0])[-1]
    if features == DYNAMIC_INDEX:
        raise node.refuse("the number of features is unknown; give the model's inputs fixed shapes")
    key, query = (
        write(nn.MultiplyOp, _normal(node, _wide(node, i)), _wide(node, i + 3)) for i in (0, 1)
    )
    product = write(nn.MultiplyOp, key, query)
    product = write(nn.ReduceSumOp, product, write.integers(-1), keep_dims=True)
    product = write(nn.DivideOp, product, math.sqrt(features))
    size = write(nn.SqrtOp, write(nn.MaximumOp, write(nn.AbsOp, product), LEAST))
    gate = write(nn.SigmoidOp, write(nn.MultiplyOp, write(nn.SignOp, product), size))
    value = write(nn.UnsqueezeOp, _wide(node, 2), write.integers(-2))
    result = write(nn.MultiplyOp, gate, value)
    normal = None
    if node.uses(1):
        normal = write(nn.MultiplyOp, _normal(node, result), _wide(node, 5))
        normal = converted(node, normal, node.element())
    return [converted(node, result, node.element()), normal]


@rule("com.microsoft.HyperConnectionPreMix")
def pre_mix(node: Node) -> Values:
    """`reduction_scale * sum_c(x[c] * pre_mix[c])`"""
    write, x = node.write, _branches(node, _wide(node, 0))
    mixed = write(nn.MultiplyOp, x, _gates(node, 1, x, len(shape_of(x)) - 2))
    total = write(nn.ReduceSumOp, mixed, write.integers(-2), keep_dims=False)
    total = write(nn.MultiplyOp, total, float(node("reduction_scale", 1.0)))
    return converted(node, total, node.element())


@rule("com.microsoft.HyperConnectionPostMix")
def post_mix(node: Node) -> Values:
    """`sum_c(stream_mix[c, k] * x[c]) + post_mix[k] * block_output`; without a matrix, the streams stay."""
    write, x = node.write, _branches(node, _wide(node, 0))
    added = write(nn.UnsqueezeOp, _wide(node, 1), write.integers(-2))
    gates = _gates(node, 2, x, len(shape_of(x)) - 2)
    if node.get(3) is not None:
        x = write(nn.MatMulOp, _wide(node, 3), x, transpose_a=True)
    return _like_input(node, write(nn.AddOp, x, write(nn.MultiplyOp, gates, added)))


def _wide(node: Node, index: int) -> SSAValue:
    return converted(node, node[index], f32)


def _branches(node: Node, x: SSAValue) -> SSAValue:
    """`[…, branch, feature]`, where a model has both in one dimension, too."""
    if not (count := node("num_branches", 0)):
        return x
    *rest, width = shape_of(x)
    if width == DYNAMIC_INDEX or width % count:
        raise node.refuse(f"num_branches {count} does not divide {spelled([width])} features")
    shape = node.write.integers(*[0] * len(rest), count, width // count)
    return node.write(nn.ReshapeOp, x, shape, special_zero=True)


def _gates(node: Node, index: int, x: SSAValue, before: int) -> SSAValue:
    """
    Numbers `[…, branch]`, `[…, branch, 1 or feature]` or `[…, branch * feature]`, `before` dimensions in front, in a
    shape that broadcasts to the streams.
    """
    gates = _wide(node, index)
    sizes, (branches, features) = shape_of(gates), shape_of(x)[-2:]
    own = sizes[before:]
    if own in ((branches,), (branches * features,)) and (before or own != (features,)):
        target = node.write.integers(*[0] * before, branches, -1)
        return node.write(nn.ReshapeOp, gates, target, special_zero=True)
    if own in ((branches, 1), (branches, features), (features,)):
        return gates
    raise node.refuse(
        f"input {index} {spelled(sizes)} does not fit {branches} branches of {features} features; export the model "
        "again"
    )


def _like_input(node: Node, value: SSAValue) -> SSAValue:
    """A result in the shape and type of input 0."""
    element: Attribute = node.element()
    if node("num_branches", 0):
        target = node.write.integers(*[0] * (node.rank() - 1), -1)
        value = node.write(nn.ReshapeOp, value, target, special_zero=True)
    return converted(node, value, element)
