"""Types of tensors and memrefs, cached: xDSL verifies a type and all its dimensions whenever one is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute

MANY = 1 << 12
"""The number of types that are cached: a model has a few for each layer."""


def typed(element: Attribute, shape: Sequence[int]) -> TensorType[Any]:
    """The tensor type of these elements and this shape."""
    return _typed(element, tuple(shape))


@lru_cache(MANY)
def _typed(element: Attribute, shape: tuple[int, ...]) -> TensorType[Any]:
    return TensorType(element, shape)


@lru_cache(MANY)
def dense_memref(element: Attribute, shape: tuple[int, ...]) -> MemRefType[Any]:
    """The memref type of such elements in row-major order."""
    return MemRefType(element, shape)
