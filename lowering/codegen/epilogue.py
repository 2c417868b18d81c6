"""
The epilogue: a kernel's body, applied to each vector of accumulators while it is in registers.

A register tile has positions at constant distances, and at each of them `width` units in vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from xdsl.ir import SSAValue

from ..machine import CACHE_LINE, Isa
from . import ir
from .body import LONG_BODY, PAIRED_BODY, KernelBody, emit_bodies, yielded
from .channel_blocks import BLOCK_VECTORS, in_blocks, is_of_channels
from .elements import Operand, load_lanes
from .loop_nest import Nest, places
from .output import Output
from .schedule.costs import MOST_TOGETHER
from .spilled import Spilled
from .vectors import byte_offset, for_each, index, prefetch_near, scaled

Key = tuple[int, int]
"""A vector and a position of a register tile."""


@dataclass(frozen=True)
class Epilogue:
    """
    `body` takes accumulators, then an element of each input. Operands move along units with their last stride. Where
    units are `in_blocks`, as `DepthwiseLayout` has channels, so are those inputs that have a scalar for each channel.
    """

    body: KernelBody
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    in_blocks: bool = False

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Ins and outs, in the order of the pointers."""
        return (*self.ins, *self.outs)

    @property
    def is_long(self) -> bool:
        """Whether the body is long: then no other work goes on while it waits, not even loads of its operands."""
        return self.body.operations >= LONG_BODY

    def emit(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        pointers: Sequence[ir.Value],
        nest: Nest,
        width: int,
        accumulators: Mapping[Key, Sequence[ir.Value]],
    ) -> None:
        """Applies the body; the positions of operands lie where a loop nest would find them."""
        found = [places(b, pointer, nest, o) for o, pointer in enumerate(pointers)]
        self.emit_at(b, isa, found, width, accumulators)

    def emit_at(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        places: Sequence[Sequence[ir.Value]],
        width: int,
        accumulators: Mapping[Key, Sequence[ir.Value]],
    ) -> None:
        """Applies the body; position p of operand o lies at `places[o][p]`. Equal addresses are one value."""
        lanes = isa.lanes
        at = dict[tuple[int, int, ir.Value], ir.Value]()  # inputs by operand, vector and place

        def arguments(v: int, position: int) -> list[ir.Value]:
            found = list(accumulators[v, position])
            for o, operand in enumerate(self.ins):
                start = places[o][position]
                key = (o, v if operand.strides[-1] else 0, start)
                if key not in at:
                    for n, value in self._input(b, isa, operand, start, v, width):
                        at[o, n, start] = value
                found.append(at[key])
            return found

        outs = [Output(b, isa, value, operand) for value, operand in self._yields()]
        wanted = [out.value for out in outs]
        block: list[list[ir.Value]] = [
            [] for _ in outs
        ]  # vectors of a position, where units are in blocks
        for keys in self._interleaved(sorted(accumulators, key=lambda key: key[::-1])):
            each = [arguments(*key) for key in keys]
            results = emit_bodies(b, isa, self.body, lanes, each, wanted)
            for (v, position), values in zip(keys, results, strict=True):
                for o, (out, value) in enumerate(zip(outs, values, strict=True)):
                    place = places[len(self.ins) + o][position]
                    if not self.in_blocks:
                        active = min(lanes, width - v * lanes)
                        out.put(_unit(b, place, out.operand, v * lanes), value, active)
                        continue
                    block[o].append(value)
                    if len(block[o]) == BLOCK_VECTORS:
                        out.put_blocks(place, block[o])
                        block[o] = []
        for out in outs:
            out.finish()

    def _input(
        self, b: ir.IRBuilder, isa: Isa, operand: Operand, start: ir.Value, v: int, width: int
    ) -> list[tuple[int, ir.Value]]:
        """Vector v of an input, or all of a block, with their numbers."""
        stride, lanes = operand.strides[-1], isa.lanes
        is_block = self.in_blocks and stride and not is_of_channels(operand)
        vectors = range(BLOCK_VECTORS) if is_block else range(v, v + 1)
        found = [
            load_lanes(
                b,
                isa,
                _unit(b, start, operand, n * lanes),
                operand.element,
                stride,
                lanes,
                min(lanes, width - n * lanes),
            )
            for n in vectors
        ]
        number = v if stride else 0
        return list(enumerate(in_blocks(b, found))) if is_block else [(number, found[0])]

    def _interleaved(self, keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
        """
        Groups of vectors whose bodies are interleaved, operation by operation: pairs, and three where the number is
        odd; of long bodies, as many as `MOST_TOGETHER`.
        """
        if self.is_long:
            groups = -(-len(keys) // MOST_TOGETHER)
        else:
            groups = max(1, len(keys) // (2 if self.body.operations >= PAIRED_BODY else 1))
        ends = [len(keys) * i // groups for i in range(groups + 1)]
        for first, end in pairwise(ends):
            yield keys[first:end]

    def prefetch(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        pointers: Sequence[ir.Value],
        nest: Nest,
        width: int,
    ) -> None:
        """Prefetches what the positions will read and write, while their accumulators are computed."""
        for o, (pointer, operand) in enumerate(zip(pointers, self.operands, strict=True)):
            moving = [(count, strides[o]) for count, strides in nest if count > 1]
            if operand.strides[-1] != 1 or (moving and all(stride == 0 for _, stride in moving)):
                continue
            lines = range(0, width * operand.size, CACHE_LINE)
            *outer, (count, stride) = moving or [(1, 0)]
            for start in places(b, pointer, [(n, [step]) for n, step in outer], 0):
                prefetch_near(b, isa, start, lines, count, stride)

    def in_bytes(self, strides: Sequence[int]) -> list[int]:
        """Strides of the operands, given in elements."""
        return [n * operand.size for n, operand in zip(strides, self.operands, strict=True)]

    def _yields(self) -> Iterator[tuple[SSAValue, Operand]]:
        return zip(yielded(self.body.block), self.outs, strict=True)

    def emit_in_loop(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        pointers: Sequence[ir.Value],
        nest: Nest,
        width: int,
        spilled: Spilled,
        counts: Sequence[ir.Value] = (),
        inner: Nest = (),
    ) -> None:
        """
        The same in a loop nest over positions, given as (iterations, strides in bytes), or over the first `counts` of
        each; the `inner` nest is written out.
        """
        together = prod(count for count, _ in inner)

        def level(depth: int, pointers: Sequence[ir.Value], number: ir.Value) -> None:
            if depth < len(nest):
                size, strides = nest[depth]

                def iteration(i: ir.Value) -> None:
                    moved = [
                        byte_offset(b, pointer, scaled(b, i, stride)) if stride != 0 else pointer
                        for pointer, stride in zip(pointers, strides, strict=True)
                    ]
                    level(depth + 1, moved, b.add(scaled(b, number, size), i))

                for_each(b, counts[depth] if counts else size, iteration)
                return
            mine = spilled.load(b, scaled(b, number, together), together)
            self.emit(b, isa, pointers, inner, width, mine)

        level(0, pointers, index(0))


def _unit(b: ir.IRBuilder, pointer: ir.Value, operand: Operand, number: int) -> ir.Value:
    return byte_offset(b, pointer, number * operand.strides[-1] * operand.size)
