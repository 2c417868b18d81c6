"""Operators of TensorRT's domain, which NVIDIA's Model Optimizer exports: ONNX's quantization, to narrow types."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.ir import Attribute

from ....dialects.element_names import ONNX as ELEMENTS
from ....dialects.elements import i4
from ....reference.arrays import blob_of
from ....reference.constants import constant_array
from ..node import Node, Values
from ..rule_table import rule
from .quantization import dequantized, quantized

E8M0_BIAS = 127
"""The code of a scale of 1: codes are powers of two, https://www.opencompute.org/documents/ocp-microscaling-formats-mx"""


def _of_scale(node: Node) -> Attribute:
    """The element type of what is dequantized."""
    return node.type_named("output_dtype") or node.element(1)


@rule("trt.TRT_FP8QuantizeLinear")
def quantize_to_f8(node: Node) -> Values:
    return quantized(node, node[0], node[1], None, ELEMENTS["FLOAT8E4M3FN"])


@rule("trt.TRT_INT4QuantizeLinear")
def quantize_to_i4(node: Node) -> Values:
    return quantized(node, node[0], node[1], node.get(2), i4)


@rule("trt.TRT_FP8DequantizeLinear", "trt.TRT_INT4DequantizeLinear")
def dequantize(node: Node) -> Values:
    return dequantized(node, node[0], node[1], node.get(2), _of_scale(node))


@rule("trt.TRT_MXFP8DequantizeLinear")
def dequantize_blocks(node: Node) -> Values:
    """Blocks of 32 elements of the last dimension; scales are powers of two, whose exponents are bytes."""
    codes = constant_array(node[1])
    if codes is None or codes.dtype != np.uint8:
        raise node.refuse(
            f"scales (input 1), of {node.element(1)}, are no constant of UINT8; quantize weights alone"
        )
    element = node.type_named("output_dtype") or ELEMENTS["FLOAT"]
    powers = np.ldexp(np.float32(1), codes.astype(np.int32) - E8M0_BIAS)
    scale = node.write.constant(blob_of(powers, element))
    blocks = replace(node, attributes={"axis": -1, "block_size": 32} | node.attributes)
    return dequantized(blocks, node[0], scale, None, element)
