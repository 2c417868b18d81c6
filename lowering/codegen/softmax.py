"""Emits the softmax of a row of scores: its greatest score, then powers and their total together, then weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from xdsl.dialects.builtin import f32

from ...dialects.elements import bits_of
from ..machine import Isa
from . import ir
from .body import KernelBody, emit_bodies, emit_body, yielded
from .elements import load_lanes, store_lanes
from .loop_nest import Values
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

Each = Callable[[list[ir.Value], Values, list[int]], Values]
"""
Emits some vectors: takes their pointers, the carried values, and the number of lanes of each vector that exist; gives
the values to carry on.
"""


@dataclass
class SoftmaxRow:
    """
    What a row of `keys` scores in f32 becomes, as `kernel.attention` says; `power` and `total` are regions of it, and
    powers take the place of their scores.
    """

    b: ir.IRBuilder
    isa: Isa
    keys: int
    partials: int
    power: KernelBody
    total: KernelBody

    def greatest(self, scores: ir.Value, place: ir.Value) -> None:
        """Writes the greatest score. NaN is skipped here: its power is NaN, and so is the total."""
        b, lanes = self.b, self.isa.lanes

        def compare(pointers: list[ir.Value], most: Values, active: list[int]) -> Values:
            found = list(most)
            for i, (pointer, there) in enumerate(zip(pointers, active, strict=True)):
                x = load_lanes(b, self.isa, pointer, f32, 1, lanes, there)
                greater = b.fcmp_ordered(">", x, most[i])
                if there < lanes:
                    greater = b.and_(greater, first_lanes(lanes, there))
                found[i] = b.select(greater, x, most[i])
            return found

        vectors = min(INDEPENDENT_VECTORS, 1 << (-(-self.keys // lanes)).bit_length() - 1)
        most = self._each([splat(F32, lanes, -inf)] * vectors, vectors, scores, compare)
        store_lanes(b, self.isa, place, f32, 1, fold_lanes(b, most, self._greater), 1)

    def _greater(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.b.select(self.b.fcmp_ordered(">", x, y), x, y)

    def powers(self, scores: ir.Value, most: ir.Value, total: ir.Value) -> None:
        """Writes the powers, and their total. The greatest score is read from `most`."""
        b, isa, lanes = self.b, self.isa, self.isa.lanes
        greatest = load_lanes(b, isa, most, f32, 0, lanes, lanes)
        width = min(self.partials, lanes)
        partial: Values = [splat(F32, width, 0.0)] * (self.partials // width)

        def compute(pointers: list[ir.Value], sums: Values, active: list[int]) -> Values:
            scores = [
                load_lanes(b, isa, pointer, f32, 1, lanes, there)
                for pointer, there in zip(pointers, active, strict=True)
            ]
            arguments = [[score, greatest] for score in scores]
            wanted = yielded(self.power.block)
            powers = [each for (each,) in emit_bodies(b, isa, self.power, lanes, arguments, wanted)]
            found = list(sums)
            for i, (pointer, power, there) in enumerate(zip(pointers, powers, active, strict=True)):
                store_lanes(b, isa, pointer, f32, 1, power, there)
                found[i] = self._added(found[i], power, there)
            return found

        sums = self._each(partial, len(partial), scores, compute)
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

    def _each(self, carried: Values, vectors: int, scores: ir.Value, emit: Each) -> Values:
        """Goes over a row, by so many vectors at once, and over its rest."""
        b, lanes = self.b, self.isa.lanes
        size = lanes * bits_of(f32) // 8
        whole, rest = divmod(self.keys, vectors * lanes)

        def at(i: ir.Value, now: Values, count: int) -> Values:
            start = byte_offset(b, scores, scaled(b, i, vectors * size))
            active = [min(lanes, count - v * lanes) for v in range(-(-count // lanes))]
            return emit([byte_offset(b, start, v * size) for v in range(len(active))], now, active)

        carried = loop(b, whole, carried, lambda i, now: at(i, now, vectors * lanes))
        return at(index(whole), carried, rest) if rest else carried
