"""
Winograd's minimal filtering F(m x m, 3 x 3): a convolution of 3 x 3 taps in tiles of m x m positions, each point of a
transformed tile a product of its own. It needs (m + 2)² products where the sums themselves need 9 m².

    Y = Aᵀ ((G g Gᵀ) ⊙ (Bᵀ d B)) A        d: a tile of the input, g: taps, Y: a tile of sums

(Lavin and Gray, https://arxiv.org/abs/1509.09308.) The matrices follow from interpolation points, one of them infinite
(Toom and Cook).

Sums of 8-bit codes are exact: with integers as points, transformed codes and taps are integers of 16 bits, where Aᵀ
and G are multiplied by their denominators. Then the products sum up to a multiple of Y, modulo 2**32, which is enough
to know Y where that is small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import lcm, prod

from ..inferred import Shape
from .packed_layout import Layout

TAPS = 3
"""Taps along each dimension."""

INTERPOLATION_POINTS = {2: (0.0, 1.0, -1.0), 4: (0.0, 0.75, -0.75, 1.5, -1.5)}
"""
The finite interpolation points by tile. Small errors want points whose powers are of about one size (Barabasz et al.,
https://arxiv.org/abs/1803.10986): with 0, 1, -1, 2, -2, F(4 x 4, 3 x 3) rounds twice as much. All entries of Bᵀ and Aᵀ
are floats without rounding.
"""

INTEGER_POINTS = {2: (0, 1, -1), 4: (0, 1, -1, 2, -2)}
"""The same for codes. Of larger tiles, transformed codes have more than 16 bits."""

Matrix = tuple[tuple[float, ...], ...]
"""Rows."""


@dataclass(frozen=True)
class WinogradLayout(Layout):
    """
    Filters [N, 3, 3, C] transformed to G g Gᵀ, those of volumes [N, T, 3, 3, C] as if T planes were channels of one,
    [N, 3, 3, T * C], in the order in which a kernel streams them:
    [tiles of units][(tile + 2)² points][ceil(C / kr)][nr_vectors][lanes][kr]. Those of f32 are f32, those of 8-bit
    codes i16.

    A kernel computes blocks of `rows` tiles of `tile` x `tile` positions. Tile t, vector v, lane l of units hold unit
    n = (t * nr_vectors + v) * lanes + l; what lies past the last unit or channel is zero.
    """

    tile: int
    rows: int

    @property
    def points(self) -> int:
        """Points of a transformed tile."""
        return (self.tile + TAPS - 1) ** 2

    def transforms(self, of_codes: bool) -> WinogradTransforms:
        """The matrices for codes or for floats."""
        return (integer_winograd_transforms if of_codes else winograd_transforms)(self.tile)

    def shape(self, units: int, channels: int) -> Shape:
        """The packed shape of [units, 3, 3, channels] filters."""
        tiles = -(-units // (self.lanes * self.nr_vectors))
        return (tiles, self.points, -(-channels // self.kr), self.nr_vectors, self.lanes, self.kr)


@dataclass(frozen=True)
class WinogradTransforms:
    """
    The matrices of F(m, 3): `input` is Bᵀ [m + 2, m + 2], `filter` G [m + 2, 3] and `output` Aᵀ [m, m + 2]. Points of
    opposite signs are `pairs`, by the number of the first: their rows differ in signs alone. What they compute along
    one dimension is `scale` times the sums.
    """

    input: Matrix
    filter: Matrix
    output: Matrix
    pairs: tuple[int, ...]
    scale: int = 1

    @property
    def lost_bits(self) -> int:
        """How many of the 32 bits of a sum of codes say nothing: those by which the scale shifts it to the left."""
        square = self.scale**2
        return (square & -square).bit_length() - 1


@cache
def winograd_transforms(tile: int) -> WinogradTransforms:
    """The matrices for tiles of this many positions along a dimension, of floats."""
    points = INTERPOLATION_POINTS[tile]
    others = _others(points)
    filters = (
        tuple(p**k / prod(p - q for q in rest) for k in range(TAPS))
        for p, rest in zip(points, others, strict=True)
    )
    return WinogradTransforms(
        _input(points, others), (*filters, _last(TAPS)), _output(points, tile), _pairs(points)
    )


@cache
def integer_winograd_transforms(tile: int) -> WinogradTransforms:
    """The matrices of integers, for codes: G without denominators, which multiply the columns of Aᵀ instead."""
    points = INTEGER_POINTS[tile]
    others = _others(points)
    denominators = [int(prod(p - q for q in rest)) for p, rest in zip(points, others, strict=True)]
    scale = lcm(*denominators)
    factors = [*(scale // each for each in denominators), scale]
    output = tuple(
        tuple(factor * each for factor, each in zip(factors, row, strict=True))
        for row in _output(points, tile)
    )
    filters = tuple(tuple(p**k for k in range(TAPS)) for p in points)
    return WinogradTransforms(
        _input(points, others), (*filters, _last(TAPS)), output, _pairs(points), scale
    )


Points = Sequence[float]


def _others(points: Points) -> list[Points]:
    """Of each point, those that differ."""
    return [[q for q in points if q != p] for p in points]


def _input(points: Points, others: Sequence[Points]) -> Matrix:
    return tuple(_product(roots, len(points) + 1) for roots in (*others, points))


def _output(points: Points, tile: int) -> Matrix:
    return tuple((*(p**k for p in points), 1 if k == tile - 1 else 0) for k in range(tile))


def _pairs(points: Points) -> tuple[int, ...]:
    return tuple(i for i, (p, q) in enumerate(pairwise(points)) if p == -q)


def _product(roots: Points, size: int) -> tuple[float, ...]:
    """The coefficients of the product of all (x - root), the constant one first."""
    found: list[float] = [1]
    for root in roots:
        found = [low - root * high for low, high in zip([0, *found], [*found, 0], strict=True)]
    return (*found, *[0] * (size - len(found)))


def _last(size: int) -> tuple[float, ...]:
    return (*[0] * (size - 1), 1)
