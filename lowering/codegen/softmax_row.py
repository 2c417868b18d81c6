"""Emits the softmax of a row of scores: its greatest score, then powers and their total together, then weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from xdsl.dialects.builtin import f32

from ..machine import Isa
from . import ir
from .body import KernelBody, emit_bodies, emit_body, yielded
from .elements import Operand, load_lanes, store_lanes
from .loop_nest import Values, line
from .vectors import (
    F32,
    byte_offset,
    first_lanes,
    fold_lanes,
    index,
    lanes_of,
    loop,
    scaled,
    shuffle,
    splat,
)

INDEPENDENT_VECTORS = 4
"""Vectors of scores that are compared at once: enough to hide the latency of a maximum."""

Each = Callable[[list[Values], Values, list[int]], Values]
"""
Emits some vectors: takes the pointers of each operand, the carried values, and the number of lanes of each vector that
exist; gives the values to carry on.
"""

POWERS = Operand(f32, 0, (1,))


@dataclass
class SoftmaxRow:
    """
    What a row of `keys` scores becomes, as `kernel.softmax` and `kernel.attention` say; `power` and `total` are regions
    of them. So many vectors of powers are computed `at_once`, at most one for each vector of partial accumulators.
    """

    b: ir.IRBuilder
    isa: Isa
    keys: int
    partials: int
    power: KernelBody
    total: KernelBody
    at_once: int = INDEPENDENT_VECTORS
    scores: Operand = POWERS

    def greatest(self, scores: ir.Value, place: ir.Value) -> None:
        """Writes the greatest score. NaN is skipped here: its power is NaN, and so is the total."""
        b, lanes = self.b, self.isa.lanes

        def compare(places: list[Values], most: Values, active: list[int]) -> Values:
            found = list(most)
            for i, (x, there) in enumerate(
                zip(self._loaded(places[0], active), active, strict=True)
            ):
                greater = b.fcmp_ordered(">", x, most[i])
                if there < lanes:
                    greater = b.and_(greater, first_lanes(lanes, there))
                found[i] = b.select(greater, x, most[i])
            return found

        vectors = min(INDEPENDENT_VECTORS, 1 << (-(-self.keys // lanes)).bit_length() - 1)
        most = [splat(F32, lanes, -inf)] * vectors
        most = self._each(most, vectors, [(scores, self.scores)], compare)
        store_lanes(b, self.isa, place, f32, 1, fold_lanes(b, most, self._greater), 1)

    def _greater(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.b.select(self.b.fcmp_ordered(">", x, y), x, y)

    def _loaded(self, places: Values, active: list[int]) -> Values:
        """Vectors of scores."""
        kind, (stride,) = self.scores.element, self.scores.strides
        return [
            load_lanes(self.b, self.isa, place, kind, stride, self.isa.lanes, there)
            for place, there in zip(places, active, strict=True)
        ]

    def powers(self, scores: ir.Value, most: ir.Value, place: ir.Value, total: ir.Value) -> None:
        """Writes the powers, and their total. The greatest score is read from `most`."""
        b, isa, lanes = self.b, self.isa, self.isa.lanes
        greatest = load_lanes(b, isa, most, f32, 0, lanes, lanes)
        width = min(self.partials, lanes)
        partial: Values = [splat(F32, width, 0.0)] * (self.partials // width)
        at_once = min(self.at_once, len(partial))

        def compute(places: list[Values], sums: Values, active: list[int]) -> Values:
            arguments = [[score, greatest] for score in self._loaded(places[0], active)]
            wanted = yielded(self.power.block)
            made = emit_bodies(b, isa, self.power, lanes, arguments, wanted)
            for place, (power, *_), there in zip(places[1], made, active, strict=True):
                store_lanes(b, isa, place, f32, 1, power, there)
            turns = zip(sums, made, active, strict=False)
            found = [self._added(one, each[-1], there) for one, each, there in turns]
            return [*sums[len(active) :], *found]

        operands = [(scores, self.scores), (place, POWERS)]
        sums = self._each(partial, at_once, operands, compute)
        # accumulators took turns, and are folded in the same pairs wherever the first one is now
        (result,) = emit_body(b, isa, self.total, 1, [fold_lanes(b, sums, b.fadd)])
        store_lanes(b, isa, total, f32, 1, result, 1)

    def _added(self, sums: ir.Value, powers: ir.Value, active: int) -> ir.Value:
        """Adds the first of these powers to the partial sums, each to the next one in turn."""
        b, lanes, width = self.b, self.isa.lanes, lanes_of(sums)
        for first in range(0, active, width):
            there = min(width, active - first)
            part = powers if width == lanes else shuffle(b, powers, range(first, first + width))
            after = b.fadd(sums, part)
            sums = after if there == width else b.select(first_lanes(width, there), after, sums)
        return sums

    def _each(
        self, carried: Values, vectors: int, operands: list[tuple[ir.Value, Operand]], emit: Each
    ) -> Values:
        """Goes over a row of each operand, by so many vectors at once, and over its rest."""
        b, lanes = self.b, self.isa.lanes
        whole, rest = divmod(self.keys, vectors * lanes)

        def at(i: ir.Value, now: Values, count: int) -> Values:
            active = [min(lanes, count - v * lanes) for v in range(-(-count // lanes))]
            places: list[Values] = []
            for pointer, operand in operands:
                size = lanes * operand.strides[0] * operand.size
                start = byte_offset(b, pointer, scaled(b, i, vectors * size))
                places.append(line(b, start, size, len(active)))
            return emit(places, now, active)

        carried = loop(b, whole, carried, lambda i, now: at(i, now, vectors * lanes))
        return at(index(whole), carried, rest) if rest else carried
