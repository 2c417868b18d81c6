"""OpenVINO's element types, tensor types and constants as ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import Blob, BlobAttr, byte_size, element_count
from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.elements import bits_of, ui4
from ...dialects.tensor_types import typed
from ...reference.arrays import Array, blob_of, repeats

if TYPE_CHECKING:
    import openvino

CODES = ("u2", "u3", "nf4")
"""Element types that only constants have; here these are the codes, as `ui4`."""

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


def constant_type(element: str, sizes: Iterable[int]) -> TensorType[Any]:
    """The type of a constant. Raises DiagnosticException as `element_named` does."""
    return typed(ui4, tuple(sizes)) if element in CODES else tensor_type(element, sizes)


def constant_size(element: str, type: TensorType[Any]) -> int:
    """The bytes that a constant takes in OpenVINO's memory."""
    count = element_count(type)
    match element:
        case "boolean":
            return count
        case "u2":
            return -(-count // 4)
        case "u3":
            return -(-count // 8) * 3
        case _:
            return byte_size(type)


def constant_data(type: TensorType[Any], raw: Array, name: str) -> BlobAttr:
    """
    A constant from its bytes, whose element type is called `name`: a splat where one element repeats, else a view that
    keeps them alive. Booleans become single bits; of `u1` the highest bit of a byte is the first.
    """
    element, count = type.element_type, element_count(type)
    if name in ("u2", "u3"):
        return blob_of(_widened(raw, name)[:count].reshape(type.get_shape()), element)
    packed = name == "u1"
    if bits_of(element) == 1:
        bits = np.unpackbits(raw, count=count) if packed else raw[:count]
        return blob_of(bits.reshape(type.get_shape()).astype(np.bool_), element)
    size = bits_of(element) // 8
    if size and repeats(raw, count):
        return BlobAttr(Blob(type, raw[:size].tobytes(), splat=True))
    return BlobAttr(Blob(type, raw.data))


def _widened(raw: Array, name: str) -> Array:
    """
    Codes of 2 bits, the first in the lowest ones, or of 3: of eight codes, two bytes have the lower two bits each, and
    the third byte has the upper ones, the first code's in the highest bits.
    """
    if name == "u2":
        return (raw[:, None] >> np.arange(0, 8, 2) & 3).reshape(-1)
    triples = raw.reshape(-1, 3)
    low = triples[:, :2, None] >> np.arange(6, -1, -2) & 3
    high = triples[:, 2, None] >> np.arange(7, -1, -1) & 1
    return (low.reshape(-1, 8) | high << 2).reshape(-1)
