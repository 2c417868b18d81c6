"""LLVM's types, each one object, as text and as what it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self


class Type:
    """A type. Equal types are one object."""

    __slots__ = ("text",)
    text: str

    _known: ClassVar[dict[str, Type]] = {}

    @classmethod
    def _of(cls, text: str) -> Self:
        """The one type of this text."""
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
    """Integers of `width` bits. Signedness is a matter of instructions."""

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
    """Vectors of `count` lanes."""

    __slots__ = ("count", "element")
    element: Type
    count: int

    def __new__(cls, element: Type, count: int) -> Self:
        self = cls._of(f"<{count} x {element.text}>")
        self.element, self.count = element, count
        return self


class ArrayType(Type):
    """Arrays of `count` elements."""

    __slots__ = ("count", "element")
    element: Type
    count: int

    def __new__(cls, element: Type, count: int) -> Self:
        self = cls._of(f"[{count} x {element.text}]")
        self.element, self.count = element, count
        return self


class StructType(Type):
    """
    Structs. A module gives each a name, since an instruction that extracts an element names the type again
    (`Module.struct`).
    """

    __slots__ = ("elements",)
    elements: tuple[Type, ...]

    def __init__(self, name: str, elements: tuple[Type, ...]):
        self.text, self.elements = name, elements


@dataclass(frozen=True)
class FunctionType:
    """The result and the arguments of a function."""

    result: Type
    arguments: Sequence[Type]
