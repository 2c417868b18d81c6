"""
Sizes that are known only at run time. A function loads them from a table, so that kernels which differ in nothing else
share the function.
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
    """A number that is at this place of the table."""

    place: int


Number = int | RunTime
"""A number that is part of the code, or one in the table."""

Extent = int | ir.Value
"""The same while code is emitted: a constant, or a value that was loaded."""


def later(number: int, table: list[int]) -> RunTime:
    """Appends a number to the table."""
    table.append(number)
    return RunTime(len(table) - 1)


def later_float(number: float, table: list[int]) -> RunTime:
    """Appends the bits of an f32 to the table."""
    return later(int.from_bytes(struct.pack("<f", number), "little"), table)


def known_or_later(number: Number, table: list[int]) -> Number:
    """Appends a number to the table; 0 and 1 stay known, since they spare instructions."""
    return number if isinstance(number, RunTime) or number in (0, 1) else later(number, table)


def later_unless_zero(number: Number, table: list[int]) -> Number:
    """Appends a number to the table; 0 stays known, since it spares what it counts or scales."""
    return number if isinstance(number, RunTime) or number == 0 else later(number, table)


def table_of(b: ir.IRBuilder, numbers: Sequence[int], align: int = WORD) -> ir.Value:
    """The address of a constant table. Tables of equal numbers are one."""
    name = ".".join(map(str, ("table", *numbers)))
    table = b.module.globals.get(name)
    if table is None:
        words = ir.Constant(ir.ArrayType(I64, len(numbers)), numbers)
        table = ir.Table(b.module, name, words, align)
    return table


def number_at(b: ir.IRBuilder, arguments: Sequence[ir.Value], number: Number) -> Extent:
    """A number, loaded if it is in the table. The table is the only argument."""
    if isinstance(number, int):
        return number
    (table,) = arguments
    return b.load(byte_offset(b, table, number.place * WORD), align=WORD, typ=I64)


def float_at(b: ir.IRBuilder, arguments: Sequence[ir.Value], number: RunTime) -> ir.Value:
    """An f32, loaded from the table. The table is the only argument."""
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
    """The number as a value of LLVM IR."""
    return index(extent) if isinstance(extent, int) else extent
