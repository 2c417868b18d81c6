"""Nodes of an OpenVINO model that take more than the operation of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType, i32, i64
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import bits_of, is_integer
from ...dialects.inferred import shape_of, spelled
from ...dialects.nn.constant import constant_of
from ...dialects.nn.writer import Writer
from ...passes.einsum import einsum
from ...reference.arrays import array_of, blob_of
from ..codebooks import NF4
from .elements import constant_data, constant_type, element_named
from .ir_file import Layer
from .nodes import (
    Values,
    attributes_of,
    check_inputs,
    label_of,
    namesake,
    operand,
    operands_of,
    operation_classes,
    output_type,
    properties_of,
)

BYTE = 8


def _constant(node: Any, values: Values) -> list[Operation]:
    if isinstance(node, Layer):
        data, name = node.constant(), str(node.get_attributes().get("element_type", ""))
    else:
        name, raw = node.get_element_type().get_type_name(), node.data.reshape(-1).view(np.uint8)
        data = constant_data(constant_type(name, node.get_output_shape(0)), raw, name)
    constant = nn.ConstantOp(data)
    if name != "nf4":
        return [constant]
    table = nn.ConstantOp(blob_of(np.array(NF4, np.float32)))
    axis = nn.ConstantOp(BlobAttr.of(TensorType(i64, []), 0))
    indices = nn.ConvertOp.of(constant.result, destination_type=i32)
    numbers = nn.GatherOp.of(table.result, indices.result, axis.result, batch_dims=0)
    return [constant, table, axis, indices, numbers]


def _inferred(node: Any, values: Values) -> list[Operation]:
    """The types of results are inferred: old versions have fewer outputs, and shapes may say less than ours."""
    cls = operation_classes()[node.get_type_name().lower()]
    operands = operands_of(node, values)
    check_inputs(cls, operands)
    return [cls.of(*operands, **properties_of(cls, attributes_of(node, cls)))]


def _max_pool(node: Any, values: Values) -> list[Operation]:
    """Indices, if anything uses them, are an operation of their own."""
    pool = namesake(node, values, outputs=1)
    if node.get_output_size() == 1 or not node.output(1).get_target_inputs():
        return pool
    attributes = node.get_attributes()
    properties = {
        **pool[-1].properties,
        "axis": IntegerAttr(int(attributes.get("axis", 0)), i64),
        "index_element_type": element_named(attributes.get("index_element_type", "i64")),
    }
    indices = nn.MaxPoolIndicesOp.of(pool[-1].operands[0], **properties)
    values[node.get_name(), 1] = indices.result
    return [indices, *pool]


def _binary_convolution(node: Any, values: Values) -> list[Operation]:
    """Packed filters lie with the first one in the lowest bit of a byte, other operations' bits in the highest."""
    new = namesake(node, values)
    convolution = new[-1]
    source = node.input_value(1)
    element = source.element if isinstance(node, Layer) else source.get_element_type().to_string()
    if element == "u1" and (filters := constant_of(convolution.operands[1])) is not None:
        bits = array_of(filters)
        turned = np.unpackbits(np.packbits(bits), count=bits.size, bitorder="little")
        constant = nn.ConstantOp(blob_of(turned.reshape(bits.shape).astype(np.bool_)))
        convolution.operands[1] = constant.result
        return [constant, *new]
    return new


def _broadcast(node: Any, values: Values) -> list[Operation]:
    """
    In the modes `explicit` and `none` (of `Broadcast-1`), an axes mapping says where the input's dimensions go; the
    input gets all others, with size 1.
    """
    if node.get_attributes().get("mode", "numpy") not in ("explicit", "none"):
        return namesake(node, values)
    if (kept := values.sizes.integers(operand(node, 2, values), label_of(node))) is None:
        raise DiagnosticException(
            "its axes mapping is computed; give it a constant, or use mode 'numpy' behind an Unsqueeze"
        )
    type = output_type(node, 0)
    rank = len(type.get_shape())
    if list(kept) != sorted(set(kept)) or not set(kept) <= set(range(rank)):
        raise DiagnosticException(
            f"its axes mapping {list(kept)} must be different dimensions of its result, of rank {rank}, in order"
        )
    added = [axis for axis in range(rank) if axis not in kept]
    axes = nn.ConstantOp(BlobAttr.of(TensorType(i64, [len(added)]), added))
    wide = nn.UnsqueezeOp.of(operand(node, 0, values), axes.result)
    broadcast = nn.BroadcastOp(
        operands=[wide.result, operand(node, 1, values)], result_types=[type]
    )
    return [axes, wide, broadcast]


