"""OpenVINO's element types, tensor types and constants as ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import Blob, BlobAttr, element_count
from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.elements import bits_of
from ...dialects.tensor_types import typed
from ...reference.arrays import Array, blob_of, repeats

if TYPE_CHECKING:
    import openvino

UNKNOWN_RANK = "the number of dimensions is unknown; reshape the model first"


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


def tensor_type(element: str, sizes: Iterable[int]) -> TensorType[Any]:
    """The type of a tensor; -1 is a dimension that is not known. Raises DiagnosticException as `element_named` does."""
    return typed(element_named(element), tuple(DYNAMIC_INDEX if n < 0 else n for n in sizes))


def sizes_of(shape: openvino.PartialShape) -> list[int]:
    """The dimensions of a shape; -1 where not known, or only its range. Raises DiagnosticException without a rank."""
    if shape.rank.is_dynamic:
        raise DiagnosticException(UNKNOWN_RANK)
    return [d.get_length() if d.is_static else -1 for d in shape]


def constant_data(type: TensorType[Any], raw: Array, packed: bool) -> BlobAttr:
    """
    A constant from its bytes: a splat where one element repeats, else a view that keeps them alive. Booleans become
    single bits; if they are `packed` already, the lowest bit of a byte is the first, as OpenVINO's CPU plugin reads it.
    """
    element, count = type.element_type, element_count(type)
    if bits_of(element) == 1:
        bits = np.unpackbits(raw, count=count, bitorder="little") if packed else raw[:count]
        return blob_of(bits.reshape(type.get_shape()).astype(np.bool_), element)
    size = bits_of(element) // 8
    if size and repeats(raw, count):
        return BlobAttr(Blob(type, raw[:size].tobytes(), splat=True))
    return BlobAttr(Blob(type, raw.data))
