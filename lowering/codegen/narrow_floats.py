"""
Converts narrow floats to f32 and back, lane by lane, in integer arithmetic. Decoding is exact. Encoding rounds to the
nearest, ties to the even code, as `reference/narrow_floats.py` says.

Bit fields are shifted into place, and a product or a sum in f32 takes care of exponents and subnormal numbers.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import FloatNanEncoding, FloatNonfiniteBehavior, FloatSemantics

from ...dialects.elements import SmallFloat
from . import ir
from .vectors import F32, I32, splat, zero

HALF = FloatSemantics(exponent_bits=5, mantissa_bits=10, exponent_bias=15)
"""IEEE 754's binary16, for processors without instructions for it."""

MANTISSA, BIAS = 23, 127
"""Mantissa bits and exponent bias of f32."""

MAGNITUDE, INFINITY, NAN = 0x7FFFFFFF, 0x7F800000, 0x7FC00000
"""Bit patterns of f32: all bits but the sign, infinity, and a NaN."""


def words(lanes: int) -> ir.VectorType:
    """The bit patterns of f32."""
    return ir.VectorType(I32, lanes)


def pattern(lanes: int, bits: int) -> ir.Value:
    """A bit pattern in all lanes."""
    return splat(I32, lanes, bits & 0xFFFFFFFF)


def _power_of_two(lanes: int, exponent: int) -> ir.Value:
    return splat(F32, lanes, 2.0**exponent)


def decode_float(b: ir.IRBuilder, codes: ir.Value, semantics: FloatSemantics) -> ir.Value:
    """f32 of the codes in the low bits of words. Higher bits may be anything."""
    lanes = cast(ir.VectorType, codes.type).count
    floats = ir.VectorType(F32, lanes)
    fraction, bias = semantics.mantissa_bits, semantics.exponent_bias
    largest = (semantics.max_exponent << fraction) | semantics.max_mantissa
    code = b.and_(codes, pattern(lanes, largest))
    word = moved = b.shl(code, pattern(lanes, MANTISSA - fraction))
    if semantics.has_zero:
        word = b.fmul(b.bitcast(moved, floats), _power_of_two(lanes, BIAS - bias))
        word = b.bitcast(word, words(lanes))
    else:  # only the least number is subnormal in f32
        least = pattern(lanes, 1 << (MANTISSA - 1))
        word = b.select(b.icmp_unsigned("==", code, zero(code.type)), least, moved)
    if semantics.nonfinite is FloatNonfiniteBehavior.IEEE:
        from_infinity = pattern(lanes, semantics.max_exponent << MANTISSA)
        is_special = b.icmp_unsigned(">=", moved, from_infinity)
        word = b.select(is_special, b.or_(moved, pattern(lanes, INFINITY)), word)
    elif semantics.nan_encoding is FloatNanEncoding.ALL_ONES:
        is_nan = b.icmp_unsigned("==", code, pattern(lanes, largest))
        word = b.select(is_nan, pattern(lanes, NAN), word)
    if semantics.has_sign:
        sign = b.and_(codes, pattern(lanes, 1 << semantics.sign_shift))
        sign = b.shl(sign, pattern(lanes, 31 - semantics.sign_shift))
        word = b.or_(word, sign)
        if semantics.nan_encoding is FloatNanEncoding.NEGATIVE_ZERO:
            is_nan = b.icmp_unsigned("==", word, pattern(lanes, 1 << 31))
            word = b.select(is_nan, pattern(lanes, NAN), word)
    return b.bitcast(word, floats)


def encode_float(
    b: ir.IRBuilder, value: ir.Value, semantics: FloatSemantics, nan: int, beyond: int
) -> ir.Value:
    """
    The codes of f32, in words. `nan` is the code of NaN, `beyond` the code for what is greater than the largest number.
    """
    lanes = cast(ir.VectorType, value.type).count
    word = b.bitcast(value, words(lanes))
    magnitude = b.and_(word, pattern(lanes, MAGNITUDE))
    code = _rounded(b, magnitude, semantics)
    largest = _largest(semantics)
    code = b.select(
        b.icmp_unsigned(">", code, pattern(lanes, largest)), pattern(lanes, beyond), code
    )
    is_negative = b.icmp_signed("<", word, zero(word.type))
    if not semantics.has_sign:
        code = b.select(is_negative, zero(code.type), code)
    else:
        negative = b.or_(code, pattern(lanes, 1 << semantics.sign_shift))
        if semantics.nan_encoding is FloatNanEncoding.NEGATIVE_ZERO:
            is_number = b.icmp_unsigned("!=", code, zero(code.type))
            is_negative = b.and_(is_negative, is_number)
        code = b.select(is_negative, negative, code)
    is_nan = b.icmp_unsigned(">", magnitude, pattern(lanes, INFINITY))
    return b.select(is_nan, pattern(lanes, nan), code)


