"""A register tile of a depthwise convolution: its sums, tap by tap, and the body at each of its points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import product as every
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import IntegerType

from ...instructions import PRODUCTS_OF_BYTES
from ...machine import element_name
from .. import ir
from ..elements import Operand, decode, load_raw
from ..instructions import emit_mac, widen
from ..interleave import interleave, pairs_of_words
from ..loop_nest import Values, advance
from ..schedule.costs import epilogue_in_loop
from ..schedule.depthwise import span
from ..spilled import Spilled
from ..vectors import F32, F64, I8, I16, I32, byte_offset, index, loop, splat, zero

if TYPE_CHECKING:
    from .depthwise import DepthwiseLoops

VECTORS_OF_ROW, DWORD_BYTES = 4, 4
"""Vectors of channels that a register of codes has, and bytes of what moves across it."""

FLOATS: dict[str, ir.Type] = {"f32": F32, "f64": F64}
"""What floats are called in kinds of products."""


Sums: TypeAlias = "dict[tuple[int, int, int], ir.Value]"
"""
By vector, position (output rows, and in each the columns) and number: where each tap across has a sum of its own, that
of the tap, else 0.
"""


class DepthwiseTile:
    """
    Output rows and some `columns` of a tile of channels, whose filters lie at `weights`. So many channels `behind`
    where inputs are loaded from, its own begin.
    """

    def __init__(
        self, loops: DepthwiseLoops, weights: ir.Value, columns: int, behind: ir.Value | None = None
    ):
        self.b, self.isa, self.loops = loops.b, loops.isa, loops
        self.layout, self.product = loops.layout, loops.product
        kind = self.product.kind
        self.multiplies_words = kind[0] in ("i8", "u8") and 1 < self.layout.kr < PRODUCTS_OF_BYTES
        self.kind = ("i16", kind[1]) if self.multiplies_words else kind
        self.high, self.columns = self.layout.mr, columns
        lanes = self.layout.lanes
        self.width = min(loops.kernel.channels, lanes * self.layout.nr_vectors)
        self.vectors = -(-self.width // lanes)
        self.weights, self.behind = weights, behind
        # The columns of inputs that each tap across reads, for each column of outputs.
        across = self.layout.across
        taps, stride, dilation = (
            (1, 1, 1) if across < 0 else (n[across] for n in loops.kernel.window)
        )
        self.reads = [
            [column * stride + tap * dilation for column in range(columns)] for tap in range(taps)
        ]
        # Which bundles an output row adds, and which of their rows are there.
        self.used: dict[int, set[int]] = {row: set() for row in range(self.high)}
        self.present = set[tuple[int, int]]()
        for (row, _), (bundle, _, place) in loops.places.items():
            self.used[row].add(bundle)
            self.present.add((bundle, place))
        self.bundles = sorted({bundle for bundle, _ in self.present})
        self.gathered = {} if loops.kernel.is_packed else self._gather()

    def points(self, pointers: Sequence[ir.Value], loaded: dict[int, list[ir.Value]]) -> None:
        """The sums and the body at these pointers. Adds to `loaded` the columns that others may want."""
        loops = self.loops
        kernel, schedule = loops.kernel, loops.kernel.schedule
        if kernel.is_packed and schedule.steady_bundles and not loaded:
            sums = self._looped_sums(pointers[0], schedule.steady_bundles)
        elif schedule.carries and self.columns == 1:
            for c in range(span(self.layout, kernel.window)):
                if loops.is_used(c) and c not in loaded:
                    loaded[c] = self.column(pointers[0], c)
            sums = self._sums(lambda bundle, c: self._part(loaded[c], bundle))
        else:
            sums = self._sums(lambda bundle, c: self._load(pointers[0], bundle, c))
        self._emit_epilogue(pointers[2:], sums)

    def _emit_epilogue(
        self, pointers: Sequence[ir.Value], sums: dict[tuple[int, int], list[ir.Value]]
    ) -> None:
        """The body of all sums; a long one in a loop, of two vectors at once if the columns are pairs."""
        b, isa, epilogue, columns = self.b, self.isa, self.loops.epilogue, self.columns
        down, across = (
            epilogue.in_bytes([operand.strides[d + 1] for operand in epilogue.operands])
            for d in (self.layout.down, self.layout.across)
        )
        if not epilogue_in_loop(len(sums), epilogue.body.operations):
            nest = [(self.high, down), (columns, across)]
            epilogue.emit(b, isa, pointers, nest, self.width, sums)
            return
        together = 2 if self.vectors == 1 and columns % 2 == 0 else 1
        nest = [(self.high, down), (columns // together, [together * step for step in across])]
        inner = [(together, across)]
        spilled = Spilled.of(b, sums)
        epilogue.emit_in_loop(b, isa, pointers, nest, self.width, spilled, inner=inner)

    def column(self, pointer: ir.Value, c: int) -> list[ir.Value]:
        """Column c of every bundle, vector by vector."""
        return [value for bundle in self.bundles for value in self._load(pointer, bundle, c)]

    def _part(self, column: list[ir.Value], bundle: int) -> list[ir.Value]:
        """The vectors of a bundle in a column."""
        first = self.bundles.index(bundle) * self.vectors
        return column[first : first + self.vectors]

    def _load(self, pointer: ir.Value, bundle: int, c: int) -> list[ir.Value]:
        """Column c of a bundle, vector by vector."""
        a, layout = self.loops.kernel.a, self.layout
        step = 0 if layout.across < 0 else a.strides[layout.across + 1]
        rows: list[ir.Value | None] = []
        for place in range(layout.kr):
            if (bundle, place) not in self.present:
                rows.append(None)
                continue
            row = self.loops.rows[bundle * layout.kr + place]
            distance = c * step + self._distance(row)
            rows.append(byte_offset(self.b, pointer, distance * a.size))
        return self._bundle(rows)

    def _distance(self, row: Sequence[int]) -> int:
        """Elements from a register tile's first input row to this one."""
        a, layout, dilations = self.loops.kernel.a, self.layout, self.loops.dilations
        around = [d for d in range(len(dilations)) if d not in (layout.down, layout.across)]
        *lead, at = row
        total = at * a.strides[layout.down + 1]
        for d in around:
            total += lead[d] * dilations[d] * a.strides[d + 1]
        return total

    def _bundle(self, rows: Sequence[ir.Value | None]) -> list[ir.Value]:
        """The elements of these rows as the Mac takes them."""
        b, a, lanes = self.b, self.loops.kernel.a, self.layout.lanes
        stride = a.strides[-1]
        if self.multiplies_words:
            return self._words(rows)
        if self.layout.kr > 1:
            nothing = zero(ir.VectorType(I8, self._row_bytes()))
            loaded = [nothing if row is None else self._row(row) for row in rows]
            behind, in_blocks = self._dwords_behind(), bool(self.layout.in_blocks)
            found = interleave(b, self.isa, loaded, lanes, self.vectors, behind, in_blocks)
        else:
            (row,) = rows
            assert row is not None
            found: list[ir.Value] = []
            for v in range(self.vectors):
                place = byte_offset(b, row, v * lanes * stride * a.size)
                active = min(lanes, self.width - v * lanes)
                raw = load_raw(b, place, a.element, stride, lanes, active)
                found.append(self._as_operand(raw, a))
        if not self.product.offset:
            return found
        flip = splat(I8, lanes * self.layout.kr, self.product.offset)
        return [b.xor(value, flip) for value in found]

    def _row_bytes(self) -> int:
        """Four rows of several vectors fill registers: LLVM splits what is no power of two."""
        several = self.layout.kr == 4 and self.vectors > 1
        return (VECTORS_OF_ROW if several else self.vectors) * self.layout.lanes

    def _row(self, row: ir.Value) -> ir.Value:
        """The codes of an input row, and zeros or channels that are not the tile's."""
        b, a, whole = self.b, self.loops.kernel.a, self._row_bytes()
        if self.behind is None:
            return load_raw(b, row, a.element, a.strides[-1], whole, self.width)
        back = b.sub(index(0), self.behind)
        return load_raw(b, byte_offset(b, row, back), a.element, 1, whole, whole)

    def _dwords_behind(self) -> ir.Value | None:
        return None if self.behind is None else self.b.udiv(self.behind, index(DWORD_BYTES))

    def _words(self, rows: Sequence[ir.Value | None]) -> list[ir.Value]:
        """Two rows of bytes, or one and zeros, in turn as words: those of two vectors are loaded at once."""
        b, a, lanes = self.b, self.loops.kernel.a, self.layout.lanes
        element, size = element_name(a.element), a.strides[-1] * a.size
        several = 2 if None not in rows and self.isa.vector == "ymm" else 1
        found: list[ir.Value] = []
        for first in range(0, self.vectors, several):
            count = min(several, self.vectors - first) * lanes
            active = min(count, self.width - first * lanes)
            upper, *others = (
                load_raw(
                    b,
                    byte_offset(b, row, first * lanes * size),
                    a.element,
                    a.strides[-1],
                    count,
                    active,
                )
                for row in rows
                if row is not None
            )
            if not others:
                dwords = widen(b, upper, element, I32)
                found.append(b.bitcast(dwords, ir.VectorType(I16, 2 * lanes)))
            elif self.isa.vector == "ymm":
                found += pairs_of_words(b, upper, others[0], element == "i8")
            else:
                (both,) = interleave(b, self.isa, [upper, *others], lanes, 1)
                found.append(widen(b, both, element, I16))
        return found

    def _as_operand(self, raw: ir.Value, operand: Operand) -> ir.Value:
        """Codes as they are: a Mac widens them itself. Those that are multiplied by floats become floats."""
        is_code = isinstance(operand.element, IntegerType)
        if is_code and self.product.kind[0] not in FLOATS:
            return raw
        value = decode(self.b, self.isa, raw, operand.element)
        if not is_code:
            return value
        return self.b.sitofp(value, ir.VectorType(F32, self.layout.lanes))

    def _sums(
        self, column: Callable[[int, int], list[ir.Value]]
    ) -> dict[tuple[int, int], list[ir.Value]]:
        """The sums by vector and position, of what `column` gives for a bundle and a column."""
        sums = self._zeros()
        for bundle in self.bundles:
            self._add_products(sums, bundle, self.weights, partial(column, bundle))
        return _by_point(sums)

    def _looped_sums(
        self, pointer: ir.Value, steady: range
    ) -> dict[tuple[int, int], list[ir.Value]]:
        """
        The same in the same order, by loops. Floats: over taps, whose filters all output rows share. Codes: over the
        bundles that every output row adds; what comes before and behind them is written out.
        """
        layout = self.layout
        add = self._add_bundle if layout.kr > 1 else self._add_tap
        sums, nest = self._zeros(), self._nest(steady)

        def emit(depth: int, pointers: Sequence[ir.Value], carried: Values) -> Values:
            if depth == len(nest):
                sums.update(zip(sums, carried, strict=True))
                add(sums, steady.start, *pointers)
                return [*sums.values()]
            count, moves = nest[depth]

            def iteration(i: ir.Value, carried: Values) -> Values:
                both = (self.loops.kernel.a, self.loops.kernel.b)
                return emit(depth + 1, advance(self.b, both, pointers, i, moves), carried)

            return loop(self.b, count, carried, iteration)

        for bundle in self.bundles:
            if bundle == steady.start:
                found = emit(0, (pointer, self.weights), [*sums.values()])
                sums.update(zip(sums, found, strict=True))
            elif layout.kr > 1 and bundle not in steady:
                add(sums, bundle, pointer, self.weights)
        return _by_point(sums)

    def _nest(self, steady: range) -> list[tuple[int, tuple[int, int]]]:
        """
        The loops over taps, or over bundles of those down, the outer one first: how many there are, and how far inputs
        and filters move from one to the next.
        """
        strides, layout, dilations = self.loops.kernel.a.strides, self.layout, self.loops.dilations
        weights = prod(self.loops.shape[3:])
        step = layout.kr * dilations[layout.down] * strides[layout.down + 1]
        nest = [(len(steady), (step, weights))]
        weights *= len(steady)
        for d in reversed(range(len(dilations))):
            if d not in (layout.down, layout.across) and (count := self.loops.taps[d]) > 1:
                nest.insert(0, (count, (dilations[d] * strides[d + 1], weights)))
                weights *= count
        return nest

    def _add_bundle(self, sums: Sums, bundle: int, pointer: ir.Value, weights: ir.Value) -> None:
        self._add_products(sums, bundle, weights, partial(self._load, pointer, bundle))

    def _add_tap(self, sums: Sums, bundle: int, pointer: ir.Value, weights: ir.Value) -> None:
        """
        The products of a tap down: each output row reads it a stride further. A column of inputs is loaded once, for
        all that read it.
        """
        mac, kind = self.product.mac, self.kind
        stride = self.loops.strides[self.layout.down]

        @cache
        def filters(tap: int) -> list[ir.Value]:
            return [self._weight(weights, bundle, tap, 0, v) for v in range(self.vectors)]

        users: dict[int, list[tuple[int, int]]] = {}
        for tap, read in enumerate(self.reads):
            for column, c in enumerate(read):
                users.setdefault(c, []).append((tap, column))
        for (c, each), row in every(sorted(users.items()), range(self.high)):
            vectors = self._load(pointer, bundle + row * stride, c)
            for (tap, column), v in every(each, range(self.vectors)):
                key = v, row * self.columns + column, self._number(tap)
                sums[key] = emit_mac(self.b, mac, sums[key], vectors[v], filters(tap)[v], kind)

    def _zeros(self) -> Sums:
        element = FLOATS.get(self.product.kind[0], I32)
        start = zero(ir.VectorType(element, self.layout.lanes))
        positions, numbers = range(self.high * self.columns), range(self.loops.kernel.sums)
        return dict.fromkeys(every(range(self.vectors), positions, numbers), start)

    def _number(self, tap: int) -> int:
        """The number of the sum that a tap across belongs to."""
        return tap if self.loops.kernel.sums > 1 else 0

    def _add_products(
        self,
        sums: Sums,
        bundle: int,
        weights: ir.Value,
        load: Callable[[int], list[ir.Value]],
    ) -> None:
        """Of a bundle, whose columns are loaded where they are first read."""
        mac, kind = self.product.mac, self.kind
        rows = [row for row in range(self.high) if bundle in self.used[row]]
        load = cache(load)
        for (tap, read), v, row in every(enumerate(self.reads), range(self.vectors), rows):
            y = self._weight(weights, bundle, tap, row, v)
            for column, c in enumerate(read):
                key = v, row * self.columns + column, self._number(tap)
                sums[key] = emit_mac(self.b, mac, sums[key], load(c)[v], y, kind)

    # --- weights ----------------------------------------------------------------------------

    def _weight(self, weights: ir.Value, bundle: int, tap: int, row: int, v: int) -> ir.Value:
        if self.gathered:
            at = self.loops.rows[bundle]
            return self.gathered[row, at, tap, v]
        y = self.loops.kernel.b
        _, _, _, across, mr, nr_vectors, lanes, kr = self.loops.shape
        whole = lanes * kr
        place = (((bundle * across + tap) * mr + row) * nr_vectors + v) * whole
        raw = load_raw(
            self.b, byte_offset(self.b, weights, place * y.size), y.element, 1, whole, whole
        )
        return self._as_operand(raw, y)

    def _gather(self) -> dict[tuple[int, tuple[int, ...], int, int], ir.Value]:
        """Filters that are not packed, by output row, input row, tap across and vector."""
        kernel, lanes = self.loops.kernel, self.layout.lanes
        y, found = kernel.b, dict[tuple[int, tuple[int, ...], int, int], ir.Value]()
        taken = dict[tuple[tuple[int, ...], int], ir.Value]()
        unit = y.strides[0] * kernel.units
        for ((row, tap), (bundle, across, _)), v in every(
            self.loops.places.items(), range(self.vectors)
        ):
            if (tap, v) not in taken:
                steps = zip(tap, y.strides[1:], strict=False)
                offset = sum(t * stride for t, stride in steps) + v * lanes * unit
                place = byte_offset(self.b, self.weights, offset * y.size)
                active = min(lanes, self.width - v * lanes)
                raw = load_raw(self.b, place, y.element, unit, lanes, active)
                taken[tap, v] = self._as_operand(raw, y)
            found[row, self.loops.rows[bundle], across, v] = taken[tap, v]
        return found


def _by_point(sums: Sums) -> dict[tuple[int, int], list[ir.Value]]:
    """The sums of each vector and position, in order."""
    found: dict[tuple[int, int], list[ir.Value]] = {}
    for (v, position, _), value in sums.items():
        found.setdefault((v, position), []).append(value)
    return found
