"""Emits a transpose tile of `kernel.map`: what lies along one dimension in an input lies along another in an output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..machine import Isa
from . import ir
from .body import KernelBody, emit_bodies, yielded
from .elements import (
    Operand,
    decode,
    load_lanes,
    load_masked,
    load_raw,
    store_masked,
    store_raw,
)
from .interleave import taken_apart, transposed
from .loop_nest import Values
from .map_loops import MapLoops
from .output import Output, known_of
from .run_time import times
from .vectors import I32, broadcast, byte_offset, index, leading_lanes, splat


@dataclass
class TransposeTile:
    """
    `high` vectors of `active` points each, transposed in registers. A tile at an edge has all vectors and points, of
    which `there` tells how many points and how many vectors exist. Interleaved tiles are loaded and stored whole.

    A line of a transposed operand holds one point of all vectors; a line of another operand is a vector.
    """

    b: ir.IRBuilder
    isa: Isa
    loops: MapLoops[int | ir.Value]
    pointers: Values
    active: int
    high: int
    there: tuple[ir.Value, ir.Value] | None

    @cached_property
    def masks_of_points(self) -> Values:
        """For each point, the vectors that exist; none for points that do not."""
        return self._masks(0, 1)

    @cached_property
    def masks_of_vectors(self) -> Values:
        """For each vector, the points that exist; none for vectors that do not."""
        return self._masks(1, 0)

    def emit(self, ins: Sequence[Operand], outs: Sequence[Operand], body: KernelBody) -> None:
        """Loads all inputs, computes the body for each vector, and stores all outputs."""
        b, isa = self.b, self.isa
        values = [self._load(o, operand) for o, operand in enumerate(ins)]
        known = known_of(body.block.args, ins)
        outputs = [
            Output(b, isa, value, operand, known)
            for value, operand in zip(yielded(body.block), outs, strict=True)
        ]
        wanted = [output.value for output in outputs]
        results = [
            found
            for j in range(self.high)
            for found in emit_bodies(
                b, isa, body, isa.lanes, [[each[j] for each in values]], wanted
            )
        ]
        for n, output in enumerate(outputs):
            self._store(len(ins) + n, output, [each[n] for each in results])

    def _load(self, o: int, operand: Operand) -> list[ir.Value]:
        """The vectors of an input; of one that does not move along them, the same one each time."""
        b, isa, loops, element = self.b, self.isa, self.loops, operand.element
        if loops.is_transposed(o):
            return [decode(b, isa, each, element) for each in self._load_transposed(o, operand)]
        is_moving = loops.transposed_strides[o] != 0
        places = self._vectors(o, operand, self.high if is_moving else 1)
        found = [
            decode(b, isa, load_masked(b, place, element, self.masks_of_vectors[j]), element)
            if self.there and loops.step(o)
            else load_lanes(b, isa, place, element, loops.step(o), isa.lanes, self.active)
            for j, place in enumerate(places)
        ]
        return found if is_moving else found * self.high

    def _load_transposed(self, o: int, operand: Operand) -> list[ir.Value]:
        b, lanes, high, element = self.b, self.isa.lanes, self.high, operand.element
        if self.loops.interleaved:
            size = high * self.active
            whole = load_raw(b, self.pointers[o], element, 1, size, size)
            return taken_apart(b, whole, high, lanes)
        points = [
            load_masked(b, place, element, self.masks_of_points[i])
            if self.there
            else load_raw(b, place, element, 1, lanes, high)
            for i, place in enumerate(self._points(o, operand))
        ]
        return transposed(b, self.isa, points, lanes, high)

    def _store(self, o: int, output: Output, vectors: Sequence[ir.Value]) -> None:
        b, loops, operand = self.b, self.loops, output.operand
        if not loops.is_transposed(o):
            places, masks = self._vectors(o, operand, self.high), self.masks_of_vectors
            lines = output.encoded(vectors)
            self._store_lines(places, lines, operand, loops.step(o), self.active, masks)
        elif loops.interleaved:
            whole = output.in_turn(vectors, self.active)
            store_raw(
                b, self.isa, self.pointers[o], operand.element, 1, whole, self.high * self.active
            )
        else:
            lines = transposed(b, self.isa, output.encoded(vectors), self.isa.lanes, self.active)
            places, masks = self._points(o, operand), self.masks_of_points
            self._store_lines(places, lines, operand, 1, self.high, masks)

    def _store_lines(
        self,
        places: Values,
        lines: Sequence[ir.Value],
        operand: Operand,
        step: int,
        length: int,
        masks: Values,
    ) -> None:
        """Stores `length` elements of each line, or those that its mask selects."""
        for n, (place, line) in enumerate(zip(places, lines, strict=True)):
            if self.there:
                store_masked(self.b, place, line, masks[n])
            else:
                store_raw(self.b, self.isa, place, operand.element, step, line, length)

    def _points(self, o: int, operand: Operand) -> Values:
        return self._places(o, operand, self.active, self.loops.inner_strides[o], 0)

    def _vectors(self, o: int, operand: Operand, number: int) -> Values:
        return self._places(o, operand, number, self.loops.transposed_strides[o], 1)

    def _places(
        self, o: int, operand: Operand, number: int, stride: int | ir.Value, which: int
    ) -> Values:
        """
        Where lines begin. A line that does not exist (`there[which]` tells) begins where the last one does that exists:
        a processor takes a hundred cycles for a masked access to memory that is not mapped.
        """
        b = self.b
        found, step = [self.pointers[o]], times(b, stride, operand.size)
        while len(found) < number:
            if self.there is None:
                by = step
            else:
                exists = b.icmp_signed("<", index(len(found)), self.there[which])
                by = b.select(exists, index(step) if isinstance(step, int) else step, index(0))
            found.append(byte_offset(b, found[-1], by))
        return found

    def _masks(self, number: int, length: int) -> Values:
        """For each of `there[number]` lines, a mask of its `there[length]` elements; for other lines, an empty mask."""
        if self.there is None:
            return []
        b, lanes = self.b, self.isa.lanes
        elements = leading_lanes(b, lanes, self.there[length])
        lines = broadcast(b, b.trunc(self.there[number], I32), lanes)
        return [
            b.and_(elements, b.icmp_unsigned("<", splat(I32, lanes, n), lines))
            for n in range(lanes)
        ]
