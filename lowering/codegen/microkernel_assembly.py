"""
The loops of a register tile as assembly for x86-64: one call in LLVM IR, in the place of thousands of instructions.

LLVM takes some 25 microseconds for an instruction, and inner loops are half of what kernels that multiply have. There
is nothing to select or to schedule: a row's element is broadcast, each column multiplies it. Vector registers hold the
sums, the columns' elements of one step and the element that is broadcast, so that no sum is spilled. They are the last
ones, in this order: where LLVM chooses, constants of the epilogue are in the way, and it spills sums to keep them.

Instructions are Intel's, in the syntax of AT&T: https://www.felixcloutier.com/x86/.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..machine import CACHE_LINE, Isa
from . import ir
from .vectors import I8, I64, POINTER, splat

LOOP_ALIGNMENT = 5
"""Loops begin at a multiple of 2 to this power bytes, as instructions are fetched."""

WORD_BYTES = 4
"""What is broadcast: a float, or the codes of a step."""

MACS = {1: "fma", 2: "vpdpwssd", 4: "vpdpbusd"}
"""By KR, the names of those that there is assembly for."""

FARTHEST = 1 << 30
"""A distance that fits into an instruction, with room."""


@dataclass(frozen=True)
class TileLoop:
    """A loop of `count` iterations, over which the LHS moves by `x_bytes` and the RHS by `y_bytes`."""

    count: int
    x_bytes: int
    y_bytes: int


@dataclass(frozen=True)
class Tile:
    """
    The loops, the innermost last, and what an iteration of that does: `unroll` steps; `rest` steps follow it, and a
    step of `tail` elements. Rows of the LHS lie `rows` bytes after its pointer, columns of the RHS `columns` bytes.
    Sums of step n are those of accumulator n modulo `accumulators`.

    Of several `sets` of sums, each iteration of the last loop but one has its own. The upper half of `half_columns` is
    not wanted: in zmm registers these are multiplied by instructions for ymm, of which Zen 4 starts two in a cycle
    (https://uops.info/html-instr/VPDPBUSD_YMM_YMM_YMM_EVEX.html), and those sums are 0.

    Where the first loop `is_counted`, that comes with the pointers: at least 1, at most its own.

    The last loop, with what follows it, is done once for each of `live`, which number the rows that count then; of
    none, it is done once for all rows.

    `kr` 1 is f32; 2 is words, i16 times i16; 4 is bytes, u8 times i8, and a LHS that is read as `code + offset`.
    """

    loops: tuple[TileLoop, ...]
    unroll: int
    rest: int
    tail: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    x_step: int
    y_step: int
    kr: int
    offset: int
    accumulators: int
    prefetched_lines: int
    is_counted: bool
    live: tuple[tuple[int, ...], ...] = ()
    sets: int = 1
    half_columns: tuple[int, ...] = ()

    @property
    def sums(self) -> int:
        """How many vectors are summed up."""
        return self.sets * self.accumulators * len(self.columns) * len(self.rows)

    @property
    def registers(self) -> int:
        """Vector registers that it needs."""
        columns = len(self.columns) if len(self.rows) > 1 else 0
        return self.sums + columns + 1 + (self.offset != 0)

    @property
    def fits(self) -> bool:
        """Whether its distances do."""
        steps = (self.unroll + self.rest + 1) * max(1, len(self.live))
        farthest = [steps * self.x_step + max(self.rows), steps * self.y_step + max(self.columns)]
        farthest += [n for each in self.loops for n in (each.count, each.x_bytes, each.y_bytes)]
        return all(-FARTHEST < n < FARTHEST for n in (*farthest, min(self.rows)))


def is_written(isa: Isa, tile: Tile) -> bool:
    """Whether there are instructions and registers for a tile."""
    mac = MACS[tile.kr]
    has = isa.vector in ("ymm", "zmm") and any(each.name == mac for each in isa.macs)
    whole = all(each.count > 0 for each in tile.loops[:-1])
    return has and whole and tile.registers <= isa.registers and tile.fits


def emit_tile(
    b: ir.IRBuilder,
    isa: Isa,
    tile: Tile,
    x: ir.Value,
    y: ir.Value,
    prefetched: ir.Value | None,
    count: ir.Value | None,
    type: ir.VectorType,
) -> list[ir.Value]:
    """
    The sums, by accumulator, column and row; `prefetched` is how many bytes after y lines are fetched, `count` that of
    the first loop where it is counted.
    """
    text = _Text(isa, tile)
    results: list[ir.Type] = [*[type] * text.vectors, POINTER, POINTER, *[I64] * text.counters]
    arguments = [x, y]
    fixed = [f"=&{{{register}}}" for register in text.registers]
    outputs = [*fixed, *["=&r"] * (2 + text.counters)]
    inputs = [str(text.vectors), str(text.vectors + 1)]
    if prefetched is not None:
        arguments.append(prefetched)
        inputs.append("r")
    if count is not None:
        arguments.append(count)
        inputs.append("r")
    if tile.offset:
        arguments.append(splat(I8, tile.kr * isa.lanes, tile.offset))
        inputs.append("v")
    clobbered = ["~{memory}", "~{flags}"]
    signature = ir.FunctionType(
        b.module.struct(*results), [argument.type for argument in arguments]
    )
    assembly = text.write(prefetched is not None)
    constraints = ",".join([*outputs, *inputs, *clobbered])
    found = b.asm(signature, assembly, constraints, arguments)
    return [b.extract_value(found, n) for n in range(tile.sums)]


class _Text:
    """
    Writes the assembly. Its operands are the sums, the other vectors, the two pointers and the counters; then
    what comes in: the pointers, the distance of what is prefetched, the offset.
    """

    def __init__(self, isa: Isa, tile: Tile):
        self.isa, self.tile = isa, tile
        self.vectors = tile.registers - (tile.offset != 0)
        self.counters = len(tile.loops) + (tile.tail != 0)
        self._lines: list[str] = []
        self._x, self._y = self.vectors, self.vectors + 1
        self._element = self.vectors - 1
        self._inputs = self.vectors + 2 + self.counters + 2
        self._set = 0

    @property
    def registers(self) -> list[str]:
        """Those of the vectors, by operand."""
        return [f"{self.isa.vector}{self._fixed(n)}" for n in range(self.vectors)]

    def write(self, prefetches: bool) -> str:
        """All of it."""
        self._prefetched = self._inputs if prefetches else None
        self._count = self._inputs + prefetches
        self._offset = self._count + self.tile.is_counted
        exclusive_or = "vpxord" if self.isa.has_evex else "vpxor"
        for n in range(self.tile.sums):
            self._add(f"{exclusive_or} ${n}, ${n}, ${n}")
        self._loop(0)
        return "\\0A".join(self._lines)

    def _add(self, line: str) -> None:
        self._lines.append(line)

    def _loop(self, level: int) -> tuple[int, int]:
        """The loop of this level and those in it; how far they move the pointers."""
        tile, loop = self.tile, self.tile.loops[level]
        if level == len(tile.loops) - 1:
            return self._inner_loops(level)
        if tile.sets > 1 and level == len(tile.loops) - 2:
            return self._sets(level)
        self._begin(level)
        moved = self._loop(level + 1)
        if loop.count > 1:
            self._end(level, *moved)
            moved = loop.count * loop.x_bytes, loop.count * loop.y_bytes
        return moved

    def _inner_loops(self, level: int) -> tuple[int, int]:
        """The last loop and what follows it, for all rows or for those that are live one time after the other."""
        tile, loop = self.tile, self.tile.loops[level]
        moved_x = moved_y = x = y = 0
        for rows in tile.live or [range(len(tile.rows))]:
            self._begin(level)
            if loop.count:
                self._prefetch()
                for step in range(tile.unroll):
                    self._step(rows, step, x, y)
            if loop.count > 1:
                self._end(level)
                moved_x, moved_y = (
                    moved_x + loop.count * loop.x_bytes,
                    moved_y + loop.count * loop.y_bytes,
                )
            elif loop.count:
                x, y = x + loop.x_bytes, y + loop.y_bytes
            for step in range(tile.rest):
                self._step(rows, step, x, y)
            if tile.tail:
                self._step(rows, tile.rest, x, y, is_tail=True)
            x, y = x + tile.rest * tile.x_step, y + tile.rest * tile.y_step
        return moved_x, moved_y

    def _begin(self, level: int) -> None:
        """Where the loop of a level has several iterations, its label."""
        count = self.tile.loops[level].count
        if count > 1:
            is_counted = self.tile.is_counted and level == 0
            times = self._count if is_counted else f"${count}"
            self._add(f"movq ${times}, ${self.vectors + 2 + level}")
            self._add(f".p2align {LOOP_ALIGNMENT}")
            self._add(f"{level + 1}:")

    def _end(self, level: int, moved_x: int = 0, moved_y: int = 0) -> None:
        """The next iteration: pointers that an iteration has moved by so much move on."""
        loop = self.tile.loops[level]
        self._move(loop.x_bytes - moved_x, loop.y_bytes - moved_y)
        self._add(f"decq ${self.vectors + 2 + level}")
        self._add(f"jnz {level + 1}b")

    def _sets(self, level: int) -> tuple[int, int]:
        """A loop written out, each iteration with its set of sums."""
        loop = self.tile.loops[level]
        for number in range(self.tile.sets):
            self._set = number
            x_bytes, y_bytes = self._loop(level + 1)
            self._move(loop.x_bytes - x_bytes, loop.y_bytes - y_bytes)
        return loop.count * loop.x_bytes, loop.count * loop.y_bytes

    def _move(self, x_bytes: int, y_bytes: int) -> None:
        for bytes, pointer in ((x_bytes, self._x), (y_bytes, self._y)):
            if bytes:
                self._add(f"addq $${bytes}, ${pointer}")

    def _prefetch(self) -> None:
        if self._prefetched is not None:
            for line in range(self.tile.prefetched_lines):
                self._add(f"prefetcht1 {line * CACHE_LINE}(${self._y},${self._prefetched})")

    def _step(self, live: Sequence[int], step: int, x: int, y: int, is_tail: bool = False) -> None:
        """Adds the products of the rows that are live in a step, its elements so many bytes behind those of step 0."""
        tile = self.tile
        x, y = x + step * tile.x_step, y + step * tile.y_step
        rows, columns = len(tile.rows), len(tile.columns)
        places = [f"{y + column}(${self._y})" for column in tile.columns]
        if rows > 1:
            for column, place in enumerate(places):
                self._add(f"vmovups {place}, {self._register(tile.sums + column, column)}")
            places = [self._register(tile.sums + column, column) for column in range(columns)]
        first = (self._set * tile.accumulators + step % tile.accumulators) * rows * columns
        broadcasts = (
            tile.kr <= 2 and columns == 1 and rows > 1 and self.isa.has_evex and not is_tail
        )
        for row in live:
            offset = tile.rows[row]
            if broadcasts:
                lanes = self.isa.lanes // 2 if self._is_half(0) else self.isa.lanes
                element = f"{x + offset}(${self._x}){{1to{lanes}}}"
                self._add(f"{self._mac} {element}, {places[0]}, {self._register(first + row, 0)}")
                continue
            if is_tail:
                self._broadcast_last(x + offset)
            else:
                self._broadcast(x + offset)
            for column, place in enumerate(places):
                self._multiply_add(place, first + column * rows + row, column)

    def _multiply_add(self, place: str, sum: int, column: int) -> None:
        element, total = (self._register(n, column) for n in (self._element, sum))
        self._add(f"{self._mac} {place}, {element}, {total}")

    @property
    def _mac(self) -> str:
        if self.tile.kr == 1:
            return "vfmadd231ps"
        return MACS[self.tile.kr] if self.isa.has_evex else f"{{vex}} {MACS[self.tile.kr]}"

    def _register(self, number: int, column: int) -> str:
        """An operand as what multiplies this column names it."""
        return f"%ymm{self._fixed(number)}" if self._is_half(column) else f"${number}"

    def _fixed(self, number: int) -> int:
        """The number of the register that an operand is in."""
        return self.isa.registers - 1 - number

    def _is_half(self, column: int) -> bool:
        return self.isa.vector == "zmm" and column in self.tile.half_columns

    def _broadcast(self, x: int) -> None:
        name = "vbroadcastss" if self.tile.kr == 1 else "vpbroadcastd"
        self._add(f"{name} {x}(${self._x}), ${self._element}")
        self._shift()

    def _broadcast_last(self, x: int) -> None:
        """The last codes of a row, by one load that ends where the row does; zeros follow them."""
        missing = (self.tile.kr - self.tile.tail) * WORD_BYTES // self.tile.kr
        word = self.vectors + 1 + self.counters
        self._add(f"movl {x - missing}(${self._x}), ${{{word}:k}}")
        self._add(f"shrl $${8 * missing}, ${{{word}:k}}")
        if self.isa.has_evex:
            self._add(f"vpbroadcastd ${{{word}:k}}, ${self._element}")
        else:
            self._add(f"vmovd ${{{word}:k}}, ${{{self._element}:x}}")
            self._add(f"vpbroadcastd ${{{self._element}:x}}, ${self._element}")
        self._shift()

    def _shift(self) -> None:
        """By adding the offset to codes, which is a change of their highest bit."""
        if self.tile.offset:
            exclusive_or = "vpxord" if self.isa.has_evex else "vpxor"
            self._add(f"{exclusive_or} ${self._offset}, ${self._element}, ${self._element}")
