"""
Winograd's transforms of a tile along both dimensions: first each column, then each row of what the columns gave.
"""

from __future__ import annotations

from collections.abc import Callable

from ....dialects.kernel import TAPS
from ...machine import Isa
from .. import ir
from ..run_time import Extent
from ..vectors import for_each, index, scaled


def is_unrolled(isa: Isa, tile: int, of_codes: bool) -> bool:
    """
    Whether a transform has no loops: registers hold what columns give for so many rows, or the values are f32. Loops
    are as fast for codes, and less code; for f32 they take up to 1.05 times as long.
    """
    return not of_codes or tile * (tile + TAPS - 1) <= isa.registers


def in_loops(
    b: ir.IRBuilder,
    vector: ir.Type,
    kept: tuple[int, int],
    column: Callable[[ir.Value], list[ir.Value]],
    rows: Extent,
    row: Callable[[ir.Value, list[ir.Value]], None],
) -> None:
    """
    A loop over columns and one over so many rows. Of `kept` columns, `column` gives a vector of this type for each of
    `kept` rows; `row` gets those of a row.
    """
    columns, most = kept
    room = b.alloca(vector, columns * most)

    def store_column(i: ir.Value) -> None:
        found = column(i)
        first = b.gep(room, i, vector)
        for number, value in enumerate(found):
            b.store(value, b.gep(first, index(number * columns), vector))

    def load_row(i: ir.Value) -> None:
        first = b.gep(room, scaled(b, i, columns), vector)
        row(i, [b.load(b.gep(first, index(n), vector), vector) for n in range(columns)])

    for_each(b, columns, store_column)
    for_each(b, rows, load_row, runs=True)
