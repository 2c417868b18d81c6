"""Short names of types: `f32[1,40]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import Attribute


def short_element(element: Attribute) -> str:
    """The name of an element type: `u8`, `i32`, `f32`; `boolean` for `i1`."""
    name = str(element)
    if name.startswith(("f8", "f4")):
        return name.lower().removesuffix("u").removesuffix("fn")
    return "boolean" if name == "i1" else name.removeprefix("s").replace("ui", "u")


def short_type(type: Attribute) -> str:
    """
    The type of a value: `f32[1,40]`, with `?` for unknown sizes. A type that is no tensor is written as MLIR writes it.
    """
    if not isinstance(type, TensorType | MemRefType):
        return str(type)
    array = cast(TensorType[Any] | MemRefType[Any], type)
    return f"{short_element(array.get_element_type())}{short_shape(array.get_shape())}"


def short_shape(shape: Sequence[int]) -> str:
    """`[1,40]`; an unknown dimension is `?`."""
    sizes = ("?" if size in (DYNAMIC_INDEX, -1) else str(size) for size in shape)
    return f"[{','.join(sizes)}]"
