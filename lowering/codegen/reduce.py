"""
Emits `kernel.reduce`: combines the elements of a window at every point of a domain.

With one partial accumulator, the elements of a window are combined in order: neighbouring points share a vector, and a
wide vector is several independent accumulators. With several partial accumulators, neighbouring elements of the window
share a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute

from ...dialects.elements import bits_of, is_integer, is_unsigned
from ...dialects.kernel import ReduceOp, YieldOp, neutral
from ..machine import Isa
from . import ir
from .body import KernelBody, emit_body
from .elements import (
    Operand,
    decode,
    ins_and_outs,
    load_raw,
    memory_type,
    memref,
    scalar_type,
    store_lanes,
)
from .emitter import Emitter, Prologue
from .intrinsics import call_intrinsic
from .loop_nest import LoopNest, Values, advance
from .run_time import RunTime, float_at, later_float, table_of
from .schedule import MapSchedule
from .vectors import (
    POINTER,
    broadcast,
    byte_offset,
    first_lanes,
    fold_lanes,
    index,
    lanes_of,
    loop,
    splat,
)
from .work_partition import Partition

MANY = 8
"""Iterations that several threads can divide evenly enough."""

UNROLLED = 16
"""Windows of up to so many elements are unrolled."""

INDEPENDENT_VECTORS = 4
"""Vectors of points that are reduced at once: enough to hide the latency of an addition."""


@dataclass(frozen=True)
class ReduceKernel(Emitter):
    """
    What of a reduction decides its machine code; equal ones share a function. `numbers` of the body are in the `table`
    that the function takes.
    """

    domain: tuple[int, ...]
    window: tuple[int, ...]
    combiner: str
    partials: int
    accumulator: Attribute
    x: tuple[Operand, ...]
    steps: tuple[tuple[int, ...], ...]  # of each of x, along the window
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
        body, floats = KernelBody.apart_from_numbers(op.body)
        table: list[int] = []
        numbers = tuple(later_float(number, table) for number in floats)
        return cls(
            op.shape,
            op.extents,
            op.combiner.data,
            op.partials,
            op.accumulator,
            tuple(x),
            tuple(steps),
            *ins_and_outs(op),
            KernelBody.of(op.element),
            body,
            numbers,
            tuple(table),
        )

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        return (POINTER,) if self.table else ()

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        return [table_of(b, self.table)] if self.table else []

    def emit_loops(self, prologue: Prologue) -> None:
        b = prologue.b
        if 0 not in self.domain:
            numbers = [float_at(b, prologue.arguments, number) for number in self.numbers]
            emission = _Emission(b, prologue.isa, self.operands, self, numbers)
            emission.points(prologue.pointers, prologue.partition)

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
    numbers: Values

    # --- the domain -------------------------------------------------------------------------

    def points(self, pointers: Values, partition: Partition) -> None:
        """A share of the domain: of the first long loop, or else the longest; a window is never divided."""
        kernel = self.kernel
        strides = [operand.strides for operand in kernel.operands]
        plan = MapSchedule.choose(self.isa, kernel.domain, strides)
        if kernel.partials > 1:
            sizes, counts = kernel.domain, kernel.domain
        else:
            sizes, strides = plan.outer, plan.outer_strides
            counts = (*sizes, plan.inner // (INDEPENDENT_VECTORS * self.isa.lanes))
        long = (level for level, count in enumerate(counts) if count >= MANY)
        shared = next(long, max(range(len(counts)), key=lambda level: counts[level], default=-1))
        partitions = [
            partition if level == shared else Partition.WHOLE for level in range(len(counts))
        ]

        def emit(each: Values) -> None:
            if kernel.partials > 1:
                self._in_lanes(each)
            else:
                self._row(plan, partitions[-1], each)

        self.nested(pointers, sizes, strides, partitions, emit)

    # --- one lane: vectors of points --------------------------------------------------------

    def _row(self, plan: MapSchedule, partition: Partition, pointers: Values) -> None:
        """Emits a row of points: wide vectors, then narrower ones, then a part of one."""
        lanes, strides = self.isa.lanes, plan.inner_strides
        smooth = all(stride in (0, 1) for stride in strides[: len(self.kernel.x)])
        wide = INDEPENDENT_VECTORS * lanes if smooth else lanes
        count, rest = divmod(plan.inner, wide)
        behind = self._vectors(pointers, strides, wide, count, partition)
        with partition.at_end(self.b):
            for width in (2 * lanes, lanes) if smooth else ():
                count, rest = divmod(rest, width)
                behind = self._vectors(behind, strides, width, count, Partition.WHOLE)
            if rest:
                self._vector(behind, strides, lanes, rest)

    def _vectors(
        self, pointers: Values, strides: Sequence[int], lanes: int, count: int, partition: Partition
    ) -> Values:
        """A part of `count` vectors of points. Gives the pointers behind all of them."""
        if not count:
            return pointers
        moved = [stride * lanes for stride in strides]
        part = partition.of(self.b, count)
        self.each(pointers, moved, part, lambda at: self._vector(at, strides, lanes, lanes))
        return self.advance(pointers, index(count), moved)

    def _vector(self, pointers: Values, strides: Sequence[int], lanes: int, active: int) -> None:
        """Emits `lanes` points, the first `active` of which exist."""
        b, isa, kernel = self.b, self.isa, self.kernel
        count = len(kernel.x)

        def read(inner: Values, carried: Values) -> Values:
            if kernel.in_bytes:
                (x,) = kernel.x
                made = load_raw(b, inner[0], x.element, strides[0], lanes, active)
            else:
                loaded = self.load(kernel.x, inner, strides[:count], lanes, active)
                (made,) = emit_body(b, isa, kernel.element, lanes, loaded)
            return [self._combine(carried[0], made)]

        (result,) = self._window(0, pointers[:count], [self._begin(lanes)], read)
        self._finish(result, pointers[count:], strides[count:], active)

    # --- more lanes: vectors of the window --------------------------------------------------

    def _in_lanes(self, pointers: Values) -> None:
        """Emits one point; lanes go along the last dimension of its window."""
        b, isa, kernel = self.b, self.isa, self.kernel
        count, last = len(kernel.x), kernel.window[-1]
        width = min(kernel.partials, isa.lanes)
        vectors = kernel.partials // width
        steps = [step[-1] for step in kernel.steps]

        def read(inner: Values, carried: Values, rest: int) -> Values:
            results: Values = []
            for v, before in enumerate(carried):
                active = min(max(rest - v * width, 0), width)
                if not active:
                    results.append(before)
                    continue
                there = [
                    byte_offset(b, pointer, v * width * step * x.size)
                    for pointer, x, step in zip(inner, kernel.x, steps, strict=True)
                ]
                loaded = self.load(kernel.x, there, steps, width, active)
                (made,) = emit_body(b, isa, kernel.element, width, loaded)
                after = self._combine(before, made)
                if active < width:
                    after = b.select(first_lanes(width, active), after, before)
                results.append(after)
            return results

        def row(inner: Values, carried: Values) -> Values:
            whole, rest = divmod(last, kernel.partials)
            moved = [step * kernel.partials for step in steps]

            def iteration(i: ir.Value, now: Values) -> Values:
                return read(self._inside(inner, i, moved), now, kernel.partials)

            carried = loop(b, whole, carried, iteration)
            return (
                read(self._inside(inner, index(whole), moved), carried, rest) if rest else carried
            )

        begin = [self._begin(width)] * vectors
        partial = self._window(0, pointers[:count], begin, row, stop=len(kernel.window) - 1)
        total = fold_lanes(b, partial, self._combine)
        self._finish(total, pointers[count:], [0] * len(pointers[count:]), 1)

    # --- the window -------------------------------------------------------------------------

    def _window(
        self,
        level: int,
        pointers: Values,
        carried: Values,
        emit: Callable[[Values, Values], Values],
        stop: int | None = None,
    ) -> Values:
        """Combines all elements of the window in order, or its rows where it stops before its last dimension."""
        extents = self.kernel.window[: len(self.kernel.window) if stop is None else stop]
        if level == len(extents):
            return emit(pointers, carried)
        steps = [step[level] for step in self.kernel.steps]

        def iteration(i: ir.Value, now: Values) -> Values:
            return self._window(level + 1, self._inside(pointers, i, steps), now, emit, stop)

        if stop is None and prod(extents[level:]) <= UNROLLED:
            for i in range(extents[level]):
                carried = iteration(index(i), carried)
            return carried
        return loop(self.b, extents[level], carried, iteration)

    def _inside(self, pointers: Values, i: ir.Value, steps: Sequence[int]) -> Values:
        """The pointers at position `i` of a dimension of the window."""
        return advance(self.b, self.kernel.x, pointers, i, steps)

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
        b, kernel = self.b, self.kernel
        is_float = isinstance(kernel.accumulator, AnyFloat)
        match kernel.combiner:
            case "sum":
                return b.fadd(left, right) if is_float else b.add(left, right)
            case "product":
                return b.fmul(left, right) if is_float else b.mul(left, right)
            case "and":
                return b.and_(left, right)
            case "or":
                return b.or_(left, right)
            case _:
                sign = "u" if kernel.in_bytes and is_unsigned(kernel.x[0].element) else "s"
                kind = f"{kernel.combiner}imum" if is_float else f"{sign}{kernel.combiner}"
                # Of zeros of both signs any may be the greatest, as in NumPy: half as many instructions on x86-64.
                flags = "nsz" if is_float else ""
                arguments, overload = [left, right], [left.type]
                return call_intrinsic(b, f"llvm.{kind}", left.type, arguments, overload, flags)

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
