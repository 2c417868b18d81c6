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
    A size, or -1, which stands for any, or for any within limits.

        Dimension(3), Dimension(-1), Dimension("?"), Dimension(), Dimension(1, 8), Dimension("1..8"), Dimension("2..")

    Raises DiagnosticException for what is no size, and for limits that no size is within.
    """

    min_length: int
    """The least size."""
    max_length: int
    """The largest size; -1 where there is none."""

    def __new__(cls, size: Any = -1, longest: Any = None):
        least, most = _limits_of(size) if longest is None else (index_of(size), index_of(longest))
        if least < 0 or most < -1 or -1 < most < least:
            raise DiagnosticError(
                f"there is no dimension of {least} to {most}; give a size, or limits, the lower one first"
            )
        made = super().__new__(cls, least if least == most else -1)
        made.min_length, made.max_length = least, most
        return made

    def __getnewargs__(self) -> tuple[int, int]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.min_length, self.max_length

    @staticmethod
    def dynamic() -> Dimension:
        """One that takes any size."""
        return Dimension()

    @property
    def is_dynamic(self) -> bool:
        """Whether it takes several sizes."""
        return int(self) < 0

    @property
    def is_static(self) -> bool:
        """Whether it is known."""
        return int(self) >= 0

    @property
    def has_limits(self) -> bool:
        """Whether it takes some sizes, and not others."""
        return self.is_dynamic and (self.min_length, self.max_length) != (0, -1)

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

    @property
    def _most(self) -> int:
        return UNLIMITED if self.max_length < 0 else self.max_length

    def compatible(self, other: int) -> bool:
        """Whether both may be the same size."""
        other = Dimension(other)
        return max(self.min_length, other.min_length) <= min(self._most, other._most)

    def refines(self, other: int) -> bool:
        """Whether the other takes all that this one takes."""
        return Dimension(other).relaxes(self)

    def relaxes(self, other: int) -> bool:
        """Whether this one takes all that the other takes."""
        other = Dimension(other)
        return self.min_length <= other.min_length and other._most <= self._most

    def same_scheme(self, other: int) -> bool:
        """Whether both are the same size, or both unknown."""
        return int(self) == int(Dimension(other))

    def to_string(self) -> str:
        """The size, or `?`, `1..8`, `2..`, `..8`."""
        if not self.has_limits:
            return "?" if self.is_dynamic else int.__repr__(self)
        most = "" if self.max_length < 0 else str(self.max_length)
        return f"{self.min_length or ''}..{most}"

    __str__ = to_string

    def __repr__(self) -> str:
        return self.to_string() if self.has_limits else int.__repr__(self)

    def __eq__(self, other: object) -> bool:
        if self.has_limits or (isinstance(other, Dimension) and other.has_limits):
            return isinstance(other, Dimension) and _ends(self) == _ends(other)
        return int.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return int.__hash__(self)


def _ends(size: Dimension) -> tuple[int, int]:
    return size.min_length, size.max_length


def _limits_of(given: Any) -> tuple[int, int]:
    """The least and the largest size that one is given as. Raises DiagnosticException where it is none."""
    if isinstance(given, str):
        return _limits_in(given)
    if hasattr(given, "min_length"):
        return given.min_length, given.max_length
    size = index_of(given)
    return (0, -1) if size == -1 else (size, size)


def _limits_in(text: str) -> tuple[int, int]:
    """The least and the largest size that a text says. Raises DiagnosticException where it says none."""
    stripped = text.strip()
    if stripped in ("?", "-1"):
        return 0, -1
    least, dots, most = stripped.partition("..")
    low = 0 if dots and not least else natural(least)
    high = -1 if dots and not most else natural(most if dots else least)
    if low is None or high is None:
        raise DiagnosticError(
            f"{text!r} is not a dimension; give a size, limits as in 1..8, or ? for an unknown one"
        )
    return low, high


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
    Dimensions, -1 where one takes any size, which is written `?`: `[?,2]`, as text also without the brackets. A pair is
    limits: `[(1, 8), 2]` is `[1..8,2]`. Equals lists and tuples of sizes. `shape[0] = -1` changes it, and never what it
    is of.
    """

    __slots__ = ()

    def __init__(self, sizes: Iterable[Any] = ()):
        if isinstance(sizes, str):
            inside = sizes.strip().removeprefix("[").removesuffix("]")
            sizes = inside.split(",") if inside.strip() else ()
        super().__init__(
            Dimension(*cast("Iterable[Any]", size))
            if isinstance(size, tuple | list)
            else Dimension(size)
            for size in sizes
        )

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
        """Whether a dimension takes several sizes."""
        return any(size.is_dynamic for size in self)

    @property
    def is_static(self) -> bool:
        """Whether all are known."""
        return not self.is_dynamic

    @property
    def has_limits(self) -> bool:
        """Whether a dimension takes some sizes, and not others."""
        return any(size.has_limits for size in self)

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
        return self._all(Dimension.same_scheme, other)

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
        return tuple(UNLIMITED if size.max_length < 0 else size.max_length for size in self)

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
