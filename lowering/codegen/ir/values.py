"""Values and constants."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from .types import ArrayType, FloatType, IntType, Type, VectorType


class Value:
    """The result of an instruction, or an operand: its type and its text, with and without the type."""

    __slots__ = ("name", "type", "typed")

    def __init__(self, type: Type, name: str):
        self.type, self.name, self.typed = type, name, f"{type.text} {name}"


class Constant(Value):
    """A number, or a list of numbers where the type has several elements."""

    __slots__ = ("constant",)

    def __init__(self, type: Type, constant: float | Sequence[int]):
        super().__init__(type, _spelled(type, constant))
        self.constant = constant


def _spelled(type: Type, constant: float | Sequence[int]) -> str:
    match type:
        case VectorType() | ArrayType():
            assert isinstance(constant, Sequence)
            listed = ", ".join([Constant(type.element, each).typed for each in constant])
            return f"<{listed}>" if isinstance(type, VectorType) else f"[{listed}]"
        case IntType():
            assert isinstance(constant, int)
            return str(int(constant))
        case _:
            assert isinstance(constant, int | float)
            if isinstance(type, FloatType):  # spelled as the f64 that equals it
                (constant,) = struct.unpack("<f", struct.pack("<f", constant))
            return f"0x{struct.pack('>d', constant).hex()}"
