"""
Emits `kernel.reduce`: combines the elements of a window at every point of a domain.

With one partial accumulator, the elements of a window are combined in order: neighbouring points share a vector, and a
wide vector is several independent accumulators. With several partial accumulators, neighbouring elements of the window
share a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product as every

from xdsl.ir import Attribute

from ...dialects.elements import bits_of, is_integer, is_unsigned
from ...dialects.kernel import ReduceOp, YieldOp, neutral
from ..machine import Isa
from . import ir
from .body import KernelBody, emit_body
from .combine import combined
from .elements import (
    Operand,
    decode,
    ins_and_outs,
    load_lanes,
    load_raw,
    memory_type,
    memref,
    scalar_type,
    store_lanes,
)
from .emitter import Emitter, Prologue
from .loop_nest import LoopNest, Values, advance, line, moved
from .reduce_loops import (
    FREE_REGISTERS,
    ReduceLoops,
    at_run_time,
    loops_of_lanes,
    loops_of_points,
)
from .run_time import (
    Extent,
    Number,
    RunTime,
    extent_value,
    float_at,
    later_float,
    number_at,
    times,
)
from .vectors import (
    broadcast,
    byte_offset,
    first_lanes,
    fold_each,
    fold_lanes,
    index,
    lanes_of,
    loop,
    shuffle,
    splat,
)
from .work_partition import Partition


@dataclass(frozen=True)
class ReduceKernel(Emitter):
    """
    What of a reduction decides its machine code; equal ones share a function. The numbers of its loops and of its body
    are in the `table` that the function takes. The domain may be empty.
    """

    is_empty: bool
    loops: ReduceLoops[Number]
    combiner: str
    partials: int
    accumulator: Attribute
    x: tuple[Operand, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    element: KernelBody
    body: KernelBody
    numbers: tuple[RunTime, ...]
    table: tuple[int, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, op: ReduceOp, isa: Isa) -> ReduceKernel:
        """The kernel of an operation on planned memory."""
        x: list[Operand] = []
        steps: list[tuple[int, ...]] = []
        for value, (points, inside) in zip(op.x, op.readings, strict=True):
            begin, step = Operand.of(memref(value), points), Operand.of(memref(value), inside)
            x.append(Operand(begin.element, begin.offset + step.offset, begin.strides))
            steps.append(step.strides)
        ins, outs = ins_and_outs(op)
        operands = (*x, *ins, *outs)
        if op.partials > 1:
            loops = loops_of_lanes(isa, op.shape, op.extents, op.partials, operands, steps)
        else:
            loops = loops_of_points(isa, op.shape, op.extents, operands, steps)
        body, floats = KernelBody.apart_from_numbers(op.body)
        table: list[int] = []
        loops = at_run_time(loops, table)
        numbers = tuple(later_float(number, table) for number in floats)
        operands = tuple(replace(each, strides=()) for each in operands)
        first_in, first_out = len(x), len(x) + len(ins)
        return cls(
            0 in op.shape,
            loops,
            op.combiner.data,
            op.partials,
            op.accumulator,
            operands[:first_in],
            operands[first_in:first_out],
            operands[first_out:],
            KernelBody.of(op.element),
            body,
            numbers,
            tuple(table),
        )

    def emit_loops(self, prologue: Prologue) -> None:
        b, arguments = prologue.b, prologue.arguments
        if self.is_empty:
            return
        numbers = [float_at(b, arguments, number) for number in self.numbers]
        loops = self.loops.each(lambda number: number_at(b, arguments, number))
        levels = len(loops.outer) + (self.partials == 1)
        with prologue.partition.dividing(b, loops.divided, levels) as partitions:
            emission = _Emission(b, prologue.isa, self.operands, self, loops, numbers, partitions)
            emission.points(prologue.pointers)

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All of them, in order."""
        return (*self.x, *self.ins, *self.outs)

    @property
    def in_bytes(self) -> bool:
        """Whether 8-bit elements are compared as they lie in memory: for a maximum or a minimum."""
        return (
            self.combiner in ("max", "min")
            and len(self.x) == 1
            and is_integer(self.x[0].element)
            and bits_of(self.x[0].element) == 8
            and self.partials == 1
            and _gives_argument(self.element)
        )


