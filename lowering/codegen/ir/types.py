"""The types of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self


class Type:
    """A type; those that are equal are one object."""

    __slots__ = ("text",)
    text: str

    _known: ClassVar[dict[str, Type]] = {}

    @classmethod
    def _of(cls, text: str) -> Self:
        """The one of this text."""
        found = cls._known.get(text)
        if found is None:
            found = object.__new__(cls)
            found.text = text
            found = cls._known.setdefault(text, found)
        assert isinstance(found, cls)
        return found

    def __str__(self) -> str:
        return self.text


class IntType(Type):
    """Integers of so many bits, of which instructions decide whether they are signed."""

    __slots__ = ("width",)
    width: int

    def __new__(cls, width: int) -> Self:
        self = cls._of(f"i{width}")
        self.width = width
        return self


class _NamedType(Type):
    """A type that has no parameters, called `keyword`."""

    __slots__ = ()
    keyword: ClassVar[str]

    def __new__(cls) -> Self:
        return cls._of(cls.keyword)


class HalfType(_NamedType):
    """IEEE 754's binary16."""

    __slots__ = ()
    keyword = "half"


class FloatType(_NamedType):
    """IEEE 754's binary32."""

    __slots__ = ()
    keyword = "float"


class DoubleType(_NamedType):
    """IEEE 754's binary64."""

    __slots__ = ()
    keyword = "double"


class PointerType(_NamedType):
    """Addresses."""

    __slots__ = ()
    keyword = "ptr"


class VoidType(_NamedType):
    """The result of functions that have none."""

    __slots__ = ()
    keyword = "void"


class VectorType(Type):
    """So many lanes in a register."""

    __slots__ = ("count", "element")
    element: Type
    count: int

    def __new__(cls, element: Type, count: int) -> Self:
        self = cls._of(f"<{count} x {element.text}>")
        self.element, self.count = element, count
        return self


class ArrayType(Type):
    """So many elements in memory."""

    __slots__ = ("count", "element")
    element: Type
    count: int

    def __new__(cls, element: Type, count: int) -> Self:
        self = cls._of(f"[{count} x {element.text}]")
        self.element, self.count = element, count
        return self


class StructType(Type):
    """Several values; a module gives it a name, since what takes one out says the type again (`Module.struct`)."""

    __slots__ = ("elements",)
    elements: tuple[Type, ...]

    def __init__(self, name: str, elements: tuple[Type, ...]):
        self.text, self.elements = name, elements


@dataclass(frozen=True)
class FunctionType:
    """What a function gives and takes."""

    result: Type
    arguments: Sequence[Type]
