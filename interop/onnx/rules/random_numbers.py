"""Random numbers from a seed. They are uniformly or normally distributed, but differ from those of other runtimes."""

from __future__ import annotations

from math import pi, tau
from zlib import crc32

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted

LARGEST = (1 << 31) - 1
LEAST = 2.0**-24
"""The least fraction greater than 0."""


@rule("RandomUniform", "RandomUniformLike")
def random_uniform(node: Node) -> Values:
    low, high = float(node("low", 0.0)), float(node("high", 1.0))
    return _drawn(node, _fractions(node, 1), high - low, low)


@rule("RandomNormal", "RandomNormalLike")
def random_normal(node: Node) -> Values:
    """`sqrt(-2 log u) * cos(2 pi v)` (Box and Muller) of two fractions."""
    write = node.write
    u, v = _fractions(node, 1), _fractions(node, 2)
    logarithm = write(nn.LogOp, write(nn.MaximumOp, u, LEAST))
    radius = write(nn.SqrtOp, write(nn.MultiplyOp, logarithm, -2.0))
    angle = write(nn.CosOp, write(nn.SubtractOp, write(nn.MultiplyOp, v, tau), pi))
    normal = write(nn.MultiplyOp, radius, angle)
    return _drawn(node, normal, float(node("scale", 1.0)), float(node("mean", 0.0)))


def _drawn(node: Node, numbers: SSAValue, scale: float, middle: float) -> SSAValue:
    """Scaled numbers, in the element type that is asked for."""
    write = node.write
    moved = write(nn.AddOp, write(nn.MultiplyOp, numbers, scale), middle)
    like = node.element() if node.inputs else f32
    return converted(node, moved, node.type_named("dtype") or like)


def _fractions(node: Node, number: int) -> SSAValue:
    """Numbers in [0, 1); each node and element gets others."""
    write, seed = node.write, node("seed")
    if seed is None:
        raise node.refuse("without a seed, numbers differ from run to run; make them an input")
    shape = write(nn.ShapeOfOp, node[0]) if node.inputs else write.integers(*node.needed("shape"))
    zero, one = (write.constant(BlobAttr.of(TensorType(f32, []), x)) for x in (0.0, 1.0))
    own = crc32(f"{node.name} {number}".encode()) & LARGEST
    seeds = {"global_seed": int(abs(seed)) & LARGEST, "op_seed": own | 1}
    return write(nn.RandomUniformOp, shape, zero, one, output_type=f32, **seeds)
