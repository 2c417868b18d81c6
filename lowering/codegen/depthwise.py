"""
Emits `kernel.convolution` where every filter reads one channel: sums of taps, channel by channel.

A register tile of output rows slides along the columns. Where the multiply-accumulate instruction sums several
elements, it sums those of several input rows: their bytes are interleaved once for each column, and every tap
that reads the column takes the same register.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from ...dialects.inferred import Shape
from ...dialects.kernel import Access, ConvolutionOp, DepthwiseLayout, Window
from ..machine import Isa
from . import ir
from .body import KernelBody
from .depthwise_tile import DepthwiseTile
from .elements import Operand, ins_and_outs, memref
from .emitter import Emitter, Prologue
from .epilogue import Epilogue
from .loop_nest import advance
from .schedule.depthwise import DepthwiseSchedule, DepthwiseShape, overlap
from .vectors import index, laundered, loop
from .work_partition import Partition


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
        DepthwiseLoops(prologue.b, prologue.isa, self).register_tiles(
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
            DepthwiseTile(self, weights, high, 1, width).points(pointers, {})
            return
        count, rest = divmod(self.kernel.positions[across], columns)
        if columns == 1:
            self._slide_points(DepthwiseTile(self, weights, high, 1, width), pointers, count)
            return
        behind = self._slide_tiles(
            DepthwiseTile(self, weights, high, columns, width), pointers, count
        )
        if rest:
            self._slide_points(DepthwiseTile(self, weights, high, 1, width), behind, rest)

    def _slide_tiles(
        self, tile: DepthwiseTile, pointers: Sequence[ir.Value], count: int
    ) -> list[ir.Value]:
        """Several columns at once, which load all that they read. The pointers behind them."""
        moves = self._position(self.layout.across, 1, tile.columns).strides

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            tile.points(self._moved(pointers, i, moves), {})
            return []

        loop(self.b, count, [], iteration)
        return advance(self.b, self.kernel.operands, pointers, index(count), moves)

    def _slide_points(self, tile: DepthwiseTile, pointers: Sequence[ir.Value], count: int) -> None:
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
