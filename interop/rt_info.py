"""What tools note of models and nodes, OpenVINO's `rt_info`: text, numbers, lists and mappings under names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute

from ..passes.errors import DiagnosticError, shown

NOTES = "nn.rt_info"
"""The attribute of a module, of an operation, or of an argument or result of the entry."""


class UnknownNoteError(DiagnosticError, KeyError):
    """There is no note of this name."""

    __str__ = DiagnosticError.__str__


@dataclass(frozen=True)
class OVAny:
    """A note, by OpenVINO's name: `value` is text, a number, a truth value, a list or a mapping. Equals its value."""

    value: Any

    def get(self) -> Any:
        """`value`."""
        return self.value

    def astype(self, type: type) -> Any:
        """The value as `str`, `int`, `float`, `bool` or `dict`. Raises DiagnosticException where it is none."""
        held: Any = self.value
        if type is dict and held.__class__ is dict:
            members = cast("dict[str, Any]", held)
            return {name: OVAny(value) for name, value in members.items()}
        if type is bool and held.__class__ is str:
            return held.upper() in ("YES", "TRUE")
        if type not in (str, int, float, bool) or held.__class__ in (dict, list):
            raise DiagnosticError(f"a note of {self!r} is no {type.__name__}; take its value")
        return type(held)

    def aslist(self, type: type | None = None) -> list[Any]:
        """The members of a list; of text, the words, which is what a list becomes in a file."""
        value: Any = self.value
        listed: list[Any] = value.split() if value.__class__ is str else list(value)
        return listed if type is None else [type(one) for one in listed]

    def __getitem__(self, key: Any) -> Any:
        return self.value[key]

    def __len__(self) -> int:
        return len(self.value)

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, OVAny) else other)

    def __hash__(self) -> int:
        return hash(str(self.value))


class RuntimeInfo(MutableMapping[str, OVAny]):
    """The notes of something, by name: what is set here is noted there."""

    def __init__(
        self, read: Callable[[], Attribute | None], write: Callable[[DictionaryAttr], None]
    ):
        self._read, self._write = read, write

    @property
    def plain(self) -> dict[str, Any]:
        """All notes."""
        return notes_of(self._read())

    def at(self, path: str | Sequence[str]) -> OVAny:
        """The note at the end of a path of names. Raises DiagnosticException where there is none."""
        found: Any = self.plain
        for name in _steps(path):
            if not isinstance(found, dict) or name not in found:
                raise UnknownNoteError(f"there is no note {'/'.join(_steps(path))!r} in rt_info")
            found = cast("dict[str, Any]", found)[name]
        return OVAny(found)

    def note(self, value: Any, path: str | Sequence[str]) -> None:
        """Notes a value at the end of a path of names. Raises DiagnosticException for what no file can hold."""
        *steps, last = _steps(path)
        notes = self.plain
        inner = notes
        for name in steps:
            if not isinstance(inner.setdefault(name, {}), dict):
                inner[name] = {}
            inner = inner[name]
        inner[last] = value
        self._write(attribute_of(notes))

    def __getitem__(self, name: str) -> OVAny:
        return self.at([name])

    def __setitem__(self, name: str, value: Any) -> None:
        self.note(value, [name])

    def __delitem__(self, name: str) -> None:
        self.at([name])
        self._write(attribute_of({key: each for key, each in self.plain.items() if key != name}))

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)

    def __repr__(self) -> str:
        return repr(self.plain)


def rt_info_in(attributes: dict[str, Attribute]) -> RuntimeInfo:
    """The notes among the attributes of an operation."""

    def write(notes: DictionaryAttr) -> None:
        attributes[NOTES] = notes

    return RuntimeInfo(lambda: attributes.get(NOTES), write)


def _steps(path: str | Sequence[str]) -> list[str]:
    names = [path] if isinstance(path, str) else path
    if not isinstance(names, list | tuple) or not names or {*map(type, names)} != {str}:
        raise DiagnosticError(f"a path of notes is {shown(path)}; give a name, or a list of names")
    return list(names)


def notes_of(attribute: Attribute | None) -> Any:
    """The value that an attribute holds; of none, no notes."""
    match attribute:
        case None:
            return {}
        case DictionaryAttr():
            return {name: notes_of(each) for name, each in attribute.data.items()}
        case ArrayAttr():
            return [notes_of(each) for each in attribute]
        case IntegerAttr():
            number = attribute.value.data
            return bool(number) if attribute.type == i1 else number
        case FloatAttr():
            return attribute.value.data
        case StringAttr():
            return attribute.data
        case _:
            return str(attribute)


def attribute_of(value: Any) -> Any:
    """The attribute that holds a value. Raises DiagnosticException for what no file can hold."""
    match value:
        case OVAny():
            return attribute_of(value.value)
        case str():
            return StringAttr(value)
        case bool():
            return IntegerAttr(int(value), i1)
        case int():
            return IntegerAttr(value, i64)
        case float():
            return FloatAttr(value, f64)
        case Mapping():
            members = cast("Mapping[Any, Any]", value)
            return DictionaryAttr({str(name): attribute_of(each) for name, each in members.items()})
        case list() | tuple():
            return ArrayAttr([attribute_of(each) for each in cast("Sequence[Any]", value)])
        case _:
            raise DiagnosticError(
                f"rt_info holds text, numbers, lists and mappings, which files can hold, and no {type(value).__name__}"
            )
