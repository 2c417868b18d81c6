"""How a depthwise convolution goes over its points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Self

from xdsl.ir import Attribute

from ....dialects.inferred import Shape
from ....dialects.kernel import DepthwiseLayout, Window
from ...machine import LEAST_FIRST_LEVEL_BYTES, Isa, Product
from ...tuning_configuration import TuningConfiguration
from .costs import INDEPENDENT_ACCUMULATORS, check_lanes, parts

MOST_NR_VECTORS = 4
"""Vectors of channels that one load of an input row fills once its bytes are bundled by four."""

MOST_MR = 4
"""Output rows of a register tile: more would make code longer without sharing much more."""

BUNDLE_CYCLES = 3.75
"""What loading and interleaving costs for one vector, in multiply-accumulates; of three it costs as much as of four."""

ROW_CYCLES = 8
"""What a row of codes costs however many vectors it has: they are packed together, four at once."""

WAIT_CYCLES = 2
"""What is left of the latency of each product of a sum: those of the next column go on meanwhile."""

FETCH_CYCLES = 4
"""What it costs to bring a vector of filters nearer; a register tile then goes over its columns with them."""

REFETCH_CYCLES = 2
"""The same where filters exceed a quarter of the first-level cache, and come from the second for each column."""

START_CYCLES = 2
"""What a column of a tile costs beside that."""

SUM_CYCLES = 2
"""What the body costs for one vector of sums."""

MOST_UNROLLED = 256
"""Products of one column that are written out; of more, there is a loop."""

MOST_WRITTEN = 1024
"""Products of one column that several output rows may have written out."""

VECTOR_LANE_BYTES = 4
"""A lane of filters has one float, or as many codes as an instruction sums."""

SPARE_REGISTERS = 4
"""What interleaving and the body need beside sums and columns."""

MOST_COLUMNS = 8
"""Columns of outputs at once: more would make code longer without sharing much more."""


@dataclass(frozen=True)
class DepthwiseShape:
    """What of a depthwise convolution its schedule depends on; `kind` are the element types of a and b."""

    positions: Shape
    channels: int
    window: Window
    kind: tuple[Attribute, Attribute]


@dataclass(frozen=True)
class DepthwiseSchedule:
    """
    A register tile is `layout.mr` output rows, as wide as the input, of `layout.nr_vectors` vectors of channels. It
    slides along the `columns`, so many at once; where it `carries`, bundled columns that overlap stay in
    registers. A loop goes over `steady_bundles` of large windows, whose products are not all written out.
    """

    layout: DepthwiseLayout
    product: Product
    carries: bool
    columns: int
    steady_bundles: range

    @classmethod
    def candidates(cls, isa: Isa, shape: DepthwiseShape) -> list[TuningConfiguration]:
        """All that may be chosen for filters that are packed, the cheapest first."""
        (product,) = isa.products([shape.kind])
        layouts = _ranked(isa, shape, product)
        return [TuningConfiguration(layout.nr_vectors, (layout.mr,)) for layout in layouts]

    @classmethod
    def choose(
        cls, isa: Isa, shape: DepthwiseShape, configuration: TuningConfiguration | None = None
    ) -> Self:
        """For filters that may be packed and activations that may be offset; or what was chosen of the candidates."""
        (product,) = isa.products([shape.kind])
        best = cls._of(isa, shape, product)
        if configuration is None:
            return best
        (mr,) = configuration.mr
        layout = replace(best.layout, nr_vectors=configuration.nr_vectors, mr=mr)
        return cls._with(isa, shape, product, layout)

    @classmethod
    def follow(
        cls,
        isa: Isa,
        shape: DepthwiseShape,
        packed: DepthwiseLayout | None,
        offset: int,
    ) -> Self:
        """
        The same where layout and offset are decided. Raises DiagnosticException where they were for another
        instruction set.
        """
        if packed is None:
            (product,) = isa.products([shape.kind], 1, [offset])
            return cls._of(isa, shape, product)
        check_lanes("kernel.convolution: filters", isa, packed.lanes)
        (product,) = isa.products([shape.kind], packed.kr, [offset])
        return cls._with(isa, shape, product, packed)

    @classmethod
    def _of(cls, isa: Isa, shape: DepthwiseShape, product: Product) -> Self:
        return cls._with(isa, shape, product, _ranked(isa, shape, product)[0])

    @classmethod
    def _with(
        cls, isa: Isa, shape: DepthwiseShape, product: Product, layout: DepthwiseLayout
    ) -> Self:
        carries = _registers(layout, shape.window, True) <= isa.registers
        columns = _columns(layout, shape.window, shape.positions, isa)
        return cls(layout, product, carries, columns, _looped(layout, shape.window))


def _ranked(isa: Isa, shape: DepthwiseShape, product: Product) -> list[DepthwiseLayout]:
    """The layouts whose register tiles fit into registers, the cheapest first."""
    positions, window = shape.positions, shape.window
    down, across = _directions(positions, window)
    needed = max(1, -(-shape.channels // isa.lanes))
    mrs = range(1, max(1, min(MOST_MR, positions[down])) + 1)
    options = [
        DepthwiseLayout(isa.lanes, product.mac.kr, nr_vectors, mr, down, across)
        for nr_vectors in range(1, min(MOST_NR_VECTORS, needed) + 1)
        for mr in mrs
    ]
    fitting = [option for option in options if _fits(option, window, isa)]
    return sorted(
        fitting or options[:1], key=lambda option: _cost(option, window, positions, needed, isa)
    )


def _directions(positions: Shape, window: Window) -> tuple[int, int]:
    """
    Along which dimension rows are bundled and along which a register tile slides: the last two that have several
    taps, so that taps are summed in their order.
    """
    taps, _, _ = window
    several = [d for d, count in enumerate(taps) if count > 1]
    if len(several) > 1:
        return several[-2], several[-1]
    rank = len(taps)
    down = several[0] if several else max(0, rank - 2)
    others = [d for d in range(rank) if d != down]
    return down, max(others, key=lambda d: (positions[d] > 1, d), default=-1)


def span(layout: DepthwiseLayout, window: Window) -> int:
    """Columns from the first to the last tap."""
    if layout.across < 0:
        return 1
    taps, _, dilations = (numbers[layout.across] for numbers in window)
    return (taps - 1) * dilations + 1


def overlap(layout: DepthwiseLayout, window: Window) -> int:
    """Columns that a register tile shares with the next."""
    stride = 1 if layout.across < 0 else window[1][layout.across]
    return max(0, span(layout, window) - stride)


def _steady(layout: DepthwiseLayout, window: Window) -> range:
    """
    What a loop can go over: taps, or of codes the bundles of which every output row adds every place. Nothing where
    taps leave gaps, or are of other dimensions.
    """
    taps, strides, dilations = window
    down = layout.down
    others = (count for d, count in enumerate(taps) if d not in (down, layout.across))
    if dilations[down] > 1 or strides[down] > taps[down] or max(others, default=1) > 1:
        return range(0)
    if layout.kr == 1:
        return range(taps[down])
    first = (layout.mr - 1) * strides[down]
    return range(-(-first // layout.kr), taps[down] // layout.kr)


def _looped(layout: DepthwiseLayout, window: Window) -> range:
    """The steady ones, if they are several and products too many to write out."""
    steady = _steady(layout, window)
    is_long = len(steady) > 1 and layout.mr * prod(window[0]) > MOST_UNROLLED
    return steady if is_long else range(0)


def _written(layout: DepthwiseLayout, window: Window) -> int:
    """Products that are written out for a column."""
    across = 1 if layout.across < 0 else window[0][layout.across]
    looped = max(0, len(_looped(layout, window)) - 1) * layout.mr
    return (_used(layout, window) - looped) * across * layout.nr_vectors


def _bundles(layout: DepthwiseLayout, window: Window) -> int:
    return -(-len(layout.touched(window)) // layout.kr)


def _registers(layout: DepthwiseLayout, window: Window, carries: bool) -> int:
    """Vector registers that a register tile wants."""
    carried = _bundles(layout, window) * overlap(layout, window) if carries else 0
    return layout.nr_vectors * (layout.mr + carried + 1) + SPARE_REGISTERS


def _fits(layout: DepthwiseLayout, window: Window, isa: Isa) -> bool:
    is_short = layout.mr == 1 or _written(layout, window) <= MOST_WRITTEN
    return is_short and _registers(layout, window, False) <= isa.registers


def _cost(
    layout: DepthwiseLayout, window: Window, positions: Shape, needed: int, isa: Isa
) -> float:
    """Cycles for a line of outputs and `needed` vectors of channels, about, in multiply-accumulates."""
    high = -(-positions[layout.down] // layout.mr)
    columns = _columns(layout, window, positions, isa)
    return high * sum(
        tiles
        * _line_cycles(replace(layout, nr_vectors=nr_vectors), columns, window, positions, isa)
        for tiles, nr_vectors in parts(needed, layout.nr_vectors)
        if tiles
    )


def _columns(layout: DepthwiseLayout, window: Window, positions: Shape, isa: Isa) -> int:
    """
    How many columns of outputs are computed at once: their sums stay in registers, beside a filter and as many columns
    of inputs. Bundles are made once for each column, and one column may keep what it shares with the next.
    """
    if layout.kr > 1 or layout.across < 0 or _looped(layout, window):
        return 1
    sums, written = layout.mr * layout.nr_vectors, _written(layout, window)
    fitting = min((isa.registers - 1) // (sums + 1), MOST_WRITTEN // written, MOST_COLUMNS)
    most = max(1, min(fitting, positions[layout.across]))
    return min(
        range(1, most + 1),
        key=lambda columns: _line_cycles(layout, columns, window, positions, isa),
    )


def _line_cycles(
    layout: DepthwiseLayout, columns: int, window: Window, positions: Shape, isa: Isa
) -> float:
    """A line of outputs: so many columns at once, and what is left one by one."""
    width = 1 if layout.across < 0 else positions[layout.across]
    count, rest = divmod(width, columns) if columns > 1 else (0, width)
    cycles = rest * _column_cycles(layout, window, positions, isa)
    return cycles + count * _tile_cycles(layout, columns, window, positions) if count else cycles


def _tile_cycles(layout: DepthwiseLayout, columns: int, window: Window, positions: Shape) -> float:
    """Several columns at once: filters and inputs are loaded once."""
    taps, stride, dilation = (numbers[layout.across] for numbers in window)
    read = {column * stride + tap * dilation for column in range(columns) for tap in range(taps)}
    products = _used(layout, window) * taps
    loads = products + _bundles(layout, window) * len(read)
    sums = layout.mr * columns * layout.nr_vectors
    waits = max(0, INDEPENDENT_ACCUMULATORS - sums) * products / layout.mr
    cycles = START_CYCLES + waits + sums * SUM_CYCLES
    cycles += columns * _fetch_cycles(layout, window, positions)
    return cycles + (products * columns + loads) * layout.nr_vectors


def _fetch_cycles(layout: DepthwiseLayout, window: Window, positions: Shape) -> float:
    """The part of a column in fetching the filters."""
    taps, width = (
        (1, 1)
        if layout.across < 0
        else (window[0][layout.across], max(1, positions[layout.across]))
    )
    filters = _bundles(layout, window) * taps * layout.mr * layout.nr_vectors
    near = filters * layout.lanes * VECTOR_LANE_BYTES <= LEAST_FIRST_LEVEL_BYTES // 4
    return filters * (FETCH_CYCLES / width if near else REFETCH_CYCLES)


def _used(layout: DepthwiseLayout, window: Window) -> int:
    """Bundles that output rows add, over all rows of a register tile."""
    return len({(row, place[0]) for (row, _), place in layout.places(window).items()})


def _column_cycles(layout: DepthwiseLayout, window: Window, positions: Shape, isa: Isa) -> float:
    """One column of a register tile, and its part in fetching the filters."""
    taps = 1 if layout.across < 0 else window[0][layout.across]
    stride = 1 if layout.across < 0 else window[1][layout.across]
    carries = _registers(layout, window, True) <= isa.registers
    columns = min(stride, span(layout, window)) if carries else taps
    products = _used(layout, window) * taps
    cycles = START_CYCLES + WAIT_CYCLES * products / layout.mr
    cycles += (products + layout.mr * SUM_CYCLES) * layout.nr_vectors
    cycles += _fetch_cycles(layout, window, positions)
    loads = _bundles(layout, window) * columns
    if layout.kr == 1:
        return cycles + loads * layout.nr_vectors
    if isa.narrow is not None:
        cycles += layout.mr * ROW_CYCLES
    whole = 4 if layout.nr_vectors == 3 and layout.kr == 4 else layout.nr_vectors
    return cycles + loads * whole * BUNDLE_CYCLES
