"""Loops whose sizes may be numbers that only the run has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..machine import Isa
from . import ir
from .loop_nest import Values, moved
from .run_time import Extent, Number, number_at
from .vectors import for_each, index


@dataclass
class SizedLoops:
    """
    Emits them. Sizes are loaded from the table, which is what `arguments` are, wherever they are needed: all at once
    would fill the registers, and LLVM's time.
    """

    b: ir.IRBuilder
    isa: Isa
    arguments: Values

    def size(self, number: Number) -> Extent:
        """A number as it is needed here."""
        return number_at(self.b, self.arguments, number)

    def each(
        self,
        part: tuple[ir.Value, Extent],
        pointers: Values,
        strides: Sequence[Number],
        emit: Callable[[Values], None],
    ) -> None:
        """A loop over a part of a dimension along which the operands move by these strides, in bytes."""
        first, count = part

        def iteration(i: ir.Value) -> None:
            emit(self.moved(pointers, self.behind(first, i), strides))

        for_each(self.b, count, iteration)

    def behind(self, first: ir.Value, i: ir.Value) -> ir.Value:
        """Number i from the first on."""
        return i if first is index(0) else self.b.add(first, i)

    def moved(self, pointers: Values, i: ir.Value, strides: Sequence[Number]) -> Values:
        """Pointers so many times their strides further."""
        if i is index(0):
            return pointers
        return moved(self.b, pointers, i, [self.size(stride) for stride in strides])
