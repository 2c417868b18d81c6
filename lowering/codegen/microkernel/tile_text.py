"""
The text of a register tile's assembly. There is nothing to select or to schedule in it: an element of a row is
broadcast, and each column multiplies it. Vector registers hold the sums, the columns' elements of one step, and the
broadcast element, so that no sum is spilled. They are the registers of the highest numbers, in this order. If LLVM
chose them, constants of the epilogue would be in the way, and it would spill sums to keep these.

Sizes that are known only at run time are read from the table. The distances of rows are then in registers: the distance
from a row to the next, and odd multiples of it, which an addressing mode scales by one, two, four or eight. As these
reach only a few rows, further rows have pointers of their own.

Where only `vpmaddwd` multiplies integers, bytes are widened to words as they are loaded. Weights are by `vpmovsxbw`
from memory, which takes no more than a load. Of the LHS, the four bytes of two steps are broadcast, once for each step,
and `vpshufb` makes words of two of them. Zen 3 does 67 G multiply-accumulates a second so in tiles of 6 x 2, and 72 of
words; `vpmaddwd` and `vpaddd` alone do 76, since they have the same units.

Instructions are Intel's, in AT&T syntax: https://www.felixcloutier.com/x86/.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as every

from ...calling_convention import WORD
from ...machine import CACHE_LINE, Isa
from ..run_time import Number, RunTime
from .paired_steps import LOADS, MULTIPLY_WORDS, first_bytes, first_sums, pair_of_steps
from .tile import FIRST_BYTES, Tile

LOOP_ALIGNMENT = 5
"""Loops are aligned to 2 to this power bytes, as instructions are fetched."""

WORD_BYTES = 4
"""Bytes of what is broadcast: a float, or the codes of a step."""

MACS = {1: "fma", 2: "vpdpwssd", 4: "vpdpbusd"}
"""By KR, the names of the multiply-accumulates that there is assembly for, of one instruction."""

MULTIPLY_BYTES = "vpmaddubsw"
"""What multiplies bytes where weights are matched, and adds each two products."""

NOTHING = "$$0"
"""The operand of a pointer that does not move."""

LOOP_NUMBERS = 3
"""Numbers of a counted loop: its count, and how far LHS and RHS move on."""

MULTIPLES = ((1, 1), (1, 2), (3, 1), (1, 4), (5, 1), (3, 2), (7, 1), (1, 8))
"""One to eight times a distance: an odd multiple, which a register holds, and the scale of an address."""


class TileText:
    """
    Writes the assembly. Its operands are the sums, the other vectors, the two pointers, the counters, odd multiples of
    the distance of rows, and further pointers to rows. Then come the inputs: the pointers, the table, the distance of
    prefetches, the numbers of counted loops, the offset, the memory for sums, the masks.
    """

    def __init__(self, isa: Isa, tile: Tile):
        self.isa, self.tile = isa, tile
        self.vectors = tile.registers - (tile.offset != 0)
        self._lines: list[str] = []
        self._x, self._y = self.vectors, self.vectors + 1
        self._counters = self._y + 1
        self._multiples = self._counters + len(tile.loops)
        self._pointers = [
            self._x,
            *range(
                self._multiples + tile.addresses.multiples,
                self._multiples + tile.addresses.multiples + tile.pointers - 1,
            ),
        ]
        self._element = self.vectors - 1
        self._ones = self._element - 2
        self._table = self._y + 1 + self.general + 2
        self._set = 0

    @property
    def general(self) -> int:
        """Registers for counters, multiples and further pointers."""
        tile = self.tile
        return len(tile.loops) + tile.addresses.multiples + tile.pointers - 1

    @property
    def registers(self) -> list[str]:
        """The registers of the vectors, by operand."""
        return [f"{self.isa.vector}{self._fixed(n)}" for n in range(self.vectors)]

    def write(self, prefetches: bool, stores: bool) -> str:
        """The whole text."""
        inputs = self._table + self.tile.has_table
        self._prefetched = inputs if prefetches else None
        self._counted = inputs + prefetches
        self._offset = self._counted + (self.tile.counted > 0)
        self._masks = self._offset + (self.tile.offset != 0) + stores
        self._places = self._row_places()
        self._begin_sums()
        self._loop(0)
        if stores:
            self._store(self._offset + (self.tile.offset != 0))
        return "\\0A".join(self._lines)

    def _begin_sums(self) -> None:
        """Sets the sums to zeros or, of pairs, to what lies in front of rows and columns."""
        if self.tile.paired:
            self._lines += first_sums(self.tile, self._y, self._places)
            return
        exclusive_or = "vpxord" if self.isa.has_evex else "vpxor"
        for n in range(self.tile.sums):
            self._add(f"{exclusive_or} ${n}, ${n}, ${n}")
        if self.tile.matched:
            self._add(f"vpcmpeqw ${self._ones}, ${self._ones}, ${self._ones}")
            self._add(f"vpsrlw $$15, ${self._ones}, ${self._ones}")

    def _add(self, line: str) -> None:
        self._lines.append(line)

    def _number(self, number: Number) -> str:
        """A number as an operand."""
        if isinstance(number, RunTime):
            return f"{number.place * WORD}(${self._table})"
        return f"$${number}"

    def _row_places(self) -> list[tuple[int, str]]:
        """How each row is addressed: displacement and registers. If there are several pointers, sets them."""
        tile, rows, found = self.tile, self.tile.rows, self.tile.addresses
        if tile.distances is not None:
            return [(distance, f"(${self._x})") for distance in tile.distances]
        goes_down = rows.lines > rows.count
        near, far = (rows.down, rows.along) if goes_down else (rows.along, rows.down)
        longer, shorter = max(rows.lines, rows.count), min(rows.lines, rows.count)
        self._put_multiples(near)
        places = dict[tuple[int, int], str]()
        pointers = iter(self._pointers)
        start = next(pointers)
        for other in range(shorter):
            if other:
                before, start = start, next(pointers)
                self._add(f"movq ${before}, ${start}")
                self._add(f"addq {self._number(far)}, ${start}")
            pointer = start
            for row in range(longer):
                reached = row % found.reach
                if row and not reached:
                    before, pointer = pointer, next(pointers)
                    self._add(f"leaq {self._times(before, found.reach - 1)}, ${pointer}")
                    self._add(f"addq ${self._multiples}, ${pointer}")
                places[row, other] = self._times(pointer, reached)
        order = [(i, j) for i in range(rows.lines) for j in range(rows.count)]
        return [(0, places[(i, j) if goes_down else (j, i)]) for i, j in order]

    def _put_multiples(self, distance: Number) -> None:
        """Computes the odd multiples of the distance of rows."""
        first = self._multiples
        for n in range(self.tile.addresses.multiples):
            if n == 0:
                self._add(f"movq {self._number(distance)}, ${first}")
            else:
                self._add(f"leaq (${first + n - 1},${first},2), ${first + n}")

    def _times(self, pointer: int, times: int) -> str:
        """The address so many rows after a pointer."""
        if not times:
            return f"(${pointer})"
        multiple, scale = MULTIPLES[times - 1]
        return f"(${pointer},${self._multiples + multiple // 2},{scale})"

    def _loop(self, level: int) -> None:
        """The loop of this level and those inside it."""
        if level == len(self.tile.loops) - 1:
            self._inner_loops(level)
            return
        if self.tile.sets > 1 and level == len(self.tile.loops) - 2:
            self._sets(level)
            return
        self._begin(level)
        self._loop(level + 1)
        self._end(level)

    def _inner_loops(self, level: int) -> None:
        """The last loop and what follows it: once for all rows, or once for the live rows of each part."""
        tile = self.tile
        x, y = (FIRST_BYTES, first_bytes(tile)) if tile.paired else (0, 0)
        for rows in tile.live or [range(tile.rows.total)]:
            if tile.loops[level].count != 0:
                self._begin(level)
                self._prefetch()
                self._steps(rows, tile.unroll, x, y, False)
                self._end(level)
            self._steps(rows, tile.rest, x, y, tile.loops[level].count != 0)
            if tile.tail:
                self._step(rows, tile.rest, x, y, is_tail=True)
            x, y = x + tile.rest * tile.x_step, y + tile.rest * tile.y_step
        if level:
            self._move(f"$${x}", f"$${y}")

    def _begin(self, level: int) -> None:
        """The label of a loop."""
        count, _, _ = self._numbers(level)
        self._add(f"movq {count}, ${self._counters + level}")
        self._add(f".p2align {LOOP_ALIGNMENT}")
        self._add(f"{level + 1}:")

    def _end(self, level: int) -> None:
        """Continues with the next iteration."""
        _, *moves = self._numbers(level)
        self._move(*moves)
        self._add(f"decq ${self._counters + level}")
        self._add(f"jnz {level + 1}b")

    def _sets(self, level: int) -> None:
        """A loop that is unrolled: each iteration has its own set of sums."""
        for number in range(self.tile.sets):
            self._set = number
            self._loop(level + 1)
            _, *moves = self._numbers(level)
            self._move(*moves)

    def _numbers(self, level: int) -> list[str]:
        """The count of a loop and how far its pointers move, as operands."""
        if level < self.tile.counted:
            places = range(level * LOOP_NUMBERS, (level + 1) * LOOP_NUMBERS)
            return [f"{place * WORD}(${self._counted})" for place in places]
        loop = self.tile.loops[level]
        return [self._number(number) for number in (loop.count, loop.x_bytes, loop.y_bytes)]

    def _move(self, x_bytes: str, y_bytes: str) -> None:
        """Moves all pointers."""
        for bytes, pointers in ((x_bytes, self._pointers), (y_bytes, [self._y])):
            for pointer in pointers if bytes != NOTHING else []:
                self._add(f"addq {bytes}, ${pointer}")

    def _prefetch(self) -> None:
        if self._prefetched is not None:
            for line in range(self.tile.prefetched_lines):
                self._add(f"prefetcht1 {line * CACHE_LINE}(${self._y},${self._prefetched})")

    def _store(self, memory: int) -> None:
        """Stores the sums. The counter of the last loop, which is over, is used as a pointer."""
        tile, pointer = self.tile, self._counters + len(self.tile.loops) - 1
        rows, columns = tile.rows.total, len(tile.columns)
        vector = self.isa.lanes * WORD_BYTES
        self._add(f"leaq ${memory}, ${pointer}")
        for row, column in every(range(rows), range(columns)):
            first = column * rows + row
            for n in range(first + rows * columns, tile.sums, rows * columns):
                self._add(f"vpaddd ${n}, ${first}, ${first}")
            self._add(f"vmovups ${first}, {(row * columns + column) * vector}(${pointer})")

    def _steps(self, live: Sequence[int], count: int, x: int, y: int, follows: bool) -> None:
        """
        Adds the products of the live rows in so many steps, whose first elements lie so many bytes behind the pointers.
        They may follow others, which lie right before them.
        """
        if self.tile.paired:
            tile, places = self.tile, [self._places[row] for row in live]
            for n in range(0, count, 2):
                at = x + n * tile.x_step, y + n * tile.y_step
                self._lines += pair_of_steps(tile, self._y, places, *at)
            return
        for step in range(count):
            self._is_second = step % 2 == 1 or (step == count - 1 and (step > 0 or follows))
            self._is_alone = count == 1 and not follows
            self._step(live, step, x, y)

    def _step(self, live: Sequence[int], step: int, x: int, y: int, is_tail: bool = False) -> None:
        """Adds the products of the live rows in a step, whose elements lie so many bytes behind those of step 0."""
        tile = self.tile
        x, y = x + step * tile.x_step, y + step * tile.y_step
        rows, columns = tile.rows.total, len(tile.columns)
        places = [f"{y + column}(${self._y})" for column in tile.columns]
        if rows > 1:
            for column, place in enumerate(places):
                load = LOADS[tile.widened[1]] if tile.widened else "vmovups"
                self._add(f"{load} {place}, {self._register(tile.sums + column, column)}")
            places = [self._register(tile.sums + column, column) for column in range(columns)]
        first = (self._set * tile.accumulators + step % tile.accumulators) * rows * columns
        broadcasts = (
            tile.kr <= 2 and columns == 1 and rows > 1 and self.isa.has_evex and not is_tail
        )
        for row in live:
            distance, registers = self._places[row]
            place = f"{x + distance}{registers}"
            if broadcasts:
                lanes = self.isa.lanes // 2 if self._is_half(0) else self.isa.lanes
                element = f"{place}{{1to{lanes}}}"
                self._add(f"{self._mac} {element}, {places[0]}, {self._register(first + row, 0)}")
                continue
            if tile.widens_lhs:
                self._broadcast_bytes(x + distance, registers, is_tail)
            elif is_tail:
                self._broadcast_last(f"{x + distance - self._missing}{registers}")
            else:
                self._broadcast(place)
            for column, right in enumerate(places):
                self._multiply_add(right, first + column * rows + row, column)

    def _multiply_add(self, place: str, sum: int, column: int) -> None:
        element, total = (self._register(n, column) for n in (self._element, sum))
        widened, product = self.tile.widened, f"${self._element - 1}"
        if self.tile.matched:
            self._add(f"{MULTIPLY_BYTES} {place}, {element}, {product}")
            self._add(f"{MULTIPLY_WORDS} ${self._ones}, {product}, {product}")
            self._add(f"vpaddd {product}, {total}, {total}")
            return
        if widened is None:
            self._add(f"{self._mac} {place}, {element}, {total}")
            return
        if self.tile.rows.total == 1 and widened[1] != "i16":
            self._add(f"{LOADS[widened[1]]} {place}, {product}")
            place = product
        self._add(f"{MULTIPLY_WORDS} {place}, {element}, {product}")
        self._add(f"vpaddd {product}, {total}, {total}")

    @property
    def _mac(self) -> str:
        if self.tile.kr == 1:
            return "vfmadd231ps"
        return MACS[self.tile.kr] if self.isa.has_evex else f"{{vex}} {MACS[self.tile.kr]}"

    def _register(self, number: int, column: int) -> str:
        """The name of an operand in an instruction that multiplies this column."""
        return f"%ymm{self._fixed(number)}" if self._is_half(column) else f"${number}"

    def _fixed(self, number: int) -> int:
        """The number of the register that holds an operand."""
        return self.isa.registers - 1 - number

    def _is_half(self, column: int) -> bool:
        return self.isa.vector == "zmm" and column in self.tile.half_columns

    def _broadcast(self, place: str) -> None:
        name = "vbroadcastss" if self.tile.kr == 1 else "vpbroadcastd"
        self._add(f"{name} {place}, ${self._element}")
        self._shift()

    def _broadcast_bytes(self, place: int, registers: str, is_tail: bool) -> None:
        """
        Broadcasts the bytes of a step as words. Those of a whole step come with the step before or after it. That of a
        tail takes both places, as the RHS has zeros there.
        """
        element, mask = f"${self._element}", self._masks
        if is_tail:
            self._add(f"vpbroadcastb {place}{registers}, {element}")
        elif self._is_second:
            self._add(f"vpbroadcastd {place - self.tile.x_step}{registers}, {element}")
            mask += 1
        else:
            load = "vpbroadcastw" if self._is_alone else "vpbroadcastd"
            self._add(f"{load} {place}{registers}, {element}")
        self._add(f"vpshufb ${mask}, {element}, {element}")
        if self.tile.widened and self.tile.widened[0] == "i8":
            self._add(f"vpsraw $$8, {element}, {element}")

    @property
    def _missing(self) -> int:
        """Bytes that the tail lacks of a whole step."""
        return (self.tile.kr - self.tile.tail) * WORD_BYTES // self.tile.kr

    def _broadcast_last(self, place: str) -> None:
        """
        Broadcasts the last codes of a row. One load ends where the row does, and zeros replace what it read too early.
        The counter of the last loop, which is over, is used as a register.
        """
        word = self._counters + len(self.tile.loops) - 1
        self._add(f"movl {place}, ${{{word}:k}}")
        self._add(f"shrl $${8 * self._missing}, ${{{word}:k}}")
        if self.isa.has_evex:
            self._add(f"vpbroadcastd ${{{word}:k}}, ${self._element}")
        else:
            self._add(f"vmovd ${{{word}:k}}, ${{{self._element}:x}}")
            self._add(f"vpbroadcastd ${{{self._element}:x}}, ${self._element}")
        self._shift()

    def _shift(self) -> None:
        """Adds the offset to codes, which flips their highest bit."""
        if self.tile.offset:
            exclusive_or = "vpxord" if self.isa.has_evex else "vpxor"
            self._add(f"{exclusive_or} ${self._offset}, ${self._element}, ${self._element}")
