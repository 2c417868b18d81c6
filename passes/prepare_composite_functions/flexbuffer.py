"""
FlexBuffers, the form in which LiteRT keeps the options of a custom operation: a map of numbers, booleans and
texts (https://flatbuffers.dev/internals/#flexbuffers).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

Scalar = bool | int | float | str

INT, FLOAT, KEY, STRING, MAP, BOOL = 1, 3, 4, 5, 9, 26
"""Types, which stand above two bits for the width."""


def _width(number: int) -> int:
    """Of a signed number: 0 for one byte, 1 for two, 2 for four, 3 for eight."""
    for width in range(3):
        if -(1 << (8 * (1 << width) - 1)) <= number < 1 << (8 * (1 << width) - 1):
            return width
    return 3


def _unsigned_width(number: int) -> int:
    return next(width for width in range(4) if number < 1 << 8 * (1 << width))


class _Buffer:
    """Bytes, and the places of what is in them. Texts, then the vector of keys, then the map."""

    def __init__(self) -> None:
        self.data = bytearray()

    def align(self, width: int) -> None:
        self.data += bytes(-len(self.data) % (1 << width))

    def number(self, value: float, width: int) -> None:
        size = 1 << width
        if isinstance(value, float):
            self.data += struct.pack("<f" if size == 4 else "<d", value)
        else:
            self.data += value.to_bytes(size, "little", signed=value < 0)

    def offset(self, place: int, width: int) -> None:
        self.number(len(self.data) - place, width)


def encode_map(values: Mapping[str, Scalar]) -> bytes:
    """The bytes of a map. Raises ValueError for a key that holds a zero byte, which would end it."""
    buffer = _Buffer()
    names = sorted(values, key=lambda name: name.encode())
    keys: list[int] = []
    for name in names:
        if "\0" in name:
            raise ValueError(f"key {name!r} holds a zero byte")
        keys.append(len(buffer.data))
        buffer.data += name.encode() + b"\0"
    texts = {name: _text(buffer, v) for name, v in values.items() if isinstance(v, str)}
    key_width = _vector_width(buffer, keys, len(keys) + 1)
    buffer.align(key_width)
    buffer.number(len(names), key_width)
    start_of_keys = len(buffer.data)
    for place in keys:
        buffer.offset(place, key_width)
    return _finish(buffer, values, names, texts, start_of_keys, key_width)


def _text(buffer: _Buffer, value: str) -> tuple[int, int]:
    """Writes a text. Returns where it is and how wide its length is."""
    data = value.encode()
    width = _unsigned_width(len(data))
    buffer.align(width)
    buffer.number(len(data), width)
    place = len(buffer.data)
    buffer.data += data + b"\0"
    return place, width


def _vector_width(buffer: _Buffer, places: list[int], length: int) -> int:
    """The least width in which a vector at the end can point back to all places."""
    width = _unsigned_width(length)
    while True:
        end = len(buffer.data) + (-len(buffer.data) % (1 << width)) + (length + 3 << width)
        need = max((_unsigned_width(end - place) for place in places), default=0)
        if need <= width:
            return width
        width = need


def _finish(
    buffer: _Buffer,
    values: Mapping[str, Scalar],
    names: list[str],
    texts: Mapping[str, tuple[int, int]],
    start_of_keys: int,
    key_width: int,
) -> bytes:
    places = [place for place, _ in texts.values()]
    width = _vector_width(buffer, [start_of_keys, *places], len(names) + 1)
    width = max([width, *(_scalar_width(v) for v in values.values() if not isinstance(v, str))])
    buffer.align(width)
    buffer.offset(start_of_keys, width)
    buffer.number(1 << key_width, width)
    buffer.number(len(names), width)
    start = len(buffer.data)
    types: list[int] = []
    for name in names:
        value = values[name]
        if isinstance(value, str):
            place, text_width = texts[name]
            buffer.offset(place, width)
            types.append(STRING << 2 | text_width)
        else:
            buffer.number(int(value) if isinstance(value, bool) else value, width)
            types.append(_type(value) << 2 | width)
    buffer.data += bytes(types)
    root = len(buffer.data) - start
    root_width = _unsigned_width(root)
    buffer.align(root_width)
    buffer.offset(start, root_width)
    return bytes(buffer.data) + bytes([MAP << 2 | width, 1 << root_width])


def _type(value: Scalar) -> int:
    if isinstance(value, bool):
        return BOOL
    return INT if isinstance(value, int) else FLOAT


def _fits_single(value: float) -> bool:
    """Whether four bytes hold a number as it is."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0] == value
    except OverflowError:
        return False


def _scalar_width(value: Scalar) -> int:
    if isinstance(value, float):
        return 2 if _fits_single(value) else 3
    return 0 if isinstance(value, bool) else _width(int(value))
