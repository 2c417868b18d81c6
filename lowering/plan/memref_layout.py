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
    if is_dense(type) or 0 in shape:
        return dense_memref(type.element_type, tuple(shape))
    runs, strides = _runs(type), list(dense_strides(shape))
    left, step = 1, 0
    for i in reversed(range(len(shape))):
        if shape[i] == 1:
            continue
        if left == 1:
            left, step = runs.pop()
        if left % shape[i]:
            return None  # it leaves a run
        strides[i] = step
        left, step = left // shape[i], step * shape[i]
    return strided(type, shape, strides)


def _runs(type: MemRefType[Any]) -> list[tuple[int, int]]:
    """Dimensions as few as may be: the elements of each, and how far apart they are."""
    found: list[tuple[int, int]] = []
    for size, stride in zip(type.get_shape(), strides_of(type), strict=True):
        if size == 1:
            continue
        if found and found[-1][1] == size * stride:
            size *= found.pop()[0]
        found.append((size, stride))
    return found


def is_dense(type: MemRefType[Any]) -> bool:
    """Whether the elements lie in row-major order without gaps; dimensions of size 1 may have any stride."""
    shape = type.get_shape()
    pairs = zip(strides_of(type), dense_strides(shape), shape, strict=True)
    return all(have == want or size == 1 for have, want, size in pairs)


def element_bytes(type: MemRefType[Any]) -> int:
    """Bytes from one element to the next."""
    return max(bits_of(type.element_type), 8) // 8
