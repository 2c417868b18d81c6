"""
Operands of the microkernel: how a step's elements of the LHS and the RHS come into registers, from where they lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product as every
from typing import ClassVar, Protocol

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from ....dialects.kernel.packed_layout import NARROW_BIAS, PackedLayout
from ...machine import Isa, ProductInstruction
from .. import ir
from ..elements import decode, load_raw, memory_type, size_of
from ..interleave import interleave
from ..run_time import Extent, Number, number_at, plus, times
from ..vectors import I8, I32, broadcast, byte_offset, shuffle, splat, zero


@dataclass(frozen=True)
class Step:
    """
    A step of a reduction: how many steps lie before it in an iteration, how many of its KR elements there are, and
    whether memory before an iteration may be read, as it holds other steps.
    """

    index: int
    count: int
    follows: bool


@dataclass(frozen=True)
class Rows:
    """Rows of the LHS: `lines` that lie `down` bytes apart, each of `count` rows that lie `along` bytes apart."""

    lines: int
    count: int
    down: Number
    along: Number

    @property
    def total(self) -> int:
        """The number of rows."""
        return self.lines * self.count

    def offsets(self, b: ir.IRBuilder, arguments: Sequence[ir.Value]) -> list[Extent]:
        """How many bytes each row lies after the first one."""
        down, along = (number_at(b, arguments, number) for number in (self.down, self.along))
        starts = [times(b, down, line) for line in range(self.lines)]
        steps = [times(b, along, row) for row in range(self.count)]
        return [plus(b, start, step) for start, step in every(starts, steps)]


@dataclass(frozen=True)
class LhsOperand:
    """The LHS: rows whose inner elements lie `stride` elements apart."""

    element: Attribute
    stride: int
    rows: Rows

    def step_bytes(self, kr: int) -> int:
        """The distance from one step to the next."""
        return kr * self.stride * size_of(self.element)

    def load(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        product: ProductInstruction,
        pointer: ir.Value,
        step: Step,
    ) -> ir.Value:
        """
        The KR elements of a step of the row that starts at a pointer, broadcast to all lanes; zeros follow those that
        there are.
        """
        kr, lanes = product.mac.kr, isa.lanes
        pointer = byte_offset(b, pointer, step.index * self.step_bytes(kr))
        if kr == 1:
            raw = load_raw(b, pointer, self.element, 0, lanes, lanes)
            return _as_operand(b, isa, raw, self.element)
        if self.stride == 1 and step.count < kr and step.follows:
            word = self._last_word(b, pointer, kr, step.count)
        else:
            word = load_word(b, pointer, self.element, self.stride, kr, step.count)
        codes = b.bitcast(broadcast(b, word, lanes), _vector(self.element, lanes * kr))
        return _with_offset(b, codes, product)

    def _last_word(self, b: ir.IRBuilder, pointer: ir.Value, kr: int, count: int) -> ir.Value:
        """The last `count` elements of a row, loaded at once by a load that ends where the row does."""
        size = size_of(self.element)
        missing = (kr - count) * size
        word = ir.IntType(8 * kr * size)
        whole = b.load(byte_offset(b, pointer, -missing), align=1, typ=word)
        return b.lshr(whole, ir.Constant(word, 8 * missing))


@dataclass(frozen=True)
class GroupedLhs(LhsOperand):
    """
    An LHS for lanes of several groups, `units` lanes for each. A row has the inner elements of `groups` groups one
    after the other, `depth` of each, and each lane takes those of its own group. One iteration has all steps.
    """

    groups: int
    units: int
    depth: int

    def load(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        product: ProductInstruction,
        pointer: ir.Value,
        step: Step,
    ) -> ir.Value:
        """KR elements of a step for each lane: the row is loaded whole, and shuffled."""
        kr, lanes, depth = product.mac.kr, isa.lanes, self.depth
        whole = self.groups * depth
        row = load_raw(b, pointer, self.element, self.stride, whole, whole)
        order = [
            min(lane // self.units, self.groups - 1) * depth + step.index * kr + i
            if i < step.count
            else whole
            for lane, i in every(range(lanes), range(kr))
        ]
        codes = _as_operand(b, isa, shuffle(b, row, order, zero(row.type)), self.element)
        return _with_offset(b, codes, product)


class RhsOperand(Protocol):
    """The RHS."""

    @property
    def element(self) -> Attribute: ...

    def step_bytes(self, kr: int) -> int:
        """The distance from one step to the next."""
        ...

    def column_bytes(self, kr: int, column: int) -> int:
        """The distance from the first column to this one."""
        ...

    def is_half(self, column: int) -> bool:
        """Whether all wanted units of a vector are in its lower half."""
        ...

    def load(
        self, b: ir.IRBuilder, isa: Isa, kr: int, pointer: ir.Value, step: Step, column: int
    ) -> ir.Value:
        """
        The elements of a step of one column, as the Mac takes them; zeros follow those that there are.
        """
        ...


@dataclass(frozen=True)
class PackedRhs:
    """
    An RHS that `pack-weights` laid out, with so many vectors in a step. `units` says how many units of a tile are
    wanted, if not all are.
    """

    element: Attribute
    lanes: int
    vectors_per_step: int
    units: int | None = None

    def is_half(self, column: int) -> bool:
        return self.units is not None and self.units - column * self.lanes <= self.lanes // 2

    def step_bytes(self, kr: int) -> int:
        return self.vectors_per_step * self.lanes * kr * size_of(self.element)

    def column_bytes(self, kr: int, column: int) -> int:
        return column * self.lanes * kr * size_of(self.element)

    def load(
        self, b: ir.IRBuilder, isa: Isa, kr: int, pointer: ir.Value, step: Step, column: int
    ) -> ir.Value:
        whole = self.lanes * kr
        vector = step.index * self.vectors_per_step + column
        place = byte_offset(b, pointer, vector * whole * size_of(self.element))
        raw = load_raw(b, place, self.element, 1, whole, whole)
        return _as_operand(b, isa, raw, self.element)


@dataclass(frozen=True, kw_only=True)
class NarrowRhs(PackedRhs):
    """
    A packed RHS of codes of 4 bits, two in a byte as its `layout` says. To mask both halves and to shift one would take
    longer than to multiply. So whole bytes are multiplied, and their low halves:

        lhs * high = (lhs * byte - lhs * low half) / 16     lhs * low = lhs * low half - lhs * NARROW_BIAS
    """

    layout: PackedLayout

    LHS: ClassVar = -1
    """The column whose elements are all NARROW_BIAS."""

    def load(
        self, b: ir.IRBuilder, isa: Isa, kr: int, pointer: ir.Value, step: Step, column: int
    ) -> ir.Value:
        bytes = self.lanes * kr
        if column == self.LHS:
            return splat(I8, bytes, NARROW_BIAS)
        both = super().load(b, isa, kr, pointer, step, self.layout.stored_vector(column))
        return both if self._is_high(column) else b.and_(both, splat(I8, bytes, 15))

    def summed(self, columns: Sequence[int]) -> list[int]:
        """What to multiply for these columns."""
        return [*columns, self.LHS]

    def of_columns(
        self, b: ir.IRBuilder, sums: Mapping[tuple[int, int], ir.Value]
    ) -> dict[tuple[int, int], ir.Value]:
        """The sums of columns, by column and row, out of what was multiplied for them."""
        found: dict[tuple[int, int], ir.Value] = {}
        for (column, row), sum in sums.items():
            if column == self.LHS:
                continue
            if self._is_high(column):
                high = b.sub(sum, sums[column - 1, row])
                found[column, row] = b.ashr(high, splat(I32, self.lanes, 4))
            else:
                found[column, row] = b.sub(sum, sums[self.LHS, row])
        return found

    def _is_high(self, column: int) -> bool:
        return column % self.layout.nr_vectors % 2 == 1


@dataclass(frozen=True)
class GatheredRhs:
    """
    An RHS that is not packed. Column i has `active[i]` units from `offsets[i]` bytes on, which lie `unit` elements
    apart; inner elements lie `stride` apart.
    """

    element: Attribute
    unit: int
    stride: int
    offsets: Sequence[int]
    active: Sequence[int]

    def step_bytes(self, kr: int) -> int:
        return kr * self.stride * size_of(self.element)

    def column_bytes(self, kr: int, column: int) -> int:
        return self.offsets[column]

    def is_half(self, column: int) -> bool:
        return False

    def is_contiguous(self, lanes: int) -> bool:
        """Whether all units of all columns lie side by side."""
        return self.unit == 1 and all(active == lanes for active in self.active)

    def load(
        self, b: ir.IRBuilder, isa: Isa, kr: int, pointer: ir.Value, step: Step, column: int
    ) -> ir.Value:
        pointer = byte_offset(b, pointer, step.index * self.step_bytes(kr))
        place, active = byte_offset(b, pointer, self.offsets[column]), self.active[column]
        if kr == 1:
            raw = load_raw(b, place, self.element, self.unit, isa.lanes, active)
            return _as_operand(b, isa, raw, self.element)
        size = size_of(self.element)
        if self.unit == 1:
            return self._interleaved(b, isa, kr, place, step.count, active)
        words: ir.Value = zero(ir.VectorType(ir.IntType(8 * kr * size), isa.lanes))
        for lane in range(active):
            unit = byte_offset(b, place, lane * self.unit * size)
            word = load_word(b, unit, self.element, self.stride, kr, step.count)
            words = b.insert_element(words, word, ir.Constant(I32, lane))
        return b.bitcast(words, _vector(self.element, isa.lanes * kr))

    def _interleaved(
        self, b: ir.IRBuilder, isa: Isa, kr: int, place: ir.Value, count: int, active: int
    ) -> ir.Value:
        """A step of a column whose units lie side by side: its `count` lines, one element of each in turn."""
        distance = self.stride * size_of(self.element)
        lines = [
            load_raw(b, byte_offset(b, place, i * distance), self.element, 1, isa.lanes, active)
            for i in range(count)
        ]
        lines += [zero(lines[0].type)] * (kr - count)
        (found,) = interleave(b, isa, lines, isa.lanes, 1)
        return found


def load_word(
    b: ir.IRBuilder, pointer: ir.Value, element: Attribute, stride: int, kr: int, count: int
) -> ir.Value:
    """`count` integers, which lie `stride` apart, as one integer of `kr` times their size. Not a byte more is read."""
    size = size_of(element)
    whole = ir.IntType(8 * kr * size)
    if stride == 1 and count == kr:
        return b.load(pointer, align=1, typ=whole)
    word: ir.Value = ir.Constant(whole, 0)
    for i in range(count):
        place = byte_offset(b, pointer, i * stride * size)
        code = b.zext(b.load(place, align=1, typ=memory_type(element)), whole)
        word = b.or_(word, b.shl(code, ir.Constant(whole, 8 * size * i)))
    return word


def _vector(element: Attribute, count: int) -> ir.Type:
    return ir.VectorType(memory_type(element), count)


def _with_offset(b: ir.IRBuilder, codes: ir.Value, product: ProductInstruction) -> ir.Value:
    """Codes of the LHS as the instruction takes them: with the highest bit changed where they have an offset."""
    if not product.offset:
        return codes
    vector = codes.type
    assert isinstance(vector, ir.VectorType)
    return b.xor(codes, splat(I8, vector.count, product.offset))


def _as_operand(b: ir.IRBuilder, isa: Isa, raw: ir.Value, element: Attribute) -> ir.Value:
    """Integers as they are, since a Mac widens them itself; floats in the type that the Mac computes with."""
    return raw if isinstance(element, IntegerType) else decode(b, isa, raw, element)
