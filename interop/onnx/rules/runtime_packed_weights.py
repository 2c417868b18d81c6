"""
Weights and tables as packed codes in blocks, as ONNX Runtime's language models have them (domain `com.microsoft`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import bits_of, is_unsigned
from ....dialects.inferred import shape_of, tensor
from ....reference.arrays import array_of, blob_of
from ...codebooks import FP4, NF4
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .quantization import dequantized
from .runtime_fused import plus


@rule("com.microsoft.MatMulNBits")
def mat_mul_n_bits(node: Node) -> Values:
    """
    `a bᵀ + bias`. A row of b has N blocks of `block_size` codes, `(code - zero_point) * scale`, the first code in the
    lowest bits of a byte. Zero points are packed likewise, or are numbers like scales.
    """
    bits, block = node("bits", 4), node.number("block_size")
    rows, depth = node.number("N"), node.number("K")
    blocks = -(-depth // block)
    if (
        node.get(4) is not None
        and node.known(4) != [i // block for i in range(blocks * block)][:depth]
    ):
        raise node.refuse(
            "an order of groups (g_idx, input 4) is not supported; quantize without act-order"
        )
    write, element = node.write, node.element()
    weights = _unpacked(node, node[1], bits, (rows, blocks, block))
    scale = write.reshaped(converted(node, node[2], element), (rows, blocks, 1))
    value = converted(node, weights, element)
    point = node.get(3)
    if point is None:
        value = write(nn.SubtractOp, value, float(1 << (bits - 1)))
    elif tensor(point).element_type == tensor(node[1]).element_type:
        packed = _unpacked(node, point, bits, (rows, -(-blocks * bits // 8) * 8 // bits))
        zero = write.constant(
            blob_of(array_of(_blob(packed))[:, :blocks, None].astype(np.float32), element)
        )
        value = write(nn.SubtractOp, value, zero)
    else:
        zero = write.reshaped(converted(node, point, element), (rows, blocks, 1))
        value = write(nn.SubtractOp, value, zero)
    value = write.reshaped(write(nn.MultiplyOp, value, scale), (rows, blocks * block))
    if blocks * block != depth:
        value = write.slice(value, 0, depth, 1)
    return plus(node, write(nn.MatMulOp, node[0], value, transpose_b=True), 5)


@rule("com.microsoft.MatMulBnb4")
def mat_mul_bnb4(node: Node) -> Values:
    """
    `a bᵀ`. Codes of b, the first in the highest bits of a byte, choose among 16 numbers; all `block_size` of them there
    is a scale.
    """
    write, element = node.write, node.element()
    rows, depth = node.number("N"), node.number("K")
    if not node("transB", 1):
        raise node.refuse("transB of 0 is not supported; transpose the weights")
    block, count = node.number("block_size"), rows * depth
    blocks = -(-count // block)
    raw = array_of(_blob(_unpacked(node, node[1], 4, (-(-count // 2), 2))))
    codes = np.zeros(blocks * block, np.int32)
    codes[:count] = raw[:, ::-1].reshape(-1)[:count]
    table = np.array(NF4 if node.number("quant_type") else FP4, np.float32)
    numbers = write.constant(blob_of(table, element))
    indices = write.constant(blob_of(codes.reshape(blocks, block)))
    value = write(nn.GatherOp, numbers, indices, write.integer(0), batch_dims=0)
    scale = write.reshaped(converted(node, node[2], element), (blocks, 1))
    value = write.reshaped(write(nn.MultiplyOp, value, scale), (blocks * block,))
    value = write.reshaped(write.slice(value, 0, count, 0), (rows, depth))
    return write(nn.MatMulOp, node[0], value, transpose_b=True)


@rule("com.microsoft.GatherBlockQuantized")
def gather_block_quantized(node: Node) -> Values:
    """
    Rows of a table, `(code - zero_point) * scale`, with a scale for each `block_size` codes along `quantize_axis`.
    Bytes hold several codes of 2 or 4 bits along the last dimension, the first in the lowest bits, around half of their
    range.
    """
    table, rank = node[0], node.rank()
    along = int(node("gather_axis", 0)) % rank
    axis, bits = int(node("quantize_axis", 1)) % rank, node("bits", 4)
    element, scale, point = tensor(table).element_type, node[2], node.get(3)
    if along == axis:
        raise node.refuse("rows are gathered along quantize_axis, which is not supported")
    if is_unsigned(element) and bits_of(element) == 8:
        shape = shape_of(table)
        wide = (*shape[:-1], shape[-1] * 8 // bits)
        table = _unpacked(node, table, bits, wide)
        if point is None:
            half = np.array(1 << (bits - 1), np.uint8)
            point = node.write.constant(blob_of(half, tensor(table).element_type))
        else:
            blocks = shape_of(scale)[-1]
            shape = (*shape_of(point)[:-1], shape_of(point)[-1] * 8 // bits)
            codes = array_of(_blob(_unpacked(node, point, bits, shape)))
            element = tensor(table).element_type
            point = node.write.constant(blob_of(codes[..., :blocks], element))
    behind = len(shape_of(node[1])) - 1 if along < axis else 0
    where = node.write.integer(along)

    def rows(value: SSAValue) -> SSAValue:
        if not shape_of(value):
            return value
        return node.write(nn.GatherOp, value, node[1], where, batch_dims=0)

    blocks = {"axis": axis + behind, "block_size": int(node("block_size", 128))}
    own = replace(node, attributes={**node.attributes, **blocks})
    points = None if point is None else rows(point)
    return dequantized(own, rows(table), rows(scale), points, tensor(scale).element_type)


def _blob(value: SSAValue) -> BlobAttr:
    blob = nn.constant_of(value)
    assert blob is not None, "the caller made it"
    return blob


def _unpacked(node: Node, value: SSAValue, bits: int, shape: tuple[int, ...]) -> SSAValue:
    """Packed codes as a constant of unsigned integers of so many bits."""
    if bits not in (2, 4, 8):
        raise node.refuse(f"codes of {bits} bits are not supported; use 2, 4 or 8")
    if (blob := nn.constant_of(value)) is None:
        raise node.refuse("codes that are computed are not supported; make them constants")
    raw = array_of(blob).astype(np.uint8).reshape(-1)
    if raw.size * 8 != int(np.prod(shape)) * bits:
        raise node.refuse(f"{raw.size} bytes of codes do not make {list(shape)} of {bits} bits")
    parts = [(raw >> shift) & ((1 << bits) - 1) for shift in range(0, 8, bits)]
    unpacked = np.stack(parts, -1).reshape(shape)
    return node.write.constant(blob_of(unpacked, IntegerType(max(bits, 4), Signedness.UNSIGNED)))
