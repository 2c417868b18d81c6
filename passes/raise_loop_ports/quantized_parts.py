"""Quantization in bodies: dequantization and quantization with one scale, which hold of a part as of the whole."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn, qnn
from ...dialects.blob import element_count
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...reference.arrays import array_of, dtype_of
from ...reference.executor import evaluate


def dequantized(value: SSAValue) -> qnn.DequantizeOp | None:
    """The dequantization that gives a value, if it has one scale and one zero point."""
    op = value.owner
    if not isinstance(op, qnn.DequantizeOp):
        return None
    grid = [blob for blob in (op.scale, op.zero_point) if blob is not None]
    return op if all(element_count(blob.type) == 1 for blob in grid) else None


def over(write: Writer, op: Operation, value: SSAValue) -> SSAValue:
    """The same operation of another value."""
    properties = dict(op.properties)
    if isinstance(op, qnn.DequantizeOp):
        return write(qnn.DequantizeOp, value, **properties)
    return write(qnn.FakeQuantizeOp, value, *op.operands[1:], **properties)


def gives_back(quantize: qnn.FakeQuantizeOp, dequantize: qnn.DequantizeOp) -> bool:
    """Whether quantizing what is dequantized gives every code back."""
    element = tensor(dequantize.input).element_type
    if tensor(quantize.result).element_type != element:
        return False
    limits = [each.owner for each in quantize.operands[1:]]
    constants = [each.value for each in limits if isinstance(each, nn.ConstantOp)]
    if len(constants) < len(limits) or any(element_count(each.type) != 1 for each in constants):
        return False
    dtype = dtype_of(element)
    if dtype.itemsize > 2 or dtype.kind not in "iu" or shape_of(dequantize.input) == ():
        return False
    info = np.iinfo(dtype)
    codes = np.arange(info.min, info.max + 1).astype(dtype)
    (numbers,) = evaluate(dequantize, [codes])
    (again,) = evaluate(quantize, [numbers, *(array_of(each).reshape(()) for each in constants)])
    return bool(np.array_equal(codes, again))
