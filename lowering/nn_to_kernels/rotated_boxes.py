"""
The overlap of rotated boxes, without a branch.

The area within a border is the sum of what its parts sweep over around a point (Green's theorem). The border of an
intersection is made of the edges of each box within the other, which are cut off as Liang and Barsky do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from xdsl.dialects.builtin import f32

from ..kernel_bodies.bodies import Scalar, select

ROTATED = 6
"""Numbers that describe a box: middle, sizes, cosine and sine."""

Point = tuple[Scalar, Scalar]


def rotated_overlap(box: Sequence[Scalar], other: Sequence[Scalar]) -> Scalar:
    """
    Intersection over union; 0 where a box has no area.

    One box is taken a little larger than it is, by more than rounding can change: so of edges in the same place only
    those of the other count, not both.
    """
    x, y, width, height, cosine, sine = box
    other_x, other_y, other_width, other_height, other_cosine, other_sine = other
    grown = 1 + (2.0**-19 if x.type == f32 else 2.0**-48)
    area, other_area = width * height, other_width * other_height
    rotation = cosine * other_cosine + sine * other_sine, cosine * other_sine - sine * other_cosine
    back = rotation[0], -rotation[1]
    far = other_x - x, other_y - y
    middle = _rotated(far, (cosine, -sine))
    around = _rotated((-far[0], -far[1]), (other_cosine, -other_sine))
    half, other_half = _halves(width * grown, height * grown), _halves(other_width, other_height)
    within = _lengths(middle, rotation, other_half, half)
    beside = _lengths(around, back, half, other_half)
    swept = (half[0] * half[1] * 2) * (beside[0] + beside[1] + beside[2] + beside[3])
    for part, edge in zip(within, _edges(rotation, other_half), strict=True):
        swept = swept + part * (middle[0] * edge[1] - middle[1] * edge[0] + other_area * 0.5)
    both = (swept * 0.5).at_least(0).at_most(area).at_most(other_area)
    exists = (area > 0) & (other_area > 0)
    return select(exists, both / select(exists, area + other_area - both, 1), 0)


def _halves(width: Scalar, height: Scalar) -> Point:
    return width * 0.5, height * 0.5


def _rotated(point: Point, rotation: Point) -> Point:
    """Rotated by an angle of such a cosine and sine."""
    (x, y), (cosine, sine) = point, rotation
    return x * cosine - y * sine, x * sine + y * cosine


def _edges(rotation: Point, half: Point) -> list[Point]:
    """The edges of a box of such half sizes, one after the other."""
    along = half[0] * 2 * rotation[0], half[0] * 2 * rotation[1]
    up = half[1] * -2 * rotation[1], half[1] * 2 * rotation[0]
    return [along, up, (-along[0], -along[1]), (-up[0], -up[1])]


def _lengths(middle: Point, rotation: Point, half: Point, limits: Point) -> list[Scalar]:
    """Of each edge of a box, the part of it that is within the limits: `|x| <= limits[0]`, `|y| <= limits[1]`."""
    corners = [
        _rotated((half[0] * x, half[1] * y), rotation)
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    lengths: list[Scalar] = []
    for corner, edge in zip(corners, _edges(rotation, half), strict=True):
        first, last = edge[0].number(0), edge[0].number(1)
        for d in range(2):
            place, per = middle[d] + corner[d], 1 / edge[d]
            one, two = (-limits[d] - place) * per, (limits[d] - place) * per
            # Along a limit, an edge is within it everywhere or nowhere.
            inside = (place < limits[d]) & (place > -limits[d])
            parallel = edge[d].equals(0)
            least = select(
                parallel, select(inside, place.number(-inf), place.number(inf)), one.at_most(two)
            )
            most = select(
                parallel, select(inside, place.number(inf), place.number(-inf)), one.at_least(two)
            )
            first, last = first.at_least(least), last.at_most(most)
        lengths.append((last - first).at_least(0))
    return lengths
