"""
Phases of transposed convolutions: which taps and inputs every stride-th output needs, and which phases are one product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd, prod

from ..machine import MOST_LANES
from .padded_regions import WindowDimension

BYTES_IN_STEP = 4
"""Products of bytes that one instruction sums."""

SHUFFLE_CYCLES = 0.5
"""The cost of moving an element, in multiply-accumulates of a vector, about."""

PART_CYCLES = 500
"""The cost of one more convolution, about."""

MOST_PARTS = 64
"""The most convolutions for one transposed convolution, if phases can be channels instead."""


@dataclass(frozen=True)
class Axis:
    """
    One spatial dimension of a transposed convolution: input `p` times tap `t` goes to output
    `p * stride + t * dilation - skipped`, if that is one of `result` outputs.
    """

    taps: int
    stride: int
    dilation: int
    skipped: int
    size: int
    result: int


@dataclass(frozen=True)
class Phases:
    """
    Outputs `stride * q + phase - shift` of an axis for these phases and all q. They read inputs `q - distance` for
    `distances` that are `step` apart.
    """

    axis: Axis
    phases: tuple[int, ...]
    shift: int

    @property
    def count(self) -> int:
        """The number of values of q."""
        return -(-(self.axis.result + self.shift) // self.axis.stride)

    @cached_property
    def _distances(self) -> tuple[int, int, int]:
        """The least and the greatest distance, and the step."""
        axis = self.axis
        found = sorted(
            {
                (tap * axis.dilation - self._offset(phase)) // axis.stride
                for phase, tap in product(self.phases, range(axis.taps))
                if (tap * axis.dilation - self._offset(phase)) % axis.stride == 0
            }
        )
        if not found:
            return 0, 0, 1
        return found[0], found[-1], gcd(*(each - found[0] for each in found)) or 1

    def _offset(self, phase: int) -> int:
        return phase - self.shift + self.axis.skipped

    @property
    def step(self) -> int:
        """The dilation of the convolution that gives these phases."""
        return self._distances[2]

    @property
    def taps(self) -> int:
        """Its taps."""
        least, greatest, step = self._distances
        return (greatest - least) // step + 1

    @property
    def is_empty(self) -> bool:
        """Whether no tap contributes to these outputs: they are 0."""
        return all(tap == self.axis.taps for row in self.table for tap in row)

    @property
    def is_full(self) -> bool:
        """Whether each phase has all taps of the convolution."""
        return all(tap < self.axis.taps for row in self.table for tap in row)

    @property
    def span(self) -> int:
        """The number of inputs from the first to the last that is read."""
        return self.count + (self.taps - 1) * self.step

    @property
    def pads(self) -> tuple[int, int]:
        """The padding before the first and after the last input; negative where inputs are left out."""
        least, greatest, _ = self._distances
        return greatest, self.count - least - self.axis.size

    @property
    def window(self) -> WindowDimension:
        """The dimension of the convolution that gives these phases."""
        before, _ = self.pads
        return WindowDimension(self.taps, 1, self.step, before, self.axis.size, self.count)

    @property
    def table(self) -> list[list[int]]:
        """For each phase and tap of the convolution the tap of the axis, or `axis.taps` where there is none."""
        _, greatest, step = self._distances
        rows: list[list[int]] = []
        for phase in self.phases:
            rows.append([])
            for n in range(self.taps):
                distance = greatest - n * step
                tap, rest = divmod(
                    self.axis.stride * distance + self._offset(phase), self.axis.dilation
                )
                rows[-1].append(self.axis.taps if rest or not 0 <= tap < self.axis.taps else tap)
        return rows


@dataclass(frozen=True)
class PhaseGroups:
    """
    How the phases of each dimension are computed: `axes` has a list of `Phases` for each, those of one entry
    being channels of one convolution.
    """

    axes: tuple[tuple[Phases, ...], ...]

    @classmethod
    def choose(
        cls, axes: Sequence[Axis], groups: int, inputs: int, outputs: int, *, bytes: bool
    ) -> PhaseGroups:
        """
        The cheapest plan for so many groups, with so many channels each, of 8-bit codes or of floats. Floats are never
        multiplied by a missing tap: infinity times 0 is NaN.
        """
        steps = -(-inputs // BYTES_IN_STEP) if bytes else inputs
        plans = [cls(each) for each in product(*map(_choices, axes))]
        if not bytes:
            plans = [plan for plan in plans if plan.is_full]
        fewest = min(prod(map(len, plan.axes)) for plan in plans)
        few = [p for p in plans if prod(map(len, p.axes)) <= max(MOST_PARTS, fewest)]
        return min(few, key=lambda plan: plan.cost(groups, steps, outputs))

    @property
    def is_full(self) -> bool:
        """Whether phases that are channels of one convolution have all of its taps."""
        return all(each.is_full or len(each.phases) == 1 for axis in self.axes for each in axis)

    def parts(self) -> Iterator[tuple[Phases, ...]]:
        """The convolutions, as the phases that each gives along each dimension."""
        return product(*self.axes)

    def cost(self, groups: int, steps: int, outputs: int) -> float:
        """Multiply-accumulates of vectors, about."""
        total = 0.0
        for part in self.parts():
            units = outputs * prod(len(each.phases) for each in part)
            by_channel = steps == outputs == 1  # lanes are channels of several groups
            vectors = -(-groups // MOST_LANES) * units
            if not by_channel:
                vectors = groups * -(-units // MOST_LANES)
            points = prod(each.count for each in part)
            total += PART_CYCLES + points * prod(each.taps for each in part) * steps * vectors
            moved = prod(len(each.phases) for each in part[:-1]) > 1
            if moved or (groups > 1 and units > outputs):
                total += SHUFFLE_CYCLES * points * groups * units
        if any(each.shift for axis in self.axes for each in axis):
            total += (
                SHUFFLE_CYCLES * groups * outputs * prod(a[0].axis.result for a in self.axes) / 4
            )
        return total


def _choices(axis: Axis) -> list[tuple[Phases, ...]]:
    """
    All phases as channels of one convolution, from the first output or from the first tap on; or each phase alone.
    """
    every = tuple(range(axis.stride))
    shifts = dict.fromkeys((0, axis.skipped % axis.stride))
    choices: list[tuple[Phases, ...]] = [(Phases(axis, every, shift),) for shift in shifts]
    if axis.stride > 1:
        choices.append(tuple(Phases(axis, (phase,), 0) for phase in every))
    return choices