def _rounded(b: ir.IRBuilder, magnitude: ir.Value, semantics: FloatSemantics) -> ir.Value:
    """The nearest code, as if there were no largest number."""
    lanes = cast(ir.VectorType, magnitude.type).count
    fraction, bias = semantics.mantissa_bits, semantics.exponent_bias
    spare = MANTISSA - fraction
    odd = b.and_(b.lshr(magnitude, pattern(lanes, spare)), pattern(lanes, 1))
    rebias = (1 << (spare - 1)) - 1 - ((BIAS - bias) << MANTISSA)
    normal = b.lshr(b.add(b.add(magnitude, pattern(lanes, rebias)), odd), pattern(lanes, spare))
    if not semantics.has_zero:
        middle = pattern(lanes, 3 << (MANTISSA - 2))
        small = b.zext(b.icmp_unsigned(">", magnitude, middle), words(lanes))
        least = pattern(lanes, 1 << MANTISSA)
    else:
        # One unit in the last place of this power of two is the spacing of the subnormal codes.
        power = MANTISSA + 1 - bias - fraction
        shifted = b.fadd(
            b.bitcast(magnitude, ir.VectorType(F32, lanes)), _power_of_two(lanes, power)
        )
        small = b.sub(b.bitcast(shifted, words(lanes)), pattern(lanes, (BIAS + power) << MANTISSA))
        least = pattern(lanes, (BIAS - bias + 1) << MANTISSA)
    return b.select(b.icmp_unsigned("<", magnitude, least), small, normal)


def _largest(semantics: FloatSemantics) -> int:
    """The code of the largest number."""
    last = (semantics.max_exponent << semantics.mantissa_bits) | semantics.max_mantissa
    if semantics.nonfinite is FloatNonfiniteBehavior.IEEE:
        return (semantics.max_exponent << semantics.mantissa_bits) - 1
    return last - (semantics.nan_encoding is FloatNanEncoding.ALL_ONES)


def encode_half(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """The binary16 codes of f32, in words."""
    return encode_float(b, value, HALF, 0x7E00, 0x7C00)


def encode_small(b: ir.IRBuilder, value: ir.Value, element: SmallFloat) -> ir.Value:
    """The codes of f32, in words."""
    semantics = element.SEMANTICS
    largest = _largest(semantics)
    saturates = semantics.nonfinite is FloatNonfiniteBehavior.FINITE_ONLY or not semantics.has_sign
    nan = element.encode_bits(float("nan"))
    return encode_float(b, value, semantics, nan, largest if saturates else largest + 1)


def encode_bfloat(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """The `bf16` codes of f32, in words: the upper halves, rounded."""
    lanes = cast(ir.VectorType, value.type).count
    word = b.bitcast(value, words(lanes))
    high = b.lshr(word, pattern(lanes, 16))
    odd = b.and_(high, pattern(lanes, 1))
    rounded = b.lshr(b.add(b.add(word, pattern(lanes, 0x7FFF)), odd), pattern(lanes, 16))
    magnitude = b.and_(word, pattern(lanes, MAGNITUDE))
    is_nan = b.icmp_unsigned(">", magnitude, pattern(lanes, INFINITY))
    return b.select(is_nan, b.or_(high, pattern(lanes, 0x40)), rounded)


def decode_bfloat(b: ir.IRBuilder, codes: ir.Value) -> ir.Value:
    """f32 of `bf16`, which is its upper half."""
    lanes = cast(ir.VectorType, codes.type).count
    return b.bitcast(b.shl(codes, pattern(lanes, 16)), ir.VectorType(F32, lanes))
