"""Emits `kernel.map` and `kernel.copy`: a body at every point of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from xdsl.dialects.builtin import IntegerType
from xdsl.utils.hints import isa as is_a

from ...dialects.elements import bits_of
from ...dialects.kernel import Access, CopyOp, MapOp, body_type
from ..kernel_bodies.bodies import build_body, same
from ..machine import Isa
from . import ir
from .body import LONG_BODY, KernelBody, emit_bodies, yielded
from .elements import Operand, ins_and_outs, load_lanes, memref
from .emitter import Emitter, Prologue
from .loop_nest import LoopNest, Values, line
from .map_loops import MapLoops, map_loops
from .output import Output, is_narrowed, known_of
from .run_time import Number, extent_value, known_or_later, later, number_at, times
from .schedule import MapSchedule
from .transpose_tile import TransposeTile
from .vectors import byte_offset, for_each, index, scaled
from .work_partition import Partition


@cache
def _unchanged(element: IntegerType) -> KernelBody:
    """A body that yields its argument."""
    return KernelBody.of(build_body([body_type(element)], same))


MOVED_TOGETHER = (32, 16)
"""Bits of neighbouring elements that are moved as one, the most first, such as those of a step of `PackedLayout`."""


@dataclass(frozen=True)
class _Move:
    """Elements moved as they are: a domain, where they come from and where they go to."""

    domain: Sequence[int]
    source: Operand
    target: Operand

    @property
    def together(self) -> _Move:
        """The same of several elements as one, where those of a dimension lie side by side on both sides."""
        bits = bits_of(self.source.element)
        if bits % 8 or self.source.element != self.target.element:
            return self
        counts = [wide // bits for wide in MOVED_TOGETHER if wide > bits]
        levels = range(len(self.domain))
        found = ((d, n) for n in counts for d in levels if self._has_groups(d, n))
        along, count = next(found, (0, 1))
        return self._of_groups(along, count) if count > 1 else self

    def _has_groups(self, along: int, count: int) -> bool:
        """Whether the points along a dimension are whole groups of so many, at multiples of their size."""
        operands, size = (self.source, self.target), self.domain[along]
        steps = [n for o in operands for d, n in enumerate(o.strides) if d != along]
        places = [size, *(each.offset for each in operands), *steps]
        beside = all(each.strides[along] == 1 for each in operands)
        return size > 0 and beside and not any(n % count for n in places)

    def _of_groups(self, along: int, count: int) -> _Move:
        def of(operand: Operand) -> Operand:
            strides = [n if d == along else n // count for d, n in enumerate(operand.strides)]
            element = IntegerType(8 * operand.size * count)
            return Operand(element, operand.offset // count, tuple(strides))

        domain = [size // count if d == along else size for d, size in enumerate(self.domain)]
        return _Move(domain, of(self.source), of(self.target))


@dataclass(frozen=True)
class MapKernel(Emitter):
    """
    All of a map that decides its machine code; equal ones share a function. Offsets and the sizes of its loops are in
    the `table` that the function takes.
    """

    loops: MapLoops[Number]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    body: KernelBody
    offsets: tuple[Number, ...]
    table: tuple[int, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, op: MapOp, isa: Isa) -> MapKernel:
        """The kernel of an operation on planned memory."""
        ins, outs = ins_and_outs(op)
        block = op.body.block
        if len(ins) == len(outs) == 1 and yielded(block)[0] is block.args[0]:
            move = _Move(op.shape, *ins, *outs)
            if (together := move.together) is not move:
                return cls._of_move(isa, together)
        return cls.over(isa, op.shape, ins, outs, KernelBody.of(op.body))

    @classmethod
    def of_copy(cls, op: CopyOp, isa: Isa) -> MapKernel:
        """A copy: a map of integers whose body yields its argument."""
        shape = memref(op.source).get_shape()
        identity = Access.identity(len(shape))
        operands = [Operand.of(memref(value), identity) for value in (op.source, op.target)]
        bits = IntegerType(8 * operands[0].size)
        source, target = [replace(operand, element=bits) for operand in operands]
        return cls._of_move(isa, _Move(shape, source, target).together)

    @classmethod
    def _of_move(cls, isa: Isa, move: _Move) -> MapKernel:
        """A move of integers."""
        element = move.source.element
        assert is_a(element, IntegerType)
        ends = (move.source,), (move.target,)
        return cls.over(isa, move.domain, *ends, _unchanged(element))

    @classmethod
    def over(
        cls,
        isa: Isa,
        domain: Sequence[int],
        ins: tuple[Operand, ...],
        outs: tuple[Operand, ...],
        body: KernelBody,
    ) -> MapKernel:
        """The kernel of a body at each point of a domain."""
        table: list[int] = []
        fixed = cls.fixed(isa, domain, ins, outs, body)
        loops = fixed.loops.each(lambda number: known_or_later(number, table))
        if isinstance(loops.divided, int):
            loops = replace(loops, divided=later(loops.divided, table))
        offsets = tuple(later(operand.offset, table) for operand in (*ins, *outs))
        return replace(fixed, loops=loops, offsets=offsets, table=tuple(table))

    @classmethod
    def fixed(
        cls,
        isa: Isa,
        domain: Sequence[int],
        ins: tuple[Operand, ...],
        outs: tuple[Operand, ...],
        body: KernelBody,
    ) -> MapKernel:
        """The same with all sizes known, without a table; for a part of another kernel."""
        operands = (*ins, *outs)
        plan = MapSchedule.choose(isa, domain, [each.strides for each in operands], len(outs))
        narrows = any(
            is_narrowed(isa, value, out.element)
            for value, out in zip(yielded(body.block), outs, strict=True)
        )
        is_short = body.operations < LONG_BODY
        vectors = isa.narrow.vectors if isa.narrow and narrows and is_short else 1
        if plan.transposed:
            vectors = plan.tiles_along(isa, [operand.size for operand in operands])
        offsets = tuple(operand.offset for operand in operands)
        ins, outs = (
            tuple(replace(each, offset=0, strides=()) for each in group) for group in (ins, outs)
        )
        return cls(map_loops(plan, isa, len(outs), vectors), ins, outs, body, offsets, ())

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (*self.ins, *self.outs)

    def emit_loops(self, prologue: Prologue) -> None:
        b, isa = prologue.b, prologue.isa

        def loaded(number: Number) -> int | ir.Value:
            return number_at(b, prologue.arguments, number)

        pointers = [
            byte_offset(b, pointer, times(b, loaded(offset), operand.size))
            for pointer, operand, offset in zip(
                prologue.pointers, self.operands, self.offsets, strict=True
            )
        ]
        loops = self.loops.each(loaded)
        with prologue.partition.dividing(b, loops.divided, len(loops.outer) + 1) as partitions:
            emission = _Emission(b, isa, self.operands, self, loops, partitions)
            emission.all(pointers)


@dataclass
class _Emission(LoopNest):
    kernel: MapKernel
    loops: MapLoops[int | ir.Value]
    partitions: Sequence[Partition]

    def all(self, pointers: Values) -> None:
        """All points. Transpose tiles at one place of `inner` come first: transposed operands are read on and on."""
        loops = self.loops
        if loops.transposed is None or loops.interleaved:
            self._loops(pointers, 0)
        elif loops.overlapping:
            self._overlapping_tiles(pointers)
        elif loops.masked:
            self._masked_tiles(
                pointers, extent_value(loops.inner[0]), extent_value(loops.transposed[0])
            )
        else:
            whole, strides = Partition.WHOLE, loops.inner_strides
            self.strips(pointers, loops.inner, strides, whole, self._loops, loops.vectors)

    def _loops(self, pointers: Values, wide: int) -> None:
        """Loops over `outer`, then over `inner` or, with transpose tiles `wide` points along it, over `transposed`."""
        loops = self.loops

        def innermost(at: Values) -> None:
            size, strides, emit = loops.inner, loops.inner_strides, self._points
            vectors = loops.vectors
            if loops.transposed is not None and loops.interleaved:
                emit = partial(self._interleaved_tile, loops.transposed[1])
            elif loops.transposed is not None:
                size, strides, vectors = loops.transposed, loops.transposed_strides, 1
                emit = partial(self._transpose_tiles, wide)
            self.strips(at, size, strides, self.partitions[-1], emit, vectors)

        self.nested(pointers, loops.outer, loops.outer_strides, self.partitions, innermost)

    def _interleaved_tile(self, high: int, pointers: Values, active: int) -> None:
        self._transpose_tile(active, pointers, high)

    def _points(self, pointers: Values, active: int) -> None:
        """The first points of a strip, vector by vector."""
        b, isa, kernel, lanes = self.b, self.isa, self.kernel, self.isa.lanes
        there = [min(lanes, active - first) for first in range(0, active, lanes)]
        operands = [
            replace(operand, strides=(self.loops.step(o),))
            for o, operand in enumerate(kernel.operands)
        ]
        places = [
            line(b, pointer, lanes * operand.strides[0] * operand.size, len(there))
            for pointer, operand in zip(pointers, operands, strict=True)
        ]
        count, body = len(kernel.ins), kernel.body
        values = [
            self._vectors(operand, at, there)
            for operand, at in zip(operands[:count], places, strict=False)
        ]
        known = known_of(body.block.args, operands[:count])
        outs = [
            Output(b, isa, value, operand, known)
            for value, operand in zip(yielded(body.block), operands[count:], strict=True)
        ]
        arguments = [[each[v] for each in values] for v in range(len(there))]
        results = emit_bodies(b, isa, body, lanes, arguments, [out.value for out in outs])
        for o, (out, at) in enumerate(zip(outs, places[count:], strict=True)):
            for place, found, n in zip(at, results, there, strict=True):
                out.put(place, found[o], n)
            out.finish()

    def _vectors(self, operand: Operand, places: Values, there: Sequence[int]) -> Values:
        """Vectors of an operand, of which so many points are there; what is the same at all points is loaded once."""
        (stride,) = operand.strides
        found = [
            load_lanes(self.b, self.isa, place, operand.element, stride, self.isa.lanes, n)
            for place, n in zip(places if stride else places[:1], there, strict=False)
        ]
        return found if stride else found * len(there)

    def _masked_tiles(self, pointers: Values, width: ir.Value, height: ir.Value) -> None:
        """
        Transpose tiles over so many points of `inner` and of `transposed`, of two kinds: whole ones, and those at the
        edges, which learn how much of them is there.
        """
        b, loops, lanes = self.b, self.loops, self.isa.lanes
        columns, rows = (_parts_of(b, size, lanes) for size in (width, height))
        along, down = (
            [times(b, stride, lanes) for stride in strides]
            for strides in (loops.inner_strides, loops.transposed_strides)
        )

        def there(size: ir.Value, tile: ir.Value) -> ir.Value:
            """Of a tile, which begins before the size."""
            return b.smin(b.sub(size, scaled(b, tile, lanes)), index(lanes))

        def column(i: ir.Value) -> None:
            wide = there(width, i)

            def innermost(at: Values) -> None:
                first, count = self.partitions[-1].of(b, rows)

                def tile(j: ir.Value) -> None:
                    row = b.add(first, j)
                    high, here = there(height, row), self.advance(at, row, down)
                    is_whole = b.icmp_signed("==", b.add(wide, high), index(2 * lanes))
                    with b.if_else(is_whole) as (whole, edge):
                        with whole:
                            self._transpose_tile(lanes, here, lanes)
                        with edge:
                            self._transpose_tile(lanes, here, lanes, (wide, high))

                for_each(b, count, tile)

            here = self.advance(pointers, i, along)
            self.nested(here, loops.outer, loops.outer_strides, self.partitions, innermost)

        for_each(b, columns, column)

    def _overlapping_tiles(self, pointers: Values) -> None:
        """Whole transpose tiles. Who has the last one along `transposed` has the one that overlaps it, too."""
        b, loops, lanes = self.b, self.loops, self.isa.lanes
        assert loops.transposed is not None
        width, height = extent_value(loops.inner[0]), extent_value(loops.transposed[0])
        columns, rows = _parts_of(b, width, lanes), b.udiv(height, index(lanes))
        more = b.sub(_parts_of(b, height, lanes), rows)

        def begin(size: ir.Value, tile: ir.Value) -> ir.Value:
            return b.smin(scaled(b, tile, lanes), b.sub(size, index(lanes)))

        def strip(i: ir.Value) -> None:
            first_column = scaled(b, i, loops.vectors)
            along = b.smin(b.sub(columns, first_column), index(loops.vectors))

            def innermost(at: Values) -> None:
                first, extent = self.partitions[-1].of(b, rows)
                count = extent_value(extent)
                is_last = b.icmp_signed("==", b.add(first, count), rows)
                has_more = b.and_(is_last, b.icmp_signed(">", count, index(0)))

                def row(j: ir.Value) -> None:
                    down = begin(height, b.add(first, j))
                    here = self.advance(at, down, loops.transposed_strides)

                    def tile(k: ir.Value) -> None:
                        place = begin(width, b.add(first_column, k))
                        there = self.advance(here, place, loops.inner_strides)
                        self._transpose_tile(lanes, there, lanes)

                    for_each(b, along, tile)

                for_each(b, b.add(count, b.select(has_more, more, index(0))), row)

            self.nested(pointers, loops.outer, loops.outer_strides, self.partitions, innermost)

        for_each(b, _parts_of(b, columns, loops.vectors), strip)

    def _transpose_tiles(self, wide: int, pointers: Values, high: int) -> None:
        """Those of so many points of `inner`, one after the other."""
        self.strips(
            pointers,
            divmod(wide, self.isa.lanes),
            self.loops.inner_strides,
            Partition.WHOLE,
            lambda at, active: self._transpose_tile(active, at, high),
        )

    def _transpose_tile(
        self,
        active: int,
        pointers: Values,
        high: int,
        there: tuple[ir.Value, ir.Value] | None = None,
    ) -> None:
        tile = TransposeTile(self.b, self.isa, self.loops, pointers, active, high, there)
        tile.emit(self.kernel.ins, self.kernel.outs, self.kernel.body)


def _parts_of(b: ir.IRBuilder, size: ir.Value, part: int) -> ir.Value:
    """How many parts of this size there are, the last one not whole."""
    return size if part == 1 else b.udiv(b.add(size, index(part - 1)), index(part))
