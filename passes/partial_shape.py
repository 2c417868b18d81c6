"""Shapes with unknown dimensions, as OpenVINO's users ask them: `PartialShape` and `Dimension`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from .errors import DiagnosticError

UNLIMITED = (1 << 63) - 1
"""OpenVINO's largest size of a dimension of any size."""


class Dimension(int):
    """
    A size, or -1, which stands for any.

        Dimension(3), Dimension(-1), Dimension()

    Raises DiagnosticException for limits: sizes here are known, or not at all.
    """

    def __new__(cls, size: Any = -1, longest: Any = None):
        if longest is not None and longest != size:
            raise DiagnosticError(
                f"a dimension of {size} to {longest} has limits; give a size, or -1 for an unknown one"
            )
        return super().__new__(cls, size_of(size))

    @property
    def is_dynamic(self) -> bool:
        """Whether it takes any size."""
        return self < 0

    @property
    def is_static(self) -> bool:
        """Whether it is known."""
        return self >= 0

    @property
    def min_length(self) -> int:
        """The least size."""
        return max(self, 0)

    @property
    def max_length(self) -> int:
        """The largest size; -1 where there is none."""
        return int(self)

    def get_min_length(self) -> int:
        """`min_length`."""
        return self.min_length

    def get_max_length(self) -> int:
        """`max_length`."""
        return self.max_length

    def get_length(self) -> int:
        """The size. Raises DiagnosticException where it is unknown."""
        if self.is_dynamic:
            raise DiagnosticError(
                "the dimension is unknown: ask is_static first, or reshape the model"
            )
        return int(self)

    def to_string(self) -> str:
        """The size, or `?`."""
        return "?" if self.is_dynamic else int.__repr__(self)

    __str__ = to_string


def size_of(given: Any) -> Any:
    """A size in our form. An OpenVINO dimension with limits is returned as it is, and is refused where it is read."""
    if isinstance(given, int) or not hasattr(given, "is_static"):
        return given
    if given.is_static:
        return given.get_length()
    return -1 if given.max_length == -1 and given.min_length == 0 else given


class PartialShape(tuple[Dimension, ...]):
    """Dimensions, -1 where one takes any size, which is written `?`: `[?,2]`. Equals lists and tuples of sizes."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = ()):
        return super().__new__(cls, map(Dimension, sizes))

    @property
    def rank(self) -> Dimension:
        """How many dimensions there are."""
        return Dimension(len(self))

    @property
    def is_dynamic(self) -> bool:
        """Whether a dimension takes any size."""
        return -1 in self

    @property
    def is_static(self) -> bool:
        """Whether all are known."""
        return -1 not in self

    def to_shape(self) -> tuple[int, ...]:
        """The sizes. Raises DiagnosticException where one is unknown."""
        return tuple(size.get_length() for size in self)

    def get_shape(self) -> tuple[int, ...]:
        """`to_shape`."""
        return self.to_shape()

    def get_min_shape(self) -> tuple[int, ...]:
        """The least size of each dimension."""
        return tuple(size.min_length for size in self)

    def get_max_shape(self) -> tuple[int, ...]:
        """The largest size of each dimension."""
        return tuple(UNLIMITED if size.is_dynamic else int(size) for size in self)

    def get_dimension(self, index: int) -> Dimension:
        """One of them."""
        return self[index]

    def to_string(self) -> str:
        """`[?,2]`."""
        return f"[{','.join(map(str, self))}]"

    __str__ = to_string

    def __eq__(self, other: object) -> bool:
        sizes = tuple(cast("list[object]", other)) if isinstance(other, list) else other
        return super().__eq__(sizes)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__()
