"""
The assembly of steps that are multiplied two by two: a fast inner product (`dialects.kernel.ConvolutionLayout`).

Operands are numbered as in `assembly`: sums, then the other vectors. These are the weights of both steps for each
column, the words of a row, and a copy of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....dialects.kernel.packed_layout import SUM_BYTES
from .tile import Tile

MULTIPLY_WORDS = "vpmaddwd"
"""The one of two, in vectors of 256 bits."""

LOADS = {"i8": "vpmovsxbw", "u8": "vpmovzxbw", "i16": "vmovups"}
"""What loads words, by the element in memory."""

Place = tuple[int, str]
"""Where a row lies: a displacement, and registers."""


def first_bytes(tile: Tile) -> int:
    """Bytes of what the sums of all columns of a packed tile begin with."""
    return _first_of(tile, tile.y_step)


def first_sums(tile: Tile, rhs: int, places: Sequence[Place]) -> Iterator[str]:
    """Sets each sum to what lies in front of its row and of its column, given the operand that points to the RHS."""
    for n in range(tile.sums):
        column, row = divmod(n, tile.rows.total)
        distance, registers = places[row]
        yield f"vpbroadcastd {distance}{registers}, ${n}"
        yield f"vpaddd {_first_of(tile, tile.columns[column])}(${rhs}), ${n}, ${n}"


def pair_of_steps(tile: Tile, rhs: int, places: Sequence[Place], x: int, y: int) -> Iterator[str]:
    """
    Adds the products of two steps, whose elements lie so many bytes behind the pointers: the words of the first one
    plus the weights of the second one, times the reverse. For the last column, the words themselves become that.
    """
    assert tile.widened is not None
    right = tile.sums
    weights = [(right + 2 * n, right + 2 * n + 1) for n in range(len(tile.columns))]
    words = right + 2 * len(weights), right + 2 * len(weights) + 1
    copies = words[0] + 2, words[1] + 2
    for column, (second, first) in zip(tile.columns, weights, strict=True):
        yield f"{LOADS[tile.widened[1]]} {y + tile.y_step + column}(${rhs}), ${second}"
        yield f"{LOADS[tile.widened[1]]} {y + column}(${rhs}), ${first}"
    for row, (distance, registers) in enumerate(places):
        for n, word in enumerate(words):
            yield f"vpbroadcastd {x + n * tile.x_step + distance}{registers}, ${word}"
        for column, pair in enumerate(weights):
            to = words if column == len(weights) - 1 else copies
            total = column * tile.rows.total + row
            for word, weight, sum in zip(words, pair, to, strict=True):
                yield f"vpaddw ${weight}, ${word}, ${sum}"
            yield f"{MULTIPLY_WORDS} ${to[1]}, ${to[0]}, ${to[0]}"
            yield f"vpaddd ${to[0]}, ${total}, ${total}"


def _first_of(tile: Tile, bytes: int) -> int:
    """Bytes of what sums begin with in front of so many bytes of a step: an i32 for each KR codes."""
    return bytes * SUM_BYTES // tile.kr
