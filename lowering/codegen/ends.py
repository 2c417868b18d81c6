"""
The end of a tile: a kernel's body on each vector of sums while it is in registers.

A block has positions at constant distances, and at each of them `width` units in vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as every

from llvmlite import ir
from xdsl.ir import Block

from .body import emit_body
from .elements import Operand, load_lanes, store_lanes
from .isa import Isa
from .vectors import byte_offset, index, loop, scaled

Key = tuple[int, int]
"""A vector of a tile and a position of a block."""

LONGEST_END = 600
"""Operations of bodies at the end of a tile; for more, sums go through memory and a loop over positions."""


@dataclass(frozen=True)
class Ends:
    """`ins` and `outs` move along units with their last stride; `body` gets sums, then an element of each of ins."""

    body: Block
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the pointers."""
        return (*self.ins, *self.outs)

    def emit(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        pointers: Sequence[ir.Value],
        offsets: Sequence[Sequence[int]],
        width: int,
        sums: dict[Key, list[ir.Value]],
    ) -> None:
        """Position p of operand o lies `offsets[o][p]` elements after its pointer."""
        lanes, count = isa.lanes, len(self.ins)
        at = dict[tuple[int, int, int], ir.Value]()  # inputs by operand, vector and place
        for (v, position), arguments in sums.items():
            active = min(lanes, width - v * lanes)
            arguments = list(arguments)
            for o, operand in enumerate(self.ins):
                stride, offset = operand.strides[-1], offsets[o][position]
                key = (o, v if stride else 0, offset)
                if key not in at:
                    place = _place(b, pointers[o], operand, v * lanes, offset)
                    at[key] = load_lanes(b, isa, place, operand.element, stride, lanes, active)
                arguments.append(at[key])
            results = emit_body(b, isa, self.body, lanes, arguments)
            for o, (operand, value) in enumerate(zip(self.outs, results, strict=True), count):
                place = _place(b, pointers[o], operand, v * lanes, offsets[o][position])
                store_lanes(b, isa, place, operand.element, operand.strides[-1], value, active)

    def emit_in_loop(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        pointers: Sequence[ir.Value],
        nest: Sequence[tuple[int, Sequence[int]]],
        width: int,
        sums: dict[Key, list[ir.Value]],
    ) -> None:
        """
        The same in loops over positions, each of so many iterations with strides in elements; the sums
        wait in memory, those of a position in a row.
        """
        first = [key for key in sums if key[1] == 0]
        vector = sums[first[0]][0].type
        each = len(sums[first[0]])
        with b.goto_entry_block():
            waiting = b.alloca(vector, len(sums) * each)
        for position, (i, (v, _)) in every(range(len(sums) // len(first)), enumerate(first)):
            for j, value in enumerate(sums[v, position]):
                place = (position * len(first) + i) * each + j
                b.store(value, b.gep(waiting, [index(place)]))

        def level(depth: int, pointers: Sequence[ir.Value], position: ir.Value) -> None:
            if depth < len(nest):
                size, strides = nest[depth]

                def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
                    inner = b.add(scaled(b, position, size), i)
                    level(depth + 1, self.advance(b, pointers, i, strides), inner)
                    return []

                loop(b, size, [], iteration)
                return
            start = scaled(b, position, len(first) * each)
            mine = {
                key: [
                    b.load(b.gep(waiting, [b.add(start, index(i * each + j))])) for j in range(each)
                ]
                for i, key in enumerate(first)
            }
            self.emit(b, isa, pointers, [[0]] * len(self.operands), width, mine)

        level(0, pointers, index(0))

    def advance(
        self, b: ir.IRBuilder, pointers: Sequence[ir.Value], i: ir.Value, strides: Sequence[int]
    ) -> list[ir.Value]:
        """The pointers `i` times their strides (in elements) further."""
        return advance(b, self.operands, pointers, i, strides)


def advance(
    b: ir.IRBuilder,
    operands: Sequence[Operand],
    pointers: Sequence[ir.Value],
    i: ir.Value,
    strides: Sequence[int],
) -> list[ir.Value]:
    """Pointers to operands `i` times their strides (in elements) further."""
    return [
        byte_offset(b, pointer, scaled(b, i, stride * operand.size)) if stride else pointer
        for pointer, operand, stride in zip(pointers, operands, strides, strict=True)
    ]


def _place(
    b: ir.IRBuilder, pointer: ir.Value, operand: Operand, unit: int, offset: int
) -> ir.Value:
    return byte_offset(b, pointer, (unit * operand.strides[-1] + offset) * operand.size)
