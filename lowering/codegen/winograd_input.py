"""The first stage of Winograd's algorithm: the input of tiles, transformed (`winograd`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from xdsl.dialects.builtin import i16
from xdsl.ir import Attribute

from ...dialects.kernel import (
    TAPS,
    ConvolutionOp,
    WinogradTransforms,
    integer_winograd_transforms,
    winograd_transforms,
)
from ..machine import Isa, element_name
from . import ir
from .elements import Operand, load_raw, store_raw
from .emitter import Emitter, Prologue
from .instructions import widen
from .loop_nest import Values, moved
from .run_time import (
    Extent,
    Number,
    extent_value,
    later,
    later_unless_zero,
    number_at,
    times,
)
from .schedule.winograd import SUM_BYTES, WinogradSchedule
from .vectors import F32, I16, I64, POINTER, byte_offset, index, laundered, loop, scaled, zero
from .winograd_arithmetic import Arithmetic
from .winograd_tiles import Tiles, each_tile, grid


@dataclass(frozen=True)
class WinogradInput(Emitter):
    """
    What of this stage decides its machine code; equal ones share a function, whose table has the numbers. It takes the
    number of the first tile, how many there are, and the table.

    `a` moves by `strides` along (image, plane, row, column), without planes in images. Its channels are so many vectors
    and a rest. A window reads `taps` planes, 0 where there is one, which lie `tap_strides` apart in `a` and in the
    transformed tiles. These lie `tile_stride` apart, their points `point_stride`. All these distances are bytes.
    """

    a: Operand
    element: Attribute
    tiles: Tiles[Number]
    strides: tuple[Number, ...]
    channels: tuple[Number, int]
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
        """That of the first operand, along (image, plane, row, column, channel)."""
        target = Operand(element, 0, ())
        whole, rest = divmod(op.channels, isa.lanes * SUM_BYTES // target.size)
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
            (later_unless_zero(whole, table), rest),
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
            loaded(self.channels[0]),
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
    whole: Extent
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
        self.arithmetic = Arithmetic(self.b, self.of_codes)

    def tile(
        self, number: ir.Value, place: Sequence[ir.Value], rows: Extent, columns: Extent
    ) -> None:
        """
        Bᵀ d B of one tile; no position needs what lies past the input, which counts as zero. A tile of sizes that only
        the run can tell is copied among zeros first.
        """
        b, a, target = self.b, self.kernel.a, self.kernel.target
        copy = None if isinstance(rows, int) else self._zeros()
        (source, there) = self.pointers
        for at, stride in zip(place, self.strides, strict=True):
            source = byte_offset(b, source, scaled(b, at, stride))
        there = byte_offset(b, there, scaled(b, number, self.tile_stride))

        def vector(pointers: Values, i: ir.Value, active: int) -> None:
            steps = self.lanes * a.strides[-1] * a.size, self.lanes * target.size
            here, to = (laundered(b, each) for each in moved(b, pointers, i, steps))
            if copy is not None:
                self._copy(here, copy, [rows, columns], active)
                bytes = self.lanes * target.size
                places = grid(b, copy, self.size * bytes, bytes, self.size, self.size)
                copied = (
                    [self._load(place) for place in each] for each in zip(*places, strict=True)
                )
                self._transform(copied, to, active)
                return
            assert isinstance(rows, int)
            assert isinstance(columns, int)
            sizes = rows + TAPS - 1, columns + TAPS - 1
            self._transform(self._columns(here, sizes, active), to, active)

        def plane(tap: ir.Value, carried: Values) -> Values:
            pointers = moved(b, [source, there], tap, self.tap_strides)

            def iteration(i: ir.Value, carried: Values) -> Values:
                vector(pointers, i, self.lanes)
                return []

            loop(b, self.whole, [], iteration)
            _, rest = self.kernel.channels
            if rest:
                vector(pointers, extent_value(self.whole), rest)
            return []

        if self.taps == 0:
            plane(index(0), [])
        else:
            loop(b, self.taps, [], plane)

    def _zeros(self) -> ir.Value:
        """A tile of input in memory, all zero."""
        b, vector = self.b, self.vector
        tile = b.alloca(vector, self.size**2)

        def iteration(i: ir.Value, carried: Values) -> Values:
            b.store(zero(vector), b.gep(tile, i, vector))
            return []

        loop(b, self.size**2, [], iteration)
        return tile

    def _load(self, place: ir.Value) -> ir.Value:
        """A vector of a tile in memory."""
        vector = self.vector
        return self.b.load(place, align=self.kernel.target.size, typ=vector)

    def _copy(
        self, source: ir.Value, tile: ir.Value, extents: Sequence[Extent], active: int
    ) -> None:
        """Copies the input of so many rows and columns of positions."""
        b, (*_, down, along) = self.b, self.strides
        rows, columns = (b.add(extent_value(extent), index(TAPS - 1)) for extent in extents)

        def line(row: ir.Value, carried: Values) -> Values:
            begin = byte_offset(b, source, scaled(b, row, down))

            def element(column: ir.Value, carried: Values) -> Values:
                place = b.gep(tile, b.add(scaled(b, row, self.size), column), self.vector)
                here = byte_offset(b, begin, scaled(b, column, along))
                b.store(self._read(here, active), place)
                return []

            loop(b, columns, [], element)
            return []

        loop(b, rows, [], line)

    def _columns(
        self, source: ir.Value, sizes: tuple[int, int], active: int
    ) -> Iterator[list[ir.Value | None]]:
        """The columns of a tile; None is past the input of so many rows and columns."""
        *_, down, along = self.strides
        rows, columns = sizes
        places = grid(self.b, source, down, along, rows, columns)
        for column in range(self.size):
            yield [
                self._read(places[row][column], active) if row < rows and column < columns else None
                for row in range(self.size)
            ]

    def _read(self, place: ir.Value, active: int) -> ir.Value:
        """A vector of channels of the input."""
        a = self.kernel.a
        raw = load_raw(self.b, place, a.element, a.strides[-1], self.lanes, active)
        return widen(self.b, raw, element_name(a.element), I16) if self.of_codes else raw

    def _transform(
        self, columns: Iterable[Sequence[ir.Value | None]], target: ir.Value, active: int
    ) -> None:
        """Transforms a tile column by column, and stores its points."""
        b = self.b
        nothing = zero(self.vector)
        by_column = [self._along_one_dimension(column) for column in columns]
        point, size = self.point_stride, self.size
        for row, places in enumerate(grid(b, target, times(b, point, size), point, size, size)):
            line = self._along_one_dimension([column[row] for column in by_column])
            for place, value in zip(places, line, strict=True):
                stored = nothing if value is None else value
                store_raw(b, place, self.kernel.element, 1, stored, active)

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
