"""
Emits `kernel.convolution` where every filter reads one channel: sums of taps, channel by channel.

All register tiles are alike: what does not divide into whole ones is computed twice. Where the multiply-accumulate
instruction sums several elements, it sums those of several input rows: their bytes are interleaved once for each
column, along which the tile slides, and every tap that reads the column takes the same register.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from ....dialects.inferred import Shape
from ....dialects.kernel import Access, ConvolutionOp, DepthwiseLayout, Window
from ...instructions import PRODUCTS_OF_BYTES
from ...machine import Isa
from .. import ir
from ..body import KernelBody
from ..channel_blocks import is_of_channels, stored_in_blocks
from ..elements import Operand, ins_and_outs, memref
from ..emitter import Emitter, Prologue
from ..epilogue import Epilogue
from ..interleave import can_begin_behind
from ..loop_nest import advance
from ..schedule.depthwise import (
    DepthwiseSchedule,
    DepthwiseShape,
    Loop,
    filters_are_far,
    loop_order,
    overlap,
)
from ..vectors import byte_offset, for_each, index, loop, scaled
from ..work_partition import Partition
from .depthwise_tile import DWORD_BYTES, VECTORS_OF_ROW, DepthwiseTile


@dataclass(frozen=True)
class DepthwiseKernel(Emitter):
    """
    What of a depthwise convolution decides its machine code; equal ones share a function.

    `a` moves along [batch, positions…, channel], `b` (if not packed) along [unit of all, taps…], `ins` and `outs` along
    [batch, positions…, unit of all]. Of several `sums`, each tap across has its own.
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
    sums: int
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
        shape = DepthwiseShape(tuple(positions), channels, window, kind, op.sums > 1)
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
            op.sums,
            schedule,
            KernelBody.of(op.body),
        )

    def emit_loops(self, prologue: Prologue) -> None:
        DepthwiseLoops(prologue.b, prologue.isa, self).register_tiles(
            prologue.pointers, prologue.partition
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """In the order of the function's arguments."""
        return (self.a, self.b, *self.ins, *self.outs)


@dataclass(frozen=True)
class _Dimension:
    """
    A loop over `count` parts of a dimension, all of `size`: where that leaves a rest, the last part overlaps the one
    before, and what both compute is the same. `strides` say how far (in elements) each operand moves from one place to
    the next, and `filters` how far packed ones move from one part to the next.
    """

    total: int
    size: int
    strides: tuple[int, ...]
    filters: int = 0

    @property
    def count(self) -> int:
        """How many parts there are."""
        return -(-self.total // self.size)

    def first(self, b: ir.IRBuilder, number: ir.Value) -> ir.Value:
        """Where part `number` begins."""
        begin = scaled(b, number, self.size)
        last = self.total - self.size
        if not self.total % self.size or last <= 0:
            return begin
        return b.smin(begin, index(last))

    def moved(
        self,
        b: ir.IRBuilder,
        operands: Sequence[Operand],
        pointers: Sequence[ir.Value],
        number: ir.Value,
    ) -> list[ir.Value]:
        """The pointers at part `number`."""
        found = advance(b, operands, pointers, self.first(b, number), self.strides)
        if self.filters:
            found[1] = byte_offset(b, found[1], scaled(b, number, self.filters * operands[1].size))
        return found


class DepthwiseLoops:
    """Emits the loops of one function. Pointers are those of `kernel.operands`."""

    def __init__(self, b: ir.IRBuilder, isa: Isa, kernel: DepthwiseKernel):
        self.b, self.isa, self.kernel = b, isa, kernel
        self.layout, self.product = kernel.schedule.layout, kernel.schedule.product
        self.taps, self.strides, self.dilations = kernel.window
        self.rows = self.layout.touched(kernel.window)
        self.places = self.layout.places(kernel.window)
        self.shape = self.layout.shape(1, 1, kernel.window)
        # A unit after the other: each sees every `units`-th of the output channels.
        self.epilogue = Epilogue(
            kernel.body,
            *(tuple(map(self._one_unit, each)) for each in (kernel.ins, kernel.outs)),
            in_blocks=bool(self.layout.in_blocks),
        )

    def _one_unit(self, operand: Operand) -> Operand:
        *others, channel = operand.strides
        return replace(operand, strides=(*others, channel * self.kernel.units))

    # --- loops ------------------------------------------------------------------------------

    def register_tiles(self, pointers: Sequence[ir.Value], partition: Partition) -> None:
        """One loop over all register tiles, wherever they lie, or all lines of those that share columns."""
        b = self.b
        dimensions, tiles = [*self._around(), *self._inner()], self._tiles()
        spare = self.kernel.channels - VECTORS_OF_ROW * self.layout.lanes
        first, count = partition.of(b, prod(dimension.count for dimension in dimensions))

        def iteration(i: ir.Value) -> None:
            at, number = list(pointers), b.add(first, i)
            behind: ir.Value | None = None
            for dimension in reversed(dimensions):
                size = index(dimension.count)
                part = b.urem(number, size)
                at = dimension.moved(b, self.kernel.operands, at, part)
                if dimension == tiles and self._loads_whole_registers():
                    behind = b.smax(index(0), b.sub(dimension.first(b, part), index(spare)))
                number = b.udiv(number, size)
            self._slide(at, behind)

        for_each(b, count, iteration)

    def _loads_whole_registers(self) -> bool:
        """
        Whether rows of a tile's channels, which do not fill the register that they are interleaved in, are loaded with
        those beside them, from as far before as the last channel needs: a mask would take an operation.
        """
        kernel, layout = self.kernel, self.layout
        if layout.kr != PRODUCTS_OF_BYTES or not can_begin_behind(self.isa):
            return False
        is_odd = 2 < layout.nr_vectors < VECTORS_OF_ROW
        whole = VECTORS_OF_ROW * layout.lanes
        plain = kernel.a.strides[-1] == 1 and kernel.channels % DWORD_BYTES == 0
        return is_odd and plain and kernel.channels >= whole

    def _inner(self) -> list[_Dimension]:
        """Rows, tiles of channels and, if there are several in a register tile, columns."""
        kernel, layout, columns = self.kernel, self.layout, self.kernel.schedule.columns
        rows, tiles = self._position(layout.down, layout.mr), self._tiles()
        if columns == 1:
            filters = tiles.count * prod(self.shape) * kernel.b.size if kernel.is_packed else 0
            return [tiles, rows] if filters_are_far(layout, filters) else [rows, tiles]
        loops: dict[Loop, _Dimension] = {
            "rows": rows,
            "tiles": tiles,
            "columns": self._position(layout.across, columns),
        }
        by_row, by_column = (
            abs(kernel.a.strides[d + 1]) * kernel.a.size for d in (layout.down, layout.across)
        )
        element = min(operand.size for operand in (kernel.a, *kernel.outs))
        order = loop_order(layout, kernel.window, columns, (by_row, by_column), element)
        return [loops[loop] for loop in order]

    def _around(self) -> list[_Dimension]:
        """The batch, the units of a channel, and positions neither down nor across."""
        kernel = self.kernel
        others = (*kernel.ins, *kernel.outs)
        batch = (kernel.a.strides[0], 0, *(operand.strides[0] for operand in others))
        weights = kernel.b.strides[0]
        units = (0, weights, *(operand.strides[-1] for operand in others))
        directions = (self.layout.down, self.layout.across)
        positions = [
            self._position(d, 1) for d in range(len(kernel.positions)) if d not in directions
        ]
        around = [_Dimension(kernel.batch, 1, batch), _Dimension(kernel.units, 1, units)]
        return [dimension for dimension in (*around, *positions) if dimension.count != 1]

    def _position(self, d: int, size: int) -> _Dimension:
        """A loop over parts of position dimension d."""
        kernel = self.kernel
        others = (operand.strides[d + 1] for operand in (*kernel.ins, *kernel.outs))
        strides = (kernel.a.strides[d + 1] * self.strides[d], 0, *others)
        return _Dimension(kernel.positions[d], size, strides)

    def _tiles(self) -> _Dimension:
        """A loop over tiles of channels."""
        kernel, width = self.kernel, self.layout.lanes * self.layout.nr_vectors
        filters = prod(self.shape) if kernel.is_packed else 0
        gathered = 0 if kernel.is_packed else kernel.units * kernel.b.strides[0]
        others = (operand.strides[-1] for operand in self.epilogue.operands)
        strides = (kernel.a.strides[-1], gathered, *others)
        return _Dimension(kernel.channels, width, strides, filters)

    def _slide(self, pointers: Sequence[ir.Value], behind: ir.Value | None) -> None:
        """A register tile of several columns, or those of a line one after the other."""
        columns = self.kernel.schedule.columns
        pointers = self._with_blocks(pointers)
        tile = DepthwiseTile(self, pointers[1], columns, behind)
        if self.layout.across < 0 or columns > 1:
            tile.points(pointers, {})
        else:
            self._slide_points(tile, pointers)

    def _with_blocks(self, pointers: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """The pointers, where scalars of channels are in blocks if the sums are."""
        if not self.layout.in_blocks:
            return pointers
        first, last = 2, 2 + len(self.epilogue.ins)
        found = [
            stored_in_blocks(self.b, pointer, operand, self.layout.lanes)
            if is_of_channels(operand)
            else pointer
            for pointer, operand in zip(pointers[first:last], self.epilogue.ins, strict=True)
        ]
        return [*pointers[:first], *found, *pointers[last:]]

    def _slide_points(self, tile: DepthwiseTile, pointers: Sequence[ir.Value]) -> None:
        """Columns one by one; what they share with the next may stay in registers."""
        kernel, across = self.kernel, self.layout.across
        stride = self.strides[across]
        shared = overlap(self.layout, kernel.window) if kernel.schedule.carries else 0
        kept = [c for c in range(shared) if self.is_used(c)]
        first = [value for c in kept for value in tile.column(pointers[0], c)]
        each = len(first) // len(kept) if kept else 0
        part = self._position(across, 1)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            loaded = {c: carried[n * each : (n + 1) * each] for n, c in enumerate(kept)}
            tile.points(part.moved(self.b, kernel.operands, pointers, i), loaded)
            return [value for c in kept for value in loaded[c + stride]]

        loop(self.b, part.count, first, iteration)

    def is_used(self, c: int) -> bool:
        """Whether a tap of this or a following point reads column c of this one."""
        if (across := self.layout.across) < 0:
            return c == 0
        taps, stride, dilation = (numbers[across] for numbers in self.kernel.window)
        read = (tap * dilation for tap in range(taps))
        return any(column <= c and (c - column) % stride == 0 for column in read)
