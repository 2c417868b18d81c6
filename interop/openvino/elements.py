"""Element types, tensor types and constants of OpenVINO in ours."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import openvino
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import Blob, BlobAttr, element_count
from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.elements import bits_of
from ...dialects.tensor_types import typed
from ...reference.arrays import blob_of, repeats


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
    return typed(element_named(type.get_type_name()), tuple(sizes))


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
