"""Operators that ONNX Runtime's optimizer puts in place of several of ONNX's (domain `com.microsoft`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import Float64Type, f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import tensor
from ..namesakes import namesake_classes
from ..node import Node, Value, Values
from ..rule_table import RULES, rule
from .elements import converted


def as_onnx(node: Node, type: str, version: int, *inputs: Value) -> SSAValue:
    """The result of ONNX's own operator of this type, for these inputs and the node's attributes."""
    own = replace(node, type=type, version=version, inputs=inputs, outputs=node.outputs[:1])
    result = RULES[type](own)
    return node.tensor_of(result[0] if isinstance(result, list) else result)


def plus(node: Node, value: SSAValue, index: int) -> SSAValue:
    """The sum of a value and an input that may be left out."""
    added = node.get(index)
    return value if added is None else node.write(nn.AddOp, value, added)


# --- activations --------------------------------------------------------------------------------


@rule("com.microsoft.Gelu")
def gelu(node: Node) -> Values:
    return node.write(nn.GeluOp, node[0], approximation_mode="erf")


@rule("com.microsoft.BiasGelu")
def bias_gelu(node: Node) -> Values:
    return node.write(nn.GeluOp, plus(node, node[0], 1), approximation_mode="erf")


@rule("com.microsoft.FastGelu")
def fast_gelu(node: Node) -> Values:
    return node.write(nn.GeluOp, plus(node, node[0], 1), approximation_mode="tanh")


@rule("com.microsoft.QuickGelu")
def quick_gelu(node: Node) -> Values:
    """`x * sigmoid(alpha * x)`"""
    x, write = node[0], node.write
    return write(
        nn.MultiplyOp,
        x,
        write(nn.SigmoidOp, write(nn.MultiplyOp, x, float(node("alpha", 1.702)))),
    )


_PARAMETERS: dict[str, dict[str, float]] = {
    **{name: {} for name in ("Relu", "Sigmoid", "Tanh", "Softplus", "Softsign", "HardSwish")},
    "LeakyRelu": {"alpha": 0.01},
    "HardSigmoid": {"alpha": 0.2, "beta": 0.5},
    "Elu": {"alpha": 1.0},
    "Selu": {"alpha": 1.67326319217681884765625, "gamma": 1.05070102214813232421875},
    "ThresholdedRelu": {"alpha": 1.0},
    "ScaledTanh": {},
    "ParametricSoftplus": {},
}
"""ONNX's activations that are fused, and what their parameters are where they are left out."""


def _activated(node: Node, value: SSAValue) -> SSAValue:
    """The activation of a fused convolution or product."""
    listed = zip(("alpha", "beta"), node("activation_params") or [], strict=False)
    named = {name: node(f"activation_{name}") for name in ("alpha", "beta", "gamma")} | dict(listed)
    given = {name: float(number) for name, number in named.items() if number is not None}
    name = node("activation", "")
    if not name:
        return value
    if name == "Clip":
        return node.write.clamp(value, given["alpha"], given["beta"])
    if name not in _PARAMETERS:
        raise node.refuse(f"activation {name} is not supported")
    own = replace(node, attributes=_PARAMETERS[name] | given)
    if name in RULES:
        return as_onnx(own, name, 6, value)
    return node.write(namesake_classes()[name], value)


# --- products -----------------------------------------------------------------------------------


@rule(
    "com.microsoft.FusedMatMul",
    "com.microsoft.TransposeMatMul",
    "com.microsoft.SparseToDenseMatMul",
)
def fused_mat_mul(node: Node) -> Values:
    """`alpha * a b`. With `transBatchA`, the batch dimension of a comes after its rows; likewise for b."""
    return _multiplied(node)


def _multiplied(node: Node) -> SSAValue:
    a, b = (_batched(node, i, f"transBatch{'AB'[i]}") for i in (0, 1))
    flags = {f"transpose_{'ab'[i]}": bool(node(f"trans{'AB'[i]}", 0)) for i in (0, 1)}
    product = node.write(nn.MatMulOp, a, b, **flags)
    alpha = float(node("alpha", 1.0))
    return product if alpha == 1 else node.write(nn.MultiplyOp, product, alpha)


