"""
Operators on codes that ONNX Runtime's quantizer writes (domain `com.microsoft`), as operators on dequantized values.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Value, Values
from ..rule_table import RULES, rule
from .convolution import average_of_whole_windows
from .elements import converted
from .quantization import codes, dequantized, dynamic_quantize_linear
from .runtime_channels_last import channels_first, channels_last
from .runtime_fused import as_onnx, plus


def _value(node: Node, first: int) -> SSAValue:
    """An input's values; its scale and zero point follow it among the inputs."""
    return dequantized(node, node[first], node[first + 1], node.get(first + 2), f32)


def _codes(node: Node, value: SSAValue, first: int, like: int) -> SSAValue:
    """
    Quantizes with the scale and the zero point at input `first`; without a zero point, to the type of input `like`.
    """
    point = node.get(first + 1)
    element = node.element(like if point is None else first + 1)
    return codes(node, value, node[first], point, element)


@rule("com.microsoft.QuantizeLinear", "com.microsoft.DequantizeLinear")
def linear(node: Node) -> Values:
    return RULES[node.type.rpartition(".")[2]](node)


@rule("com.microsoft.QLinearAdd", "com.microsoft.QLinearMul")
def of_two(node: Node) -> Values:
    kind = nn.AddOp if node.type.endswith("Add") else nn.MultiplyOp
    return _codes(node, node.write(kind, _value(node, 0), _value(node, 3)), 6, 0)


@rule("com.microsoft.QLinearSigmoid", "com.microsoft.QLinearLeakyRelu")
def of_one(node: Node) -> Values:
    value = _value(node, 0)
    if node.type.endswith("Sigmoid"):
        return _codes(node, node.write(nn.SigmoidOp, value), 3, 0)
    slope = float(node("alpha", 0.01))
    return _codes(node, node.write(nn.PReluOp, value, slope), 3, 0)


@rule("com.microsoft.QLinearSoftmax")
def softmax(node: Node) -> Values:
    """Before opset 13, over all dimensions from `axis` on."""
    value, rank = _value(node, 0), node.rank()
    axis = int(node("axis", -1)) % rank
    if node("opset", 13) >= 13 or axis == rank - 1:
        return _codes(node, node.write(nn.SoftmaxOp, value, axis=axis), 3, 0)
    shape = shape_of(value)
    if DYNAMIC_INDEX in shape:
        raise node.refuse("its sizes are unknown; give the model's inputs fixed shapes")
    flat = node.write.reshaped(value, (*shape[:axis], int(np.prod(shape[axis:]))))
    result = node.write(nn.SoftmaxOp, flat, axis=axis)
    return _codes(node, node.write.reshaped(result, shape), 3, 0)


@rule("com.microsoft.QLinearConcat")
def concat(node: Node) -> Values:
    """The scale and the zero point of the result are the first inputs."""
    values = [_value(node, first) for first in range(2, len(node.inputs), 3)]
    joined = node.write(nn.ConcatOp, *values, axis=node.number("axis"))
    return _codes(node, joined, 0, 2)


@rule("com.microsoft.QLinearAveragePool", "com.microsoft.QLinearGlobalAveragePool")
def average_pool(node: Node) -> Values:
    """
    With `channels_last`, channels stand behind the image. Where padding counts and windows are rounded up, all that a
    window reaches counts, unlike ONNX's AveragePool.
    """
    kind = node.type.rpartition("QLinear")[2]
    value, last = _value(node, 0), bool(node("channels_last", 0))
    if last:
        value = channels_first(node, value)
    if node("ceil_mode", 0) and node("count_include_pad", 0):
        value = average_of_whole_windows(node, value)
    else:
        value = as_onnx(node, kind, 11, value)
    return _codes(node, channels_last(node, value) if last else value, 3, 0)


@rule("com.microsoft.QLinearReduceMean")
def reduce_mean(node: Node) -> Values:
    axes = node("axes") or range(node.rank())
    keep = bool(node("keepdims", 1))
    mean = node.write(nn.ReduceMeanOp, _value(node, 0), node.write.integers(*axes), keep_dims=keep)
    return _codes(node, mean, 3, 0)


@rule("com.microsoft.QLinearWhere")
def where(node: Node) -> Values:
    chosen = node.write(nn.SelectOp, node[0], _value(node, 1), _value(node, 4))
    return _codes(node, chosen, 7, 1)


