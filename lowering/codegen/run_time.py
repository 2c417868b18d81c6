"""
Numbers that only the run has: a function takes them as a table, so that kernels which differ in nothing else share it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ..calling_convention import WORD
from . import ir
from .vectors import F32, I32, I64, byte_offset, index, scaled


@dataclass(frozen=True)
class RunTime:
    """The number at a place of the table."""

    place: int


Number = int | RunTime
"""One that decides code, or one that does not."""

Extent = int | ir.Value
"""The same while code is emitted."""


def later(number: int, table: list[int]) -> RunTime:
    """A number from the table, to which it is appended."""
    table.append(number)
    return RunTime(len(table) - 1)


def later_float(number: float, table: list[int]) -> RunTime:
    """The same of the bits of an f32."""
    return later(int.from_bytes(struct.pack("<f", number), "little"), table)


def known_or_later(number: Number, table: list[int]) -> Number:
    """The same, but 0 and 1 spare instructions and stay known."""
    return number if isinstance(number, RunTime) or number in (0, 1) else later(number, table)


def later_unless_zero(number: int, table: list[int]) -> Number:
    """The same, but 0 stays known: there is nothing to do."""
    return later(number, table) if number else 0


def table_of(b: ir.IRBuilder, numbers: Sequence[int]) -> ir.Value:
    """The address of a constant table; those of equal numbers are one."""
    name = ".".join(map(str, ("table", *numbers)))
    table = b.module.globals.get(name)
    if table is None:
        words = ir.Constant(ir.ArrayType(I64, len(numbers)), numbers)
        table = ir.Table(b.module, name, words, align=WORD)
    return table


def number_at(b: ir.IRBuilder, arguments: Sequence[ir.Value], number: Number) -> Extent:
    """A number, loaded where it is in the table, which is the one argument."""
    if isinstance(number, int):
        return number
    (table,) = arguments
    return b.load(byte_offset(b, table, number.place * WORD), align=WORD, typ=I64)


def float_at(b: ir.IRBuilder, arguments: Sequence[ir.Value], number: RunTime) -> ir.Value:
    """An f32 of the table, which is the one argument."""
    (table,) = arguments
    bits = b.load(byte_offset(b, table, number.place * WORD), align=WORD, typ=I64)
    return b.bitcast(b.trunc(bits, I32), F32)


def times(b: ir.IRBuilder, number: Extent, factor: int) -> Extent:
    """`number * factor`."""
    if not factor:
        return 0
    return number * factor if isinstance(number, int) else scaled(b, number, factor)


def plus(b: ir.IRBuilder, number: Extent, more: Extent) -> Extent:
    """`number + more`."""
    if isinstance(number, int) and isinstance(more, int):
        return number + more
    if number == 0:
        return more
    if more == 0:
        return number
    return b.add(extent_value(number), extent_value(more))


def extent_value(extent: Extent) -> ir.Value:
    """It as a value."""
    return index(extent) if isinstance(extent, int) else extent
