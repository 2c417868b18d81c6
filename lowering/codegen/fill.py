"""
Emits a `kernel.map` that writes one number to lines of memory, as borders of paddings are. The length of lines and
their distance are arguments, so that all borders of a network share a function.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute

from ...dialects.elements import limits_of
from ...dialects.kernel import MapOp, YieldOp
from . import ir
from .elements import Operand, ins_and_outs, size_of
from .emitter import Emitter, Prologue
from .schedule.merging import merge_loops
from .vectors import I64, byte_offset, for_each, index, scaled, splat
from .work import SPLIT_WORK, work

STEPS = (64, 16, 4)
"""The widths of stores in bytes, the widest first: a line has those of the widest that is no longer than it is."""


@dataclass(frozen=True)
class FillKernel(Emitter):
    """
    All of a fill that decides its machine code: an element, as an integer of so many bytes. The number of lines, their
    length and their distance in bytes are arguments.
    """

    size: int
    element: int
    lines: int = field(compare=False, repr=False)
    length: int = field(compare=False, repr=False)
    distance: int = field(compare=False, repr=False)

    @classmethod
    def of(cls, op: MapOp) -> FillKernel | None:
        """
        The fill that an operation on planned memory is. None where it is another map, or is worth dividing among
        threads.
        """
        if op.ins or len(op.outs) != 1 or work(op) >= SPLIT_WORK:
            return None
        _, (out,) = ins_and_outs(op)
        element = _element(op, out.element)
        sizes, steps = merge_loops(op.shape, [[stride] for stride in out.strides])
        if (
            element is None
            or out.offset
            or len(sizes) not in (1, 2)
            or steps[-1] != [1]
            or 0 in sizes
        ):
            return None
        size, length = len(element), sizes[-1]
        lines, distance = (sizes[0], steps[0][0] * size) if len(sizes) == 2 else (1, 0)
        if len(set(element)) == 1:
            element, size, length = element[:1], 1, length * size
        return cls(size, int.from_bytes(element, "little"), lines, length, distance)

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (Operand(IntegerType(8 * self.size), 0, (1,)),)

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        return (I64, I64, I64)

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        return [index(self.lines), index(self.length), index(self.distance)]

    def emit_loops(self, prologue: Prologue) -> None:
        b, (start,) = prologue.b, prologue.pointers
        lines, length, distance = prologue.arguments

        def each(steps: tuple[int, ...]) -> None:
            step, *narrower = steps
            if not narrower:
                self._lines(b, start, lines, length, distance, step)
                return
            with b.if_else(b.icmp_unsigned(">=", length, index(step))) as (wide, narrow):
                with wide:
                    self._lines(b, start, lines, length, distance, step)
                with narrow:
                    each(tuple(narrower))

        widths = [bytes // self.size for bytes in STEPS]
        with prologue.partition.at_end(b):
            each((*(step for step in widths if step > 1), 1))

    def _lines(
        self,
        b: ir.IRBuilder,
        start: ir.Value,
        lines: ir.Value,
        length: ir.Value,
        distance: ir.Value,
        step: int,
    ) -> None:
        """Lines of at least `step` elements, by stores of so many; the last one ends where the line does."""
        value = splat(ir.IntType(8 * self.size), step, self.element)
        last = b.sub(length, index(step))
        count = b.udiv(b.add(last, index(step - 1)), index(step))

        def store(line: ir.Value, at: ir.Value) -> None:
            b.store(value, byte_offset(b, line, scaled(b, at, self.size)), align=self.size)

        def fill(i: ir.Value) -> None:
            line = byte_offset(b, start, b.mul(i, distance))
            for_each(b, count, lambda n: store(line, scaled(b, n, step)))
            store(line, last)

        for_each(b, lines, fill)


def _element(op: MapOp, type: Attribute) -> bytes | None:
    """The bytes of the constant that a body yields; None where it yields anything else."""
    last = op.body.block.last_op
    assert isinstance(last, YieldOp), "a body without kernel.yield passed verification"
    (value,) = last.values
    if not isinstance(constant := value.owner, arith.ConstantOp):
        return None
    match type, constant.value:
        case Float32Type(), FloatAttr():
            return struct.pack("<f", constant.value.value.data)
        case IntegerType(), IntegerAttr() if type.width.data % 8 == 0:
            number = constant.value.value.data
            low, high = limits_of(type)
            if low <= number <= high:
                return number.to_bytes(size_of(type), "little", signed=number < 0)
            return None
        case _:
            return None
