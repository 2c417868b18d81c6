"""Shapes with unknown dimensions, as OpenVINO's users ask them: `PartialShape` and `Dimension`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import index as index_of
from typing import Any, Self, SupportsIndex, cast

from ..digits import natural
from ..errors import DiagnosticError

UNLIMITED = (1 << 63) - 1
"""OpenVINO's largest size of a dimension of any size."""


class Dimension(int):
    """
    A size, or -1, which stands for any.

        Dimension(3), Dimension(-1), Dimension("?"), Dimension()

    Raises DiagnosticException for limits: sizes here are known, or not at all.
    """

    def __new__(cls, size: Any = -1, longest: Any = None):
        if longest is not None and longest != size:
            raise DiagnosticError(
                f"a dimension of {size} to {longest} has limits; give a size, or -1 for an unknown one"
            )
        if isinstance(size, str):
            return super().__new__(cls, _size_in(size))
        return super().__new__(cls, index_of(size_of(size)))

    @staticmethod
    def dynamic() -> Dimension:
        """One that takes any size."""
        return Dimension()

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

    def compatible(self, other: int) -> bool:
        """Whether both may be the same size."""
        return self.relaxes(other) or self.refines(other)

    def refines(self, other: int) -> bool:
        """Whether the other takes all that this one takes."""
        return other in (self, -1)

    def relaxes(self, other: int) -> bool:
        """Whether this one takes all that the other takes."""
        return self in (other, -1)

    def same_scheme(self, other: int) -> bool:
        """Whether both are the same size, or both unknown."""
        return self == other

    def to_string(self) -> str:
        """The size, or `?`."""
        return "?" if self.is_dynamic else int.__repr__(self)

    __str__ = to_string


def _size_in(text: str) -> int:
    """The size that a text says. Raises DiagnosticException where it says none."""
    stripped = text.strip()
    if stripped in ("?", "-1"):
        return -1
    if (size := natural(stripped)) is None:
        raise DiagnosticError(f"{text!r} is not a dimension; give a size, or ? for an unknown one")
    return size


def size_of(given: Any) -> Any:
    """A size in our form. An OpenVINO dimension with limits is returned as it is, and is refused where it is read."""
    if isinstance(given, int) or not hasattr(given, "is_static"):
        return given
    if given.is_static:
        return given.get_length()
    return -1 if given.max_length == -1 and given.min_length == 0 else given


class Shape(tuple[int, ...]):
    """Sizes, as text `[1,2]`. Equals lists and tuples of them. Raises DiagnosticException for other text."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] | str = ()):
        if isinstance(sizes, str):
            sizes = PartialShape(sizes).to_shape()
        return super().__new__(cls, sizes)

    def to_string(self) -> str:
        """`[1,2]`."""
        return f"[{','.join(map(str, self))}]"

    __str__ = to_string

    def __eq__(self, other: object) -> bool:
        return super().__eq__(
            tuple(cast("list[object]", other)) if isinstance(other, list) else other
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__()


class PartialShape(list[Dimension]):
    """
    Dimensions, -1 where one takes any size, which is written `?`: `[?,2]`, as text also without the brackets. Equals
    lists and tuples of sizes. `shape[0] = -1` changes it, and never what it is of.
    """

    __slots__ = ()

    def __init__(self, sizes: Iterable[Any] = ()):
        if isinstance(sizes, str):
            inside = sizes.strip().removeprefix("[").removesuffix("]")
            sizes = inside.split(",") if inside.strip() else ()
        super().__init__(map(Dimension, sizes))

    def __setitem__(self, index: Any, size: Any) -> None:
        """Gives dimensions other sizes. Raises DiagnosticException for what is no size."""
        is_slice = isinstance(index, slice)
        super().__setitem__(index, PartialShape(size) if is_slice else Dimension(size))

    def append(self, size: Any, /) -> None:
        """One more dimension."""
        self.extend([size])

    def extend(self, sizes: Iterable[Any], /) -> None:
        """More dimensions."""
        self[len(self) :] = sizes

    def insert(self, index: SupportsIndex, size: Any, /) -> None:
        """One more dimension, in front of that of this index."""
        self[index:index] = [size]

    def __iadd__(self, sizes: Iterable[Any], /) -> Self:
        self.extend(sizes)
        return self

    @staticmethod
    def dynamic(rank: int | None = None) -> PartialShape:
        """One of so many dimensions, each of which takes any size. Raises DiagnosticException without a number."""
        if rank is None:
            raise DiagnosticError("shapes here have a rank; give the number of dimensions")
        return PartialShape([-1] * rank)

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

    @property
    def all_non_negative(self) -> bool:
        """Always: there are no negative sizes."""
        return True

    def compatible(self, other: Iterable[Any]) -> bool:
        """Whether both may be the same shape."""
        return self._all(Dimension.compatible, other)

    def refines(self, other: Iterable[Any]) -> bool:
        """Whether the other takes all shapes that this one takes."""
        return self._all(Dimension.refines, other)

    def relaxes(self, other: Iterable[Any]) -> bool:
        """Whether this one takes all shapes that the other takes."""
        return self._all(Dimension.relaxes, other)

    def same_scheme(self, other: Iterable[Any]) -> bool:
        """Whether both have the same sizes, and the same unknown dimensions."""
        return self == PartialShape(other)

    def _all(self, holds: Callable[[Dimension, int], bool], other: Iterable[Any]) -> bool:
        others = PartialShape(other)
        return len(self) == len(others) and all(map(holds, self, others))

    def to_shape(self) -> Shape:
        """The sizes. Raises DiagnosticException where one is unknown."""
        return Shape(size.get_length() for size in self)

    def get_shape(self) -> Shape:
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
        sizes = list(cast("tuple[object]", other)) if isinstance(other, tuple) else other
        return super().__eq__(sizes)

    def __ne__(self, other: object) -> bool:
        return not self == other
