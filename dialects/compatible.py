"""Dimensions, shapes and types that can describe the same value: equal, as far as both are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute

from .tensor_types import typed


def compatible_dims(left: int, right: int) -> bool:
    """Whether two dimensions may be the same: equal, or one of them unknown."""
    return left == right or DYNAMIC_INDEX in (left, right)


def compatible_shapes(left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether two shapes may be the same: equal but for unknown dimensions."""
    return len(left) == len(right) and all(map(compatible_dims, left, right))


def compatible(left: Attribute, right: Attribute) -> bool:
    """Whether two tensor types can describe the same value: equal but for unknown dimensions."""
    if not (isinstance(left, TensorType) and isinstance(right, TensorType)):
        return left == right
    a, b = cast(TensorType[Any], left), cast(TensorType[Any], right)
    return a.element_type == b.element_type and compatible_shapes(a.get_shape(), b.get_shape())


def meet(old: Attribute, new: Attribute) -> Attribute:
    """What both types say about a value; `new` where they contradict each other."""
    if not compatible(old, new):
        return new
    before, after = cast(TensorType[Any], old), cast(TensorType[Any], new)
    sizes = zip(before.get_shape(), after.get_shape(), strict=True)
    return typed(after.element_type, [a if b == DYNAMIC_INDEX else b for a, b in sizes])
