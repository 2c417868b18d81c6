"""
Work partition: a kernel is computed piece by piece, by several threads, or by one that looks now and then whether it is
to stop. Each call computes a piece of the outermost loop.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import ClassVar

from . import ir
from .vectors import I64, index

PARTITION = (I64, I64, I64)
"""
The types of the last arguments of a divided kernel: the first unit of its partition, the one after the last, and how
many units there are.
"""


@dataclass(frozen=True)
class Partition:
    """A part of the equal units of a loop: from `first` to before `end`, of `units` units; or all of them."""

    first: ir.Value | None = None
    end: ir.Value | None = None
    units: ir.Value | None = None

    WHOLE: ClassVar[Partition]

    @classmethod
    def taken(cls, function: ir.Function, is_split: bool) -> tuple[Partition, Sequence[ir.Value]]:
        """The partition that a function is asked for, and its other arguments."""
        if not is_split:
            return cls.WHOLE, function.args
        *arguments, first, end, units = function.args
        return cls(first, end, units), arguments

    def of(self, b: ir.IRBuilder, count: ir.Value | int) -> tuple[ir.Value, ir.Value | int]:
        """The first iteration of this partition, and how many of `count` iterations it has."""
        if self.first is None or self.end is None or self.units is None:
            return index(0), count
        if isinstance(count, int):
            count = index(count)
        first, end = (b.sdiv(b.mul(count, unit), self.units) for unit in (self.first, self.end))
        return first, b.sub(end, first)

    def where(self, b: ir.IRBuilder, condition: ir.Value) -> Partition:
        """This partition if the condition holds, else everything."""
        if self.first is None or self.end is None or self.units is None:
            return self
        numbers = (self.first, 0), (self.end, 1), (self.units, 1)
        return Partition(*(b.select(condition, number, index(whole)) for number, whole in numbers))

    @contextmanager
    def at_end(self, b: ir.IRBuilder) -> Generator[None]:
        """What is emitted inside runs in the last partition alone."""
        if self.end is None or self.units is None:
            yield
            return
        with b.if_then(b.icmp_signed("==", self.end, self.units)):
            yield

    @contextmanager
    def dividing(
        self, b: ir.IRBuilder, divided: int | ir.Value | None, loops: int
    ) -> Generator[list[Partition]]:
        """The partition of each of so many loops. If none of them is divided, the last partition runs all of them."""

        def of(number: int) -> Partition:
            if isinstance(divided, ir.Value) and self is not Partition.WHOLE:
                return self.where(b, b.icmp_signed("==", divided, index(number)))
            return self if number == divided else Partition.WHOLE

        with self.at_end(b) if divided is None else nullcontext():
            yield [of(number) for number in range(loops)]


Partition.WHOLE = Partition()
