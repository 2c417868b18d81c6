"""What a kernel's body yields, written vector by vector, or several vectors of codes at once."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa as is_a

from ...dialects.elements import bits_of, is_unsigned, limits_of
from ...dialects.kernel import NO_OVERFLOW
from ..machine import Isa
from ..range_analysis import RangeAnalysis, rounded_to
from . import ir
from .elements import Operand, store_lanes, store_raw
from .instructions import emit_narrow
from .vectors import shuffle


def is_narrowed(isa: Isa, value: SSAValue, element: Attribute) -> bool:
    """Whether several vectors of a value are narrowed at once to what is stored."""
    return (
        isa.narrow is not None and bits_of(element) == 8 and rounded_to(value, element) is not None
    )


class Output:
    """One output. Where the instruction set can narrow several vectors to 8 bits at once, they wait for each other."""

    def __init__(self, b: ir.IRBuilder, isa: Isa, value: SSAValue, operand: Operand):
        self.b, self.isa, self.operand = b, isa, operand
        self.value, self.within, self.narrow, self.fits = value, False, None, False
        element = operand.element
        if is_a(element, IntegerType) and 1 < bits_of(element) < 32:
            lowest, highest = limits_of(element)
            found = RangeAnalysis().of(value)
            self.within = lowest <= found.low and found.high <= highest
        rounded = rounded_to(value, element)
        if rounded is not None and is_narrowed(isa, value, element):
            self.value, self.narrow = rounded, isa.narrow
            self.fits = isinstance(value.owner, Operation) and NO_OVERFLOW in value.owner.attributes
        self.waiting: list[tuple[ir.Value, ir.Value, int]] = []

    def put(self, place: ir.Value, value: ir.Value, active: int) -> None:
        """Stores the first `active` lanes of a vector, at once or together with the vectors after it."""
        if self.narrow is None:
            stride = self.operand.strides[-1]
            element = self.operand.element
            store_lanes(self.b, self.isa, place, element, stride, value, active, self.within)
            return
        self.waiting.append((place, value, active))
        if len(self.waiting) == self.narrow.vectors:
            self.finish()

    def finish(self) -> None:
        """Stores the vectors that wait."""
        if self.narrow is None or not self.waiting:
            return
        b, lanes, element = self.b, self.isa.lanes, self.operand.element
        values = [value for _, value, _ in self.waiting]
        codes = emit_narrow(b, self.narrow, values, not is_unsigned(element), self.fits)
        for i, (place, _, active) in enumerate(self.waiting):
            raw = shuffle(b, codes, range(i * lanes, (i + 1) * lanes))
            store_raw(b, place, element, self.operand.strides[-1], raw, active)
        self.waiting.clear()
