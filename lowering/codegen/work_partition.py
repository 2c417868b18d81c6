"""
Work partition: how the threads of a team divide a kernel. Each calls it, and does its partition of the outermost loop.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import ClassVar

from llvmlite import ir

from .vectors import I64, index

PARTITION = (I64, I64)
"""The types of the last two arguments of a divided kernel: the number of its partition, and how many there are."""


@dataclass(frozen=True)
class Partition:
    """Number `part` of `parts` equal parts of a loop, or all of it."""

    part: ir.Value | None = None
    parts: ir.Value | None = None

    WHOLE: ClassVar[Partition]

    @classmethod
    def taken(cls, function: ir.Function, is_split: bool) -> tuple[Partition, Sequence[ir.Value]]:
        """The partition that a function is asked for, and its other arguments."""
        if not is_split:
            return cls.WHOLE, function.args
        *arguments, part, parts = function.args
        return cls(part, parts), arguments

    def of(self, b: ir.IRBuilder, count: ir.Value | int) -> tuple[ir.Value, ir.Value | int]:
        """The first of this partition's iterations, and how many of `count` it has."""
        if self.part is None or self.parts is None:
            return index(0), count
        if isinstance(count, int):
            count = index(count)
        first = b.sdiv(b.mul(count, self.part), self.parts)
        end = b.sdiv(b.mul(count, b.add(self.part, index(1))), self.parts)
        return first, b.sub(end, first)

    def where(self, b: ir.IRBuilder, condition: ir.Value) -> Partition:
        """This partition if the condition holds, else everything."""
        if self.part is None or self.parts is None:
            return self
        part, parts = (
            b.select(condition, number, index(whole))
            for number, whole in ((self.part, 0), (self.parts, 1))
        )
        return Partition(part, parts)

    @contextmanager
    def at_end(self, b: ir.IRBuilder) -> Generator[None]:
        """What is emitted inside is done by the last partition alone."""
        if self.part is None or self.parts is None:
            yield
            return
        with b.if_then(b.icmp_signed("==", b.add(self.part, index(1)), self.parts)):
            yield

    @contextmanager
    def dividing(
        self, b: ir.IRBuilder, divided: int | None, loops: int
    ) -> Generator[list[Partition]]:
        """The partition of each of so many loops: one of them is divided, or the last partition does all."""
        each = [self if number == divided else Partition.WHOLE for number in range(loops)]
        with self.at_end(b) if divided is None else nullcontext():
            yield each


Partition.WHOLE = Partition()
