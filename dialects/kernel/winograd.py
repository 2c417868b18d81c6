"""
Winograd's minimal filtering F(m x m, 3 x 3): a convolution of 3 x 3 taps in tiles of m x m positions, each point of a
transformed tile a product of its own. It needs (m + 2)² products where the sums themselves need 9 m².

    Y = Aᵀ ((G g Gᵀ) ⊙ (Bᵀ d B)) A        d: a tile of the input, g: taps, Y: a tile of sums

(Lavin and Gray, https://arxiv.org/abs/1509.09308.) The matrices follow from interpolation points, one of them infinite
(Toom and Cook).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import prod

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

Matrix = tuple[tuple[float, ...], ...]
"""Rows."""


@dataclass(frozen=True)
class WinogradLayout(Layout):
    """
    Filters [N, 3, 3, C] transformed to G g Gᵀ, in the order in which a kernel streams them:
    [tiles of units][(tile + 2)² points][C][nr_vectors][lanes][1].

    A kernel computes blocks of `rows` tiles of `tile` x `tile` positions. Tile t, vector v, lane l of units hold unit
    n = (t * nr_vectors + v) * lanes + l; what lies past the last unit is zero.
    """

    tile: int
    rows: int

    @property
    def points(self) -> int:
        """Points of a transformed tile."""
        return (self.tile + TAPS - 1) ** 2

    def shape(self, units: int, channels: int) -> Shape:
        """The packed shape of [units, 3, 3, channels] filters."""
        tiles = -(-units // (self.lanes * self.nr_vectors))
        return (tiles, self.points, channels, self.nr_vectors, self.lanes, self.kr)


@dataclass(frozen=True)
class WinogradTransforms:
    """
    The matrices of F(m, 3): `input` is Bᵀ [m + 2, m + 2], `filter` G [m + 2, 3] and `output` Aᵀ [m, m + 2]. Points of
    opposite signs are `pairs`, by the number of the first: their rows differ in signs alone.
    """

    input: Matrix
    filter: Matrix
    output: Matrix
    pairs: tuple[int, ...]


@cache
def winograd_transforms(tile: int) -> WinogradTransforms:
    """The matrices for tiles of this many positions along a dimension."""
    points = INTERPOLATION_POINTS[tile]
    size = len(points) + 1
    others = [[q for q in points if q != p] for p in points]
    return WinogradTransforms(
        tuple(_product(roots, size) for roots in (*others, points)),
        (
            *(
                tuple(p**k / prod(p - q for q in rest) for k in range(TAPS))
                for p, rest in zip(points, others, strict=True)
            ),
            _last(TAPS),
        ),
        tuple((*(p**k for p in points), 1.0 if k == tile - 1 else 0.0) for k in range(tile)),
        tuple(i for i, (p, q) in enumerate(pairwise(points)) if p and p == -q),
    )


def _product(roots: list[float] | tuple[float, ...], size: int) -> tuple[float, ...]:
    """The coefficients of the product of all (x - root), the constant one first."""
    found = [1.0]
    for root in roots:
        found = [low - root * high for low, high in zip([0.0, *found], [*found, 0.0], strict=True)]
    return (*found, *[0.0] * (size - len(found)))


def _last(size: int) -> tuple[float, ...]:
    return (*[0.0] * (size - 1), 1.0)