def _batched(node: Node, index: int, name: str) -> SSAValue:
    rank = node.rank(index)
    if not node(name, 0) or rank < 3:
        return node[index]
    return node.write.transposed(node[index], (*range(1, rank - 1), 0, rank - 1))


@rule("com.microsoft.FusedMatMulActivation")
def fused_mat_mul_activation(node: Node) -> Values:
    return _activated(node, _multiplied(node))


@rule("com.microsoft.GemmFastGelu")
def gemm_fast_gelu(node: Node) -> Values:
    """`gelu(x w + bias)`"""
    total = plus(node, node.write(nn.MatMulOp, node[0], node[1]), 2)
    return node.write(nn.GeluOp, total, approximation_mode="tanh")


@rule("com.microsoft.FusedGemm")
def fused_gemm(node: Node) -> Values:
    return fused(node, "Gemm", 13, node.inputs, None)


@rule("com.microsoft.FusedConv")
def fused_conv(node: Node) -> Values:
    """A convolution, an addition, and an activation."""
    return fused(node, "Conv", 11, node.inputs[:3], node.get(3))


def fused(
    node: Node, type: str, version: int, inputs: Sequence[Value], added: SSAValue | None
) -> SSAValue:
    """ONNX's operator of a type, something that is added, and the node's activation."""
    total = as_onnx(node, type, version, *inputs)
    return _activated(node, total if added is None else node.write(nn.AddOp, total, added))


@rule("com.microsoft.ConvTransposeWithDynamicPads")
def conv_transpose_with_dynamic_pads(node: Node) -> Values:
    """ONNX's transposed convolution, whose pads are an input; they must be known."""
    own = dict(node.attributes)
    if node.get(2) is not None:
        own["pads"] = node.integers(2, "pads")
    given = replace(node, attributes=own)
    return as_onnx(given, "ConvTranspose", 11, node[0], node[1], node.get(3))


# --- sums ---------------------------------------------------------------------------------------


@rule("com.microsoft.BiasSoftmax")
def bias_softmax(node: Node) -> Values:
    """Of all dimensions from `axis` on, at once."""
    axis = node("axis", 1)
    own = replace(node, attributes={"axis": axis})
    return as_onnx(own, "Softmax", 11, plus(node, node[0], 1))


@rule("com.microsoft.BiasDropout", "com.microsoft.BitmaskBiasDropout")
def bias_dropout(node: Node) -> Values:
    """`data + bias + residual`: in inference nothing is dropped."""
    return plus(node, _kept(node, plus(node, node[0], 1), 3), 2)


@rule("com.microsoft.BitmaskDropout")
def bitmask_dropout(node: Node) -> Values:
    return _kept(node, node[0], 1)


def _kept(node: Node, value: SSAValue, ratio: int) -> SSAValue:
    """A dropout, whose inputs from `ratio` on say how much is dropped, and whether."""
    if node.uses(1):
        raise node.refuse("the mask is a result of training; use the first output alone")
    return as_onnx(node, "Dropout", 13, value, node.get(ratio), node.get(ratio + 1))


# --- normalization ------------------------------------------------------------------------------


@rule("SimplifiedLayerNormalization", "com.microsoft.SimplifiedLayerNormalization")
def simplified_layer_normalization(node: Node) -> Values:
    """`x / √(mean(x²) + epsilon) * scale`, from `axis` on."""
    _only_first(node)
    return root_mean_square(node, node[0], node[1], node("axis", -1))


@rule("com.microsoft.SkipSimplifiedLayerNormalization")
def skip_simplified_layer_normalization(node: Node) -> Values:
    """Of the sum of input, skip and bias, which is also the last output."""
    total = plus(node, _skipped(node), 3)
    _only_first(node)
    return [root_mean_square(node, total, node[2], -1), None, None, total]


