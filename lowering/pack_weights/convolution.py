"""Convolutions' filters: [groups][tiles][outer taps][steps of the inner dimension][nr_vectors][lanes][kr]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, f32, i16, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import bits_of, is_unsigned
from ...dialects.inferred import Shape, shape_of, tensor
from ...dialects.kernel import (
    Access,
    AnyConvolutionLayout,
    ConvolutionLayout,
    GroupedLayout,
    Term,
    Window,
    WinogradLayout,
)
from ...dialects.kernel.packed_layout import MATCHED_KR, MATCHED_OFFSETS, first_steps, taps_beside
from ...dialects.properties import integer
from ..codegen.schedule.convolution import ConvolutionSchedule, ConvolutionShape
from ..codegen.schedule.mat_mul import FEWEST_WIDENED, MatMulSchedule
from ..codegen.schedule.merging import dense_strides, merge_loops
from ..codegen.schedule.register_tiles import MatMulShape
from ..codegen.schedule.winograd import reading_cycles
from ..machine import Isa
from .corrections import constant_before, replace_by_packed, subtract_from
from .depthwise import (
    Kind,
    depthwise_candidates,
    depthwise_schedule,
    pack_depthwise,
    packed_element,
)
from .matched import Orders, matched_layout, pack_matched
from .tiles import behind_sums, in_order, units_in_tiles
from .winograd import configuration_of, extreme_sums, pack_winograd, sums_fit, winograd_layouts

if TYPE_CHECKING:
    from ...reference.arrays import Array, Pieces
    from ..tuning_configuration import TuningConfiguration


MOST_GROUP_VECTORS = 4
"""Vectors of a group's units that are one tile: of more, some are left over for a register tile of few positions."""

MOST_SHUFFLES = 8
"""Steps whose input channels are shuffled from one load."""


