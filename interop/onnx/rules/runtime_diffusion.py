"""Operators of diffusion models, as ONNX Runtime fuses them (domain `com.microsoft`)."""

from __future__ import annotations

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .runtime_channels_last import channels_first, channels_last
from .runtime_fused import plus


@rule("com.microsoft.BiasAdd")
def bias_add(node: Node) -> Values:
    """`x + bias + skip`"""
    return plus(node, plus(node, node[0], 1), 2)


@rule("com.microsoft.BiasSplitGelu")
def bias_split_gelu(node: Node) -> Values:
    """`left * gelu(right)`, the halves of the last dimension of `x + bias`."""
    left, right = node.write.split(plus(node, node[0], 1), 2, -1)
    return node.write(nn.MultiplyOp, left, node.write(nn.GeluOp, right, approximation_mode="erf"))


@rule("com.microsoft.GroupNorm")
def group_norm(node: Node) -> Values:
    return _normalized(node, node[0])


@rule("com.microsoft.SkipGroupNorm")
def skip_group_norm(node: Node) -> Values:
    """Of the sum of input, skip and bias, which is also the second output. A skip may be the same for all pixels."""
    if not node("channels_last", 1):
        raise node.refuse("channels_last of 0 is not supported; put the channels last")
    skip = node[3]
    if len(shape_of(skip)) == 2:
        skip = node.write(nn.UnsqueezeOp, skip, node.write.integers(1, 2))
    total = plus(node, node.write(nn.AddOp, node[0], skip), 4)
    return [_normalized(node, total), total]


def _normalized(node: Node, x: SSAValue) -> SSAValue:
    """Statistics are computed in f32, as ONNX Runtime does it. Activation 1 is `x * sigmoid(x)`."""
    write, is_last, activation = node.write, bool(node("channels_last", 1)), node("activation", 0)
    if activation not in (0, 1):
        raise node.refuse(f"activation {activation} is not supported; use 0 (none) or 1 (SiLU)")
    wide, scale, offset = (converted(node, value, f32) for value in (x, node[1], node[2]))
    groups, epsilon = node.number("groups"), float(node("epsilon", 1e-5))
    wide = channels_first(node, wide) if is_last else wide
    result = write(nn.GroupNormalizationOp, wide, scale, offset, num_groups=groups, epsilon=epsilon)
    result = channels_last(node, result) if is_last else result
    if activation:
        result = write(nn.MultiplyOp, result, write(nn.SigmoidOp, result))
    return converted(node, result, node.element())
