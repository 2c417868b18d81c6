"""
Types of tensors and memrefs, cached, and made without xDSL's verifier: it would take most of the time of making one,
and what it looks at is right by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute

MANY = 1 << 12
"""The number of types that are cached: a model has a few for each layer."""

NONE = NoneAttr()
"""The encoding, layout, offset or memory space of a type that has none."""


def typed(element: Attribute, shape: Sequence[int]) -> TensorType[Any]:
    """The tensor type of these elements and this shape."""
    return _typed(element, tuple(shape))


@lru_cache(MANY)
def _typed(element: Attribute, shape: tuple[int, ...]) -> TensorType[Any]:
    return _made(TensorType, shape=_numbers(shape), element_type=element, encoding=NONE)


@lru_cache(MANY)
def dense_memref(element: Attribute, shape: tuple[int, ...]) -> MemRefType[Any]:
    """The memref type of such elements in row-major order."""
    return _memref(element, shape, NONE)


@lru_cache(MANY)
def strided_memref(
    element: Attribute, shape: tuple[int, ...], strides: tuple[int, ...]
) -> MemRefType[Any]:
    """The memref type of such elements at any offset, with these strides in elements."""
    layout = _made(StridedLayoutAttr, strides=_numbers(strides), offset=NONE)
    return _memref(element, shape, layout)


def _memref(element: Attribute, shape: tuple[int, ...], layout: Attribute) -> MemRefType[Any]:
    return _made(
        MemRefType,
        shape=_numbers(shape),
        element_type=element,
        layout=layout,
        memory_space=NONE,
    )


def _made(kind: type[ParametrizedAttribute], **parameters: Attribute) -> Any:
    """An attribute with these parameters, which are all that its class has."""
    made = kind.__new__(kind)
    for name, value in parameters.items():
        object.__setattr__(made, name, value)
    return made


def _numbers(values: Sequence[int]) -> ArrayAttr[IntAttr]:
    return ArrayAttr(map(_number, map(int, values)))  # True, and NumPy's 1, equal 1 in a cache


_number = lru_cache(MANY)(IntAttr)
