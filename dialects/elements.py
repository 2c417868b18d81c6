"""
Element types of tensors: how many bits they take, their limits, and their values as packed bytes.

Integers and booleans; `f64`, `f32`; and narrow floats, which are computed with in f32 and rounded when they are
stored. Files and constants pack elements of less than a byte, memory of programs has a byte for each.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from math import inf, isfinite, isnan
from typing import TYPE_CHECKING, TypeGuard, get_args

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float4E2M1FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    ReducedPrecisionFloatType,
    Signedness,
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E4M3FNUZ,
    f8E5M2,
    f8E5M2FNUZ,
    f8E8M0FNU,
    i1,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    from typing_extensions import Buffer

INTEGER_WIDTHS = (1, 4, 8, 16, 32, 64)
"""The widths of integers that tensors may hold."""

Number = int | float

i4, ui4 = IntegerType(4), IntegerType(4, Signedness.UNSIGNED)

SMALL_FLOATS: tuple[ReducedPrecisionFloatType, ...] = (
    f8E4M3FN,
    f8E5M2,
    f8E4M3FNUZ,
    f8E5M2FNUZ,
    f8E8M0FNU,
    f4E2M1FN,
)
"""Floats of 8 bits or less (OCP's formats, and ONNX's with a single zero)."""

EXTENDED: dict[str, Attribute] = {
    "bfloat16": bf16,
    "int4": i4,
    "uint4": ui4,
    **{f"float{each.bitwidth}_{each.name[2:].lower()}": each for each in SMALL_FLOATS},
}
"""The element types that NumPy gets from the package ml_dtypes, by its names."""

SmallFloat = (
    Float8E4M3FNType
    | Float8E5M2Type
    | Float8E4M3FNUZType
    | Float8E5M2FNUZType
    | Float8E8M0FNUType
    | Float4E2M1FNType
)


_SMALL_KINDS = frozenset(map(type, SMALL_FLOATS))
_NARROW_KINDS = _SMALL_KINDS | {Float16Type, BFloat16Type}
_FLOAT_KINDS = frozenset(get_args(AnyFloat))
_FLOAT_BITS: dict[type[Attribute], int] = {
    type(each): each.bitwidth
    for each in (Float64Type(), Float32Type(), Float16Type(), bf16, *SMALL_FLOATS)
}
"""By class, since a lookup is much faster than `isinstance`."""


def is_small_float(element: Attribute) -> TypeGuard[SmallFloat]:
    """Whether this is a float of 8 bits or less."""
    return type(element) in _SMALL_KINDS


def is_narrow_float(element: Attribute) -> bool:
    """Whether this is a float of less than 32 bits: computed with in f32, rounded when stored."""
    return type(element) in _NARROW_KINDS


def bits_of(element: Attribute) -> int:
    """Bits that one element occupies in a packed buffer."""
    if type(element) is IntegerType:
        if (width := element.width.data) in INTEGER_WIDTHS:
            return width
    elif (bits := _FLOAT_BITS.get(type(element))) is not None:
        return bits
    raise DiagnosticException(
        f"tensors of {element} are not supported; use f64, f32, f16, bf16, "
        f"{', '.join(each.name for each in SMALL_FLOATS)} or an integer of "
        f"{', '.join(map(str, INTEGER_WIDTHS))} bits"
    )


def is_integer(element: Attribute) -> TypeGuard[IntegerType]:
    """Whether this is an integer type, of any width and signedness."""
    return type(element) is IntegerType


def is_float(element: Attribute) -> TypeGuard[AnyFloat]:
    """Whether this is a floating-point type, without asking one class after the other."""
    return type(element) in _FLOAT_KINDS


def is_unsigned(element: Attribute) -> bool:
    """Signless integers are signed, as everywhere in lowstream; `i1` is a boolean."""
    return is_integer(element) and (
        element.signedness.data == Signedness.UNSIGNED or element.width.data == 1
    )


def limits_of(element: Attribute) -> tuple[int, int]:
    """The least and the greatest number of an integer type."""
    bits = bits_of(element)
    return (0, 2**bits - 1) if is_unsigned(element) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


CODES = 256
"""The number of 8-bit codes."""


_LARGEST: dict[type[Attribute], float] = {
    Float64Type: (2 - 2.0**-52) * 2.0**1023,
    Float32Type: (2 - 2.0**-23) * 2.0**127,
    BFloat16Type: (2 - 2.0**-7) * 2.0**127,
    Float16Type: 65504.0,
}


def largest_of(element: Attribute) -> float:
    """The greatest finite number of a floating-point type."""
    if (known := _LARGEST.get(type(element))) is not None:
        return known
    assert is_small_float(element), f"{element} is no float that tensors hold"
    decoded = (element.decode_bits(code) for code in range(2**element.bitwidth))
    return max(filter(isfinite, decoded))


def ends_of(element: Attribute) -> tuple[float, float]:
    """The least and the greatest number of an element type, infinities included."""
    if is_integer(element):
        return (0, 1) if element == i1 else limits_of(element)
    if not is_small_float(element):
        return -inf, inf
    decoded = [element.decode_bits(code) for code in range(2**element.bitwidth)]
    numbers = [number for number in decoded if not isnan(number)]
    return min(numbers), max(numbers)


def pack(element: Attribute, values: Sequence[Number]) -> bytes:
    """The packed bytes of `values`. Raises DiagnosticException where one is out of range."""
    try:
        return _pack(element, values)
    except (struct.error, OverflowError, ValueError) as error:
        raise DiagnosticException(
            f"a value of the constant is outside the range of {element}"
        ) from error


def _pack(element: Attribute, values: Sequence[Number]) -> bytes:
    count, bits = len(values), bits_of(element)
    if isinstance(element, BFloat16Type):
        words = (struct.unpack("<I", struct.pack("<f", v))[0] for v in values)
        rounded = ((w + 0x7FFF + (w >> 16 & 1)) >> 16 for w in words)
        return struct.pack(f"<{count}H", *rounded)
    if is_small_float(element):
        return pack_codes(bits, (element.encode_bits(float(value)) for value in values))
    if is_integer(element):
        low, high = limits_of(element)
        if any(not low <= v <= high for v in values):
            raise OverflowError
        if bits < 8:
            return pack_codes(bits, map(int, values))
        code = {8: "b", 16: "h", 32: "i", 64: "q"}[bits]
        return struct.pack(f"<{count}{code.upper() if is_unsigned(element) else code}", *values)
    code = {16: "e", 32: "f", 64: "d"}[bits]
    return struct.pack(f"<{count}{code}", *values)


def pack_codes(width: int, codes: Iterable[int]) -> bytes:
    """Codes of 8 bits or less, packed from the low bits up."""
    per_byte, mask, packed = 8 // width, (1 << width) - 1, bytearray()
    for i, code in enumerate(codes):
        if i % per_byte == 0:
            packed.append(0)
        packed[-1] |= (code & mask) << (i % per_byte * width)
    return bytes(packed)


def _unpack_codes(width: int, raw: bytes, count: int) -> list[int]:
    per_byte, mask = 8 // width, (1 << width) - 1
    return [raw[i // per_byte] >> (i % per_byte * width) & mask for i in range(count)]


def unpack(element: Attribute, data: Buffer, count: int) -> list[Number]:
    """The inverse of `pack`, for printing and for the few values that shape inference reads."""
    raw, width = bytes(data), bits_of(element)
    if isinstance(element, BFloat16Type):
        halves = struct.unpack(f"<{count}H", raw)
        return [struct.unpack("<f", struct.pack("<I", h << 16))[0] for h in halves]
    if is_small_float(element):
        return [element.decode_bits(code) for code in _unpack_codes(width, raw, count)]
    if is_integer(element):
        if width < 8:
            codes = _unpack_codes(width, raw, count)
            if is_unsigned(element):
                return list(codes)
            return [c - (1 << width) if c >> (width - 1) else c for c in codes]
        code = {8: "b", 16: "h", 32: "i", 64: "q"}[width]
        return list(struct.unpack(f"<{count}{code.upper() if is_unsigned(element) else code}", raw))
    code = {16: "e", 32: "f", 64: "d"}[width]
    return list(struct.unpack(f"<{count}{code}", raw))
