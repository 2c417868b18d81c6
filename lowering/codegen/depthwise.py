"""
Emits `kernel.convolution` where every filter reads one channel: sums of taps, channel by channel.

A register tile of output rows slides along the columns. Where the multiply-accumulate instruction sums several
elements, it sums those of several input rows: their bytes are interleaved once for each column, and every tap
that reads the column takes the same register.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product as every
from math import prod
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerType

from ...dialects.inferred import Shape
from ...dialects.kernel import Access, ConvolutionOp, DepthwiseLayout, Window
from ..machine import Isa
from . import ir
from .body import KernelBody
from .elements import Operand, decode, ins_and_outs, load_raw, memref
from .emitter import Emitter, Prologue
from .epilogue import Epilogue
from .instructions import emit_mac
from .interleave import interleave
from .loop_nest import advance
from .schedule.depthwise import DepthwiseSchedule, DepthwiseShape, overlap, span
from .vectors import F32, F64, I8, I32, byte_offset, index, laundered, loop, splat, zero
from .work_partition import Partition

FLOATS: dict[str, ir.Type] = {"f32": F32, "f64": F64}
"""What floats are called in kinds of products."""


@dataclass(frozen=True)
class DepthwiseKernel(Emitter):
    """
    What of a depthwise convolution decides its machine code; equal ones share a function.

    `a` moves along [batch, positions…, channel], `b` (if not packed) along [unit of all, taps…], `ins` and
    `outs` along [batch, positions…, unit of all].
    """

    batch: int
    positions: Shape
    channels: int
    units: int
    window: Window
    a: Operand
    b: Operand
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    is_packed: bool
    schedule: DepthwiseSchedule
    body: KernelBody

    @classmethod
    def of(cls, op: ConvolutionOp, isa: Isa) -> DepthwiseKernel:
        """The kernel of an operation on planned memory."""
        packed = op.packed
        assert op.channels == 1 and (packed is None or isinstance(packed, DepthwiseLayout))
        batch, *positions, _ = op.shape
        channels = op.groups.value.data
        a, b = (
            Operand.of(type, Access.identity(type.get_num_dims()))
            for type in (memref(op.a), memref(op.b))
        )
        kind = (a.element, b.element)
        window = op.window()
        shape = DepthwiseShape(tuple(positions), channels, window, kind)
        schedule = DepthwiseSchedule.follow(isa, shape, packed, op.offset)
        return cls(
            batch,
            tuple(positions),
            channels,
            op.units,
            window,
            a,
            b,
            *ins_and_outs(op),
            packed is not None,
            schedule,
            KernelBody.of(op.body),
        )

    def emit_loops(self, prologue: Prologue) -> None:
        _Emission(prologue.b, prologue.isa, self).register_tiles(
            prologue.pointers, prologue.partition
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the function's arguments."""
        return (self.a, self.b, *self.ins, *self.outs)


@dataclass(frozen=True)
class _Dimension:
    """A loop over parts of a dimension: how many, and how far (in elements) each operand moves from one to the next."""

    count: int
    strides: tuple[int, ...]


@dataclass(frozen=True)
class _Extent:
    """A dimension in `whole` parts of `size`, and one of `rest` after them."""

    size: int
    whole: int
    rest: int

    @classmethod
    def of(cls, total: int, size: int) -> _Extent:
        """All of `total`."""
        return cls(size, *divmod(total, size))

    @property
    def count(self) -> int:
        """How many parts there are."""
        return self.whole + (self.rest > 0)

    def each(self, b: ir.IRBuilder, number: ir.Value, emit: Callable[[int], None]) -> None:
        """Emits part `number`, for the sizes that it may have."""
        if not self.whole or not self.rest:
            emit(self.size if self.whole else self.rest)
            return
        is_rest = b.icmp_signed("==", number, index(self.whole))
        with b.if_else(is_rest, is_unlikely=True) as (then, otherwise):
            with then:
                emit(self.rest)
            with otherwise:
                emit(self.size)


