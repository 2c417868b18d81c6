"""
Weights and tables as packed codes in blocks, as ONNX Runtime's language models have them (domain `com.microsoft`).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import bits_of, is_float, is_unsigned
from ....dialects.inferred import shape_of, tensor
from ....reference.arrays import Array, array_of, blob_of
from ...codebooks import FP4, NF4
from ..node import Node, Values
from ..rule_table import rule
from .elements import U8, converted
from .quantization import dequantized
from .runtime_fused import plus


@rule("com.microsoft.MatMulNBits")
def mat_mul_n_bits(node: Node) -> Values:
    """
    `a bᵀ + bias`. A row of b has N blocks of `block_size` codes, `(code - zero_point) * scale`, the first code in the
    lowest bits of a byte. Zero points are packed likewise, or are numbers like scales. Where columns of b are sorted
    into other blocks (`g_idx`), those of a are sorted likewise.
    """
    bits, block = node("bits", 4), node.number("block_size")
    rows, depth = node.number("N"), node.number("K")
    if min(rows, depth, block) <= 0 or block * bits % 8:
        raise node.refuse(
            f"N is {rows}, K {depth} and block_size {block}; use whole bytes of {bits} bits in each block"
        )
    blocks = -(-depth // block)
    write, x, element = node.write, node[0], node.element()
    if not is_float(element):
        raise node.refuse(f"input 0 is of {element}; convert it to a float")
    packed = _shaped(node, 1, "codes", (rows, blocks, block * bits // 8))
    weights = _unpacked(node, packed, bits, (rows, blocks, block))
    if (order := _order(node, depth, block)) is not None:
        codes = array_of(_blob(weights)).reshape(rows, -1).copy()
        codes[:, :depth] = codes[:, order]
        weights = write.constant(
            blob_of(codes.reshape(rows, blocks, block), tensor(weights).element_type)
        )
        x = write(nn.GatherOp, x, write.integers(*order), write.integer(-1), batch_dims=0)
    scale, point = _numbers(node, 2, "scales", (rows, blocks)), node.get(3)
    value = converted(node, weights, element)
    if point is None:
        zero = write.scalar_like(value, float(1 << (bits - 1)))
    elif tensor(point).element_type == tensor(packed).element_type:
        width = -(-blocks * bits // 8)
        point = _shaped(node, 3, "zero points", (rows, width))
        points = array_of(_blob(_unpacked(node, point, bits, (rows, width * 8 // bits))))
        zero = write.constant(blob_of(points[:, :blocks, None].astype(np.float32), element))
    else:
        zero = _numbers(node, 3, "zero points", (rows, blocks))
    value = write(nn.MultiplyOp, write(nn.SubtractOp, value, zero), scale)
    value = write.reshaped(value, (rows, blocks * block))
    if blocks * block != depth:
        value = write.slice(value, 0, depth, 1)
    if node.get(5) is not None and shape_of(node[5]) != (rows,):
        raise node.refuse(f"a bias (input 5) has shape {list(shape_of(node[5]))}, and not [{rows}]")
    return plus(node, write(nn.MatMulOp, x, value, transpose_b=True), 5)


def _order(node: Node, depth: int, block: int) -> list[int] | None:
    """The columns, block by block; None where they lie so."""
    if node.get(4) is None:
        return None
    groups, wanted = node.known(4), [i // block for i in range(depth)]
    groups = None if groups is None else groups[:depth]  # columns behind the last one are padding
    if groups is None or sorted(groups) != wanted:
        raise node.refuse(
            f"its groups (input 4) must be constants, {block} columns for each; quantize without act-order"
        )
    order = sorted(range(depth), key=groups.__getitem__)
    return None if groups == wanted else order


def _numbers(node: Node, index: int, what: str, shape: tuple[int, int]) -> SSAValue:
    """Scales or zero points that are floats, one for each block."""
    if not is_float(given := node.element(index)):
        raise node.refuse(f"{what} (input {index}) are of {given}; convert them to floats")
    value = converted(node, _shaped(node, index, what, shape), node.element())
    return node.write.reshaped(value, (*shape, 1))


def _shaped(node: Node, index: int, what: str, shape: tuple[int, ...]) -> SSAValue:
    """An input of a shape, or with its elements in one dimension."""
    value, flat = node[index], (math.prod(shape),)
    if shape_of(value) not in (shape, flat):
        raise node.refuse(
            f"{what} (input {index}) have shape {list(shape_of(value))}, and not {list(shape)}; export the model again"
        )
    return value


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
            shape = shape_of(point)
            point = _unpacked(node, point, bits, (*shape[:-1], shape[-1] * 8 // bits))
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
    if (element := tensor(value).element_type) != U8:
        raise node.refuse(f"codes are packed in elements of {element}; pack them in bytes (ui8)")
    raw = array_of(blob).reshape(-1)
    if raw.size * 8 != int(np.prod(shape)) * bits:
        raise node.refuse(f"{raw.size} bytes of codes do not make {list(shape)} of {bits} bits")
    unpacked = codes_of(raw, bits).reshape(shape)
    return node.write.constant(blob_of(unpacked, IntegerType(max(bits, 4), Signedness.UNSIGNED)))


def codes_of(packed: Array, bits: int) -> Array:
    """The codes in bytes, along the last dimension, the first in the lowest bits."""
    parts = [(packed >> shift) & ((1 << bits) - 1) for shift in range(0, 8, bits)]
    return np.stack(parts, -1).reshape(*packed.shape[:-1], -1)
