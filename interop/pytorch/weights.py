"""Quantized weights in exported programs of PyTorch, which OpenVINO's front end reads as their codes."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

_DEQUANTIZE = "quantized_decomposed.dequantize_per_"


def weights_dequantized() -> list[Any]:
    """
    The extensions of OpenVINO's front end by which constants of codes are dequantized, as `convert_pt2e` folds them.
    Other dequantizations follow a quantization, of which the front end makes a FakeQuantize; they give that.
    """
    kind = import_module("openvino.frontend.pytorch").ConversionExtension
    return [
        kind(f"{_DEQUANTIZE}tensor.default", partial(_dequantized, None)),
        kind(f"{_DEQUANTIZE}channel.default", partial(_dequantized, 3)),
    ]


def _dequantized(axis_input: int | None, node: Any) -> list[Any]:
    """`(code - zero_point) * scale`, with one of each, or one for each part along an axis."""
    codes, scale, point = (node.get_input(i) for i in range(3))
    element = codes.get_element_type()
    if element.is_dynamic() or not element.is_integral():
        return [codes]
    opset: Any = import_module("openvino.opset13")
    shape = [1] * codes.get_partial_shape().rank.get_length()
    if axis_input is not None:
        shape[int(node.get_values_from_const_input(axis_input))] = -1
    scale, point = (
        opset.reshape(opset.convert(each, "f32"), opset.constant(shape), False)
        for each in (scale, point)
    )
    value = opset.subtract(opset.convert(codes, "f32"), point)
    return opset.multiply(value, scale).outputs()
