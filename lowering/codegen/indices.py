"""Computed indices: negative ones count from the end, and indices out of bounds are found."""

from __future__ import annotations

from xdsl.ir import Attribute

from ...dialects.kernel import body_type
from . import ir
from .elements import scalar_type
from .vectors import I32, I64, index, lanes_of, splat, zero

LARGEST_I32 = (1 << 31) - 1


def inside_of(
    b: ir.IRBuilder, given: ir.Value, element: Attribute, size: int
) -> tuple[ir.Value, ir.Value]:
    """
    Indices that are all in the bounds of a dimension of this size, and which of the given ones were. They have 32 bits
    where these hold all of them, so that a vector has twice as many.
    """
    lanes, scalar = lanes_of(given), scalar_type(body_type(element))
    number = I32 if size <= LARGEST_I32 and scalar != I64 else I64
    wide = ir.VectorType(number, lanes)
    if scalar != number:
        given = b.sext(given, wide)
    limit, none = splat(number, lanes, size), zero(wide)
    below = b.icmp_signed("<", given, none)
    place = b.select(below, b.add(given, limit), given)
    inside = b.icmp_unsigned("<", place, limit)
    return b.select(inside, place, none), inside


def place_of(b: ir.IRBuilder, places: ir.Value, lane: int) -> ir.Value:
    """One of the indices that `inside_of` gives, in 64 bits."""
    place = b.extract_element(places, index(lane))
    return place if place.type == I64 else b.zext(place, I64)
