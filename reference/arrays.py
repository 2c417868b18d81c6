"""NumPy views of constants, and constants of NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    TensorType,
    f16,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.blob import Blob, BlobAttr, DeferredBlob, byte_size, element_count
from ..dialects.elements import EXTENDED, bits_of, ends_of, is_integer, is_unsigned
from ..dialects.tensor_types import typed
from .narrow_floats import codes_of, has_codes, of_codes
from .pages import pages

Array = npt.NDArray[Any]

PAGED = 1 << 18
"""Data of so many bytes lies in pages of its own."""

PIECE = 1 << 20
"""Bytes of a large constant that are computed at once: they stay in the second-level cache until they are written."""

SHORT = 1 << 12
"""Bytes up to which two of Python's strings are compared sooner than two of NumPy's arrays."""

MAPPED = 32 << 20
"""Blocks of more bytes are mapped by `malloc` itself, whatever was freed before (mallopt(3), M_MMAP_THRESHOLD)."""


@cache
def dtype_of(element: Attribute) -> np.dtype[Any]:
    """
    The NumPy type that the reference computes in: `i4` widens to int8, floats that NumPy lacks to float32.

    Raises DiagnosticException for element types that tensors cannot have.
    """
    match element:
        case Float32Type():
            return np.dtype(np.float32)
        case Float64Type():
            return np.dtype(np.float64)
        case Float16Type():
            return np.dtype(np.float16)
        case IntegerType():
            if (width := bits_of(element)) == 1:
                return np.dtype(np.bool_)
            return np.dtype(f"{'u' if is_unsigned(element) else 'i'}{max(width, 8) // 8}")
        case _ if has_codes(element):
            return np.dtype(np.float32)
        case _:
            raise DiagnosticException(f"tensors of {element} have no NumPy type")


def ends_of_type(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The least and the greatest of all numbers of a type."""
    least, greatest = ends_of(element_of(dtype))
    return dtype.type(least), dtype.type(greatest)


@cache
def element_of(dtype: np.dtype[Any]) -> Attribute:
    """The element type of a NumPy type. Raises DiagnosticException where there is none."""
    if dtype == np.bool_:
        return i1
    if dtype.name in EXTENDED:
        return EXTENDED[dtype.name]
    floats = {2: f16, 4: f32, 8: f64}
    if dtype.kind == "f" and dtype.itemsize in floats:
        return floats[dtype.itemsize]
    if dtype.kind in "iu":
        signedness = Signedness.UNSIGNED if dtype.kind == "u" else Signedness.SIGNLESS
        return IntegerType(dtype.itemsize * 8, signedness)
    raise DiagnosticException(f"arrays of {dtype} are not supported; convert to a numeric type")


@cache
def array_type_name(element: Attribute) -> str:
    """The name of an element type in NumPy, alone or with the package ml_dtypes, as users exchange arrays of it."""
    names = (name for name, extended in EXTENDED.items() if extended == element)
    return next(names, None) or dtype_of(element).name


def of_user(array: Array, element: Attribute) -> Array:
    """An array of elements as the reference computes with them, if it is one of ml_dtypes."""
    return array.astype(dtype_of(element)) if EXTENDED.get(array.dtype.name) == element else array


def dtype_in_memory(element: Attribute) -> np.dtype[Any]:
    """The NumPy type of elements in the memory of programs: a byte or more for each."""
    return np.dtype(f"u{-(-bits_of(element) // 8)}") if has_codes(element) else dtype_of(element)


def in_memory(array: Array, element: Attribute) -> Array:
    """An array as memory of programs holds it."""
    return codes_of(array, element) if has_codes(element) else array


def of_memory(array: Array, element: Attribute) -> Array:
    """The inverse of `in_memory`."""
    return of_codes(array, element) if has_codes(element) else array


def rounded(array: Array, element: Attribute) -> Array:
    """
    Results as elements of their type: floats that NumPy lacks rounded to nearest, integers of less than a byte
    wrapped around.
    """
    if has_codes(element):
        return np.asarray(of_codes(codes_of(array, element), element))
    if is_integer(element) and 1 < (spare := 8 - bits_of(element)) < 7:
        return (array << spare) >> spare
    return array


def array_of(attribute: BlobAttr) -> Array:
    """The constant as a read-only array: a view of its bytes where the element type allows one."""
    blob = attribute.data
    known: Array | None = vars(blob).get("array")
    return _read(blob) if known is None else known


def _read(blob: Blob) -> Array:
    """The elements of a blob, which keeps a view of its bytes: passes ask again and again."""
    element, shape = blob.type.element_type, blob.type.get_shape()
    count = 1 if blob.splat else element_count(blob.type)
    flat = _unpack(element, np.frombuffer(memoryview(blob.buffer), np.uint8), count)
    array = np.broadcast_to(flat[0], shape) if blob.splat else flat.reshape(shape)
    array.flags.writeable = False
    if _is_raw(element):
        vars(blob)["array"] = array
    return array


