"""
Angles of any size in quadrants: `x = (n + f) π/2` with a whole n and `|f| <= 1/2`, of which no bit is lost.

Payne and Hanek, "Radian reduction for trigonometric functions": x is a whole number m times a power of 2. Of the bits
of `2/π` so moved, those of 4 and more count whole turns, and those far below the last bit of f change nothing.
The words of 32 bits between them depend on the exponent: they are selected by its bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import inf, pi

from xdsl.dialects import arith
from xdsl.dialects.builtin import f64, i32, i64

from ..bodies import Body, Scalar
from .exponential import Format

WORD = 32
LOW = 2**WORD - 1
SMALL = 0.5
"""Smaller angles stay as they are, in quadrant 0."""


@dataclass(frozen=True)
class Angle:
    """An angle's quadrant, an integer of which the last two bits count, and the rest in radians."""

    quadrant: Scalar
    rest: Scalar

    @classmethod
    def of(cls, body: Body, x: Scalar) -> Angle:
        """That of a finite x."""
        size = body.absolute(x)
        quadrant, rest = _reduced(body, size)
        below = body.greater(body.like(0, x), x)
        quadrant = body.select(below, body.negative(quadrant), quadrant)
        rest = body.select(below, body.negative(rest), rest)
        small = body.greater(body.like(SMALL, x), size)
        zero = body.like(0, quadrant)
        return cls(body.select(small, zero, quadrant), body.select(small, x, rest))


def _reduced(body: Body, x: Scalar) -> tuple[Scalar, Scalar]:
    form = Format.of(x)
    bits = body.emit(arith.BitcastOp(x, form.bits))
    exponent = _right(body, bits, form.fraction)
    fraction = body.logic("and", bits, body.like(2**form.fraction - 1, bits))
    number = body.logic("or", fraction, body.like(2**form.fraction, bits))
    limbs = _product(body, _limbs(body, number), _window(body, exponent, form))
    if x.type == f64:
        top, low = (
            body.logic("or", _left(body, high, WORD), low) for high, low in (limbs[:2], limbs[2:4])
        )
    else:
        top, low = (body.emit(arith.TruncIOp(limb, i32)) for limb in limbs[:2])
    width = form.bits.width.data
    unit = width - 2  # where quadrants begin
    half = body.add(top, body.like(2 ** (unit - 1), top))
    quadrant = body.emit(arith.ShRSIOp(half, body.like(unit, half)))
    high, low = body.subtract(top, _left(body, quadrant, unit)), _right(body, low, 1)
    high, low = (body.convert(part, form.bits, x.type) for part in (high, low))
    turned = body.fma(low, body.like(2.0 ** (1 - width), x), high)
    scale = 2.0 ** -(unit + 1)
    return quadrant, body.multiply(turned, body.like(pi * scale, x))


def _moved(body: Body, is_set: Scalar, words: Sequence[Scalar], step: int) -> list[Scalar]:
    """The words `step` further on where a bit is set; the last ones, which have none there, stay."""
    further = zip(words[step:], words, strict=False)
    moved = [body.select(is_set, then, now) for then, now in further]
    return [*moved, *words[len(moved) :]]


def _window(body: Body, exponent: Scalar, form: Format) -> list[Scalar]:
    """The words of `2/π` that count at this exponent, in i64."""
    count = form.fraction // 10 + 1  # a number, what f needs at most, and what may cancel
    padding = -(-form.fraction // WORD) * WORD
    first = form.bias + form.fraction + 2 - padding
    place = body.maximum(
        body.subtract(exponent, body.like(first, exponent)), body.like(0, exponent)
    )
    last = (2 * form.bias + 1 - first) // WORD
    known = _words(padding // WORD, last + count + 1)
    words: list[Scalar] = [body.like(_signed(word, form), place) for word in known]
    number = _right(body, place, WORD.bit_length() - 1)
    for power in reversed(range(last.bit_length())):
        step = 2**power
        bit = body.logic("and", number, body.like(step, number))
        is_set = body.compare("ne", bit, body.like(0, bit))
        words = _moved(body, is_set, words, step)[: count + step]
    shift = body.logic("and", place, body.like(WORD - 1, place))
    back = body.subtract(body.like(WORD - 1, shift), shift)
    shifted = [
        body.logic(
            "or",
            body.emit(arith.ShLIOp(word, shift)),
            body.emit(arith.ShRUIOp(_right(body, behind, 1), back)),
        )
        for word, behind in pairwise(words)
    ]
    return [_low(body, word) for word in shifted]


def _signed(word: int, form: Format) -> int:
    """A word as a number of an integer type that may have no more bits."""
    return word - 2**WORD if form.bits == i32 and word >> (WORD - 1) else word


@cache
def _words(padding: int, count: int) -> Sequence[int]:
    """The first words of `2/π`, behind such that are 0; π is Machin's `16 atan(1/5) - 4 atan(1/239)`."""
    bits = (count + 2) * WORD

    def atan_of_inverse(n: int) -> int:
        power, total, k = (1 << bits) // n, 0, 0
        while power:
            total += (-1) ** k * power // (2 * k + 1)
            power, k = power // n**2, k + 1
        return total

    whole = 16 * atan_of_inverse(5) - 4 * atan_of_inverse(239)
    inverse = (2 << 2 * bits) // whole
    found = [inverse >> (bits - WORD * (i + 1)) & LOW for i in range(count - padding)]
    return [*[0] * padding, *found]


def _limbs(body: Body, number: Scalar) -> list[Scalar]:
    """A number's words, the lowest first, in i64."""
    if number.type == i32:
        return [_low(body, number)]
    return [_low(body, number), _right(body, number, WORD)]


def _product(body: Body, number: Sequence[Scalar], words: Sequence[Scalar]) -> list[Scalar]:
    """The words of a product, the highest first, and no more than `words` has."""
    count = len(words)
    products = [[body.multiply(part, word) for word in words] for part in number]
    result: list[Scalar] = []
    carry: Scalar | None = None
    for place in reversed(range(count)):
        parts = [carry] if carry is not None else []
        for i, row in enumerate(products, place):
            parts += [_low(body, row[i])] if i < count else []
            parts += [_right(body, row[i + 1], WORD)] if i + 1 < count else []
        total = parts[0]
        for part in parts[1:]:
            total = body.add(total, part)
        result.append(_low(body, total))
        carry = _right(body, total, WORD)
    return result[::-1]


def _low(body: Body, x: Scalar) -> Scalar:
    """The lower word, in i64."""
    if x.type == i32:
        return body.emit(arith.ExtUIOp(x, i64))
    return body.logic("and", x, body.like(LOW, x))


def _left(body: Body, x: Scalar, count: int) -> Scalar:
    return body.emit(arith.ShLIOp(x, body.like(count, x)))


def _right(body: Body, x: Scalar, count: int) -> Scalar:
    return body.emit(arith.ShRUIOp(x, body.like(count, x)))


def where_finite(body: Body, x: Scalar, value: Scalar) -> Scalar:
    """A value where x is finite, else NaN."""
    zero = body.like(0, x)
    finite = body.greater(body.like(inf, x), body.absolute(x))
    return body.select(finite, value, body.divide(zero, zero))
