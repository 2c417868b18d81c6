"""Types of tensors and of memory, each made once: xDSL verifies every type and all its dimensions when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute

MANY = 1 << 12
"""Types that are remembered: a model has a few for each of its layers."""


def typed(element: Attribute, shape: Sequence[int]) -> TensorType[Any]:
    """The type of a tensor of these elements and this shape."""
    return _typed(element, tuple(shape))


@lru_cache(MANY)
def _typed(element: Attribute, shape: tuple[int, ...]) -> TensorType[Any]:
    return TensorType(element, shape)


@lru_cache(MANY)
def dense_memref(element: Attribute, shape: tuple[int, ...]) -> MemRefType[Any]:
    """The type of memory that holds such elements in row-major order."""
    return MemRefType(element, shape)