@dataclass(frozen=True)
class ConvolutionProblem:
    """
    A convolution before its filters are packed: the elements of input and filters, the shape of the input, and
    positions, units of a group, groups, window and whether columns are summed apart.
    """

    kind: Kind
    input: Sequence[int]
    positions: Sequence[int]
    units: int
    groups: int
    window: Window
    column_sums: bool = False

    @classmethod
    def of(cls, op: kernel.ConvolutionOp) -> ConvolutionProblem:
        """The problem that an operation poses."""
        kind = tensor(op.a).element_type, tensor(op.b).element_type
        groups = op.groups.value.data
        return cls(kind, shape_of(op.a), op.shape[1:-1], op.units, groups, op.window(), op.sums > 1)

    @property
    def columns(self) -> int:
        """How many sums of columns there are; 1 of all together."""
        return self.window[0][-1] if self.column_sums else 1

    def shape(self, isa: Isa) -> tuple[ConvolutionShape, int]:
        """What decides the schedule, and how many taps are merged with the channels."""
        (product,) = isa.products([self.kind])
        input, groups = self.input, self.groups
        taps, strides, dilations = self.window
        channels = input[-1] // groups
        batch, *spatial, _ = moves = dense_strides(input)
        loops = [(n, s * d) for n, s, d in zip(taps, spatial, dilations, strict=True)]
        beside = 0 if self.column_sums else taps_beside(loops, channels)
        merged = beside if channels % product.mac.kr else 0
        split = len(taps) - beside
        domain = [input[0], *self.positions, groups * self.units]
        a = [batch, *(move * s for move, s in zip(spatial, strides, strict=True))]
        lines, _ = merge_loops(domain[:-1], list(zip(a, dense_strides(domain)[:-1], strict=True)))
        row = channels * groups * strides[-1] * bits_of(self.kind[0]) // 8
        shape = ConvolutionShape(
            groups,
            (*lines, 1, 1)[: max(2, len(lines))],
            tuple(taps[:split]),
            channels * prod(taps[split:]),
            self.units,
            moves[0],
            row if prod(taps) == 1 else 0,  # of more taps, `_line_between` sees to it
            columns=self.columns,
        )
        return shape, merged

    def grouped(self, isa: Isa) -> GroupedLayout | None:
        """
        How filters are laid out where the units of a group fill some vectors, of f32 maybe short ones, or those of some
        groups fill one: then the input channels of these have to be few enough to be shuffled.
        """
        (product,) = isa.products([self.kind])
        kr, channels = product.mac.kr, self.input[-1] // self.groups
        if self.groups == 1:
            return None
        if isa.shorter and self.units % isa.lanes and set(self.kind) == {f32}:
            isa = isa.shorter if self.units % isa.shorter.lanes == 0 else isa
        if self.units % isa.lanes == 0:
            nr_vectors = self.units // isa.lanes
            fits = nr_vectors <= MOST_GROUP_VECTORS
            fits = fits and nr_vectors * self.columns <= isa.registers // 2
            return GroupedLayout(isa.lanes, kr, nr_vectors, 0, 1) if fits else None
        tile_groups, left = divmod(isa.lanes, self.units)
        steps = -(-channels // kr)
        if left or steps > MOST_SHUFFLES or tile_groups * channels > 2 * isa.lanes * kr:
            return None
        return GroupedLayout(isa.lanes, kr, 1, 0, tile_groups)

    def matched(self, isa: Isa) -> list[TuningConfiguration]:
        """How products of matched weights may be computed, the cheapest first; none where they would not pay."""
        if self.groups > 1 or self.column_sums or not self._can_gather:
            return []
        found = MatMulSchedule.matched_candidates(isa, self._product(isa))
        return [replace(each, mr=(1, *each.mr)) for each in found]

    @property
    def _can_gather(self) -> bool:
        """Whether taps are neighbours."""
        taps, _, dilations = self.window
        return not any(n > 1 < apart for n, apart in zip(taps, dilations, strict=True))

    def _product(self, isa: Isa) -> MatMulShape:
        """The shape of the product of gathered windows."""
        taps, *_ = self.window
        (*outer, rows), depth = self.shape(isa)[0].positions, self.input[-1] * prod(taps)
        rows = max(outer[-1], rows) if prod(taps) == 1 or rows == 1 else rows
        return MatMulShape(rows, self.units, [depth], 1, [self.kind])

    def paired(self, isa: Isa) -> list[TuningConfiguration]:
        """How a fast inner product may be computed, the cheapest first; none where there is none that pays."""
        channels = self.input[-1]
        (product,) = isa.products([self.kind])
        if self.groups > 1 or self.column_sums:
            return []
        if channels < FEWEST_WIDENED or channels % (2 * product.mac.kr):
            return []
        if not self._can_gather:
            return []
        found = MatMulSchedule.paired_candidates(isa, self._product(isa))
        return [replace(each, mr=(1, *each.mr)) for each in found]

    def as_one_group(self, shape: ConvolutionShape, layout: GroupedLayout) -> ConvolutionShape:
        """The shape where tiles have whole groups."""
        groups, units = layout.loops(self.units, self.groups)
        return replace(shape, groups=groups, units=units, shuffles=layout.shuffles(shape.depth))


def pack_convolution(
    op: kernel.ConvolutionOp,
    isa: Isa,
    configuration: TuningConfiguration | None,
    accurate: bool,
) -> None:
    """
    Packs the filters, which are constant; the cost model chooses where nobody did. With `accurate`, sums are those of
    the products themselves.
    """
    from ...reference.arrays import blob_of_pieces

    array = filters_of(op)
    packed = _packed(op, array, isa, configuration, accurate)
    b = constant_before(op, blob_of_pieces(packed.pieces, packed.element, array), op.b.name_hint)
    ins, access = list(op.ins), op.accesses
    if packed.offset:
        _correct_offset(op, array, packed.offset, ins, access)
    results = [tensor(result) for result in op.results]
    new = op.rebuilt([[op.a], [b]], ins, access, op.detach_region(op.body), results)
    new.properties["layout"] = packed.layout.attribute()
    if configuration is not None and isinstance(packed.layout, ConvolutionLayout):
        new.properties["mr"] = DenseArrayBase.from_list(i64, configuration.mr)
    if packed.offset:
        new.properties["offset_a"] = integer(packed.offset)
    replace_by_packed(op, new)


@dataclass(frozen=True)
class _PackedFilters:
    """Filters in the order of a layout, the type of their elements, and what is added to the codes of the input."""

    pieces: Pieces
    element: Attribute
    layout: AnyConvolutionLayout
    offset: int = 0


def _packed(
    op: kernel.ConvolutionOp,
    array: Array,
    isa: Isa,
    configuration: TuningConfiguration | None,
    accurate: bool,
) -> _PackedFilters:
    """The filters as the convolution's algorithm reads them: depthwise, Winograd's, matched weights, or direct."""
    from ...reference.arrays import dtype_of

    groups, element = op.groups.value.data, tensor(op.b).element_type
    if op.is_depthwise:
        layout, offset = depthwise_schedule(op, isa, configuration)
        element = packed_element(layout, element)
        filters = array.astype(dtype_of(element), copy=False)
        pieces = pack_depthwise(filters, layout, groups, op.window())
        return _PackedFilters(pieces, element, layout, offset)
    if (transformed := _transformed(op, isa, configuration, accurate)) is not None:
        pieces = pack_winograd(array, transformed)
        return _PackedFilters(pieces, f32 if element == f32 else i16, transformed)
    if (matched := _matched(op, isa)) is not None:
        layout, orders = matched
        offset = MATCHED_OFFSETS[is_unsigned(tensor(op.a).element_type)]
        shape = layout.shape(op.units, array.shape[1:-1], array.shape[-1], 1)
        pieces = pack_matched(array.reshape(len(array), -1), layout, orders, shape)
        return _PackedFilters(pieces, element, layout, offset)
    layout, offset = convolution_schedule(isa, ConvolutionProblem.of(op), configuration)
    return _PackedFilters(pack_filters(array, layout, groups), element, layout, offset)


def _correct_offset(
    op: kernel.ConvolutionOp,
    filters: Array,
    offset: int,
    ins: list[SSAValue],
    access: list[Access],
) -> None:
    """Lets the body subtract what an offset of the input's codes adds to sums: further `ins`, and their accesses."""
    import numpy as np

    from ...reference.arrays import blob_of

    parts = np.split(filters, op.sums, axis=-2) if op.sums > 1 else [filters]
    rank = len(op.shape)
    for number, part in enumerate(parts):
        sums = offset * part.sum(axis=tuple(range(1, part.ndim)), dtype=np.int32)
        access.insert(len(ins), Access(rank, (Term(rank - 1),)))
        ins.append(constant_before(op, blob_of(sums), None))
        subtract_from(op.body.block, number)


def filters_of(op: kernel.ConvolutionOp) -> Array:
    """The filters, which are constant."""
    from ...reference.arrays import array_of

    filters = nn.constant_of(op.b)
    assert filters is not None
    return array_of(filters)


def convolution_candidates(
    op: kernel.ConvolutionOp, isa: Isa, accurate: bool
) -> list[TuningConfiguration]:
    """All that may be chosen, the cheapest first. They give the same bits, so tiles of Winograd's are of one size."""
    if op.is_depthwise:
        return depthwise_candidates(op, isa)
    if layouts := _winograd_layouts(op, isa, accurate):
        return [configuration_of(layout) for layout in layouts]
    problem = ConvolutionProblem.of(op)
    if _matched(op, isa) is not None:
        return problem.matched(isa)
    if paired := problem.paired(isa):
        return paired
    shape, _ = problem.shape(isa)
    nr_vectors = None
    if (grouped := problem.grouped(isa)) is not None:
        shape, nr_vectors = problem.as_one_group(shape, grouped), grouped.nr_vectors
        isa = isa.with_lanes(grouped.lanes)
    return ConvolutionSchedule.candidates(isa, shape, problem.kind, nr_vectors)


def _winograd_layouts(op: kernel.ConvolutionOp, isa: Isa, accurate: bool) -> list[WinogradLayout]:
    """How filters may be transformed, where that is cheaper than the sums themselves."""
    problem = ConvolutionProblem.of(op)
    of_codes = isinstance(op.accumulator, IntegerType) and op.sums == 1
    is_of_floats = not accurate and set(problem.kind) == {f32}
    if not op.is_of_plain_3x3 or not (of_codes or is_of_floats):
        return []
    shape, _ = problem.shape(isa)
    cycles = ConvolutionSchedule.cycles(isa, shape, problem.kind)
    cycles += reading_cycles(isa, prod(shape_of(op.b)) * bits_of(problem.kind[1]) // 8)
    layouts = winograd_layouts(op, isa, cycles)
    if of_codes and layouts:
        sums = extreme_sums(filters_of(op), problem.kind[0])
        layouts = [each for each in layouts if sums_fit(sums, each)]
    return [layout for layout in layouts if layout.tile == layouts[0].tile]


def _transformed(
    op: kernel.ConvolutionOp, isa: Isa, configuration: TuningConfiguration | None, accurate: bool
) -> WinogradLayout | None:
    """How filters are transformed: as was chosen, or as is cheapest."""
    layouts = _winograd_layouts(op, isa, accurate)
    chosen = (each for each in layouts if configuration_of(each) == configuration)
    return next(chosen, layouts[0] if layouts else None)


def _matched(op: kernel.ConvolutionOp, isa: Isa) -> tuple[ConvolutionLayout, Orders] | None:
    """How filters are matched, where that pays and they can be."""
    problem = ConvolutionProblem.of(op)
    if not (found := problem.matched(isa)):
        return None
    filters, nr_vectors = filters_of(op), found[0].nr_vectors
    merged = len(problem.window[0])
    layout = ConvolutionLayout(isa.lanes, MATCHED_KR, nr_vectors, merged)
    return matched_layout(filters.reshape(len(filters), -1), layout, prod(op.shape[:-1]))


def convolution_schedule(
    isa: Isa, problem: ConvolutionProblem, configuration: TuningConfiguration | None = None
) -> tuple[ConvolutionLayout, int]:
    """
    How filters are laid out for an input of this shape, which lies in memory without gaps if taps are merged;
    and what is added to its codes.
    """
    (product,) = isa.products([problem.kind])
    if (grouped := problem.grouped(isa)) is not None:
        return grouped, product.offset
    if paired := problem.paired(isa):
        nr_vectors = (configuration or paired[0]).nr_vectors
        kr, merged = product.mac.kr, len(problem.window[0])
        return ConvolutionLayout(isa.lanes, kr, nr_vectors, merged, fast_inner_product=1), 0
    shape, merged = problem.shape(isa)
    if configuration is None:
        nr_vectors = ConvolutionSchedule.choose(isa, shape, problem.kind).nr_vectors
    else:
        nr_vectors = configuration.nr_vectors
    return ConvolutionLayout(isa.lanes, product.mac.kr, nr_vectors, merged), product.offset


def pack_filters(filters: Array, layout: ConvolutionLayout, groups: int) -> Pieces:
    """Filters [N, taps…, C] as `ConvolutionLayout` says."""
    from ...reference.arrays import Pieces

    units, *taps, channels = filters.shape
    shape = layout.shape(units // groups, tuple(taps), channels, groups)
    return Pieces(shape, filters.dtype, lambda: _pieces(filters, layout, shape))


def _pieces(filters: Array, layout: ConvolutionLayout, shape: Shape) -> Iterator[Array]:
    """Packed filters, some tiles at a time, of some groups where they have few."""
    from ...reference.arrays import PIECE

    groups, tiles, outer, steps, *tile = shape
    before = first_steps(layout)
    width = layout.nr_vectors * layout.lanes
    split = filters.reshape(groups, -1, outer, filters[0].size // outer).swapaxes(1, 2)
    at_once = max(1, PIECE // max(1, outer * steps * prod(tile) * filters.itemsize))
    groups_at_once = max(1, at_once // max(1, tiles))
    for group in range(0, groups, groups_at_once):
        for first in range(0, tiles, at_once):
            units = slice(first * width, (first + at_once) * width)
            part = split[group : group + groups_at_once, :, units]
            packed = units_in_tiles(part, layout, steps - before)
            ordered = in_order(packed.transpose(0, 2, 1, 5, 3, 4, 6))
            yield behind_sums(ordered, 3) if before else ordered
