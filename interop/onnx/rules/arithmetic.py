"""Arithmetic and activations of numbers, one by one."""

from __future__ import annotations

from functools import reduce

from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.elements import is_integer, is_unsigned
from ....dialects.inferred import shape_of
from ..namesakes import namesake_classes
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted


@rule("Max", "Min", "Sum", "Mean")
def of_all(node: Node) -> Values:
    """An operator on any number of inputs, applied one after the other."""
    kind, write = namesake_classes().get(node.type, nn.AddOp), node.write
    values = [node[i] for i in range(len(node.inputs))]
    total = reduce(lambda a, b: write(kind, a, b), values)
    return write(nn.MultiplyOp, total, 1 / len(values)) if node.type == "Mean" else total


@rule("Add", "Sub", "Mul", "Div", "And", "Or", "Xor", "Equal", "Less", "Greater", "Pow")
def of_two(node: Node) -> Values:
    """Before version 7, the dimensions of the second input are those of the first from `axis` on."""
    left, right = node[0], node[1]
    if node("broadcast", 0) and "axis" in node.attributes:
        rank, own = node.rank(0), node.rank(1)
        behind = rank - node.axis(rank) - own
        shape = (*shape_of(right), *[1] * max(behind, 0))
        right = node.write.reshaped(right, shape)
    if node.type == "Div":
        return quotient(node, left, right)
    if node.type == "Pow":
        return power(node, left, right)
    return node.write(namesake_classes()[node.type], left, right)


def quotient(node: Node, left: SSAValue, right: SSAValue) -> SSAValue:
    """Integer division rounds toward zero, as in C."""
    write, element = node.write, node.element()
    whole = write(nn.DivideOp, left, right)
    if not is_integer(element) or is_unsigned(element):
        return whole
    rest = write(nn.NotEqualOp, write(nn.FloorModOp, left, right), 0)
    below = write(nn.LogicalXorOp, write(nn.LessOp, left, 0), write(nn.LessOp, right, 0))
    up = write(nn.LogicalAndOp, rest, below)
    return write(nn.AddOp, whole, converted(node, up, element))


def power(node: Node, base: SSAValue, exponent: SSAValue) -> SSAValue:
    """The result has the type of the base, whatever the type of the exponent."""
    element, other = node.element(0), node.element(1)
    if is_integer(element) and not is_integer(other):
        return converted(
            node, node.write(nn.PowerOp, converted(node, base, other), exponent), element
        )
    return node.write(nn.PowerOp, base, converted(node, exponent, element))


@rule("Mod")
def mod(node: Node) -> Values:
    """The remainder has the sign of the divisor; with `fmod`, that of the dividend."""
    return node.write(nn.ModOp if node("fmod") else nn.FloorModOp, node[0], node[1])


@rule("BitShift")
def bit_shift(node: Node) -> Values:
    is_left = node.needed("direction") == "LEFT"
    kind = nn.BitwiseLeftShiftOp if is_left else nn.BitwiseRightShiftOp
    return node.write(kind, node[0], node[1])


@rule("Clip")
def clip(node: Node) -> Values:
    """Limits are attributes before version 11."""
    x, write = node[0], node.write
    if node.version < 11:
        return write.clamp(x, node("min", float("-inf")), node("max", float("inf")))
    limits = [node.get(1), node.get(2)]
    blobs = [None if limit is None else nn.constant_of(limit) for limit in limits]
    if not is_integer(node.element()) and all(
        (limit is None) == (blob is None) for limit, blob in zip(limits, blobs, strict=True)
    ):
        low, high = (
            default if blob is None else float(blob.data.values()[0])
            for blob, default in zip(blobs, (float("-inf"), float("inf")), strict=True)
        )
        if low <= high:
            return write.clamp(x, low, high)
    for kind, limit in zip((nn.MaximumOp, nn.MinimumOp), limits, strict=True):
        if limit is not None:
            x = write(kind, x, write.reshaped(limit, ()))
    return x


@rule("Reciprocal")
def reciprocal(node: Node) -> Values:
    return node.write(nn.DivideOp, 1.0, node[0])


@rule("LeakyRelu")
def leaky_relu(node: Node) -> Values:
    slope = node.write.scalar_like(node[0], node("alpha"))
    return node.write(nn.PReluOp, node[0], slope)


@rule("PRelu")
def p_relu(node: Node) -> Values:
    """Slopes broadcast as in NumPy. Before version 7, and in ours, slopes with one dimension are for channels."""
    slope = node[1]
    if node.rank(0) > 1 and node.rank(1) == 1 and node.version >= 7:
        slope = node.write(nn.UnsqueezeOp, slope, node.write.integers(0))
    return node.write(nn.PReluOp, node[0], slope)


@rule("Shrink")
def shrink(node: Node) -> Values:
    """0 where the magnitude is at most `lambd`; others move toward 0 by `bias`."""
    x, write, limit = node[0], node.write, node("lambd", 0.5)
    less = write(nn.SubtractOp, x, node("bias", 0.0))
    more = write(nn.AddOp, x, node("bias", 0.0))
    zero = write(nn.SubtractOp, x, x)
    inner = write(nn.SelectOp, write(nn.LessOp, x, -limit), more, zero)
    return write(nn.SelectOp, write(nn.GreaterOp, x, limit), less, inner)


@rule("ThresholdedRelu")
def thresholded_relu(node: Node) -> Values:
    """What is greater than `alpha`, else 0."""
    x, write = node[0], node.write
    return write(nn.SelectOp, write(nn.GreaterOp, x, node("alpha")), x, write.scalar_like(x, 0))


@rule("HardSigmoid")
def hard_sigmoid(node: Node) -> Values:
    x, write = node[0], node.write
    alpha, beta = (write.scalar_like(x, node(name)) for name in ("alpha", "beta"))
    return write(nn.HardSigmoidOp, x, alpha, beta)


@rule("Swish")
def swish(node: Node) -> Values:
    return node.write(nn.SwishOp, node[0], node.write.scalar_like(node[0], node("alpha")))


@rule("Gelu")
def gelu(node: Node) -> Values:
    mode = node.choice("approximate", "none", {"none": "erf", "tanh": "tanh"})
    return node.write(nn.GeluOp, node[0], approximation_mode=mode)


@rule("Elu")
def elu(node: Node) -> Values:
    return node.write(nn.EluOp, node[0], alpha=float(node("alpha")))


@rule("Selu")
def selu(node: Node) -> Values:
    """Version 1 has other, rounder constants."""
    x = node[0]
    factors = (node.write.scalar_like(x, float(node(name))) for name in ("alpha", "gamma"))
    return node.write(nn.SeluOp, x, *factors)


@rule("EyeLike")
def eye_like(node: Node) -> Values:
    """Ones on a diagonal, where the column is the row plus `k`."""
    shape = shape_of(node[0])
    if len(shape) != 2:
        raise node.refuse(f"its input has {len(shape)} dimensions, not 2")
    element = node.type_named("dtype") or node.element()
    if min(shape) < 0:
        raise node.refuse("the size of its input is unknown; give the model's inputs fixed shapes")
    places = map(node.write.integer, (*shape, node("k", 0)))
    return node.write(nn.EyeOp, *places, output_type=element)
