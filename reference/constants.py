"""The arrays that constants of a model hold."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue

from ..dialects.nn.constant import constant_of
from .arrays import Array, array_of


def constant_array(value: SSAValue) -> Array | None:
    """The array of a value that an `nn.constant` gives; None of others."""
    blob = constant_of(value)
    return None if blob is None else array_of(blob)


def constant_arrays(values: Iterable[SSAValue]) -> list[Array] | None:
    """The arrays of values that are all constants, in order; None if one is not."""
    arrays: list[Array] = []
    for value in values:
        if (array := constant_array(value)) is None:
            return None
        arrays.append(array)
    return arrays