def _convert_promote_types(node: Any, values: Values) -> list[Operation]:
    """Both operands, converted to the type that OpenVINO's rules of promotion give."""
    left, right = (
        nn.ConvertOp.of(
            operand(node, i, values), destination_type=output_type(node, i).element_type
        )
        for i in range(2)
    )
    values[node.get_name(), 1] = right.result
    return [right, left]


def _einsum(node: Any, values: Values) -> list[Operation]:
    block = Block()
    write = Writer(InsertPoint.at_end(block))
    einsum(write, node.get_attributes()["equation"], operands_of(node, values))
    ops = list(block.ops)
    for op in ops:
        op.detach()
    return ops


def _gather_nd(node: Any, values: Values) -> list[Operation]:
    """`GatherND-5` makes one dimension of the batch dimensions."""
    attributes = attributes_of(node, nn.GatherNdOp)
    batch = int(attributes.get("batch_dims", 0))
    if node.get_type_info().version_id != "opset5" or batch < 2:
        return namesake(node, values)
    operands = operands_of(node, values)
    check_inputs(nn.GatherNdOp, operands)
    gather = nn.GatherNdOp.of(*operands, batch_dims=batch)
    rest = shape_of(gather.result)[batch:]
    if DYNAMIC_INDEX in rest:
        raise DiagnosticException(
            f"its batch dimensions become one, and of {spelled(rest)} behind them some are unknown; reshape the model "
            "first"
        )
    sizes = nn.ConstantOp(BlobAttr.of(TensorType(i64, [1 + len(rest)]), [-1, *rest]))
    return [gather, sizes, nn.ReshapeOp.of(gather.result, sizes.result, special_zero=False)]


def _mat_mul(node: Any, values: Values) -> list[Operation]:
    """Sums of products of 8-bit integers, which are of 32 bits here, in the 8 bits of the operands."""
    element = output_type(node, 0).element_type
    if not is_integer(element) or bits_of(element) != BYTE:
        return namesake(node, values)
    product = nn.MatMulOp.of(
        *operands_of(node, values),
        **properties_of(nn.MatMulOp, attributes_of(node, nn.MatMulOp)),
    )
    return [product, nn.ConvertOp.of(product.result, destination_type=element)]


def _read_value(node: Any, values: Values) -> list[Operation]:
    name, type = node.get_attributes()["variable_id"], output_type(node, 0)
    if node.get_input_size():
        return [infra.ReadValueOp(name, operand(node, 0, values), type)]
    # Without an initial value a variable starts as zeros, and empty where its size is unknown.
    sizes = [0 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    zeros = nn.ConstantOp(BlobAttr.of(TensorType(type.element_type, sizes), 0))
    return [zeros, infra.ReadValueOp(name, zeros, type)]


def _assign(node: Any, values: Values) -> list[Operation]:
    return [infra.AssignOp(node.get_attributes()["variable_id"], operand(node, 0, values))]


SPECIAL: dict[str, Callable[[Any, Values], list[Operation]]] = {
    "Constant": _constant,
    "BinaryConvolution": _binary_convolution,
    "Broadcast": _broadcast,
    "ConvertPromoteTypes": _convert_promote_types,
    "Einsum": _einsum,
    "GatherND": _gather_nd,
    "MatMul": _mat_mul,
    "MaxPool": _max_pool,
    "NonMaxSuppression": _inferred,
    "Proposal": _inferred,
    "ReadValue": _read_value,
    "Assign": _assign,
}
