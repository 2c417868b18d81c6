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

from ..kernel_bodies.bodies import Scalar, select
from .exponential import ExponentialFormat

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
    def of(cls, x: Scalar) -> Angle:
        """The angle of a finite x."""
        size = abs(x)
        quadrant, rest = _reduced(size)
        below = x < 0
        quadrant = select(below, -quadrant, quadrant)
        rest = select(below, -rest, rest)
        small = size < SMALL
        return cls(select(small, 0, quadrant), select(small, x, rest))


def _reduced(x: Scalar) -> tuple[Scalar, Scalar]:
    form = ExponentialFormat.of(x)
    bits = x.bitcast(form.bits)
    exponent = _right(bits, form.fraction)
    number = bits & 2**form.fraction - 1 | 2**form.fraction
    limbs = _product(_limbs(number), _window(exponent, form))
    if x.type == f64:
        top, low = (high << WORD | low for high, low in (limbs[:2], limbs[2:4]))
    else:
        top, low = (limb.cast(arith.TruncIOp, i32) for limb in limbs[:2])
    width = form.bits.width.data
    unit = width - 2  # where quadrants begin
    half = top + 2 ** (unit - 1)
    quadrant = half >> unit
    high, low = top - (quadrant << unit), _right(low, 1)
    high, low = (part.convert(form.bits, x.type) for part in (high, low))
    fraction = low.fma(2.0 ** (1 - width), high)
    scale = 2.0 ** -(unit + 1)
    return quadrant, fraction * (pi * scale)


def _moved(is_set: Scalar, words: Sequence[Scalar], step: int) -> list[Scalar]:
    """The words `step` further on where a bit is set; the last ones, which have none there, stay."""
    further = zip(words[step:], words, strict=False)
    moved = [select(is_set, then, now) for then, now in further]
    return [*moved, *words[len(moved) :]]


def _window(exponent: Scalar, form: ExponentialFormat) -> list[Scalar]:
    """The words of `2/π` that count at this exponent, in i64."""
    count = form.fraction // 10 + 1  # a number, what f needs at most, and what may cancel
    padding = -(-form.fraction // WORD) * WORD
    first = form.bias + form.fraction + 2 - padding
    place = (exponent - first).maximum(0)
    last = (2 * form.bias + 1 - first) // WORD
    known = _words(padding // WORD, last + count + 1)
    words: list[Scalar] = [place.number(_signed(word, form)) for word in known]
    number = _right(place, WORD.bit_length() - 1)
    for power in reversed(range(last.bit_length())):
        step = 2**power
        words = _moved((number & step).compare("ne", 0), words, step)[: count + step]
    shift = place & WORD - 1
    back = WORD - 1 - shift
    shifted = [word << shift | _right(_right(behind, 1), back) for word, behind in pairwise(words)]
    return [_low(word) for word in shifted]


def _signed(word: int, form: ExponentialFormat) -> int:
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


def _limbs(number: Scalar) -> list[Scalar]:
    """A number's words, the lowest first, in i64."""
    if number.type == i32:
        return [_low(number)]
    return [_low(number), _right(number, WORD)]


def _product(number: Sequence[Scalar], words: Sequence[Scalar]) -> list[Scalar]:
    """The words of a product, the highest first, and no more than `words` has."""
    count = len(words)
    products = [[part * word for word in words] for part in number]
    result: list[Scalar] = []
    carry: Scalar | None = None
    for place in reversed(range(count)):
        parts = [carry] if carry is not None else []
        for i, row in enumerate(products, place):
            parts += [_low(row[i])] if i < count else []
            parts += [_right(row[i + 1], WORD)] if i + 1 < count else []
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        result.append(_low(total))
        carry = _right(total, WORD)
    return result[::-1]


def _low(x: Scalar) -> Scalar:
    """The lower word, in i64."""
    if x.type == i32:
        return x.cast(arith.ExtUIOp, i64)
    return x & LOW


def _right(x: Scalar, count: Scalar | int) -> Scalar:
    return x.apply(arith.ShRUIOp, count)


def where_finite(x: Scalar, value: Scalar) -> Scalar:
    """A value where x is finite, else NaN."""
    zero = x.number(0)
    return select(abs(x) < inf, value, zero / zero)
