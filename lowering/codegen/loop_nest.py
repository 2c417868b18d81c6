"""Loop nests over the points of a domain, which advance the pointers to all operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..machine import Isa
from . import ir
from .elements import Operand, load_lanes, store_lanes
from .run_time import times
from .vectors import byte_offset, for_each, index, scaled
from .work_partition import Partition

Values = list[ir.Value]


def advance(
    b: ir.IRBuilder,
    operands: Sequence[Operand],
    pointers: Sequence[ir.Value],
    i: ir.Value,
    strides: Sequence[int | ir.Value],
) -> Values:
    """Pointers, each `i` times its operand's stride in elements further."""
    return [
        pointer
        if stride == 0
        else byte_offset(b, pointer, scaled(b, i, times(b, stride, operand.size)))
        for pointer, operand, stride in zip(pointers, operands, strides, strict=True)
    ]


def moved(
    b: ir.IRBuilder, pointers: Sequence[ir.Value], i: ir.Value, strides: Sequence[int | ir.Value]
) -> Values:
    """Pointers, each `i` times its stride in bytes further."""
    return [
        byte_offset(b, pointer, scaled(b, i, stride)) if stride != 0 else pointer
        for pointer, stride in zip(pointers, strides, strict=True)
    ]


Nest = Sequence[tuple[int, Sequence[int | ir.Value]]]
"""Loops over positions, the outer one first: how many, and how many bytes apart those of each operand lie."""


def places(b: ir.IRBuilder, pointer: ir.Value, nest: Nest, operand: int) -> Values:
    """The addresses of all positions of an operand, in order; the first one is at `pointer`."""
    found = [pointer]
    for count, strides in nest:
        found = [place for first in found for place in line(b, first, strides[operand], count)]
    return found


def line(b: ir.IRBuilder, first: ir.Value, distance: int | ir.Value, count: int) -> Values:
    """`count` addresses, each so many bytes after the one before."""
    if isinstance(distance, int):
        return [byte_offset(b, first, n * distance) for n in range(count)]
    found = [first]
    while len(found) < count:
        found.append(byte_offset(b, found[-1], distance))
    return found


@dataclass
class LoopNest:
    """Emits loops that advance the pointers to these operands by strides in elements."""

    b: ir.IRBuilder
    isa: Isa
    operands: tuple[Operand, ...]

    def advance(self, pointers: Values, i: ir.Value, strides: Sequence[int | ir.Value]) -> Values:
        """The pointers at position `i` of a dimension that is not the innermost one."""
        return advance(self.b, self.operands, pointers, i, strides)

    def each(
        self,
        pointers: Values,
        strides: Sequence[int | ir.Value],
        part: tuple[ir.Value, ir.Value | int],
        emit: Callable[[Values], None],
    ) -> None:
        """A loop over a part of a dimension, given by its first position and their number."""
        first, count = part
        start = advance(self.b, self.operands, pointers, first, strides)

        def iteration(i: ir.Value) -> None:
            emit(advance(self.b, self.operands, start, i, strides))

        for_each(self.b, count, iteration)

    def nested(
        self,
        pointers: Values,
        sizes: Sequence[int | ir.Value],
        strides: Sequence[Sequence[int | ir.Value]],
        partitions: Sequence[Partition],
        emit: Callable[[Values], None],
    ) -> None:
        """Nested loops of these sizes, the outermost first. Strides are listed by operand, then by loop."""
        if not sizes:
            emit(pointers)
            return

        steps, rest = [each[0] for each in strides], [each[1:] for each in strides]
        part = partitions[0].of(self.b, sizes[0])
        inner = (sizes[1:], rest, partitions[1:], emit)
        self.each(pointers, steps, part, lambda at: self.nested(at, *inner))

    def strip_mined(
        self,
        pointers: Values,
        size: int,
        strides: Sequence[int],
        partition: Partition,
        emit: Callable[[Values, int], None],
    ) -> None:
        """
        Strip-mining: emits the code for a vector of positions of a dimension, in a loop, and for the remaining ones.
        """
        self.strips(pointers, divmod(size, self.isa.lanes), strides, partition, emit)

    def strips(
        self,
        pointers: Values,
        size: tuple[int | ir.Value, int],
        strides: Sequence[int | ir.Value],
        partition: Partition,
        emit: Callable[[Values, int], None],
        vectors: int = 1,
    ) -> None:
        """The same where the size is given as the number of whole strips of so many vectors, and of positions left."""
        b, length, (whole, rest) = self.b, vectors * self.isa.lanes, size
        per_strip = [times(b, stride, length) for stride in strides]
        part = partition.of(b, whole)
        self.each(pointers, per_strip, part, lambda at: emit(at, length))
        if rest:
            behind = index(whole) if isinstance(whole, int) else whole
            with partition.at_end(b):
                emit(self.advance(pointers, behind, per_strip), rest)

    def load(
        self,
        operands: Sequence[Operand],
        pointers: Values,
        strides: Sequence[int],
        lanes: int,
        active: int,
    ) -> Values:
        """The first `active` of `lanes` elements of each operand, as a body computes with them."""
        return [
            load_lanes(self.b, self.isa, pointer, operand.element, stride, lanes, active)
            for pointer, operand, stride in zip(pointers, operands, strides, strict=True)
        ]

    def store(
        self,
        operands: Sequence[Operand],
        pointers: Values,
        strides: Sequence[int],
        values: Sequence[ir.Value],
        active: int,
    ) -> None:
        """Writes the first `active` lanes of a value to each operand."""
        for operand, pointer, stride, value in zip(
            operands, pointers, strides, values, strict=True
        ):
            store_lanes(self.b, self.isa, pointer, operand.element, stride, value, active)
