"""Computed indices: negative ones count from the end, and indices out of bounds are found."""

from __future__ import annotations

from xdsl.ir import Attribute

from ...dialects.kernel import body_type
from . import ir
from .elements import scalar_type
from .vectors import I64, lanes_of, splat, zero


def inside_of(
    b: ir.IRBuilder, given: ir.Value, element: Attribute, size: int
) -> tuple[ir.Value, ir.Value]:
    """Indices that are all in the bounds of a dimension of this size, and which of the given ones were."""
    lanes = lanes_of(given)
    wide = ir.VectorType(I64, lanes)
    if scalar_type(body_type(element)) != I64:
        given = b.sext(given, wide)
    limit, none = splat(I64, lanes, size), zero(wide)
    below = b.icmp_signed("<", given, none)
    place = b.select(below, b.add(given, limit), given)
    inside = b.icmp_unsigned("<", place, limit)
    return b.select(inside, place, none), inside
