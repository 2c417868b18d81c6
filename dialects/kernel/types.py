"""Types of kernels: what bodies see of an element, and how a memref lies in memory."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import IntegerType, MemRefType, Signedness, TensorType, f32, i1, i8
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AnyOf, base

from ..elements import bits_of, is_narrow_float
from ..inferred import Shape

Shaped = TensorType[Any] | MemRefType[Any]
SHAPED = AnyOf((base(TensorType), base(MemRefType)))
"""Operands of a kernel: tensors before the memory is planned, memrefs after."""

BYTES: tuple[Attribute, ...] = (i8, IntegerType(8, Signedness.UNSIGNED))
"""The type of compressed weights in memory."""

ALIGNMENT = 64
"""Bytes to which buffers in the arena and constants among the weights are aligned: a cache line."""


@cache
def body_type(element: Attribute) -> Attribute:
    """The scalar type by which a body handles elements of this type."""
    match element:
        case IntegerType() if element.width.data == 1:
            return i1
        case IntegerType():
            return IntegerType(max(element.width.data, 32))
        case _ if is_narrow_float(element):
            return f32
        case _:
            return element


def shaped(value: SSAValue) -> Shaped:
    """The tensor or memref type of a kernel's operand."""
    type: Attribute = value.type
    assert isinstance(type, TensorType | MemRefType)
    return cast(Shaped, type)


def strides_of(type: MemRefType[Any]) -> Shape:
    """Elements between neighbours along each dimension of a memref."""
    strides = type.get_strides()
    assert strides is not None and None not in strides
    return cast(Shape, tuple(strides))


def storage_bytes(type: Shaped) -> int:
    """Bytes from the first to the last element of a tensor or memref, both included; an `i1` takes a byte here."""
    size = max(bits_of(type.get_element_type()), 8) // 8
    shape = type.get_shape()
    if 0 in shape:
        return 0
    if isinstance(type, MemRefType):
        reach = sum((n - 1) * s for n, s in zip(shape, strides_of(type), strict=True))
        return (reach + 1) * size
    total = size
    for n in shape:
        total *= n
    return total
