"""Packed layouts of weights: in the order in which microkernels stream them (NR units, KR elements of k at once)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from itertools import product
from math import prod
from typing import Self

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i8
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from ..elements import bits_of, is_integer, is_unsigned
from ..inferred import Shape, label
from ..properties import integer

SUM_BYTES = 4
"""Of a sum of products of codes."""

NARROW_BIAS = 8
"""Added to codes of 4 bits in the low halves of bytes, so that they are from 0 on."""

BLOCK, MATCHED_KR, ENTRY_BYTES = 16, 4, 32
"""Codes that are ordered together where they are matched, the KR then, and what a table has for two blocks."""


MATCHED_OFFSETS = {True: 0, False: 128}
"""By whether codes are unsigned, what is added to them so that they are."""


@dataclass(frozen=True)
class Layout:
    """`nr_vectors` vectors of `lanes` units (NR) are streamed at once, each with `kr` elements beside each other."""

    lanes: int
    kr: int
    nr_vectors: int

    @classmethod
    def of(cls, attribute: DictionaryAttr) -> Self:
        """Reads the `layout` property. Raises VerifyException where a number is missing."""
        found = {name: attribute.data.get(name) for name in (field.name for field in fields(cls))}
        numbers = {
            name: number.value.data
            for name, number in found.items()
            if isinstance(number, IntegerAttr)
        }
        needed = [field.name for field in fields(cls) if field.default is MISSING]
        if not numbers.keys() >= set(needed):
            raise VerifyException(
                f"layout {attribute} does not say {', '.join(needed)}; run pack-weights on the unpacked kernel"
            )
        return cls(**numbers)

    def attribute(self) -> DictionaryAttr:
        """The `layout` property: every number that is not the default."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self)}
        said = {f.name: numbers[f.name] for f in fields(self) if numbers[f.name] != f.default}
        return DictionaryAttr({name: integer(number) for name, number in said.items()})


