"""What a kernel's body yields, written vector by vector, or several vectors of codes at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa as is_a

from ...dialects.elements import bits_of, is_unsigned, limits_of
from ...dialects.kernel import NO_OVERFLOW
from ...passes.interval import Interval
from ..kernel_bodies.range_analysis import RangeAnalysis, nothing_known, rounded_to
from ..machine import Isa
from . import ir
from .channel_blocks import in_order
from .elements import Operand, encode, store_raw
from .instructions import emit_narrow
from .interleave import in_turn, in_turn_of_blocks
from .vectors import byte_offset, shuffle

Given = Callable[[SSAValue], Interval | None]
"""The interval of an argument of a body, where more is known of it than its type."""


def is_narrowed(isa: Isa, value: SSAValue, element: Attribute) -> bool:
    """Whether several vectors of a value are narrowed at once to what is stored."""
    return (
        isa.narrow is not None and bits_of(element) == 8 and rounded_to(value, element) is not None
    )


def known_of(arguments: Sequence[SSAValue], ins: Sequence[Operand]) -> Given:
    """What is known of arguments that take elements of these operands: codes are within the limits of their type."""
    known = {
        argument: Interval(*limits_of(operand.element))
        for argument, operand in zip(arguments, ins, strict=True)
        if _is_short(operand.element)
    }
    return known.get


def _is_short(element: Attribute) -> bool:
    return is_a(element, IntegerType) and 1 < bits_of(element) < 32


class Output:
    """One output. Where the instruction set can narrow several vectors to 8 bits at once, they wait for each other."""

    def __init__(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        value: SSAValue,
        operand: Operand,
        given: Given = nothing_known,
    ):
        self.b, self.isa, self.operand = b, isa, operand
        self.value, self.within, self.narrow, self.fits = value, False, None, False
        element = operand.element
        if _is_short(element):
            lowest, highest = limits_of(element)
            found = RangeAnalysis(given).of(value)
            self.within = lowest <= found.low and found.high <= highest
        rounded = rounded_to(value, element)
        if rounded is not None and is_narrowed(isa, value, element):
            self.value, self.narrow = rounded, isa.narrow
            self.fits = isinstance(value.owner, Operation) and NO_OVERFLOW in value.owner.attributes
        self.waiting: list[tuple[ir.Value, ir.Value, int]] = []

    def put(self, place: ir.Value, value: ir.Value, active: int) -> None:
        """Stores the first `active` lanes of a vector, at once or together with the vectors after it."""
        self.waiting.append((place, value, active))
        if self.narrow is None or len(self.waiting) == self.narrow.vectors:
            self.finish()

    def put_blocks(self, place: ir.Value, values: Sequence[ir.Value]) -> None:
        """Stores four vectors of channels in blocks, all of them, which then are in order."""
        lanes, operand = self.isa.lanes, self.operand
        if self.narrow is not None and operand.strides[-1] == 1:
            codes = self._narrowed(values, in_blocks=True)
            self.b.store(codes, place, align=1)
            return
        step = lanes * operand.strides[-1] * operand.size
        for v, value in enumerate(in_order(self.b, values)):
            self.put(byte_offset(self.b, place, v * step), value, lanes)

    def finish(self) -> None:
        """Stores the vectors that wait."""
        encoded = self.encoded([value for _, value, _ in self.waiting])
        for (place, _, active), raw in zip(self.waiting, encoded, strict=True):
            store_raw(
                self.b, self.isa, place, self.operand.element, self.operand.strides[-1], raw, active
            )
        self.waiting.clear()

    def encoded(self, values: Sequence[ir.Value]) -> list[ir.Value]:
        """Vectors as they lie in memory."""
        b, isa, element = self.b, self.isa, self.operand.element
        if self.narrow is None:
            return [encode(b, isa, value, element, self.within) for value in values]
        size = self.narrow.vectors
        parts = [values[first : first + size] for first in range(0, len(values), size)]
        return [
            shuffle(b, codes, range(i * isa.lanes, (i + 1) * isa.lanes))
            for part in parts
            for codes in [self._narrowed(part)]
            for i in range(len(part))
        ]

    def in_turn(self, values: Sequence[ir.Value], count: int) -> ir.Value:
        """The first `count` points of two to four vectors as they lie in memory, one of each vector in turn."""
        if self.narrow is None or len(values) > self.narrow.vectors:
            return in_turn(self.b, self.encoded(values), count)
        codes = self._narrowed(values, in_blocks=True)
        return in_turn_of_blocks(self.b, codes, len(values), count)

    def _narrowed(self, values: Sequence[ir.Value], in_blocks: bool = False) -> ir.Value:
        assert self.narrow is not None
        signed = not is_unsigned(self.operand.element)
        return emit_narrow(self.b, self.narrow, values, signed, self.fits, in_blocks)
