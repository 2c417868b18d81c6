"""Buffers that native code reads and writes: aligned memory, and its addresses."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lowering.calling_convention import ALIGNMENT

if TYPE_CHECKING:
    import numpy.typing as npt

    from .ports import Port

    Array = npt.NDArray[Any]

Table = ctypes.Array[ctypes.c_uint64]
"""Addresses in a row, as native code takes them."""


def aligned(nbytes: int) -> Array:
    """A buffer of zeros that starts at a multiple of ALIGNMENT; never empty, so that it has an address."""
    room = np.zeros(max(nbytes, 1) + ALIGNMENT, np.uint8)
    skipped = -address_of(room) % ALIGNMENT
    return room[skipped : skipped + max(nbytes, 1)]


def buffer_for(port: Port) -> Array:
    """A buffer of zeros that holds a port's value."""
    return buffer_of(port.shape, port.dtype)


def buffer_of(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """A buffer of zeros of this shape."""
    nbytes = math.prod(shape) * dtype.itemsize
    return aligned(nbytes)[:nbytes].view(dtype).reshape(shape)


def address_of(array: Array) -> int:
    """Where a contiguous array's first element lies."""
    exporter: Any = array  # which the types of NumPy do not say
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(exporter))  # four times faster than:
    except (TypeError, ValueError):  # read-only, empty, or of a type that no other package knows
        return array.ctypes.data


def table_of(addresses: Sequence[int]) -> Table:
    """A table of these addresses."""
    return (ctypes.c_uint64 * len(addresses))(*addresses)
