"""Sums of products with the constant factors of Winograd's transforms, of vectors of floats or of integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import ir
from ..intrinsics import call_intrinsic
from ..vectors import splat


@dataclass(frozen=True)
class Arithmetic:
    """Emits them; those `of_codes` are modulo a power of two."""

    b: ir.IRBuilder
    of_codes: bool

    def combined(
        self, factors: Sequence[float], values: Sequence[ir.Value | None]
    ) -> ir.Value | None:
        """The sum of products with constant factors; those of one come first. None counts as zero."""
        b = self.b
        terms = [
            (factor, value)
            for factor, value in zip(factors, values, strict=True)
            if factor and value is not None
        ]
        terms.sort(key=lambda term: (term[0] != 1, abs(term[0]) != 1))
        total: ir.Value | None = None
        for factor, value in terms:
            if total is None:
                total = value if factor == 1 else self.times(factor, value)
            elif abs(factor) == 1:
                total = (self.add if factor > 0 else self.subtract)(total, value)
            elif self.of_codes:
                total = self.add(total, self.times(factor, value))
            else:
                arguments = [self._number(value, factor), value, total]
                total = call_intrinsic(b, "llvm.fma", value.type, arguments, [value.type])
        return total

    def add(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """`x + y`."""
        return (self.b.add if self.of_codes else self.b.fadd)(x, y)

    def subtract(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """`x - y`."""
        return (self.b.sub if self.of_codes else self.b.fsub)(x, y)

    def times(self, factor: float, value: ir.Value) -> ir.Value:
        """`factor * value`."""
        return (self.b.mul if self.of_codes else self.b.fmul)(self._number(value, factor), value)

    def shifted(self, value: ir.Value, bits: int) -> ir.Value:
        """Integers by so many bits to the right."""
        return self.b.ashr(value, self._number(value, bits)) if bits else value

    def _number(self, like: ir.Value, number: float) -> ir.Value:
        """A constant vector of the type of another."""
        assert isinstance(like.type, ir.VectorType)
        whole = int(number) if self.of_codes else number
        return splat(like.type.element, like.type.count, whole)
