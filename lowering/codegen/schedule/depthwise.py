"""How a depthwise convolution goes over its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Literal, Self

from xdsl.ir import Attribute

from ....dialects.inferred import Shape
from ....dialects.kernel import DepthwiseLayout, Window
from ...instructions import PRODUCTS_OF_BYTES
from ...machine import (
    CACHE_LINE,
    FIRST_LEVEL_BYTES,
    LEAST_FIRST_LEVEL_BYTES,
    Isa,
    ProductInstruction,
)
from ...tuning_configuration import TuningConfiguration
from .costs import MOST_SHAPES, check_lanes

MOST_NR_VECTORS = 4
"""Vectors of channels that one load of an input row fills once its bytes are bundled by four."""

MOST_MR = 4
"""
Output rows of a register tile: more would make code longer without sharing much more. Where rows are not bundled,
there is one, and several columns.
"""

BUNDLE_CYCLES = 3.75
"""What loading and interleaving costs for one vector, in multiply-accumulates; of three it costs as much as of four."""

MOST_VECTORS_OF_WORDS = 2
"""Vectors of channels where bytes become words: a load has those of two, and of more, LLVM spills sums."""

WORDS_CYCLES, LOAD_OF_WORDS_CYCLES = 0.4, 0.6
"""What two rows of bytes cost that become a vector of words, and what loading them for up to two vectors does."""

WAIT_FOR_WORDS_CYCLES = 0.5
"""What is left of the latency of each of their products of a sum."""

MOST_UNROLLED_WORDS = 160
"""Products of all vectors of a column that are written out where bytes become words."""

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

INDEPENDENT_SUMS = 8
"""Sums that keep two pipelined units busy: latency 4 times 2 per cycle."""

LONGER_CODE = 0.05
"""The part of the time that each further vector of channels must save."""

MOST_UNROLLED = 256
"""Products of one column that are written out; of more, there is a loop."""

MOST_WITHOUT_NEST = 64
"""The same for one output row of a volume: a loop in a loop costs more than one alone, which costs nothing."""

MOST_WRITTEN = 1024
"""Products of one column that several output rows may have written out."""

VECTOR_LANE_BYTES = 4
"""A lane of filters has one float, or as many codes as an instruction sums."""

SPARE_REGISTERS = 2
"""What interleaving and the body need beside sums and columns."""

MOST_COLUMNS = 14
"""Columns of outputs at once: more would make code longer without sharing much more."""


Loop = Literal["rows", "columns", "tiles"]
"""Over register tiles: down, across, and along the channels."""


@dataclass(frozen=True)
class DepthwiseShape:
    """
    What of a depthwise convolution its schedule depends on; `kind` are the element types of a and b. With
    `column_sums`, each tap of the last dimension has a sum of its own.
    """

    positions: Shape
    channels: int
    window: Window
    kind: tuple[Attribute, Attribute]
    column_sums: bool = False

    @property
    def sums(self) -> int:
        """How many sums a point has."""
        return self.window[0][-1] if self.column_sums else 1


@dataclass(frozen=True)
class DepthwiseSchedule:
    """
    A register tile is `layout.mr` output rows of some `columns`, and `layout.nr_vectors` vectors of channels. One of a
    single column slides along the line; where it `carries`, bundled columns that overlap stay in registers. A loop
    goes over `steady_bundles`: rows that are not bundled, and bundles of large windows. Around that of a single output
    row are loops over the taps of the other dimensions.
    """

    layout: DepthwiseLayout
    product: ProductInstruction
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
    def _of(cls, isa: Isa, shape: DepthwiseShape, product: ProductInstruction) -> Self:
        return cls._with(isa, shape, product, _ranked(isa, shape, product)[0])

    @classmethod
    def _with(
        cls, isa: Isa, shape: DepthwiseShape, product: ProductInstruction, layout: DepthwiseLayout
    ) -> Self:
        carries = layout.kr > 1 and _registers(layout, shape, True) <= isa.registers
        columns = _columns(layout, shape, isa)
        return cls(layout, product, carries, columns, _looped(layout, shape.window))


@lru_cache(MOST_SHAPES)
def _ranked(
    isa: Isa, shape: DepthwiseShape, product: ProductInstruction
) -> Sequence[DepthwiseLayout]:
    """
    The layouts whose register tiles fit into registers, the cheapest first. Bytes that become words are loaded without
    masks where there are enough.
    """
    positions, window = shape.positions, shape.window
    kr = product.mac.kr
    down, across = _directions(positions, window, kr)
    needed = max(1, -(-shape.channels // isa.lanes))
    most = min(MOST_NR_VECTORS, needed)
    if 1 < kr < PRODUCTS_OF_BYTES:
        most = min(MOST_VECTORS_OF_WORDS, max(1, shape.channels // isa.lanes))
    has_columns = kr == 1 and across >= 0 and positions[across] > 1
    mrs = range(1, max(1, 1 if has_columns else min(MOST_MR, positions[down])) + 1)
    options = [
        DepthwiseLayout(isa.lanes, kr, nr_vectors, mr, down, across)
        for nr_vectors in range(1, most + 1)
        for mr in mrs
    ]
    fitting = [option for option in options if _fits(option, shape, isa)]
    return tuple(
        sorted(fitting or options[:1], key=lambda option: _cost(option, shape, needed, isa))
    )


def _directions(positions: Shape, window: Window, kr: int) -> tuple[int, int]:
    """
    Along which dimension rows are bundled and along which a register tile slides: the last two that have several
    taps, so that taps are summed in their order. If there is only one, its rows are bundled; where they are not, a
    register tile slides along it if taps are few enough to write them out.
    """
    taps, _, _ = window
    several = [d for d, count in enumerate(taps) if count > 1]
    if len(several) > 1:
        return several[-2], several[-1]
    rank = len(taps)
    down = several[0] if several else max(0, rank - 2)
    others = [d for d in range(rank) if d != down]
    across = max(others, key=lambda d: (positions[d] > 1, d), default=-1)
    is_inner = down > across or positions[across] == 1
    if kr == 1 and across >= 0 and is_inner and 1 < taps[down] <= MOST_COLUMNS:
        return across, down
    return down, across


def _across(layout: DepthwiseLayout, window: Window) -> tuple[int, int, int]:
    """Taps, stride and dilation across."""
    if layout.across < 0:
        return 1, 1, 1
    taps, stride, dilation = (numbers[layout.across] for numbers in window)
    return taps, stride, dilation


def span(layout: DepthwiseLayout, window: Window) -> int:
    """Columns from the first to the last tap."""
    taps, _, dilation = _across(layout, window)
    return (taps - 1) * dilation + 1


def overlap(layout: DepthwiseLayout, window: Window) -> int:
    """Columns that a register tile shares with the next."""
    _, stride, _ = _across(layout, window)
    return max(0, span(layout, window) - stride)


def _steady(layout: DepthwiseLayout, window: Window) -> range:
    """
    What a loop can go over: taps, or the bundles of which every output row adds every place. Nothing where
    taps of several output rows, or bundled ones, leave gaps, or are of other dimensions.
    """
    taps, strides, dilations = window
    down = layout.down
    if _has_one_row(layout):
        return range(taps[down])
    if _taps_around(layout, window) > 1:
        return range(0)
    if dilations[down] > 1 or strides[down] > taps[down]:
        return range(0)
    if layout.kr == 1:
        return range(taps[down])
    first = (layout.mr - 1) * strides[down]
    return range(-(-first // layout.kr), taps[down] // layout.kr)


def _has_one_row(layout: DepthwiseLayout) -> bool:
    """Whether a tap down is one row of inputs: then a loop over them costs nothing."""
    return layout.kr == layout.mr == 1


def _looped(layout: DepthwiseLayout, window: Window) -> range:
    """The steady ones, if they are several and products too many to write out, or as fast in a loop."""
    steady, most = _steady(layout, window), MOST_UNROLLED
    if _has_one_row(layout):
        most = MOST_WITHOUT_NEST if _taps_around(layout, window) > 1 else 0
    products = layout.mr * prod(window[0])
    if 1 < layout.kr < PRODUCTS_OF_BYTES:
        products, most = products * layout.nr_vectors, MOST_UNROLLED_WORDS
    is_short = products <= most
    return range(0) if is_short or len(steady) < 2 else steady


def _taps_around(layout: DepthwiseLayout, window: Window) -> int:
    """The taps along dimensions that are neither down nor across."""
    directions = (layout.down, layout.across)
    return prod(count for d, count in enumerate(window[0]) if d not in directions)


def _written(layout: DepthwiseLayout, window: Window) -> int:
    """Products that are written out for a column."""
    taps, _, _ = _across(layout, window)
    looped, used = len(_looped(layout, window)), _used(layout, window)
    if looped:
        used = 1 if _has_one_row(layout) else used - (looped - 1) * layout.mr
    return used * taps * layout.nr_vectors


def _bundles(layout: DepthwiseLayout, window: Window) -> int:
    return -(-len(layout.touched(window)) // layout.kr)


def _registers(layout: DepthwiseLayout, shape: DepthwiseShape, carries: bool) -> int:
    """Vector registers that a register tile wants."""
    window = shape.window
    carried = _bundles(layout, window) * overlap(layout, window) if carries else 0
    return layout.nr_vectors * (layout.mr * shape.sums + carried + 1) + SPARE_REGISTERS


def _fits(layout: DepthwiseLayout, shape: DepthwiseShape, isa: Isa) -> bool:
    is_short = layout.mr == 1 or _written(layout, shape.window) <= MOST_WRITTEN
    return is_short and _registers(layout, shape, False) <= isa.registers


def _cost(layout: DepthwiseLayout, shape: DepthwiseShape, needed: int, isa: Isa) -> float:
    """Cycles for a line of outputs and `needed` vectors of channels, about, in multiply-accumulates."""
    high = -(-shape.positions[layout.down] // layout.mr)
    tiles = -(-needed // layout.nr_vectors)
    columns = _columns(layout, shape, isa)
    cycles = high * tiles * _line_cycles(layout, columns, shape, isa)
    return cycles if layout.kr > 1 else cycles * (1 + LONGER_CODE * layout.nr_vectors)


def _columns(layout: DepthwiseLayout, shape: DepthwiseShape, isa: Isa) -> int:
    """
    How many columns of outputs are computed at once: their sums stay in registers, beside the filters of a row and a
    column of inputs. Bundles are made once for each column, and one column may keep what it shares with the next.
    """
    if layout.kr > 1 or layout.across < 0:
        return 1
    taps, _, _ = _across(layout, shape.window)
    fitting = isa.registers // layout.nr_vectors - 1 - min(taps, isa.registers // 4)
    written = MOST_WRITTEN // _written(layout, shape.window)
    most = min(fitting // shape.sums, written, MOST_COLUMNS, shape.positions[layout.across])
    return min(
        range(1, max(1, most) + 1),
        key=lambda columns: _line_cycles(layout, columns, shape, isa),
    )


def _line_cycles(layout: DepthwiseLayout, columns: int, shape: DepthwiseShape, isa: Isa) -> float:
    """A line of outputs, so many columns at once."""
    width = 1 if layout.across < 0 else shape.positions[layout.across]
    if layout.kr > 1:
        return width * _column_cycles(layout, shape, isa)
    return -(-width // columns) * _tile_cycles(layout, columns, shape)


def _tile_cycles(layout: DepthwiseLayout, columns: int, shape: DepthwiseShape) -> float:
    """Several columns at once: filters and inputs are loaded once."""
    window = shape.window
    taps, stride, dilation = _across(layout, window)
    read = {column * stride + tap * dilation for column in range(columns) for tap in range(taps)}
    products = _used(layout, window) * taps
    loads = products + _bundles(layout, window) * len(read)
    sums = layout.mr * columns * layout.nr_vectors * shape.sums
    waits = max(0, INDEPENDENT_SUMS - sums) * products / layout.mr
    cycles = START_CYCLES + waits + sums * SUM_CYCLES
    cycles += columns * _fetch_cycles(layout, window, shape.positions)
    return cycles + (products * columns + loads) * layout.nr_vectors


def _fetch_cycles(layout: DepthwiseLayout, window: Window, positions: Shape) -> float:
    """The part of a column in fetching the filters."""
    taps, _, _ = _across(layout, window)
    width = 1 if layout.across < 0 else max(1, positions[layout.across])
    filters = _bundles(layout, window) * taps * layout.mr * layout.nr_vectors
    near = filters * layout.lanes * VECTOR_LANE_BYTES <= LEAST_FIRST_LEVEL_BYTES // 4
    return filters * (FETCH_CYCLES / width if near else REFETCH_CYCLES)


def _used(layout: DepthwiseLayout, window: Window) -> int:
    """Bundles that output rows add, over all rows of a register tile."""
    if layout.kr == 1:
        taps, _, _ = _across(layout, window)
        return layout.mr * prod(window[0]) // taps
    return _bundles_added(replace(layout, lanes=1, nr_vectors=1), window)


@lru_cache(MOST_SHAPES)
def _bundles_added(layout: DepthwiseLayout, window: Window) -> int:
    """The same; the size of the vectors, in which most candidates differ, is no matter."""
    return len({(row, place[0]) for (row, _), place in layout.places(window).items()})


def _column_cycles(layout: DepthwiseLayout, shape: DepthwiseShape, isa: Isa) -> float:
    """One column of a register tile whose rows are bundled, and its part in fetching the filters."""
    window = shape.window
    taps, stride, _ = _across(layout, window)
    carries = _registers(layout, shape, True) <= isa.registers
    columns = min(stride, span(layout, window)) if carries else taps
    products = _used(layout, window) * taps
    sums, loads = layout.mr * shape.sums, _bundles(layout, window) * columns
    fetched = _fetch_cycles(layout, window, shape.positions)
    if layout.kr < PRODUCTS_OF_BYTES:
        loaded = -(-layout.nr_vectors // MOST_VECTORS_OF_WORDS) * LOAD_OF_WORDS_CYCLES
        cycles = START_CYCLES + WAIT_FOR_WORDS_CYCLES * products / sums + loads * loaded
        work = products + sums * SUM_CYCLES + loads * WORDS_CYCLES
        return cycles + work * layout.nr_vectors + fetched
    cycles = START_CYCLES + WAIT_CYCLES * products / sums
    cycles += (products + sums * SUM_CYCLES) * layout.nr_vectors
    cycles += fetched
    if isa.narrow is not None:
        cycles += layout.mr * ROW_CYCLES
    whole = 4 if layout.nr_vectors == 3 and layout.kr == 4 else layout.nr_vectors
    return cycles + loads * whole * BUNDLE_CYCLES


def filters_are_far(layout: DepthwiseLayout, filters: int) -> bool:
    """
    Whether the loop over rows is inside of that over tiles of channels: where so many bytes of filters do not stay in
    the first-level cache, and no register tile slides along columns with those of its channels.
    """
    return layout.across < 0 and filters > LEAST_FIRST_LEVEL_BYTES // 2


def loop_order(
    layout: DepthwiseLayout, window: Window, columns: int, strides: tuple[int, int], element: int
) -> tuple[Loop, Loop, Loop]:
    """
    The loops over register tiles, the outer one first. Input rows stay in the first-level cache until the last output
    row that reads them: with all channels and columns if they fit, else with some of the columns, else with some of the
    channels, if these fill cache lines. `strides` are the bytes between rows and between columns of inputs, `element`
    the least that an element has.
    """
    taps, _, dilation = (numbers[layout.down] for numbers in window)
    rows = (taps - 1) * dilation + 1
    by_row, by_column = strides
    _, stride, _ = _across(layout, window)
    width = (columns - 1) * stride + span(layout, window)
    if rows * by_row <= FIRST_LEVEL_BYTES:
        return "rows", "tiles", "columns"
    if rows * width * by_column <= FIRST_LEVEL_BYTES:
        return "columns", "rows", "tiles"
    if layout.lanes * layout.nr_vectors * element >= CACHE_LINE:
        return "tiles", "rows", "columns"
    return "rows", "tiles", "columns"
