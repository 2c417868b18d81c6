"""The first stage of Winograd's algorithm: the input of tiles, transformed (`winograd`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from xdsl.dialects.builtin import i16
from xdsl.ir import Attribute

from ....dialects.kernel import (
    TAPS,
    ConvolutionOp,
    WinogradTransforms,
    integer_winograd_transforms,
    winograd_transforms,
)
from ...machine import Isa, element_name
from .. import ir
from ..elements import Operand, load_raw, memory_type, store_raw
from ..emitter import Emitter, Prologue
from ..instructions import widen
from ..loop_nest import Values, moved
from ..run_time import Extent, Number, extent_value, later, later_unless_zero, number_at, times
from ..schedule.winograd import SUM_BYTES, WinogradSchedule
from ..vectors import F32, I1, I16, I64, POINTER, byte_offset, for_each, index, scaled, zero
from .winograd_arithmetic import Arithmetic
from .winograd_passes import in_loops, is_unrolled
from .winograd_tiles import Tiles, each_tile, grid, is_whole


@dataclass(frozen=True)
class WinogradInput(Emitter):
    """
    What of this stage decides its machine code; equal ones share a function, whose table has the numbers. It takes the
    number of the first tile, how many there are, and the table.

    `a` moves by `strides` along (image, plane, row, column), without planes in images. Its channels are so many
    `vectors` of `active` ones, of which the last begins at the channel `last`: it may have some of the one before, too.
    A window reads `taps` planes, 0 where there is one, which lie `tap_strides` apart in `a` and in the transformed
    tiles. These lie `tile_stride` apart, their points `point_stride`. All these distances are bytes.
    """

    a: Operand
    element: Attribute
    tiles: Tiles[Number]
    strides: tuple[Number, ...]
    vectors: Number
    last: Number
    active: int
    taps: Number
    tap_strides: tuple[Number, Number]
    tile_stride: Number
    point_stride: Number

    @classmethod
    def of(
        cls,
        op: ConvolutionOp,
        a: Operand,
        element: Attribute,
        tiles: Tiles[Number],
        isa: Isa,
        schedule: WinogradSchedule,
        table: list[int],
    ) -> Self:
        """The input of the first operand, along (image, plane, row, column, channel)."""
        target = Operand(element, 0, ())
        lanes = isa.lanes * SUM_BYTES // target.size
        active = min(lanes, op.channels)
        _, strides, dilations = op.window()
        image, *planes, row, column, _ = (stride * a.size for stride in a.strides)
        moves = [image, *(plane * strides[0] for plane in planes), row, column]
        taps = op.plane_taps if op.plane_taps > 1 else 0
        steps = (planes[0] * dilations[0], op.channels * target.size) if taps else (0, 0)
        return cls(
            replace(a, strides=a.strides[-1:]),
            element,
            tiles,
            tuple(later_unless_zero(stride, table) for stride in moves),
            later(-(-op.channels // lanes), table),
            later(op.channels - active, table),
            active,
            later_unless_zero(taps, table),
            (later_unless_zero(steps[0], table), later_unless_zero(steps[1], table)),
            later(schedule.row_stride * target.size, table),
            later(schedule.point_stride * target.size, table),
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.a, self.target)

    @property
    def target(self) -> Operand:
        """The transformed tiles."""
        return Operand(self.element, 0, ())

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        return (I64, I64, POINTER)

    @property
    def transforms(self) -> WinogradTransforms:
        """The matrices."""
        of = integer_winograd_transforms if self.element == i16 else winograd_transforms
        return of(self.tiles.tile)

    def emit_loops(self, prologue: Prologue) -> None:
        b, (start, count, table) = prologue.b, prologue.arguments

        def loaded(number: Number) -> Extent:
            return number_at(b, [table], number)

        emission = _Emission(
            b,
            prologue.isa,
            self,
            prologue.pointers,
            [loaded(stride) for stride in self.strides],
            loaded(self.vectors),
            loaded(self.last),
            loaded(self.taps),
            [loaded(stride) for stride in self.tap_strides],
            loaded(self.tile_stride),
            loaded(self.point_stride),
        )
        each_tile(b, self.tiles.each(loaded), start, count, emission.tile)


@dataclass
class _Emission:
    """Pointers are to `a` and to the transformed tiles; numbers are those of the kernel."""

    b: ir.IRBuilder
    isa: Isa
    kernel: WinogradInput
    pointers: Values
    strides: Sequence[Extent]
    vectors: Extent
    last: Extent
    taps: Extent
    tap_strides: Sequence[Extent]
    tile_stride: Extent
    point_stride: Extent

    def __post_init__(self) -> None:
        self.size = self.kernel.tiles.tile + TAPS - 1
        self.of_codes = self.kernel.element == i16
        self.element = I16 if self.of_codes else F32
        self.lanes = self.isa.lanes * SUM_BYTES // self.kernel.target.size
        self.vector = ir.VectorType(self.element, self.lanes)
        self.raw = ir.VectorType(memory_type(self.kernel.a.element), self.lanes)
        self.arithmetic = Arithmetic(self.b, self.of_codes)

    def tile(
        self, number: ir.Value, place: Sequence[ir.Value], rows: Extent, columns: Extent
    ) -> None:
        """Bᵀ d B of one tile; no position needs what lies past the input, which counts as zero."""
        b, a, target = self.b, self.kernel.a, self.kernel.target
        (source, there) = self.pointers
        for at, stride in zip(place, self.strides, strict=True):
            source = byte_offset(b, source, scaled(b, at, stride))
        there = byte_offset(b, there, scaled(b, number, self.tile_stride))
        tile = None if isinstance(rows, int) else _RaggedTile.begin(self, rows, columns)

        def plane(tap: ir.Value) -> None:
            pointers = moved(b, [source, there], tap, self.tap_strides)

            def vector(i: ir.Value) -> None:
                channel = self._first_channel(i)
                steps = a.strides[-1] * a.size, target.size
                here, to = moved(b, pointers, channel, steps)
                if tile is not None:
                    self._transform_whole(tile.input(here), tile.down, tile.along, 1, to)
                    return
                assert isinstance(rows, int)
                assert isinstance(columns, int)
                *_, down, along = self.strides
                sizes = rows + TAPS - 1, columns + TAPS - 1
                if sizes == (self.size, self.size):
                    self._transform_whole(here, down, along, a.strides[-1], to)
                    return
                self._transform(self._columns(here, down, along, a.strides[-1], sizes), to)

            for_each(b, self.vectors, vector, runs=True)

        if self.taps == 0:
            plane(index(0))
        else:
            for_each(b, self.taps, plane)

    def _first_channel(self, vector: ir.Value) -> ir.Value:
        """Where a vector begins: the last one ends where channels end, and shares some with the one before."""
        b, last = self.b, extent_value(self.last)
        channel = scaled(b, vector, self.lanes)
        return b.smin(channel, last)

    def _columns(
        self,
        source: ir.Value,
        down: Extent,
        along: Extent,
        stride: int,
        sizes: tuple[int, int] | None = None,
    ) -> Iterator[list[ir.Value | None]]:
        """The columns of a tile; None is past the input, if that has fewer rows and columns."""
        rows, columns = sizes or (self.size, self.size)
        places = grid(self.b, source, down, along, rows, columns)
        for column in range(self.size):
            yield [
                self._read(places[row][column], stride) if row < rows and column < columns else None
                for row in range(self.size)
            ]

    def _read(self, place: ir.Value, stride: int) -> ir.Value:
        """A vector of channels of the input."""
        a, active = self.kernel.a, self.kernel.active
        raw = load_raw(self.b, place, a.element, stride, self.lanes, active)
        return widen(self.b, raw, element_name(a.element), I16) if self.of_codes else raw

    def _transform_whole(
        self, source: ir.Value, down: Extent, along: Extent, stride: int, target: ir.Value
    ) -> None:
        """Transforms a tile that is not past the input, and stores its points."""
        if is_unrolled(self.isa, self.kernel.tiles.tile, self.of_codes):
            self._transform(self._columns(source, down, along, stride), target)
            return
        b, size, point = self.b, self.size, self.point_stride
        line = times(b, point, size)

        def column(i: ir.Value) -> list[ir.Value]:
            first = byte_offset(b, source, scaled(b, i, along))
            found = [self._read(place, stride) for (place,) in grid(b, first, down, along, size, 1)]
            return self._all_along(found)

        def row(i: ir.Value, values: list[ir.Value]) -> None:
            first = byte_offset(b, target, scaled(b, i, line))
            (places,) = grid(b, first, line, point, 1, size)
            for place, value in zip(places, self._all_along(values), strict=True):
                store_raw(b, self.isa, place, self.kernel.element, 1, value, self.kernel.active)

        in_loops(b, self.vector, (size, size), column, size, row)

    def _all_along(self, values: Sequence[ir.Value]) -> list[ir.Value]:
        """Bᵀ d where all values are there."""
        return [value for value in self._along_one_dimension(values) if value is not None]

    def _transform(self, columns: Iterable[Sequence[ir.Value | None]], target: ir.Value) -> None:
        """Transforms a tile column by column, and stores its points."""
        b = self.b
        nothing = zero(self.vector)
        by_column = [self._along_one_dimension(column) for column in columns]
        point, size = self.point_stride, self.size
        for row, places in enumerate(grid(b, target, times(b, point, size), point, size, size)):
            line = self._along_one_dimension([column[row] for column in by_column])
            for place, value in zip(places, line, strict=True):
                stored = nothing if value is None else value
                store_raw(b, self.isa, place, self.kernel.element, 1, stored, self.kernel.active)

    def _along_one_dimension(self, values: Sequence[ir.Value | None]) -> list[ir.Value | None]:
        """Bᵀ d along one dimension: rows of a pair are the sum and the difference of their halves."""
        transforms, combined = self.kernel.transforms, self.arithmetic.combined
        matrix = transforms.input
        found: list[ir.Value | None] = []
        for row in range(len(matrix)):
            if row - 1 in transforms.pairs:
                continue
            if row not in transforms.pairs:
                found.append(combined(matrix[row], values))
                continue
            both = list(zip(matrix[row], matrix[row + 1], strict=True))
            even = combined([(p + q) / 2 for p, q in both], values)
            odd = combined([(p - q) / 2 for p, q in both], values)
            found += [combined(signs, [even, odd]) for signs in ((1, 1), (1, -1))]
        return found


@dataclass
class _RaggedTile:
    """
    The input of a tile that may have fewer than all rows and columns of positions. If so, or if channels are not side
    by side, it is copied among zeros first, and the code for whole tiles reads the copy.
    """

    emission: _Emission
    sizes: Sequence[Extent]
    is_partial: ir.Value
    copy: ir.Value
    down: ir.Value
    along: ir.Value

    @classmethod
    def begin(cls, emission: _Emission, *sizes: Extent) -> Self:
        """That of so many rows and columns of positions."""
        b, vector, size = emission.b, emission.raw, emission.size
        copy = b.alloca(vector, size**2)
        is_apart = ir.Constant(I1, emission.kernel.a.strides[-1] != 1)
        is_partial = b.or_(is_apart, b.not_(is_whole(b, emission.kernel.tiles.tile, sizes)))

        def clear(i: ir.Value) -> None:
            b.store(zero(vector), b.gep(copy, i, vector))

        with b.if_then(is_partial, is_unlikely=True):
            for_each(b, size**2, clear)
        bytes = emission.kernel.a.size * emission.lanes
        copied = index(size * bytes), index(bytes)
        down, along = (
            b.select(is_partial, step, extent_value(stride))
            for stride, step in zip(emission.strides[-2:], copied, strict=True)
        )
        return cls(emission, sizes, is_partial, copy, down, along)

    def input(self, source: ir.Value) -> ir.Value:
        """Where the input of a vector of channels begins, whose rows and columns lie `down` and `along` apart."""
        b = self.emission.b
        with b.if_then(self.is_partial, is_unlikely=True):
            self._copy(source)
        return b.select(self.is_partial, self.copy, source)

    def _copy(self, source: ir.Value) -> None:
        """Copies the input of so many rows and columns of positions."""
        b, emission = self.emission.b, self.emission
        *_, down, along = emission.strides
        a, active = emission.kernel.a, emission.kernel.active
        rows, columns = (b.add(extent_value(size), index(TAPS - 1)) for size in self.sizes)

        def line(row: ir.Value) -> None:
            begin = byte_offset(b, source, scaled(b, row, down))

            def element(column: ir.Value) -> None:
                place = b.add(scaled(b, row, emission.size), column)
                here = byte_offset(b, begin, scaled(b, column, along))
                raw = load_raw(b, here, a.element, a.strides[-1], emission.lanes, active)
                b.store(raw, b.gep(self.copy, place, emission.raw))

            for_each(b, columns, element, runs=True)

        for_each(b, rows, line, runs=True)
