"""Text of an .xml: the document itself, names, numbers and shapes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from xdsl.utils.exceptions import DiagnosticException

from ....passes.digits import integer, natural
from ..elements import UNKNOWN_RANK

_CONTROL = re.compile(rb"&#(?:0*([1-8]|1[124-9]|2\d|3[01])|[xX]0*([1-8bBcCeEfF]|1[\da-fA-F]));")
"""References to characters that XML forbids. OpenVINO writes them where names contain such characters."""

_STANDS_FOR = 0xF0000
"""The first of the private characters that replace forbidden ones while XML is parsed."""

_SEPARATOR = re.compile(r"(?<!\\),")


def root_of(data: bytes) -> Element:
    """The `<net>` of a document. Raises DiagnosticException where it is not OpenVINO IR."""
    if b"<net" not in data[:4096]:
        raise DiagnosticException("not OpenVINO IR, which begins with <net …>")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DiagnosticException(f"line {line} is not UTF-8; copy the file again") from None
    if b"<!DOCTYPE" in data:
        raise DiagnosticException("has a document type, as no OpenVINO IR has")
    try:
        root = ElementTree.fromstring(_CONTROL.sub(_stand_in, data))
    except ElementTree.ParseError as error:
        raise DiagnosticException(f"not whole XML, {error}; copy the file again") from None
    if root.tag != "net":
        raise DiagnosticException(f"not OpenVINO IR, which begins with <net …>, not <{root.tag} …>")
    return root


def _stand_in(reference: re.Match[bytes]) -> bytes:
    decimal, hexadecimal = reference.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(_STANDS_FOR + code).encode()


_FORBIDDEN = {_STANDS_FOR + code: code for code in range(32)}


def notes_in(element: Element | None) -> dict[str, Any]:
    """What an `<rt_info>` holds: text, or mappings. A name that no element may have is the `name` of an `<info>`."""
    found: dict[str, Any] = {}
    for each in element if element is not None else ():
        value = each.get("value")
        name = each.get("name") if each.tag == "info" else None
        found[text_of(name or each.tag)] = notes_in(each) if value is None else text_of(value)
    return found


def text_of(text: str) -> str:
    """The text with the characters that XML forbids."""
    return text if text.isascii() else text.translate(_FORBIDDEN)


def names_of(text: str) -> frozenset[str]:
    """The names of a tensor. A comma inside a name is escaped by a backslash."""
    if "," not in text:
        return frozenset((text_of(text),)) if text else frozenset()
    return frozenset(text_of(name).replace("\\,", ",") for name in _SEPARATOR.split(text) if name)


def ports_of(layer: Element, side: str) -> list[Element]:
    """The ports of a side; `findall` would take three times as long, and there are thousands of layers."""
    return [port for part in layer if part.tag == side for port in part if port.tag == "port"]


def numbers_of(ports: Iterable[Element]) -> dict[str, int]:
    """The positions of ports by their ids."""
    numbers: dict[str, int] = {}
    for number, port in enumerate(ports):
        numbers.setdefault(port.get("id", ""), number)
    return numbers


def size_of(where: str, text: str | None) -> int:
    size = integer((text or "").strip())
    if size is None or not -1 <= size < 2**63:
        raise DiagnosticException(f"{where} has a dimension '{text}', which is not a size")
    return size


def count_of(name: str, text: str | None) -> int:
    if (number := natural((text or "").strip())) is None:
        raise DiagnosticException(f"its {name} '{text or ''}' must be a number of bytes")
    return number


def shape_of(where: str, text: str | None) -> list[int]:
    """The shape in an attribute such as `?,1..8,3`. A range with one size is that size."""
    if text is None:
        raise DiagnosticException(f"{where} has no shape")
    inner = text.strip().removeprefix("[").removesuffix("]").strip()
    if inner == "...":
        raise DiagnosticException(UNKNOWN_RANK)
    return [_dimension(where, each.strip()) for each in inner.split(",")] if inner else []


def _dimension(where: str, text: str) -> int:
    if text == "?":
        return -1
    least, dots, most = text.partition("..")
    if not dots:
        return size_of(where, text)
    least, most = (size_of(where, each) if each.strip() else -1 for each in (least, most))
    return least if least == most else -1
