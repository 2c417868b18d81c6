"""Numbers of elements, in memory, as `kernel.sort` writes them."""

from __future__ import annotations

from dataclasses import dataclass

from .. import ir
from ..vectors import I32, I64, byte_offset


@dataclass(frozen=True)
class OrderMemory:
    """Numbers of elements, in memory."""

    pointer: ir.Value
    step: ir.Value  # bytes between them

    def at(self, b: ir.IRBuilder, i: ir.Value) -> ir.Value:
        """The address of one."""
        return byte_offset(b, self.pointer, b.mul(i, self.step))

    def load(self, b: ir.IRBuilder, i: ir.Value) -> ir.Value:
        """One of them, as i64."""
        return b.zext(b.load(self.at(b, i), align=4, typ=I32), I64)

    def store(self, b: ir.IRBuilder, i: ir.Value, number: ir.Value) -> None:
        """Writes one of them."""
        b.store(b.trunc(number, I32), self.at(b, i), align=4)