def _gives_argument(body: KernelBody) -> bool:
    """Whether a body yields its argument."""
    first = body.block.first_op
    return isinstance(first, YieldOp) and list(first.values) == list(body.block.args[:1])


@dataclass
class _Emission(LoopNest):
    kernel: ReduceKernel
    loops: ReduceLoops[Extent]
    numbers: Values
    partitions: Sequence[Partition]

    # --- the domain -------------------------------------------------------------------------

    def points(self, pointers: Values) -> None:
        """A share of the domain."""
        emit = self._row if self.kernel.partials == 1 else self._in_lanes
        self.nested(pointers, self.loops.outer, self.loops.outer_strides, self.partitions, emit)

    # --- one lane: vectors of points --------------------------------------------------------

    def _row(self, pointers: Values) -> None:
        """Emits a row of points: vectors beside each other, then one after the other, then a part of one."""
        loops, lanes, partition = self.loops, self.isa.lanes, self.partitions[-1]
        behind = self._vectors(pointers, loops.vectors * lanes, loops.wide, partition)
        with partition.at_end(self.b):
            behind = self._vectors(behind, lanes, loops.narrow, Partition.WHOLE)
            if loops.rest:
                self._vector(behind, lanes, loops.rest)

    def _vectors(self, pointers: Values, lanes: int, count: Extent, partition: Partition) -> Values:
        """A part of `count` vectors of points. Gives the pointers behind all of them."""
        if count == 0:
            return pointers
        width = [stride * lanes for stride in self.loops.lane_strides]
        part = partition.of(self.b, count)
        self.each(pointers, width, part, lambda at: self._vector(at, lanes, lanes))
        return self.advance(pointers, extent_value(count), width)

    def _vector(self, pointers: Values, lanes: int, active: int) -> None:
        """Emits `lanes` points, the first `active` of which exist."""
        b, isa, kernel, strides = self.b, self.isa, self.kernel, self.loops.lane_strides
        count = len(kernel.x)

        def read(inner: Values, carried: Values) -> Values:
            if kernel.in_bytes:
                (x,) = kernel.x
                made = load_raw(b, inner[0], x.element, strides[0], lanes, active)
            else:
                loaded = self.load(kernel.x, inner, strides[:count], lanes, active)
                (made,) = emit_body(b, isa, kernel.element, lanes, loaded)
            return [self._combine(carried[0], made)]

        (result,) = self._window(pointers[:count], [self._begin(lanes)], read)
        self._finish(result, pointers[count:], strides[count:], active)

    # --- more lanes: vectors of the window --------------------------------------------------

    def _in_lanes(self, pointers: Values) -> None:
        """
        Emits the points that are computed together, as many at once as registers hold; lanes go along the last
        dimension of their windows.
        """
        kernel, loops = self.kernel, self.loops
        width = min(kernel.partials, self.isa.lanes)
        sums = kernel.partials // width * max(1, bits_of(kernel.accumulator) // 32) * loops.beside
        most = max(1, (self.isa.registers - sums - FREE_REGISTERS) // sums)
        parts = -(-loops.together // most)
        first = 0
        for part in range(parts):
            after = loops.together * (part + 1) // parts
            self._points_in_lanes(self._at(pointers, first, 0), after - first, width)
            first = after

    def _at(self, pointers: Values, together: int, beside: int) -> Values:
        """The pointers at a point that is computed with the first one."""
        b, loops = self.b, self.loops
        if together:
            strides = loops.together_strides
            pointers = advance(b, self.operands, pointers, index(together), strides)
        if beside:
            pointers = advance(b, self.operands, pointers, index(beside), loops.beside_strides)
        return pointers

    def _points_in_lanes(self, pointers: Values, together: int, width: int) -> None:
        """Emits so many points at once, and those beside them."""
        b, kernel, loops = self.b, self.kernel, self.loops
        count, vectors = len(kernel.x), kernel.partials // width
        strip = [step * kernel.partials for step in loops.lane_strides]
        points = list(every(range(together), range(loops.beside)))

        def row(inner: Values, carried: Values) -> Values:
            def iteration(i: ir.Value, now: Values) -> Values:
                here = advance(b, kernel.x, inner, i, strip)
                return self._strip(here, now, points, width, kernel.partials)

            carried = loop(b, loops.strips, carried, iteration, runs=True)
            if not loops.strip_rest:
                return carried
            behind = advance(b, kernel.x, inner, extent_value(loops.strips), strip)
            return self._strip(behind, carried, points, width, loops.strip_rest)

        begin = [self._begin(width)] * (vectors * len(points))
        partial = self._window(pointers[:count], begin, row)
        if vectors == 1 and self._has_lines():
            self._finish_lines(pointers, partial)
            return
        for number, point in enumerate(points):
            mine = partial[number * vectors : (number + 1) * vectors]
            places = self._at(pointers, *point)[count:]
            self._finish(fold_lanes(b, mine, self._combine), places, [0] * len(places), 1)

    def _has_lines(self) -> bool:
        """Whether points beside each other lie so in memory, and are a power of two."""
        loops, count = self.loops, len(self.kernel.x)
        steps = loops.beside_strides[count:]
        is_line = all(isinstance(step, int) and step in (0, 1) for step in steps)
        return loops.beside > 1 and loops.beside & (loops.beside - 1) == 0 and is_line

    def _finish_lines(self, pointers: Values, sums: Sequence[ir.Value]) -> None:
        """The body on lines of points that lie beside each other, of which each has a vector of sums."""
        loops, count, size = self.loops, len(self.kernel.x), self.loops.beside
        steps = [step for step in loops.beside_strides[count:] if isinstance(step, int)]
        lines = len(sums) // size
        at_once = 1 << min(lines, lanes_of(sums[0]) // size or 1).bit_length() - 1
        for first in range(0, lines, at_once):
            some = sums[first * size : (first + at_once) * size]
            for n, totals in enumerate(self._folded(some, size)):
                places = self._at(pointers, first + n, 0)[count:]
                self._finish(totals, places, steps, size)

    def _folded(self, sums: Sequence[ir.Value], size: int) -> Values:
        """The totals of vectors of sums, in vectors of this size."""
        b, count = self.b, len(sums) // size
        whole = 1 << count.bit_length() - 1
        total = fold_each(b, sums[: whole * size], self._combine)
        found = [shuffle(b, total, range(n * size, (n + 1) * size)) for n in range(whole)]
        return found if whole == count else found + self._folded(sums[whole * size :], size)

    def _strip(
        self,
        inner: Values,
        carried: Values,
        points: Sequence[tuple[int, int]],
        width: int,
        elements: int,
    ) -> Values:
        """What is carried of these points, with so many more elements of each."""
        b, kernel, results = self.b, self.kernel, list(carried)
        vectors = kernel.partials // width
        for v in range(-(-elements // width)):
            active = min(elements - v * width, width)
            known: dict[tuple[int, int, int], ir.Value] = {}
            for number, point in enumerate(points):
                loaded = self._elements(inner, known, point, v * width, width, active)
                at = number * vectors + v
                (made,) = emit_body(b, self.isa, kernel.element, width, loaded)
                results[at] = self._combine(carried[at], made)
                if active < width:
                    some = first_lanes(width, active)
                    results[at] = b.select(some, results[at], carried[at])
        return results

    def _elements(
        self,
        inner: Values,
        known: dict[tuple[int, int, int], ir.Value],
        point: tuple[int, int],
        first: int,
        width: int,
        active: int,
    ) -> Values:
        """A vector of each x from element `first` on; what points share is loaded once, and `known` then."""
        b, loops, found = self.b, self.loops, list[ir.Value]()
        apart = (loops.together_strides, loops.beside_strides)
        for n, x in enumerate(self.kernel.x):
            step = loops.lane_strides[n]
            moves = [
                times(b, strides[n], number * x.size) if number else 0
                for number, strides in zip(point, apart, strict=True)
            ]
            together, beside = (
                number if isinstance(move, ir.Value) or move else 0
                for number, move in zip(point, moves, strict=True)
            )
            if (key := (n, together, beside)) not in known:
                place = byte_offset(b, inner[n], first * step * x.size)
                for move in moves:
                    place = byte_offset(b, place, move)
                known[key] = load_lanes(b, self.isa, place, x.element, step, width, active)
            found.append(known[key])
        return found

    # --- the window -------------------------------------------------------------------------

    def _window(
        self,
        pointers: Values,
        carried: Values,
        emit: Callable[[Values, Values], Values],
        level: int = 0,
    ) -> Values:
        """Combines all elements of the window in order, or its rows where lanes go along its last dimension."""
        b, loops, looped = self.b, self.loops, len(self.loops.window)
        if level == looped + len(loops.unrolled):
            return emit(pointers, carried)
        steps = [each[level] for each in loops.steps]
        if level < looped:

            def iteration(i: ir.Value, now: Values) -> Values:
                return self._window(moved(b, pointers, i, steps), now, emit, level + 1)

            return loop(b, loops.window[level], carried, iteration, runs=True)
        count = loops.unrolled[level - looped]
        lines = [line(b, first, step, count) for first, step in zip(pointers, steps, strict=True)]
        for i in range(count):
            carried = self._window([places[i] for places in lines], carried, emit, level + 1)
        return carried

    # --- scalars ----------------------------------------------------------------------------

    def _begin(self, lanes: int) -> ir.Value:
        """The combiner's neutral element in every lane."""
        kernel = self.kernel
        if kernel.in_bytes:
            (x,) = kernel.x
            unsigned, greatest = is_unsigned(x.element), kernel.combiner == "max"
            low, high = (0, 255) if unsigned else (-128, 127)
            return splat(memory_type(x.element), lanes, low if greatest else high)
        number = neutral(kernel.combiner, kernel.accumulator).value.data
        return splat(scalar_type(kernel.accumulator), lanes, number)

    def _combine(self, left: ir.Value, right: ir.Value) -> ir.Value:
        kernel = self.kernel
        unsigned = kernel.in_bytes and is_unsigned(kernel.x[0].element)
        return combined(self.b, kernel.combiner, left, right, unsigned)

    def _finish(
        self, result: ir.Value, pointers: Values, strides: Sequence[int], active: int
    ) -> None:
        """Applies the body to what was combined, and stores the results."""
        b, isa, kernel = self.b, self.isa, self.kernel
        count, lanes = len(kernel.ins), lanes_of(result)
        if kernel.in_bytes and not count and self._keeps_bytes():
            store_lanes(b, isa, pointers[0], kernel.outs[0].element, strides[0], result, active)
            return
        if kernel.in_bytes:
            result = decode(b, isa, result, kernel.x[0].element)
        values = self.load(kernel.ins, pointers[:count], strides[:count], lanes, active)
        numbers = [broadcast(b, number, lanes) for number in self.numbers]
        yielded = emit_body(b, isa, kernel.body, lanes, [result, *values, *numbers])
        self.store(kernel.outs, pointers[count:], strides[count:], yielded, active)

    def _keeps_bytes(self) -> bool:
        """Whether bytes that were compared are stored without conversion."""
        outs, (x,) = self.kernel.outs, self.kernel.x
        return len(outs) == 1 and outs[0].element == x.element and _gives_argument(self.kernel.body)