@dataclass(frozen=True)
class PackedLayout(Layout):
    """
    Weights [N, K] in the order in which a kernel streams them: [tiles][ceil(K / kr)][groups][nr_vectors][lanes][kr].

    Tile t, vector v, lane l hold unit n = (t * nr_vectors + v) * lanes + l of every group; what lies past N /
    groups or past K is zero. NR is `nr_vectors * lanes`.

    Codes of 4 `bits`, from -8 to 7, lie two in a byte: 16 times that of vector 2 v + 1 of a group, plus that of vector
    2 v, plus 8 (`NARROW_BIAS`). Weights for a `fast_inner_product` or with `matched_tiles` are as in
    `ConvolutionLayout`.
    """

    bits: int = 8
    fast_inner_product: int = field(default=0, kw_only=True)
    matched_tiles: int = field(default=0, kw_only=True)

    @property
    def codes_per_byte(self) -> int:
        """How many codes a byte holds: 2 for codes of 4 bits, else 1."""
        return 8 // self.bits

    def tile_steps(self, depth: int) -> int:
        """How many steps of k a tile has, with those whose place its first sums take."""
        if self.matched_tiles:
            return Matched(depth).codes // self.kr
        return first_steps(self) + -(-depth // self.kr)

    @property
    def stored_vectors(self) -> int:
        """Vectors of bytes in which a step of a group is stored."""
        return -(-self.nr_vectors // self.codes_per_byte)

    def stored_vector(self, column: int) -> int:
        """The vector of bytes in which vector `column` of a step lies, counted over all groups."""
        group, vector = divmod(column, self.nr_vectors)
        return group * self.stored_vectors + vector // self.codes_per_byte

    def shape(self, columns: int, groups: int, depth: int) -> Shape:
        """The packed shape of [groups * columns, depth] weights."""
        tiles, steps = stored_tiles(self, columns), self.tile_steps(depth)
        if self.matched_tiles:
            steps = chunk_steps(self, depth)
        return (tiles, steps, groups, self.stored_vectors, self.lanes, self.kr)


@dataclass(frozen=True)
class ConvolutionLayout(Layout):
    """
    Filters [N, taps…, C] in the order in which a kernel streams them:
    [groups][tiles][outer taps][ceil(inner / kr)][nr_vectors][lanes][kr].

    The last `merged` tap dimensions lie beside the channels in memory and are summed with them as one inner
    dimension. Tile t, vector v, lane l of a group hold unit n = (t * nr_vectors + v) * lanes + l of it; what lies
    past the last unit or past the inner dimension is zero.

    For a `fast_inner_product` (1, else 0), all taps are merged: windows of the input are gathered. Steps come in pairs,
    and an instruction multiplies sums of codes of one and weights of the other: with a and b of the first step of a
    pair, a' and b' of the second one,

        (a + b') * (a' + b) = a * b + a' * b' + a * a' + b * b'

    The last term, which only weights decide, is summed up here: a tile begins with minus that of each unit, in i32 and
    in the place of as many bytes of steps.

    With `matched_tiles`, all taps are merged, too, and codes are ordered so that the sum of no two neighbours saturates
    (`Matched`). So many tiles have an order in common. They lie behind its table, as one; what is left of whole tiles
    has an order of its own.
    """

    merged: int
    fast_inner_product: int = field(default=0, kw_only=True)
    matched_tiles: int = field(default=0, kw_only=True)

    def loops(self, units: int, groups: int) -> tuple[int, int]:
        """The groups that are tiled apart, and the units of each."""
        return groups, units

    def shape(self, units: int, taps: Shape, channels: int, groups: int) -> Shape:
        """The packed shape of [groups * units, *taps, channels] filters."""
        groups, units = self.loops(units, groups)
        split = len(taps) - self.merged
        inner = channels * prod(taps[split:])
        tiles = stored_tiles(self, units)
        steps = first_steps(self) + -(-inner // self.kr)
        if self.matched_tiles:
            steps = chunk_steps(self, inner)
        return (groups, tiles, prod(taps[:split]), steps, self.nr_vectors, self.lanes, self.kr)


@dataclass(frozen=True)
class GroupedLayout(ConvolutionLayout):
    """
    `ConvolutionLayout` of narrow groups, tiled as one: a tile has all units of `tile_groups` groups. Each lane is
    multiplied by the input channels of its unit's group.
    """

    tile_groups: int

    def loops(self, units: int, groups: int) -> tuple[int, int]:
        return 1, groups * units

    def shuffles(self, channels: int) -> int:
        """How often a row of so many channels of each group is shuffled; 0 where all lanes belong to one group."""
        return -(-channels // self.kr) if self.tile_groups > 1 else 0


def first_steps(layout: PackedLayout | ConvolutionLayout) -> int:
    """Steps of bytes in whose place a tile begins with an i32 for each unit."""
    return SUM_BYTES // layout.kr if layout.fast_inner_product else 0


@dataclass(frozen=True)
class Matched:
    """
    Rows of `depth` codes in blocks, of which the last one may overlap the one before, and one more of zero weights may
    make their number even. Two blocks at a time are matched: code i of the first one is followed by code order[i] of
    the second one. The table of an order has an entry for each two: the order, where both begin in a row (i32), zeros.
    """

    depth: int

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return 2 * -(-self.depth // (2 * BLOCK))

    @property
    def codes(self) -> int:
        """Codes of a row in an order."""
        return self.blocks * BLOCK

    @property
    def table_bytes(self) -> int:
        """Bytes of the table of an order."""
        return self.blocks // 2 * ENTRY_BYTES

    def first(self, block: int) -> int:
        """Where a block begins in a row."""
        return min(block * BLOCK, self.depth - BLOCK)

    def table_steps(self, layout: PackedLayout | ConvolutionLayout) -> int:
        """Steps of weights in whose place a table lies."""
        return -(-self.table_bytes // (layout.lanes * layout.nr_vectors * layout.kr))


def chunk_steps(layout: PackedLayout | ConvolutionLayout, depth: int) -> int:
    """Steps of all tiles that have an order in common, and of its table."""
    matched = Matched(depth)
    return matched.table_steps(layout) + layout.matched_tiles * matched.codes // layout.kr


def stored_tiles(layout: PackedLayout | ConvolutionLayout, units: int) -> int:
    """How many tiles of these units are stored; of those that have an order in common, how many times so many."""
    width = layout.lanes * layout.nr_vectors
    if layout.matched_tiles:
        return -(-(units // width) // layout.matched_tiles) + (units % width > 0)
    return -(-units // width)


Window = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""Taps, strides and dilations of each position."""


@dataclass(frozen=True)
class DepthwiseLayout(Layout):
    """
    Filters [N, taps…, 1] of one input channel each in the order in which a kernel streams them:
    [units][tiles][bundles][taps across][mr][nr_vectors][lanes][kr].

    A kernel computes `mr` outputs at once along position dimension `down`, and slides along `across` (-1:
    there is no other). The input rows that these touch, in order, are bundled by `kr`: place s of bundle q
    holds, for output row r, the tap that reads row q * kr + s for it, and zero where there is none. Vector v,
    lane l of a tile hold the input channel c that is v * lanes + l after its first, whose unit u is n = c * units + u.
    The last tile is whole, too, and overlaps the one before; what a single one has past the last channel is zero.

    Where channels are `in_blocks` (1, else 0), each block of 16 of a tile has four in each of its four vectors, as
    instructions that unpack bytes give them.
    """

    mr: int
    down: int
    across: int
    in_blocks: int = field(default=0, kw_only=True)

    def shape(self, units: int, groups: int, window: Window) -> Shape:
        """The packed shape of [groups * units, *taps, 1] filters."""
        taps, _, _ = window
        tiles = -(-groups // (self.lanes * self.nr_vectors))
        across = 1 if self.across < 0 else taps[self.across]
        bundles = -(-len(self.touched(window)) // self.kr)
        return (units, tiles, bundles, across, self.mr, self.nr_vectors, self.lanes, self.kr)

    def channels(self, groups: int) -> list[int]:
        """The input channels of all tiles, one after the other."""
        width = self.lanes * self.nr_vectors
        last = max(0, groups - width)
        firsts = (min(first, last) for first in range(0, groups, width))
        order = block_order(width) if self.in_blocks else range(width)
        return [first + i for first in firsts for i in order]

    def touched(self, window: Window) -> list[tuple[int, ...]]:
        """
        The input rows of one register tile: the tap of every dimension but `down` and `across` (0 there), then the
        distance from the tile's first row along `down`.
        """
        taps, strides, dilations = window
        around = (
            range(1 if d in (self.down, self.across) else size) for d, size in enumerate(taps)
        )
        stride, dilation = strides[self.down], dilations[self.down]
        reached = {
            row * stride + tap * dilation
            for row in range(self.mr)
            for tap in range(taps[self.down])
        }
        return [(*lead, at) for lead, at in product(product(*around), sorted(reached))]

    def places(self, window: Window) -> dict[tuple[int, Shape], tuple[int, int, int]]:
        """For each output row of a register tile and each tap: its bundle, tap across, and place in the bundle."""
        taps, strides, dilations = window
        index = {row: i for i, row in enumerate(self.touched(window))}
        found = dict[tuple[int, Shape], tuple[int, int, int]]()
        for row, tap in product(range(self.mr), product(*map(range, taps))):
            at = row * strides[self.down] + tap[self.down] * dilations[self.down]
            lead = (0 if d in (self.down, self.across) else t for d, t in enumerate(tap))
            bundle, place = divmod(index[(*lead, at)], self.kr)
            found[row, tap] = (bundle, 0 if self.across < 0 else tap[self.across], place)
        return found


def block_order(width: int) -> list[int]:
    """Of so many channels, in blocks of 16, those of four vectors: four of each block, one vector after the other."""
    vectors = range(0, BLOCK, BLOCK // 4)
    return [first + v + i for v in vectors for first in range(0, width, BLOCK) for i in range(4)]


def check_blocks(op: Operation, layout: DepthwiseLayout) -> None:
    """Raises VerifyException where blocks of channels do not fill four vectors."""
    if layout.in_blocks and not (layout.nr_vectors == layout.kr == 4 and layout.lanes % 4 == 0):
        raise VerifyException(
            f"{label(op)}: channels are in blocks of 16, which four vectors and kr 4 have, not {layout.nr_vectors} of "
            f"{layout.lanes} lanes and kr {layout.kr}; run pack-weights on the unpacked kernel"
        )


def check_bits(op: Operation, layout: PackedLayout | None, bits: Sequence[int] = (8,)) -> None:
    """Raises VerifyException where codes have other bits than an operation reads."""
    if layout is not None and layout.bits not in bits:
        raise VerifyException(
            f"{label(op)}: weights are packed in {layout.bits} bits, not {' or '.join(map(str, bits))}"
        )


def check_pairs(
    op: Operation,
    layout: PackedLayout | ConvolutionLayout | None,
    elements: Sequence[Attribute],
    depth: int,
    is_plain: bool,
) -> None:
    """
    Raises VerifyException where weights are packed for a fast inner product, which multiplies other elements, or is not
    `is_plain`, or whose steps do not come in pairs.
    """
    if layout is None or not layout.fast_inner_product:
        return
    are_codes = all(is_integer(each) and bits_of(each) == 8 for each in elements)
    if not (is_plain and are_codes and layout.kr == 2 and depth % (2 * layout.kr) == 0):
        raise VerifyException(
            f"{label(op)}: weights are packed for a fast inner product; that is for one product of 8-bit codes in one "
            f"group, without an offset, kr 2 and a depth that is a multiple of 4, not kr {layout.kr} and a depth of "
            f"{depth}; run pack-weights on the unpacked kernel"
        )


def check_matched(
    op: Operation,
    layout: PackedLayout | ConvolutionLayout | None,
    elements: Sequence[Attribute],
    depth: int,
    offset: int,
    is_plain: bool,
) -> None:
    """
    Raises VerifyException where weights are packed in orders of matched codes, but other elements are multiplied, codes
    of a do not become u8, or a product is not `is_plain`.
    """
    if layout is None or not layout.matched_tiles:
        return
    a, b = elements
    are_codes = b == i8 and is_integer(a) and bits_of(a) == 8
    are_codes = are_codes and offset == MATCHED_OFFSETS[is_unsigned(a)]
    is_one = layout.kr == MATCHED_KR and not layout.fast_inner_product and layout.matched_tiles > 0
    if not (is_plain and are_codes and is_one and depth >= BLOCK):
        raise VerifyException(
            f"{label(op)}: weights are packed in orders of matched codes; that is for one product of u8, or of i8 "
            f"with an offset of 128, and weights of i8 in one group, with kr {MATCHED_KR} and a depth of at least "
            f"{BLOCK}, not of {a} with an offset of {offset}, kr {layout.kr} and a depth of {depth}; run pack-weights "
            "on the unpacked kernel"
        )


def check_mr(op: Operation, mr: Shape | None, is_packed: bool, rank: int) -> None:
    """Raises VerifyException where a measured MR does not fit the layout of the weights."""
    if mr is not None and (not is_packed or len(mr) != rank or min(mr) < 1):
        wanted = f"{rank} positive number{'s' if rank > 1 else ''}"
        raise VerifyException(
            f"{label(op)}: mr {list(mr)} "
            + (f"is not {wanted}" if is_packed else "of weights that are not packed in tiles")
        )


def taps_beside(taps: Sequence[tuple[int, int]], channels: int, channel: int = 1) -> int:
    """
    How many of the last dimensions of taps, given as counts and strides, lie side by side with the channels, whose
    elements are `channel` apart, so that all are one row.
    """
    depth, found = channels, 0
    for count, stride in reversed(taps):
        if count > 1 and stride != depth * channel:
            break
        depth, found = depth * count, found + 1
    return found