@rule("com.microsoft.QGemm")
def gemm(node: Node) -> Values:
    """
    `alpha * a b + c`, where c has the scale `a_scale * b_scale * alpha`. Without a scale for the result, it is f32.
    """
    write, flags = node.write, [bool(node(name, 0)) for name in ("transA", "transB")]
    scale, point = (_columns(node, each) if flags[1] else each for each in (node[4], node.get(5)))
    b = dequantized(node, node[3], scale, point, f32)
    product = write(nn.MatMulOp, _value(node, 0), b, transpose_a=flags[0], transpose_b=flags[1])
    step = write(nn.MultiplyOp, node[1], node[4])
    if (added := node.get(6)) is not None:
        product = write(nn.AddOp, product, write(nn.MultiplyOp, converted(node, added, f32), step))
    if (alpha := float(node("alpha", 1.0))) != 1:
        product = write(nn.MultiplyOp, product, alpha)
    return product if node.get(7) is None else _codes(node, product, 7, 0)


@rule("com.microsoft.QEmbedLayerNormalization")
def embed_layer_normalization(node: Node) -> Values:
    """Tables, scale and offset are codes. Their scales are inputs 8 to 12, their zero points 13 to 17."""
    tables = [
        None
        if node.get(2 + i) is None
        else dequantized(node, node[2 + i], node[8 + i], node.get(13 + i), f32)
        for i in range(5)
    ]
    own = replace(node, inputs=[*node.inputs[:2], *tables, node.value(7)])
    return RULES["com.microsoft.EmbedLayerNormalization"](own)


def _columns(node: Node, parameter: SSAValue | None) -> SSAValue | None:
    """A vector as a column, with one number for each row."""
    if parameter is None or len(shape_of(parameter)) != 1:
        return parameter
    return node.write(nn.UnsqueezeOp, parameter, node.write.integers(1))


# --- weights in codes ---------------------------------------------------------------------------


@rule("com.microsoft.DynamicQuantizeMatMul")
def dynamic_quantize_mat_mul(node: Node) -> Values:
    """The left operand is quantized at run time (`DynamicQuantizeLinear`)."""
    listed = dynamic_quantize_linear(node)
    assert isinstance(listed, list)
    quantized, scale, point = (node.tensor_of(value) for value in listed)
    return _scaled_product(node, quantized, node[1], point, node.get(3), (scale, node[2]), 4)


@rule("com.microsoft.MatMulIntegerToFloat")
def mat_mul_integer_to_float(node: Node) -> Values:
    scales = node[2], node[3]
    return _scaled_product(node, node[0], node[1], node.get(4), node.get(5), scales, 6)


def _scaled_product(
    node: Node,
    a: SSAValue,
    b: SSAValue,
    point_a: Value,
    point_b: Value,
    scales: tuple[SSAValue, SSAValue],
    bias: int,
) -> SSAValue:
    """An exact product of codes, and its value."""
    sums = as_onnx(node, "MatMulInteger", 10, a, b, point_a, point_b)
    value = converted(node, sums, tensor(scales[0]).element_type)
    for scale in scales:
        scale = node.write.reshaped(scale, ()) if shape_of(scale) == (1,) else scale
        value = node.write(nn.MultiplyOp, value, scale)
    return plus(node, value, bias)


@rule("com.microsoft.DynamicQuantizeLSTM")
def dynamic_quantize_lstm(node: Node) -> Values:
    """
    Weights [direction, from, to] are codes with one scale for each direction, or for each of its units. Inputs and
    states are f32, which ONNX Runtime quantizes to 8 bits in each step; `lpt` does so with the states.
    """
    w, r = (_lstm_weights(node, place, first) for place, first in ((1, 8), (2, 10)))
    own = replace(node, type="LSTM", version=14, inputs=[node[0], w, r, *node.inputs[3:8]])
    return RULES["LSTM"](own)


def _lstm_weights(node: Node, place: int, first: int) -> SSAValue:
    """[direction, to, from]"""
    scale, point = (
        None if each is None else node.write(nn.UnsqueezeOp, each, node.write.integers(*axes))
        for each in (node.get(first), node.get(first + 1))
        for axes in [(1,) if each is not None and len(shape_of(each)) == 2 else (1, 2)]
    )
    return node.write.transposed(dequantized(node, node[place], scale, point, f32), (0, 2, 1))