class _Emission:
    """One function's worth of emission. Pointers are those of `kernel.operands`."""

    def __init__(self, b: ir.IRBuilder, isa: Isa, kernel: DepthwiseKernel):
        self.b, self.isa, self.kernel = b, isa, kernel
        self.layout, self.product = kernel.schedule.layout, kernel.schedule.product
        self.taps, self.strides, self.dilations = kernel.window
        self.rows = self.layout.touched(kernel.window)
        self.places = self.layout.places(kernel.window)
        self.shape = self.layout.shape(1, 1, kernel.window)
        # A unit after the other: each sees every `units`-th of the output channels.
        self.epilogue = Epilogue(
            kernel.body, *(tuple(map(self._one_unit, each)) for each in (kernel.ins, kernel.outs))
        )

    def _one_unit(self, operand: Operand) -> Operand:
        *others, channel = operand.strides
        return replace(operand, strides=(*others, channel * self.kernel.units))

    # --- loops ------------------------------------------------------------------------------

    def register_tiles(self, pointers: Sequence[ir.Value], partition: Partition) -> None:
        """One loop over all register tiles, wherever they lie, and all tiles of channels."""
        b, layout, kernel = self.b, self.layout, self.kernel
        high, width = layout.mr, layout.lanes * layout.nr_vectors
        down = _Extent.of(kernel.positions[layout.down], high)
        tiles = _Extent.of(kernel.channels, width)
        rows = self._position(layout.down, down.count, high)
        dimensions = [*self._around(), rows, self._tiles(tiles.count, width)]
        first, count = partition.of(b, prod(dimension.count for dimension in dimensions))

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            at, (*_, row, tile) = self._locate(pointers, dimensions, b.add(first, i))
            down.each(b, row, lambda high: tiles.each(b, tile, lambda w: self.slide(at, high, w)))
            return []

        loop(b, count, [], iteration)

    def _around(self) -> list[_Dimension]:
        """The batch, the units of a channel, and positions neither down nor across."""
        kernel = self.kernel
        others = (*kernel.ins, *kernel.outs)
        batch = (kernel.a.strides[0], 0, *(operand.strides[0] for operand in others))
        weights = kernel.b.strides[0]
        units = (0, weights, *(operand.strides[-1] for operand in others))
        directions = (self.layout.down, self.layout.across)
        positions = [
            self._position(d, size, 1)
            for d, size in enumerate(kernel.positions)
            if d not in directions
        ]
        around = [_Dimension(kernel.batch, batch), _Dimension(kernel.units, units), *positions]
        return [dimension for dimension in around if dimension.count != 1]

    def _position(self, d: int, count: int, size: int) -> _Dimension:
        """A loop over parts of `size` along position dimension d."""
        kernel = self.kernel
        others = (operand.strides[d + 1] * size for operand in (*kernel.ins, *kernel.outs))
        return _Dimension(count, (kernel.a.strides[d + 1] * self.strides[d] * size, 0, *others))

    def _tiles(self, count: int, width: int) -> _Dimension:
        """A loop over tiles of so many channels."""
        kernel = self.kernel
        weights = prod(self.layout.shape(1, width, kernel.window))
        if not kernel.is_packed:
            weights = width * kernel.units * kernel.b.strides[0]
        others = (operand.strides[-1] * width for operand in self.epilogue.operands)
        return _Dimension(count, (kernel.a.strides[-1] * width, weights, *others))

    def _locate(
        self, pointers: Sequence[ir.Value], dimensions: Sequence[_Dimension], i: ir.Value
    ) -> tuple[list[ir.Value], list[ir.Value]]:
        """The pointers at number i, and its index in each dimension."""
        b, at, indices = self.b, list(pointers), list[ir.Value]()
        for dimension in reversed(dimensions):
            here, i = b.urem(i, index(dimension.count)), b.udiv(i, index(dimension.count))
            at = advance(b, self.kernel.operands, at, here, dimension.strides)
            indices.insert(0, here)
        return [laundered(b, pointer) for pointer in at], indices

    def slide(self, pointers: Sequence[ir.Value], high: int, width: int) -> None:
        """Loops over the columns of `width` channels: register tiles of several, then one after the other."""
        weights, across, columns = pointers[1], self.layout.across, self.kernel.schedule.columns
        if across < 0:
            _Tile(self, weights, high, 1, width).points(pointers, {})
            return
        count, rest = divmod(self.kernel.positions[across], columns)
        if columns == 1:
            self._slide_points(_Tile(self, weights, high, 1, width), pointers, count)
            return
        behind = self._slide_tiles(_Tile(self, weights, high, columns, width), pointers, count)
        if rest:
            self._slide_points(_Tile(self, weights, high, 1, width), behind, rest)

    def _slide_tiles(self, tile: _Tile, pointers: Sequence[ir.Value], count: int) -> list[ir.Value]:
        """Several columns at once, which load all that they read. The pointers behind them."""
        moves = self._position(self.layout.across, 1, tile.columns).strides

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            tile.points(self._moved(pointers, i, moves), {})
            return []

        loop(self.b, count, [], iteration)
        return advance(self.b, self.kernel.operands, pointers, index(count), moves)

    def _slide_points(self, tile: _Tile, pointers: Sequence[ir.Value], count: int) -> None:
        """Columns one by one; what they share with the next may stay in registers."""
        kernel, across = self.kernel, self.layout.across
        stride = self.strides[across]
        shared = overlap(self.layout, kernel.window) if kernel.schedule.carries else 0
        kept = [c for c in range(shared) if self.is_used(c)]
        first = [value for c in kept for value in tile.column(pointers[0], c)]
        each = len(first) // len(kept) if kept else 0
        moves = self._position(across, 1, 1).strides

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            loaded = {c: carried[n * each : (n + 1) * each] for n, c in enumerate(kept)}
            tile.points(self._moved(pointers, i, moves), loaded)
            return [value for c in kept for value in loaded[c + stride]]

        loop(self.b, count, first, iteration)

    def _moved(
        self, pointers: Sequence[ir.Value], i: ir.Value, moves: Sequence[int]
    ) -> list[ir.Value]:
        found = advance(self.b, self.kernel.operands, pointers, i, moves)
        return [laundered(self.b, pointer) for pointer in found]

    def is_used(self, c: int) -> bool:
        """Whether a tap of this or a following point reads column c of this one."""
        if (across := self.layout.across) < 0:
            return c == 0
        taps, stride, dilation = (numbers[across] for numbers in self.kernel.window)
        read = (tap * dilation for tap in range(taps))
        return any(column <= c and (c - column) % stride == 0 for column in read)