@rule("com.microsoft.SkipLayerNormalization")
def skip_layer_normalization(node: Node) -> Values:
    """Of the sum of input, skip and bias, which is also the last output."""
    total = plus(node, _skipped(node), 4)
    _only_first(node)
    return [normalized(node, total, node[2], node.get(3)), None, None, total]


def _skipped(node: Node) -> SSAValue:
    return node.write(nn.AddOp, node[0], node[1])


def _only_first(node: Node) -> None:
    if node.uses(1) or node.uses(2):
        raise node.refuse("mean and deviation are results of training; use the first output alone")


def _wide(node: Node, x: SSAValue) -> SSAValue:
    """As f32 at least: ONNX Runtime computes statistics in it."""
    is_double = isinstance(tensor(x).element_type, Float64Type)
    return x if is_double else converted(node, x, f32)


def normalized(node: Node, x: SSAValue, scale: SSAValue, offset: SSAValue | None) -> SSAValue:
    """Layer normalization along the last dimension."""
    write, element = node.write, tensor(x).element_type
    normal = write(
        nn.MvnOp,
        _wide(node, x),
        write.integers(-1),
        eps=float(node("epsilon", 1e-12)),
        eps_mode="inside_sqrt",
        normalize_variance=True,
    )
    result = write(nn.MultiplyOp, converted(node, normal, element), scale)
    return result if offset is None else write(nn.AddOp, result, offset)


def root_mean_square(node: Node, x: SSAValue, scale: SSAValue, axis: int) -> SSAValue:
    write, element = node.write, tensor(x).element_type
    rank, wide = len(tensor(x).get_shape()), _wide(node, x)
    axes = write.integers(*range(axis % rank, rank))
    mean = write(nn.ReduceMeanOp, write(nn.MultiplyOp, wide, wide), axes, keep_dims=True)
    root = write(nn.SqrtOp, write(nn.AddOp, mean, float(node("epsilon", 1e-5))))
    normal = converted(node, write(nn.DivideOp, wide, root), element)
    return write(nn.MultiplyOp, normal, scale)


@rule("com.microsoft.EmbedLayerNormalization")
def embed_layer_normalization(node: Node) -> Values:
    """
    Embeddings of words, positions and segments, and the normalization of their sum; the number of words that the mask
    lets count; the sum. Where segments are left out, all words are of the first.
    """
    write, ids = node.write, node[0]
    total = _embedded(node, 2, ids)
    if (places := node.get(8)) is not None:
        total = write(nn.AddOp, total, _embedded(node, 3, places))
    else:
        stop = write.slice(write(nn.ShapeOfOp, ids), 1, 2, 0)
        zero, one = write.integers(0), write.integers(1)
        total = write(nn.AddOp, total, write(nn.SliceOp, node[3], zero, stop, one, zero))
    if (segments := node.get(1)) is not None:
        total = write(nn.AddOp, total, _embedded(node, 4, segments))
    elif node.get(4) is not None:
        total = write(nn.AddOp, total, write.slice(node[4], 0, 1, 0))
    return [normalized(node, total, node[5], node[6]), _counted_words(node), total]


def _embedded(node: Node, table: int, ids: SSAValue) -> SSAValue:
    """The rows of an input at these indices."""
    return node.write(nn.GatherOp, node[table], ids, node.write.integer(0), batch_dims=0)


def _counted_words(node: Node) -> SSAValue | None:
    """The number of words of each text that the mask lets count; without a mask, zero."""
    write, ids = node.write, tensor(node[0])
    if (mask := node.get(7)) is not None:
        return write(nn.ReduceSumOp, mask, write.integers(1))
    if not node.uses(1):
        return None
    batch = write.slice(write(nn.ShapeOfOp, node[0]), 0, 1, 0)
    return converted(node, write(nn.BroadcastOp, write.integers(0), batch), ids.element_type)
