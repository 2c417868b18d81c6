"""The loops of a map: those parts of its schedule that decide machine code, and sizes, which do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..machine import Isa
from .run_time import Number
from .schedule import MapSchedule

N = TypeVar("N")
M = TypeVar("M")


@dataclass(frozen=True)
class MapLoops(Generic[N]):
    """
    The loops of a `MapSchedule`.

    `inner` and `transposed` are given as the number of whole strips, and of points in the rest. A strip of `inner` has
    so many `vectors`, which are computed together, or of which each has its transpose tile; one of `transposed` is a
    vector. `steps` says how an operand moves along vectors, which decides how its elements are loaded; it is None for a
    transposed operand. `divided` is the loop that threads divide.

    Where rests are `masked`, transpose tiles at the edges are all of one kind: `inner` and `transposed` are numbers of
    points, and there is no rest. So they are where tiles are `overlapping`: all are whole, and the last ones begin
    where they end with the points. Where tiles are `interleaved`, each has all of `transposed`, which is a rest.
    """

    outer: tuple[N, ...]
    transposed: tuple[N, int] | None
    inner: tuple[N, int]
    outer_strides: tuple[tuple[N, ...], ...]
    transposed_strides: tuple[N, ...]
    inner_strides: tuple[N, ...]
    steps: tuple[int | None, ...]
    divided: N | None
    masked: bool
    overlapping: bool
    interleaved: bool
    vectors: int

    def each(self, change: Callable[[N], M]) -> MapLoops[M]:
        """The same loops with another kind of numbers."""
        return MapLoops(
            tuple(map(change, self.outer)),
            None if self.transposed is None else (change(self.transposed[0]), self.transposed[1]),
            (change(self.inner[0]), self.inner[1]),
            tuple(tuple(map(change, strides)) for strides in self.outer_strides),
            tuple(map(change, self.transposed_strides)),
            tuple(map(change, self.inner_strides)),
            self.steps,
            None if self.divided is None else change(self.divided),
            self.masked,
            self.overlapping,
            self.interleaved,
            self.vectors,
        )

    def is_transposed(self, operand: int) -> bool:
        """Whether an operand is contiguous along the transposed dimension, not along the vectors."""
        return self.steps[operand] is None

    def step(self, operand: int) -> int:
        """How an operand that is not transposed moves along vectors."""
        step = self.steps[operand]
        assert step is not None
        return step


def map_loops(plan: MapSchedule, isa: Isa, outs: int, vectors: int) -> MapLoops[Number]:
    """The loops of a schedule, for a map of so many outputs, of which so many vectors are computed together."""
    steps = tuple(
        None if plan.is_transposed(o) else step for o, step in enumerate(plan.inner_strides)
    )
    masked = isa.has_evex and _may_be_masked(plan, isa, steps)
    overlapping = not masked and _may_overlap(plan, isa)
    lanes = 1 if masked or overlapping else isa.lanes
    vectors = 1 if masked or plan.is_interleaved else vectors
    transposed = (0, plan.transposed) if plan.is_interleaved else divmod(plan.transposed, lanes)
    return MapLoops(
        plan.outer,
        transposed if plan.transposed else None,
        (plan.inner, 0) if overlapping else divmod(plan.inner, vectors * lanes),
        plan.outer_strides,
        plan.transposed_strides,
        plan.inner_strides,
        steps,
        plan.partitioned_loop((1 if plan.transposed else vectors) * isa.lanes, outs),
        masked,
        overlapping,
        plan.is_interleaved,
        vectors,
    )


def _may_overlap(plan: MapSchedule, isa: Isa) -> bool:
    """
    Whether a point may be computed twice, and there are whole tiles: what one operand is read for does not lie where
    the other is written, since they go over their elements in different order. Of several operands, the output may lie
    where one is read.
    """
    has_tiles = min(plan.inner, plan.transposed) >= isa.lanes and not plan.is_interleaved
    return has_tiles and len(plan.inner_strides) == 2


def _may_be_masked(plan: MapSchedule, isa: Isa, steps: Sequence[int | None]) -> bool:
    """Whether there are tiles at the edges, and operands are contiguous there or the same for a tile."""
    moving = zip(steps, plan.transposed_strides, strict=True)
    return (
        plan.transposed > 0
        and not plan.is_interleaved
        and (plan.inner % isa.lanes or plan.transposed % isa.lanes) > 0
        and all(step in (None, 1) or (step, down) == (0, 0) for step, down in moving)
    )
