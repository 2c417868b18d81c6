"""Operators that ONNX tried and dropped before opset 10; ONNX Runtime kept them."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import InferredOp
from ....reference.arrays import blob_of
from ..node import Node, Values
from ..rule_table import SaidByFunctionError, rule

_LAST = np.iinfo(np.int64).max
"""The end of a slice that goes on to the last element."""


@rule("Affine")
def affine(node: Node) -> Values:
    """`alpha * x + beta`"""
    return node.write(nn.AddOp, _scaled(node, node[0], "alpha"), float(node("beta", 0.0)))


@rule("Scale")
def scale(node: Node) -> Values:
    return _scaled(node, node[0], "scale")


@rule("ParametricSoftplus")
def parametric_softplus(node: Node) -> Values:
    """`alpha * ln(exp(beta * x) + 1)`"""
    return _around(node, nn.SoftPlusOp)


@rule("ScaledTanh")
def scaled_tanh(node: Node) -> Values:
    """`alpha * tanh(beta * x)`"""
    return _around(node, nn.TanhOp)


def _around(node: Node, kind: type[InferredOp]) -> SSAValue:
    return _scaled(node, node.write(kind, _scaled(node, node[0], "beta")), "alpha")


def _scaled(node: Node, value: SSAValue, name: str) -> SSAValue:
    return node.write(nn.MultiplyOp, value, float(node(name, 1.0)))


@rule("ImageScaler")
def image_scaler(node: Node) -> Values:
    """`scale * x`, and a bias for each channel."""
    write, bias = node.write, np.array(node("bias") or [0.0], np.float32)
    added = write.constant(
        blob_of(bias.reshape(-1, *[1] * (node.rank(least=2) - 2)), node.element())
    )
    return write(nn.AddOp, _scaled(node, node[0], "scale"), added)


@rule("Crop")
def crop(node: Node) -> Values:
    """Without so many columns and rows at the left, the top, the right and the bottom; or of a height and width."""
    if node.rank() != 4 or len(border := node.needed("border")) != 4:
        raise node.refuse("it needs an image [n, channels, height, width], and 4 borders")
    left, top, right, bottom = border
    if (sizes := node("scale")) is not None and len(sizes) != 2:
        raise node.refuse(f"its height and width (scale) are {sizes}; give it two numbers")
    ends = (top + sizes[0], left + sizes[1]) if sizes else (-bottom or _LAST, -right or _LAST)
    rows = node.write.slice(node[0], top, ends[0], 2)
    return node.write.slice(rows, left, ends[1], 3)


@rule("MeanVarianceNormalization")
def mean_variance_normalization(node: Node) -> Values:
    """Of a channel of the batch, or of all (`across_channels`). From opset 9 on, it is given axes instead."""
    if node.version >= 9:
        raise SaidByFunctionError
    channels = (1,) if node("across_channels", 0) else ()
    axes = node.write.integers(0, *channels, *range(2, node.rank(least=2)))
    is_normal = bool(node("normalize_variance", 1))
    properties = {"eps": 1e-9, "eps_mode": "outside_sqrt", "normalize_variance": is_normal}
    return node.write(nn.MvnOp, node[0], axes, **properties)
