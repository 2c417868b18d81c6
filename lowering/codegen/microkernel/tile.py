"""A register tile that is written as assembly: its loops, where its rows lie, and the registers that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...instructions import Kind
from ...machine import CACHE_LINE
from ..run_time import Number, RunTime
from ..schedule.costs import pair_registers
from .operands import Rows

FIRST_BYTES = CACHE_LINE
"""From what the sums of a row begin with to its words, where steps are paired."""

FARTHEST = 1 << 30
"""The largest displacement in an instruction, with some room left."""


@dataclass(frozen=True)
class TileLoop:
    """
    A loop of `count` iterations; at least one where the count is known only at run time. At the end of each iteration,
    the LHS moves on by `x_bytes` and the RHS by `y_bytes` from where inner loops have left the pointers: behind their
    last whole step.
    """

    count: Number
    x_bytes: Number
    y_bytes: Number


@dataclass(frozen=True)
class RowAddresses:
    """
    How the rows of the LHS are addressed where their distances are known only at run time. Along the longer dimension,
    the first `reach` rows from a pointer are addressed by odd `multiples` of the distance. There are so many `pointers`
    for each row of the other dimension.
    """

    multiples: int
    pointers: int
    reach: int

    @classmethod
    def of(cls, longer: int, shorter: int) -> RowAddresses:
        """
        The addressing with the fewest registers; among equals the one with the fewest pointers, which must be moved.
        """
        if longer == 1:
            return cls(0, 1, 1)

        def registers(found: RowAddresses) -> int:
            return found.multiples + found.pointers * shorter

        each = [(multiples, 2 * multiples + 1) for multiples in range(4, 0, -1)]
        return min((cls(n, -(-longer // reach), reach) for n, reach in each), key=registers)


@dataclass(frozen=True)
class Tile:
    """
    The loops, the innermost last, and what an iteration of the innermost one does: `unroll` steps. `rest` steps follow
    the loop, and a step of `tail` elements. `rows` are those of the LHS; columns of the RHS lie `columns` bytes after
    its pointer. Step n adds to accumulator n modulo `accumulators`.

    If there are several `sets` of sums, each iteration of the last loop but one has its own. The upper half of
    `half_columns` is not wanted. Where vectors are zmm registers, these columns are multiplied by instructions for ymm,
    of which Zen 4 starts two in a cycle (https://uops.info/html-instr/VPDPBUSD_YMM_YMM_YMM_EVEX.html), and the sums of
    their upper half are 0.

    The numbers of the first `counted` loops come with the pointers: of each, the count, from 1 to its own, and the
    bytes by which LHS and RHS move on. These depend on the count of the next loop.

    The last loop, with what follows it, runs once for each of `live`, which number the rows that count then; without
    `live`, it runs once for all rows.

    `kr` is 1 for f32; 2 for words, i16 times i16; 4 for bytes, u8 times i8, with a LHS that is read as `code + offset`.

    `widened` has the elements of LHS and RHS where `vpmaddwd` multiplies them: `kr` is 2, and bytes, which lie as in
    memory, become words in registers.

    Where steps are `paired`, words of the LHS and bytes of the RHS, their sums are multiplied
    (`dialects.kernel.ConvolutionLayout`). What a sum begins with lies in front: an i32 for each row, `FIRST_BYTES`
    before its words, and one for each lane of a column.

    Where weights are `matched`, u8 times i8 are added in pairs in 16 bits, exactly.
    """

    loops: tuple[TileLoop, ...]
    unroll: int
    rest: int
    tail: int
    rows: Rows
    columns: tuple[int, ...]
    x_step: int
    y_step: int
    kr: int
    offset: int
    accumulators: int
    prefetched_lines: int
    counted: int
    live: tuple[tuple[int, ...], ...] = ()
    sets: int = 1
    half_columns: tuple[int, ...] = ()
    widened: Kind | None = None
    paired: bool = False
    matched: bool = False

    @property
    def sums(self) -> int:
        """The number of vectors of sums."""
        return self.sets * self.accumulators * len(self.columns) * self.rows.total

    @property
    def widens_lhs(self) -> bool:
        """Whether the LHS has bytes that become words."""
        return self.widened is not None and self.widened[0] != "i16"

    @property
    def registers(self) -> int:
        """The number of vector registers that the tile needs."""
        if self.paired:
            return self.sums + pair_registers(len(self.columns))
        columns = len(self.columns) if self.rows.total > 1 else 0
        return self.sums + columns + 1 + self.temporaries + (self.offset != 0)

    @property
    def temporaries(self) -> int:
        """Registers for a product that is added by another instruction, and for ones that words are multiplied by."""
        return 2 if self.matched else int(self.widened is not None)

    @property
    def distances(self) -> tuple[int, ...] | None:
        """How many bytes after their pointer the rows of the LHS lie; None where that is known only at run time."""
        rows = self.rows
        if isinstance(rows.down, RunTime) or isinstance(rows.along, RunTime):
            return None
        return tuple(
            line * rows.down + row * rows.along
            for line in range(rows.lines)
            for row in range(rows.count)
        )

    @cached_property
    def addresses(self) -> RowAddresses:
        """How rows are addressed."""
        if self.distances is not None:
            return RowAddresses(0, 1, self.rows.total)
        return RowAddresses.of(*sorted((self.rows.lines, self.rows.count), reverse=True))

    @property
    def pointers(self) -> int:
        """The number of pointers to rows of the LHS."""
        if self.distances is not None:
            return 1
        return self.addresses.pointers * min(self.rows.lines, self.rows.count)

    @property
    def has_table(self) -> bool:
        """Whether there are numbers that are known only at run time."""
        numbers = [n for each in self.loops for n in (each.count, each.x_bytes, each.y_bytes)]
        return self.distances is None or any(isinstance(number, RunTime) for number in numbers)

    @property
    def general_registers(self) -> int:
        """The number of general registers that the tile needs: for pointers, multiples, counters and inputs."""
        inputs = self.has_table + (self.prefetched_lines > 0) + (self.counted > 0)
        return self.pointers + 1 + self.addresses.multiples + len(self.loops) + inputs

    @property
    def fits(self) -> bool:
        """Whether its distances fit into instructions."""
        rows = self.distances or (0,)
        steps = (self.unroll + self.rest + 1) * max(1, len(self.live))
        farthest = [steps * self.x_step + max(rows), steps * self.y_step + max(self.columns)]
        numbers = [n for each in self.loops for n in (each.count, each.x_bytes, each.y_bytes)]
        farthest += [number for number in numbers if isinstance(number, int)]
        return all(-FARTHEST < n < FARTHEST for n in (*farthest, min(rows)))