def _unpack(element: Attribute, raw: Array, count: int) -> Array:
    bits = bits_of(element)
    if bits >= 8:
        return of_memory(raw.view(dtype_in_memory(element)), element)
    per_byte = 8 // bits
    codes = (raw[:, None] >> (np.arange(per_byte, dtype=np.uint8) * bits)) & ((1 << bits) - 1)
    codes = codes.reshape(-1)[:count]
    if has_codes(element):
        return of_codes(codes, element)
    if is_unsigned(element):
        return codes.astype(dtype_of(element))
    return (codes.astype(np.int8) << (8 - bits)) >> (8 - bits)


def blob_of(
    array: npt.ArrayLike, element: Attribute | None = None, given_away: bool = False
) -> BlobAttr:
    """
    A constant that holds `array`, of element type `element` (default: the array's own). An array of one
    repeated element becomes a splat. Narrow integer types are packed; values must fit. It holds a copy, unless the
    array is `given_away`: then nobody writes into it any more.
    """
    values = np.asarray(array)
    element = element_of(values.dtype) if element is None else element
    values = np.ascontiguousarray(values, dtype_of(element)).reshape(values.shape)
    type = typed(element, values.shape)
    flat = values.reshape(-1)
    if repeats(flat.view(np.uint8), flat.size):
        return BlobAttr(Blob(type, _pack(element, flat[:1]), splat=True))
    return BlobAttr(Blob(type, _pack(element, flat, given_away)))


class StridedBlob(DeferredBlob):
    """A blob of an array that nobody writes to: a transposed one stays as it lies, and is put in order in pieces."""

    def __init__(self, type: TensorType[Any], array: Array):
        super().__init__(type, self._in_order, ends_in(array))
        self.array = array
        array.flags.writeable = False

    def _in_order(self) -> Iterator[memoryview]:
        rows = max(1, PIECE * len(self.array) // self.array.nbytes)
        for row in range(0, len(self.array), rows):
            yield bytes_of(self.array[row : row + rows])


def blob_of_view(array: Array, element: Attribute) -> BlobAttr:
    """A constant of other constants' elements, as a view of a large one has them: they are not copied."""
    if array.nbytes < PAGED or not _is_raw(element):
        return blob_of(array, element)
    first, last = ends_in(array)
    if first == last and bool((array == array[(0,) * array.ndim]).all()):
        return blob_of(array, element)
    return BlobAttr(StridedBlob(typed(element, array.shape), array))


@dataclass(frozen=True)
class Pieces:
    """An array that is computed in pieces, which lie one behind the other, each time that they are asked for."""

    shape: Sequence[int]
    dtype: np.dtype[Any]
    make: Callable[[], Iterator[Array]]

    def joined(self) -> Array:
        """The array."""
        parts = [piece.reshape(-1) for piece in self.make()]
        return np.concatenate([np.empty(0, self.dtype), *parts]).reshape(self.shape)


def blob_of_pieces(pieces: Pieces, element: Attribute, source: Array) -> BlobAttr:
    """A constant that is computed from `source`: a large one when its data is wanted."""
    type = typed(element, pieces.shape)
    if byte_size(type) < PAGED or not _is_raw(element):
        return blob_of(pieces.joined(), element)
    return BlobAttr(DeferredBlob(type, lambda: map(bytes_of, pieces.make()), ends_in(source)))


def _is_raw(element: Attribute) -> bool:
    """Whether constants have the same bytes as arrays."""
    return bits_of(element) >= 8 and not has_codes(element)


def bytes_of(array: Array) -> memoryview:
    """The elements in row-major order."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def ends_in(array: Array) -> tuple[bytes, bytes]:
    """The first and the last element."""
    return array[(0,) * array.ndim].tobytes(), array[(-1,) * array.ndim].tobytes()


def repeats(raw: Array, count: int) -> bool:
    """Whether bytes are `count` times the same element, more than one."""
    if count < 2:
        return False
    size = len(raw) // count
    if (first := raw[:size].tobytes()) != raw[len(raw) - size :].tobytes():
        return False
    if len(raw) <= SHORT:  # NumPy takes longer to begin than this does
        return raw.tobytes() == first * count
    rows = raw.reshape(count, -1)
    return bool((rows == rows[0]).all())


def _pack(element: Attribute, flat: Array, given_away: bool = False) -> memoryview:
    flat = in_memory(flat, element)
    if (bits := bits_of(element)) < 8:
        per_byte = 8 // bits
        codes = np.zeros((-(-flat.size // per_byte), per_byte), np.uint8)
        codes.reshape(-1)[: flat.size] = flat.astype(np.uint8) & ((1 << bits) - 1)
        shifts = np.arange(per_byte, dtype=np.uint8) * bits
        flat = np.bitwise_or.reduce(codes << shifts, axis=1).astype(np.uint8)
    data = np.ascontiguousarray(flat).view(np.uint8).data
    if given_away and data.nbytes > MAPPED:
        return data.toreadonly()
    return _copied(data)


def _copied(data: memoryview) -> memoryview:
    """A copy. A large one has pages of its own, which are freed as soon as nobody holds it."""
    if data.nbytes < PAGED:
        return memoryview(bytes(data))
    copy = memoryview(pages(data.nbytes))
    copy[:] = data
    return copy.toreadonly()
