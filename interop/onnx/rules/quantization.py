"""Quantization: as arithmetic, or as a FakeQuantize where codes are dequantized again (QDQ)."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, UnitAttr, f32
from xdsl.ir import Attribute, SSAValue

from ....dialects import nn, qnn
from ....dialects.elements import bits_of, is_integer, limits_of
from ....dialects.inferred import shape_of, tensor
from ....reference.arrays import array_of, blob_of, dtype_of
from ....reference.constants import constant_arrays
from ..node import Node, Values
from ..rule_table import rule
from .convolution import convolved
from .elements import U8, converted, saturated
from .normalization import per_channel


def broadcast_parameter(
    node: Node, parameter: SSAValue, x: SSAValue, axis: int, block: int
) -> SSAValue:
    """
    Scales or zero points in a shape that broadcasts to that of `x`: one for all, one for each element along an axis, or
    one for each `block` of these.
    """
    write, shape, own = node.write, shape_of(x), shape_of(parameter)
    if len(own) == 0 or (own == (1,) and len(shape) != 1):
        return write.reshaped(parameter, ())
    if not shape:
        raise node.refuse(f"its input is a scalar, and its scale has {list(own)} elements")
    if block:
        along = axis % len(shape)
        if DYNAMIC_INDEX in (*own, shape[along]):
            raise node.refuse("sizes of its blocks are unknown; give it and its scale fixed shapes")
        wide = write(nn.UnsqueezeOp, parameter, write.integers(along + 1))
        repeats = write.integers(*(block if i == along + 1 else 1 for i in range(len(own) + 1)))
        wide = write(nn.TileOp, wide, repeats)
        merged = [size for i, size in enumerate(own) if i != along]
        merged.insert(along, own[along] * block)
        result = write.reshaped(wide, merged)
        return (
            result if merged[along] == shape[along] else write.slice(result, 0, shape[along], along)
        )
    if len(own) != 1:
        return parameter
    axis = axis % len(shape)
    behind = len(shape) - axis - 1
    return (
        write(nn.ReshapeOp, parameter, write.integers(-1, *[1] * behind)) if behind else parameter
    )


@rule("QuantizeLinear")
def quantize_linear(node: Node) -> Values:
    """`saturate(round(x / scale) + zero_point)`"""
    element = node.type_named("output_dtype")
    if node.get(2) is not None:
        element = node.element(2)
    return quantized(node, node[0], node[1], node.get(2), element or U8)


def quantized(
    node: Node, x: SSAValue, scale: SSAValue, point: SSAValue | None, element: Attribute
) -> SSAValue:
    """The codes of a value."""
    axis, block = node("axis", 1), node("block_size", 0)
    scale = broadcast_parameter(node, scale, x, axis, block)
    point = None if point is None else broadcast_parameter(node, point, x, axis, block)
    if not is_integer(element):
        quotient = node.write(nn.DivideOp, x, converted(node, scale, tensor(x).element_type))
        return (saturated if node("saturate", 1) else converted)(node, quotient, element)
    if (constant := _codes_of_constant(x, scale, point, element)) is not None:
        return node.write.constant(constant)
    if (fake := _fake(node, x, scale, point, element)) is not None:
        return fake
    return codes(node, x, scale, point, element)


def codes(
    node: Node, x: SSAValue, scale: SSAValue, point: SSAValue | None, element: Attribute
) -> SSAValue:
    """`saturate(round(x / scale) + zero_point)`, exactly."""
    write, kind = node.write, tensor(x).element_type
    if is_integer(kind):
        x, kind = converted(node, x, f32), f32
    whole = write(nn.RoundOp, write(nn.DivideOp, x, converted(node, scale, kind)))
    whole = converted(node, whole, f32)
    if point is not None:
        whole = write(nn.AddOp, whole, converted(node, point, f32))
    return converted(node, write.clamp(whole, *limits_of(element)), element)


def _codes_of_constant(
    x: SSAValue, scale: SSAValue, point: SSAValue | None, element: Attribute
) -> nn.BlobAttr | None:
    """The codes of constants, rounded as the operator defines it: symmetric 4-bit scales put the extremes on ties."""
    arrays = constant_arrays(value for value in (x, scale, point) if value is not None)
    if arrays is None or tensor(x).element_type != f32:
        return None
    data, width = arrays[0], arrays[1].astype(np.float32)
    if not np.isfinite(data).all() or not np.isfinite(width).all() or not (width > 0).all():
        return None
    whole = np.rint(data / width).astype(np.float64) + sum(arrays[2:], np.float64(0))
    return blob_of(whole.clip(*limits_of(element)).astype(dtype_of(element)), element)


def _fake(
    node: Node, x: SSAValue, scale: SSAValue, point: SSAValue | None, element: Attribute
) -> SSAValue | None:
    """
    Codes that are dequantized again, as a FakeQuantize to these codes and a conversion: this is the form of
    quantization that passes know. Scales and zero points must be constants.
    """
    if "DequantizeLinear" not in node.scope.readers(node.outputs[0]) or bits_of(element) > 8:
        return None
    if is_integer(tensor(x).element_type):
        return None
    found = constant_arrays([scale] if point is None else [scale, point])
    if found is None:
        return None
    width, *zeros = (array.astype(np.float64) for array in found)
    zero = zeros[0] if zeros else np.float64(0)
    if not np.isfinite(width).all() or not (width > 0).all():
        return None
    least, most = limits_of(element)
    if bits_of(tensor(x).element_type) < bits_of(f32):
        x = converted(node, x, f32)  # limits that are rounded would say another scale
    kind, write = tensor(x).element_type, node.write
    ends = [(end - zero) * width for end in (least, most)]
    if np.abs(ends).max() > np.finfo(dtype_of(kind)).max:
        return None
    interval = [write.constant(blob_of(end, kind)) for end in ends]
    output = [write.scalar_like(x, float(end)) for end in (least, most)]
    levels = most - least + 1
    fake = write(qnn.FakeQuantizeOp, x, *interval, *output, levels=levels, from_zero=UnitAttr())
    return converted(node, fake, element)


@rule("DequantizeLinear")
def dequantize_linear(node: Node) -> Values:
    """`(x - zero_point) * scale`"""
    element = node.type_named("output_dtype") or node.element(1)
    return dequantized(node, node[0], node[1], node.get(2), element)


def dequantized(
    node: Node, x: SSAValue, scale: SSAValue | None, point: SSAValue | None, element: Attribute
) -> SSAValue:
    """The values of codes, in the form of dequantization that passes know."""
    write, axis, block = node.write, node("axis", 1), node("block_size", 0)
    assert scale is not None, "no operator leaves it out"
    scale = converted(node, broadcast_parameter(node, scale, x, axis, block), element)
    value = converted(node, x, element)
    blob = None if point is None else nn.constant_of(point)
    if point is not None and not (blob is not None and not any(blob.data.distinct())):
        point = _written_out(node, broadcast_parameter(node, point, x, axis, block), element)
        value = write(nn.SubtractOp, value, point)
    return write(nn.MultiplyOp, value, scale)


def _written_out(node: Node, value: SSAValue, element: Attribute) -> SSAValue:
    """Constants in another element type, as constants."""
    if (blob := nn.constant_of(value)) is None:
        return converted(node, value, element)
    return node.write.constant(blob_of(array_of(blob).astype(np.float32), element))


@rule("DynamicQuantizeLinear")
def dynamic_quantize_linear(node: Node) -> Values:
    """Quantizes to u8. The scale follows from the least and the greatest element and 0; of zeros alone it is 1."""
    x, write = node[0], node.write
    axes = write.integers(*range(node.rank()))
    least = write(nn.MinimumOp, write(nn.ReduceMinOp, x, axes), 0.0)
    most = write(nn.MaximumOp, write(nn.ReduceMaxOp, x, axes), 0.0)
    span = write(nn.SubtractOp, most, least)
    step = write(nn.DivideOp, span, 255.0)
    scale = write(nn.SelectOp, write(nn.GreaterOp, span, 0.0), step, write.scalar_like(step, 1.0))
    raw = write(nn.NegativeOp, write(nn.DivideOp, least, scale))
    point = converted(node, write(nn.RoundOp, write.clamp(raw, 0, 255)), U8)
    return [codes(node, x, scale, point, U8), scale, point]


@rule("QLinearConv")
def q_linear_conv(node: Node) -> Values:
    """A convolution of dequantized values."""
    x = dequantized(node, node[0], node[1], node.get(2), f32)
    rank = len(shape_of(node[3]))
    scale, point = (_per_filter(node, node.get(i), rank) for i in (4, 5))
    assert scale is not None
    filters = dequantized(node, node[3], scale, point, f32)
    result = convolved(node, x, filters)
    if (bias := node.get(8)) is not None:
        step = node.write(nn.MultiplyOp, node[1], node[4])
        bias = node.write(nn.MultiplyOp, converted(node, bias, f32), step)
        result = node.write(nn.AddOp, result, per_channel(node, bias, rank))
    return codes(node, result, node[6], node.get(7), node.element(7))


def _per_filter(node: Node, parameter: SSAValue | None, rank: int) -> SSAValue | None:
    """Scales of filters, along their first dimension."""
    if parameter is None or len(shape_of(parameter)) != 1:
        return parameter
    return node.write(nn.ReshapeOp, parameter, node.write.integers(-1, *[1] * (rank - 1)))


@rule("QLinearMatMul")
def q_linear_mat_mul(node: Node) -> Values:
    """A product of dequantized values. Scales are per tensor, per row of a, or per column of b."""
    kind = node.element(1)
    left = dequantized(node, node[0], _rows(node, node[1]), _rows(node, node.get(2)), kind)
    right = dequantized(node, node[3], node[4], node.get(5), kind)
    product = node.write(nn.MatMulOp, left, right)
    step = _rows(node, node[6])
    assert step is not None
    return codes(node, product, step, _rows(node, node.get(7)), node.element(7))


def _rows(node: Node, parameter: SSAValue | None) -> SSAValue | None:
    if parameter is None or shape_of(parameter) in ((), (1,)) or len(shape_of(parameter)) != 1:
        return parameter
    return node.write(nn.UnsqueezeOp, parameter, node.write.integers(1))
