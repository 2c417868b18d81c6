"""Layouts of memrefs: strides, and views of other shapes that move no element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import MemRefType, TensorType

from ...dialects.elements import bits_of
from ...dialects.kernel import strides_of
from ...dialects.tensor_types import dense_memref, strided_memref


def memref_of(type: TensorType[Any]) -> MemRefType[Any]:
    """The dense memref that holds a tensor; a boolean takes a byte there."""
    return dense_memref(type.element_type, type.get_shape())


def strided(type: MemRefType[Any], shape: Sequence[int], strides: Sequence[int]) -> MemRefType[Any]:
    """A memref of the same elements under other sizes; dense ones carry no layout."""
    if tuple(strides) == dense_strides(shape):
        return dense_memref(type.element_type, tuple(shape))
    return strided_memref(type.element_type, tuple(shape), tuple(strides))


def dense_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Row-major strides."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def reshaped(type: MemRefType[Any], shape: Sequence[int]) -> MemRefType[Any] | None:
    """The view of a memref under another shape; None where its elements would have to move."""
    old = type.get_shape()
    if is_dense(type):
        return dense_memref(type.element_type, tuple(shape))
    if [size for size in old if size != 1] != [size for size in shape if size != 1]:
        return None
    kept = iter(s for s, size in zip(strides_of(type), old, strict=True) if size != 1)
    strides: list[int] = []
    for i, size in enumerate(shape):
        strides.append(next(kept) if size != 1 else dense_strides(shape)[i])
    return strided(type, shape, strides)


def is_dense(type: MemRefType[Any]) -> bool:
    """Whether the elements lie in row-major order without gaps; dimensions of size 1 may have any stride."""
    shape = type.get_shape()
    pairs = zip(strides_of(type), dense_strides(shape), shape, strict=True)
    return all(have == want or size == 1 for have, want, size in pairs)


def element_bytes(type: MemRefType[Any]) -> int:
    """Bytes from one element to the next."""
    return max(bits_of(type.element_type), 8) // 8
