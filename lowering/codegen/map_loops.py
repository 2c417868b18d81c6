"""The loops of a map: what of its schedule decides machine code, and the numbers that do not."""

from __future__ import annotations

from collections.abc import Callable
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
    Those of a `MapSchedule`. `inner` and `transposed` are so many vectors and the points of a rest. Along vectors an
    operand moves by its one of `steps`, which decides how its elements are loaded, unless it is transposed: then that
    is None. `divided` is the loop that threads divide.
    """

    outer: tuple[N, ...]
    transposed: tuple[N, int] | None
    inner: tuple[N, int]
    outer_strides: tuple[tuple[N, ...], ...]
    transposed_strides: tuple[N, ...]
    inner_strides: tuple[N, ...]
    steps: tuple[int | None, ...]
    divided: int | None

    def each(self, change: Callable[[N], M]) -> MapLoops[M]:
        """The same with other numbers."""
        return MapLoops(
            tuple(map(change, self.outer)),
            None if self.transposed is None else (change(self.transposed[0]), self.transposed[1]),
            (change(self.inner[0]), self.inner[1]),
            tuple(tuple(map(change, strides)) for strides in self.outer_strides),
            tuple(map(change, self.transposed_strides)),
            tuple(map(change, self.inner_strides)),
            self.steps,
            self.divided,
        )

    def is_transposed(self, operand: int) -> bool:
        """Whether an operand is contiguous along the transposed dimension, not along the vectors."""
        return self.steps[operand] is None

    def step(self, operand: int) -> int:
        """How an operand that is not transposed moves along vectors."""
        step = self.steps[operand]
        assert step is not None
        return step


def map_loops(plan: MapSchedule, isa: Isa, outs: int) -> MapLoops[Number]:
    """The loops of a schedule for so many outputs."""
    operands = range(len(plan.inner_strides))
    return MapLoops(
        plan.outer,
        divmod(plan.transposed, isa.lanes) if plan.transposed else None,
        divmod(plan.inner, isa.lanes),
        plan.outer_strides,
        plan.transposed_strides,
        plan.inner_strides,
        tuple(None if plan.is_transposed(o) else plan.inner_strides[o] for o in operands),
        plan.partitioned_loop(isa, outs),
    )
