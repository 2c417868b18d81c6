"""The element types that LiteRT's builtins compute in, and wider ones that can replace others."""

from __future__ import annotations

from xdsl.dialects.builtin import f16
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import tfl
from ...dialects.elements import bits_of, is_integer, is_narrow_float
from ...reference.arrays import dtype_of

HOLDING_ELEMENTS: dict[str, tuple[str, ...]] = {
    "float16": ("float32",),
    "bool": ("int32", "float32"),
    "int8": ("int32", "float32"),
    "uint8": ("int32", "float32"),
    "int16": ("int32", "float32"),
    "uint16": ("int32", "float32"),
    "uint32": ("int64",),
    "int32": ("int64",),
}
"""By element type, the types that hold all of its values."""


def compute_element(builtin: str, element: str) -> str:
    """
    The type in which `builtin` computes with an element type: its own, or one that holds all its values.

    Raises DiagnosticException where LiteRT has none.
    """
    known = tfl.OPERATIONS[builtin].ELEMENTS or (element,)
    for candidate in (element, *HOLDING_ELEMENTS.get(element, ())):
        if candidate in known:
            return candidate
    raise DiagnosticException(
        f"LiteRT's {builtin} computes in {', '.join(known)}, not in {element}; "
        "convert the model to one of these"
    )


def element_name(element: Attribute) -> str:
    """NumPy's name of an element type. Raises DiagnosticException for types that LiteRT does not have."""
    is_known = element == f16 or not is_narrow_float(element)
    if not is_known or (is_integer(element) and 1 < bits_of(element) < 8):
        raise DiagnosticException(
            f"LiteRT computes with no {element}; convert to f32 or an integer of 8 bits or more"
        )
    return dtype_of(element).name
