"""Normalizations with a scale and an offset for each channel, and products."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.elements import is_integer
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted


def per_channel(node: Node, value: SSAValue, rank: int) -> SSAValue:
    """A vector along dimension 1, in a shape of this rank."""
    if rank <= 2:
        return value
    return node.write(nn.ReshapeOp, value, node.write.integers(-1, *[1] * (rank - 2)))


@rule("BatchNormalization")
def batch_normalization(node: Node) -> Values:
    """`x * a + (bias - mean * a)`, `a = scale / √(variance + epsilon)`, which are constants in most models."""
    x, scale, bias, mean, variance = (node[i] for i in range(5))
    write, rank, element = node.write, node.rank(), node.element()
    if node.version < 9 and not node("spatial", 1):
        raise node.refuse("statistics for each element (spatial = 0) are not supported")
    rest: list[SSAValue] = []
    if node("training_mode", 0):
        momentum = node("momentum", 0.9)
        axes = write.integers(0, *range(2, rank))
        own = write(nn.ReduceMeanOp, x, axes, keep_dims=True)
        centered = write(nn.SubtractOp, x, own)
        square = write(nn.MultiplyOp, centered, centered)
        own_variance = write(nn.ReduceMeanOp, square, axes)
        own = write.reshaped(own, shape_of(own_variance))
        for running, now in ((mean, own), (variance, own_variance)):
            now = converted(node, now, tensor(running).element_type)
            old = write(nn.MultiplyOp, running, momentum)
            rest.append(write(nn.AddOp, old, write(nn.MultiplyOp, now, 1 - momentum)))
        mean, variance = own, own_variance
    kind = tensor(variance).element_type
    deviation = write(nn.SqrtOp, write(nn.AddOp, variance, node("epsilon", 1e-5)))
    factor = write(nn.DivideOp, converted(node, scale, kind), deviation)
    mean = converted(node, mean, kind)
    offset = write(nn.SubtractOp, converted(node, bias, kind), write(nn.MultiplyOp, mean, factor))
    wide = converted(node, x, kind)
    scaled = write(nn.MultiplyOp, wide, per_channel(node, factor, rank))
    result = write(nn.AddOp, scaled, per_channel(node, offset, rank))
    return [converted(node, result, element), *rest]


@rule("InstanceNormalization")
def instance_normalization(node: Node) -> Values:
    """Normalizes each channel of each batch entry."""
    write, rank = node.write, node.rank(least=2)
    axes = write.integers(*range(2, rank))
    properties = {
        "eps": float(node("epsilon", 1e-5)),
        "eps_mode": "inside_sqrt",
        "normalize_variance": True,
    }
    normal = write(nn.MvnOp, node[0], axes, **properties)
    scaled = write(nn.MultiplyOp, normal, per_channel(node, node[1], rank))
    return write(nn.AddOp, scaled, per_channel(node, node[2], rank))


@rule("GroupNormalization")
def group_normalization(node: Node) -> Values:
    """Before version 21, scale and bias have one number for each group."""
    write, groups, vectors = node.write, node.number("num_groups"), [node[1], node[2]]
    node.rank(least=2)
    if node.version < 21:
        if (channels := shape_of(node[0])[1]) == DYNAMIC_INDEX:
            raise node.refuse("its channels are unknown; give the model's inputs fixed shapes")
        each = write.integers(groups, channels // groups)
        vectors = [
            write.reshaped(write(nn.BroadcastOp, write.reshaped(v, (groups, 1)), each), (channels,))
            for v in vectors
        ]
    epsilon = float(node("epsilon", 1e-5))
    return write(nn.GroupNormalizationOp, node[0], *vectors, num_groups=groups, epsilon=epsilon)


@rule("LpNormalization")
def lp_normalization(node: Node) -> Values:
    """Divides by the sum of magnitudes, or by the Euclidean norm; zeros stay."""
    x, write = node[0], node.write
    axes = write.integers(node.axis(node.rank()))
    kind = nn.ReduceL1Op if node("p", 2.0) == 1 else nn.ReduceL2Op
    norm = write(kind, x, axes, keep_dims=True)
    is_zero = write(nn.EqualOp, norm, 0.0)
    norm = write(nn.SelectOp, is_zero, write.scalar_like(norm, 1.0), norm)
    return write(nn.DivideOp, x, norm)


@rule("Gemm")
def gemm(node: Node) -> Values:
    """`alpha * a * b + beta * c`"""
    write = node.write
    product = write(
        nn.MatMulOp,
        node[0],
        node[1],
        transpose_a=bool(node("transA", 0)),
        transpose_b=bool(node("transB", 0)),
    )
    product = _times(node, product, node("alpha", 1.0))
    if (added := node.get(2)) is None:
        return product
    return write(nn.AddOp, node.before_bias(product), _times(node, added, node("beta", 1.0)))


def _times(node: Node, value: SSAValue, factor: float) -> SSAValue:
    if factor == 1:
        return value
    element = tensor(value).element_type
    if is_integer(element):
        wide = node.write(nn.MultiplyOp, converted(node, value, f32), factor)
        return converted(node, wide, element)
    return node.write(nn.MultiplyOp, value, factor)


@rule("Einsum")
def einsum_(node: Node) -> Values:
    from ....passes.einsum import einsum

    operands = [node[i] for i in range(len(node.inputs))]
    return einsum(node.write, node.needed("equation"), operands)


@rule("LRN")
def lrn(node: Node) -> Values:
    """Across `size` channels."""
    return node.write(
        nn.LrnOp,
        node[0],
        node.write.integers(1),
        alpha=float(node("alpha")),
        beta=float(node("beta")),
        bias=float(node("bias")),
        size=node.needed("size"),
    )
