"""Element types, tensor types and constants of OpenVINO in ours."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import openvino
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerType,
    Signedness,
    TensorType,
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import Blob, BlobAttr, element_count
from ...dialects.elements import bits_of
from ...reference.arrays import blob_of, repeats


def _unsigned(width: int) -> IntegerType:
    return IntegerType(width, Signedness.UNSIGNED)


ELEMENTS: dict[str, Attribute] = {
    "f64": f64,
    "f32": f32,
    "f16": f16,
    "bf16": bf16,
    "i64": i64,
    "i32": i32,
    "i16": i16,
    "i8": i8,
    "i4": IntegerType(4),
    "u64": _unsigned(64),
    "u32": _unsigned(32),
    "u16": _unsigned(16),
    "u8": _unsigned(8),
    "u4": _unsigned(4),
    "boolean": i1,
    "u1": i1,
    "f8e4m3": f8E4M3FN,
    "f8e5m2": f8E5M2,
    "f8e8m0": f8E8M0FNU,
    "f4e2m1": f4E2M1FN,
}
"""OpenVINO's names of the element types that tensors can have here."""


def element_named(name: str) -> Attribute:
    """The element type of this name. Raises DiagnosticException where there is none such."""
    if name not in ELEMENTS:
        raise DiagnosticException(
            f"element type {name} is not supported; supported are {', '.join(ELEMENTS)}"
        )
    return ELEMENTS[name]


def name_of(element: Attribute) -> str:
    """OpenVINO's name of an element type. Raises DiagnosticException where it has none."""
    for name, known in ELEMENTS.items():
        if known == element:
            return name
    raise DiagnosticException(f"OpenVINO has no element type {element}")


def tensor_type(type: openvino.Type, shape: openvino.PartialShape) -> TensorType[Any]:
    """The type of a tensor; a dimension that is not known, or only its range, becomes `?`."""
    if shape.rank.is_dynamic:
        raise DiagnosticException("the number of dimensions is unknown; reshape the model first")
    sizes = (d.get_length() if d.is_static else DYNAMIC_INDEX for d in shape)
    return TensorType(element_named(type.get_type_name()), sizes)


def constant_data(node: openvino.op.Constant) -> BlobAttr:
    """
    A Constant's data: a splat where one element repeats, else a view that keeps OpenVINO's memory
    alive. Booleans are packed anew, and so are bits, the lowest of a byte first, as its CPU plugin reads them.
    """
    type = tensor_type(node.get_element_type(), node.get_output_partial_shape(0))
    element = type.element_type
    data = cast(np.ndarray[Any, Any], node.data)
    if node.get_element_type() == openvino.Type.u1:
        bits = np.unpackbits(data.reshape(-1), count=element_count(type), bitorder="little")
        return blob_of(bits.reshape(type.get_shape()).astype(np.bool_), element)
    if bits_of(element) == 1:
        return blob_of(data, element)
    raw = data.reshape(-1).view(np.uint8)
    size, count = bits_of(element) // 8, element_count(type)
    if size and repeats(raw, count):
        return BlobAttr(Blob(type, raw[:size].tobytes(), splat=True))
    return BlobAttr(Blob(type, raw.data))