Sums: TypeAlias = "dict[tuple[int, int], ir.Value]"
"""By vector and position: output rows, and in each the columns."""


class _Tile:
    """`high` output rows and some `columns` of `width` channels, whose filters lie at `weights`."""

    def __init__(self, emission: _Emission, weights: ir.Value, high: int, columns: int, width: int):
        self.b, self.isa, self.emission = emission.b, emission.isa, emission
        self.layout, self.product = emission.layout, emission.product
        self.high, self.columns, self.width = high, columns, width
        self.vectors = -(-width // self.layout.lanes)
        self.weights = weights
        # The columns of inputs that each tap across reads, for each column of outputs.
        across = self.layout.across
        taps, stride, dilation = (
            (1, 1, 1) if across < 0 else (n[across] for n in emission.kernel.window)
        )
        self.reads = [
            [column * stride + tap * dilation for column in range(columns)] for tap in range(taps)
        ]
        # Which bundles an output row adds, and which of their rows are there.
        self.used: dict[int, set[int]] = {row: set() for row in range(high)}
        self.present = set[tuple[int, int]]()
        for (row, _), (bundle, _, place) in emission.places.items():
            if row < high:
                self.used[row].add(bundle)
                self.present.add((bundle, place))
        self.bundles = sorted({bundle for bundle, _ in self.present})
        self.gathered = {} if emission.kernel.is_packed else self._gather()

    def points(self, pointers: Sequence[ir.Value], loaded: dict[int, list[ir.Value]]) -> None:
        """The sums and the body at these pointers. Adds to `loaded` the columns that others may want."""
        emission = self.emission
        kernel, schedule = emission.kernel, emission.kernel.schedule
        if kernel.is_packed and schedule.steady_bundles and not loaded:
            sums = self._looped_sums(pointers[0], schedule.steady_bundles)
        elif schedule.carries and self.columns == 1:
            for c in range(span(self.layout, kernel.window)):
                if emission.is_used(c) and c not in loaded:
                    loaded[c] = self.column(pointers[0], c)
            sums = self._sums(lambda bundle, c: self._part(loaded[c], bundle))
        else:
            sums = self._sums(lambda bundle, c: self._load(pointers[0], bundle, c))
        epilogue = emission.epilogue
        nest = [
            (count, epilogue.in_bytes([operand.strides[d + 1] for operand in epilogue.operands]))
            for count, d in ((self.high, self.layout.down), (self.columns, self.layout.across))
        ]
        epilogue.emit(self.b, self.isa, pointers[2:], nest, self.width, sums)

    def column(self, pointer: ir.Value, c: int) -> list[ir.Value]:
        """Column c of every bundle, vector by vector."""
        return [value for bundle in self.bundles for value in self._load(pointer, bundle, c)]

    def _part(self, column: list[ir.Value], bundle: int) -> list[ir.Value]:
        """The vectors of a bundle in a column."""
        first = self.bundles.index(bundle) * self.vectors
        return column[first : first + self.vectors]

    def _load(self, pointer: ir.Value, bundle: int, c: int) -> list[ir.Value]:
        """Column c of a bundle, vector by vector."""
        a, layout = self.emission.kernel.a, self.layout
        step = 0 if layout.across < 0 else a.strides[layout.across + 1]
        rows: list[ir.Value | None] = []
        for place in range(layout.kr):
            if (bundle, place) not in self.present:
                rows.append(None)
                continue
            row = self.emission.rows[bundle * layout.kr + place]
            distance = c * step + self._distance(row)
            rows.append(byte_offset(self.b, pointer, distance * a.size))
        return self._bundle(rows)

    def _distance(self, row: Sequence[int]) -> int:
        """Elements from a register tile's first input row to this one."""
        a, layout, dilations = self.emission.kernel.a, self.layout, self.emission.dilations
        around = [d for d in range(len(dilations)) if d not in (layout.down, layout.across)]
        *lead, at = row
        total = at * a.strides[layout.down + 1]
        for d in around:
            total += lead[d] * dilations[d] * a.strides[d + 1]
        return total

    def _bundle(self, rows: Sequence[ir.Value | None]) -> list[ir.Value]:
        """The elements of these rows as the Mac takes them."""
        b, a, lanes = self.b, self.emission.kernel.a, self.layout.lanes
        stride = a.strides[-1]
        if self.layout.kr > 1:
            # Four rows of several vectors are loaded in whole registers, masked: LLVM splits what is no power
            # of two.
            several = self.layout.kr == 4 and self.vectors > 1
            whole = (4 if several else self.vectors) * lanes
            loaded = [
                zero(ir.VectorType(I8, whole))
                if row is None
                else load_raw(b, row, a.element, stride, whole, self.width)
                for row in rows
            ]
            found = interleave(b, loaded, lanes, self.vectors)
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
        return {key: [value] for key, value in sums.items()}

    def _looped_sums(
        self, pointer: ir.Value, steady: range
    ) -> dict[tuple[int, int], list[ir.Value]]:
        """
        The same in the same order, by a loop. Floats: over taps, whose filters all output rows share. Codes: over the
        bundles that every output row adds; what comes before and behind them is written out.
        """
        a, layout = self.emission.kernel.a, self.layout
        moves = (layout.kr * a.strides[layout.down + 1], prod(self.emission.shape[3:]))
        add = self._add_bundle if layout.kr > 1 else self._add_tap
        sums = self._zeros()

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            sums.update(zip(sums, carried, strict=True))
            both = (a, self.emission.kernel.b)
            here, weights = advance(self.b, both, (pointer, self.weights), i, moves)
            add(sums, steady.start, here, weights)
            return list(sums.values())

        for bundle in self.bundles:
            if bundle == steady.start:
                found = loop(self.b, len(steady), [*sums.values()], iteration)
                sums.update(zip(sums, found, strict=True))
            elif layout.kr > 1 and bundle not in steady:
                add(sums, bundle, pointer, self.weights)
        return {key: [value] for key, value in sums.items()}

    def _add_bundle(self, sums: Sums, bundle: int, pointer: ir.Value, weights: ir.Value) -> None:
        self._add_products(sums, bundle, weights, partial(self._load, pointer, bundle))

    def _add_tap(self, sums: Sums, bundle: int, pointer: ir.Value, weights: ir.Value) -> None:
        """The products of a tap down: each output row reads it a stride further."""
        mac, kind = self.product.mac, self.product.kind
        stride = self.emission.strides[self.layout.down]
        for tap, (c,) in enumerate(self.reads):
            shared = [self._weight(weights, bundle, tap, 0, v) for v in range(self.vectors)]
            for row in range(self.high):
                vectors = self._load(pointer, bundle + row * stride, c)
                for v, (x, y) in enumerate(zip(vectors, shared, strict=True)):
                    sums[v, row] = emit_mac(self.b, mac, sums[v, row], x, y, kind)

    def _zeros(self) -> Sums:
        element = FLOATS.get(self.product.kind[0], I32)
        start = zero(ir.VectorType(element, self.layout.lanes))
        positions = range(self.high * self.columns)
        return dict.fromkeys(every(range(self.vectors), positions), start)

    def _add_products(
        self,
        sums: Sums,
        bundle: int,
        weights: ir.Value,
        load: Callable[[int], list[ir.Value]],
    ) -> None:
        """Of a bundle, whose columns are loaded where they are first read."""
        mac, kind = self.product.mac, self.product.kind
        rows = [row for row in range(self.high) if bundle in self.used[row]]
        load = cache(load)
        for (tap, read), v, row in every(enumerate(self.reads), range(self.vectors), rows):
            y = self._weight(weights, bundle, tap, row, v)
            for column, c in enumerate(read):
                key = v, row * self.columns + column
                sums[key] = emit_mac(self.b, mac, sums[key], load(c)[v], y, kind)

    # --- weights ----------------------------------------------------------------------------

    def _weight(self, weights: ir.Value, bundle: int, tap: int, row: int, v: int) -> ir.Value:
        if self.gathered:
            at = self.emission.rows[bundle]
            return self.gathered[row, at, tap, v]
        y = self.emission.kernel.b
        _, _, _, across, mr, nr_vectors, lanes, kr = self.emission.shape
        whole = lanes * kr
        place = (((bundle * across + tap) * mr + row) * nr_vectors + v) * whole
        raw = load_raw(
            self.b, byte_offset(self.b, weights, place * y.size), y.element, 1, whole, whole
        )
        return self._as_operand(raw, y)

    def _gather(self) -> dict[tuple[int, tuple[int, ...], int, int], ir.Value]:
        """Filters that are not packed, by output row, input row, tap across and vector."""
        kernel, lanes = self.emission.kernel, self.layout.lanes
        y, found = kernel.b, dict[tuple[int, tuple[int, ...], int, int], ir.Value]()
        taken = dict[tuple[tuple[int, ...], int], ir.Value]()
        unit = y.strides[0] * kernel.units
        for ((row, tap), (bundle, across, _)), v in every(
            self.emission.places.items(), range(self.vectors)
        ):
            if row >= self.high:
                continue
            if (tap, v) not in taken:
                steps = zip(tap, y.strides[1:], strict=False)
                offset = sum(t * stride for t, stride in steps) + v * lanes * unit
                place = byte_offset(self.b, self.weights, offset * y.size)
                active = min(lanes, self.width - v * lanes)
                raw = load_raw(self.b, place, y.element, unit, lanes, active)
                taken[tap, v] = self._as_operand(raw, y)
            found[row, self.emission.rows[bundle], across, v] = taken[tap, v]
        return found
