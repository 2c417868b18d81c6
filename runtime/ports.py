"""Inputs, outputs and states: what they are called, what they hold, and which arrays they take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


def is_array(given: Any) -> TypeGuard[Array]:
    """Whether this is an array of NumPy's."""
    return isinstance(given, np.ndarray)


@dataclass(frozen=True)
class Port:
    """
    A tensor that goes in, comes out or stays: `names` (messages say the first one), `shape`, and the
    name of its NumPy type in `type`. A dimension of -1 takes any size.
    """

    role: str  # "input", "output" or "state"
    names: tuple[str, ...]
    shape: tuple[int, ...]
    type: str

    @property
    def any_name(self) -> str:
        """One of the names."""
        return self.names[0]

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of its elements."""
        return np.dtype(self.type)

    @property
    def nbytes(self) -> int:
        """The size of its buffer."""
        return math.prod(self.shape) * self.dtype.itemsize

    def __str__(self) -> str:
        """How messages call it."""
        return f"{self.role} '{self.any_name}'" if self.names else self.role

    def accept(self, given: Any) -> Array:
        """
        `given` (an array, a DLPack tensor, a buffer, nested lists) as an array of this type and shape:
        itself where it is one. Other types are converted where that loses nothing:

        - integers and truth values, where the type holds every value between the least and the greatest;
        - floats to wider floats, and to narrower ones rounded to nearest, where none becomes infinite.

        Raises DiagnosticException for other shapes, for floats where integers are wanted, and for values
        out of range.
        """
        array: Array = given if is_array(given) else _array_of(given, self)
        if array.shape != self.shape and not self._fits(array.shape):
            raise self._refusal(array, "reshape the array")
        return array if array.dtype == self.dtype else self._converted(array)

    def _fits(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == len(self.shape) and all(
            want in (-1, have) for want, have in zip(self.shape, shape, strict=True)
        )

    def _converted(self, array: Array) -> Array:
        source, target = array.dtype, self.dtype
        if source.kind not in "biuf":
            raise self._refusal(array, "only numbers can be converted")
        if source.kind != "f":
            self._check_range(array)
            return array.astype(target)
        if target.kind != "f":
            raise self._refusal(array, "round and convert it yourself")
        with np.errstate(over="ignore"):
            result = array.astype(target)
        lost = np.isinf(result) & ~np.isinf(array)
        if lost.any():
            raise self._refusal(array, f"{array[lost][0]} is too large for it")
        return result

    def _check_range(self, array: Array) -> None:
        """Raises where an integer has no exact counterpart of this type."""
        if not array.size:
            return
        match self.dtype.kind:
            case "f":
                high = 2 ** (np.finfo(self.dtype).nmant + 1)
                low = -high
            case "b":
                low, high = 0, 1
            case _:
                limits = np.iinfo(self.dtype)
                low, high = int(limits.min), int(limits.max)
        for value in (int(array.min()), int(array.max())):
            if not low <= value <= high:
                raise self._refusal(array, f"{value} is outside {low} … {high}")

    def _refusal(self, array: Array, why: str) -> DiagnosticException:
        wanted, given = _text(self.type, self.shape), _text(str(array.dtype), array.shape)
        return DiagnosticException(f"{self} takes {wanted}, was given {given}: {why}")


def _array_of(given: Any, port: Port) -> Array:
    try:
        if hasattr(given, "__dlpack__") and not hasattr(given, "__array__"):
            return np.from_dlpack(given)
        return np.asarray(given)
    except (ValueError, TypeError, BufferError) as error:
        text = " ".join(str(error).split())
        raise DiagnosticException(f"{port} was given what is no array: {text}") from None


def _text(type: str, shape: tuple[int, ...]) -> str:
    return f"{type}[{', '.join('?' if n < 0 else str(n) for n in shape)}]"
