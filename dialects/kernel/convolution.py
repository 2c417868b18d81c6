"""Convolutions, channels last, over inputs that are padded already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Unpack

from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerType,
    MemRefType,
    UnitAttr,
    f32,
    i16,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    operand_def,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from ..elements import bits_of
from ..inferred import Shape, label
from ..operation import op_definition
from ..properties import INTEGER, INTEGERS, integer, integers
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written, sum_type
from .packed_layout import (
    ConvolutionLayout,
    DepthwiseLayout,
    GroupedLayout,
    check_blocks,
    check_matched,
    check_mr,
    check_pairs,
    taps_beside,
)
from .types import SHAPED, shaped, strides_of
from .winograd import INTERPOLATION_POINTS, TAPS, WinogradLayout

AnyConvolutionLayout = ConvolutionLayout | DepthwiseLayout | WinogradLayout
"""The layouts of filters."""

DISTINGUISHING: dict[str, type[AnyConvolutionLayout]] = {
    "down": DepthwiseLayout,
    "tile_groups": GroupedLayout,
    "tile": WinogradLayout,
}
"""The number that only layouts of this kind have."""


@dataclass(frozen=True)
class ConvolutionWindow:
    """
    What each position of a result takes of the input: a number of each kind for each dimension of positions. `zeros`
    are how many of the first and of the last elements of the input hold zeros only, along each dimension; none if it is
    empty.
    """

    taps: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    zeros: Sequence[tuple[int, int]] = ()


@op_definition
class ConvolutionOp(KernelOp):
    """
    Sums over a window and the channels of a group, and a body on each while it is in registers, the epilogue. It is an
    implicit GEMM: there is no im2col, the microkernel reads windows where they lie.

    `a` is [batch, positions…, C], `b` is [N, taps…, C / groups]. The domain is [batch, p…, N]: at its point
    (i, p…, n) of group g = n / (N / groups) the body gets the sum

        sum_{t…, c} a[i, p * strides + t * dilations…, g * C / groups + c] * b[n, t…, c]

    (exact in i32, or in f32 in order of (t…, c)), followed by one scalar for each of `ins`. Every position lies
    inside of `a`: what surrounds it, `kernel.pad` puts there.

    With `column_sums`, codes are summed apart for each tap of the last dimension, and the body gets as many sums, in
    order. Codes `a` may be multiplied by floats `b`, as floats, where the kernel `is_depthwise`.

    `zeros` says how many of the first and of the last elements of `a`, along each dimension of positions, hold zeros
    only: they need not be multiplied.

    Once packed (`pack-weights`), `b` is laid out for the vector unit as `layout` says. `offset_a` is added to
    the 8-bit codes of a (128 turns i8 into u8 where only u8 x i8 is fast; the body then subtracts the
    weights' sums). `mr` says how many lines and rows of positions are summed at once, where that was measured;
    a depthwise layout has it.

        %y = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
            a(%x : tensor<1x10x10x4xui8>) b(%w : tensor<16x3x3x4xi8>) ins() outs()
            access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x16xi32> {
        ^bb0(%sum: i32):
          kernel.yield %sum : i32
        }
    """

    name = "kernel.convolution"

    a = operand_def(SHAPED)
    b = operand_def(SHAPED)
    groups = prop_def(INTEGER)
    strides = prop_def(INTEGERS)
    dilations = prop_def(INTEGERS)
    taps = prop_def(INTEGERS)
    offset_a = opt_prop_def(INTEGER)
    layout = opt_prop_def(DictionaryAttr)
    mr = opt_prop_def(INTEGERS)
    zeros = opt_prop_def(INTEGERS)
    column_sums = opt_prop_def(UnitAttr)

    assembly_format = (
        "$domain `groups` $groups `taps` $taps `strides` $strides `dilations` $dilations "
        "`a` `(` $a `:` type($a) `)` `b` `(` $b `:` type($b) `)` "
        f"{INS_OUTS_ACCESS} $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        groups: int,
        window: ConvolutionWindow,
        a: SSAValue,
        b: SSAValue,
        epilogue: Epilogue,
        offset_a: int = 0,
        layout: AnyConvolutionLayout | None = None,
        column_sums: bool = False,
        **written: Unpack[Written],
    ):
        zeros = [count for ends in window.zeros for count in ends]
        own = {
            "groups": integer(groups),
            "taps": integers(window.taps),
            "strides": integers(window.strides),
            "dilations": integers(window.dilations),
            "offset_a": integer(offset_a) if offset_a else None,
            "layout": None if layout is None else layout.attribute(),
            "column_sums": UnitAttr() if column_sums else None,
            "zeros": integers(zeros) if any(zeros) else None,
        }
        super().__init__([a, b], domain, epilogue, own, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return ([self.a], [self.b])

    @property
    def accumulator(self) -> Attribute:
        """The type in which products are summed."""
        return sum_type(shaped(self.b).get_element_type())

    @property
    def sums(self) -> int:
        """The number of sums that the body gets: one, or one for each column."""
        return 1 if self.column_sums is None else self.taps.get_values()[-1]

    @property
    def accumulators(self) -> list[Attribute]:
        return [self.accumulator] * self.sums

    @property
    def packed(self) -> AnyConvolutionLayout | None:
        """How b is laid out, once it is packed."""
        if self.layout is None:
            return None
        names = self.layout.data
        found = (kind for name, kind in DISTINGUISHING.items() if name in names)
        return next(found, ConvolutionLayout).of(self.layout)

    @property
    def measured_mr(self) -> Shape | None:
        """Lines and rows of a register tile, where they were measured."""
        return None if self.mr is None else tuple(self.mr.get_values())

    @property
    def offset(self) -> int:
        """What is added to the codes of a."""
        return 0 if self.offset_a is None else self.offset_a.value.data

    @property
    def zeros_around(self) -> Sequence[tuple[int, int]]:
        """How many of the first and of the last elements of `a`, along each dimension of positions, are zeros."""
        if self.zeros is None:
            return [(0, 0)] * len(self.input_sizes)
        zeros = self.zeros.get_values()
        return list(zip(zeros[::2], zeros[1::2], strict=True))

    @property
    def input_sizes(self) -> Shape:
        """The sizes of `a` along the dimensions of positions."""
        return shaped(self.a).get_shape()[1:-1]

    @property
    def units(self) -> int:
        """Output channels of a group."""
        return self.shape[-1] // self.groups.value.data

    @property
    def channels(self) -> int:
        """Input channels of a group."""
        return shaped(self.a).get_shape()[-1] // self.groups.value.data

    @property
    def is_depthwise(self) -> bool:
        """Whether vectors go along the input's channels: each filter reads one, and there are enough of them."""
        if self.layout is not None:
            return isinstance(self.packed, DepthwiseLayout)
        return self.channels == 1 and self.units <= self.groups.value.data

    def window(self) -> tuple[Shape, Shape, Shape]:
        """Taps, strides and dilations of each position."""
        return (
            tuple(self.taps.get_values()),
            tuple(self.strides.get_values()),
            tuple(self.dilations.get_values()),
        )

    def verify_(self) -> None:
        self._check_window()
        self._check_zeros()
        self._check_elements()
        wanted = self._filters()
        if shaped(self.b).get_shape() != wanted:
            raise VerifyException(f"{label(self)}: filters {shaped(self.b)} are not {list(wanted)}")
        check_mr(self, self.measured_mr, isinstance(self.packed, ConvolutionLayout), 2)
        self.check_body()

    def _check_window(self) -> None:
        """Raises VerifyException where the domain does not fit the input, or the window leaves it."""
        domain, groups = self.shape, self.groups.value.data
        a = shaped(self.a)
        sizes = a.get_shape()
        taps, strides, dilations = self.window()
        if not len(domain) - 2 == len(sizes) - 2 == len(taps) == len(strides) == len(dilations) > 0:
            raise VerifyException(
                f"{label(self)}: domain {list(domain)}, input {a}, {len(taps)} taps, {len(strides)} "
                f"strides and {len(dilations)} dilations differ in rank"
            )
        if groups < 1 or domain[-1] % groups or sizes[-1] % groups or domain[0] != sizes[0]:
            raise VerifyException(
                f"{label(self)}: domain {list(domain)} and input {a} do not fit {groups} groups"
            )
        for size, count, tap, stride, dilation in zip(
            sizes[1:-1], domain[1:-1], taps, strides, dilations, strict=True
        ):
            if min(tap, stride, dilation) < 1 or (
                (count - 1) * stride + (tap - 1) * dilation >= size and count
            ):
                raise VerifyException(
                    f"{label(self)}: {count} positions of {tap} taps, stride {stride}, dilation "
                    f"{dilation}, leave an input of {size}; pad it first (kernel.pad)"
                )

    def _check_zeros(self) -> None:
        """Raises VerifyException where `a` has fewer elements than are said to be zeros."""
        if self.zeros is None:
            return
        sizes, zeros = self.input_sizes, list(self.zeros.get_values())
        fits = len(zeros) == 2 * len(sizes) and min(zeros) >= 0
        if not fits or any(sum(n) > size for n, size in zip(self.zeros_around, sizes, strict=True)):
            raise VerifyException(
                f"{label(self)}: zeros {zeros} are not two numbers, of the first and of the last elements, for each of "
                f"the dimensions {list(sizes)}"
            )

    def _check_elements(self) -> None:
        """Raises VerifyException where products of these elements are not summed in the accumulator."""
        a, b = shaped(self.a).get_element_type(), shaped(self.b).get_element_type()
        is_summed = sum_type(a) == self.accumulator
        if not is_summed and not (isinstance(a, IntegerType) and b == f32 and self.is_depthwise):
            raise VerifyException(f"{label(self)}: cannot sum {a} x {b} in {self.accumulator}")
        if self.column_sums is None:
            return
        if not isinstance(self.accumulator, IntegerType):
            raise VerifyException(f"{label(self)}: column_sums are for codes")
        *others, columns = self.taps.get_values()
        if self.is_depthwise and (columns == 1 or max(others, default=1) == 1):
            raise VerifyException(
                f"{label(self)}: filters of one channel have column_sums if they have several taps along the last "
                f"dimension and along another one, not {[*others, columns]}"
            )

    def _filters(self) -> tuple[int, ...]:
        """The shape that filters need. Raises VerifyException where they cannot be packed so."""
        taps, groups = tuple(self.taps.get_values()), self.groups.value.data
        match self.packed:
            case None:
                return (self.shape[-1], *taps, self.channels)
            case DepthwiseLayout() as layout:
                if self.channels != 1:
                    raise VerifyException(
                        f"{label(self)}: filters of {self.channels} channels are packed as depthwise"
                    )
                if layout.mr > max(1, rows := self.shape[1 + layout.down]):
                    raise VerifyException(
                        f"{label(self)}: register tiles of {layout.mr} output rows, of which there are {rows}; "
                        "run pack-weights on the unpacked kernel"
                    )
                if self.column_sums is not None and layout.across != len(taps) - 1:
                    raise VerifyException(
                        f"{label(self)}: filters whose columns have sums of their own are packed across dimension "
                        f"{layout.across}, not {len(taps) - 1}"
                    )
                check_blocks(self, layout)
                return layout.shape(self.units, groups, self.window())
            case WinogradLayout() as layout:
                self._check_winograd(layout)
                return layout.shape(self.units, self.plane_taps * self.channels)
            case ConvolutionLayout() as layout:
                self._check_merged(layout)
                is_plain = groups == 1 and self.column_sums is None
                elements = [shaped(value).get_element_type() for value in (self.a, self.b)]
                depth = self.channels * prod(taps)
                check_matched(self, layout, elements, depth, self.offset, is_plain)
                check_pairs(self, layout, elements, self.channels, is_plain and not self.offset)
                return layout.shape(self.units, taps, self.channels, groups)

    def _check_winograd(self, layout: WinogradLayout) -> None:
        """Raises VerifyException where this convolution cannot be computed in transformed tiles."""
        a, b = (shaped(value).get_element_type() for value in (self.a, self.b))
        is_code = bits_of(a) == 8 and isinstance(a, IntegerType)
        fits = a == b == f32 or (is_code and b == i16 and self.column_sums is None)
        if not self.is_of_plain_3x3 or not fits:
            raise VerifyException(
                f"{label(self)}: filters are packed for Winograd's algorithm; that is for one group of f32, or of "
                f"8-bit codes with filters of i16, and {TAPS} x {TAPS} taps, strides and dilations 1, in planes"
            )
        depths = (1,) if b == f32 else (1, 2)
        if layout.tile not in INTERPOLATION_POINTS or layout.rows < 1 or layout.kr not in depths:
            raise VerifyException(
                f"{label(self)}: layout {layout}; tile is one of {sorted(INTERPOLATION_POINTS)}, rows "
                f"positive, and kr {' or '.join(map(str, depths))}"
            )

    @property
    def is_pointwise(self) -> bool:
        """Whether it has one group of one tap: each position is a product of a row and all filters."""
        return self.groups.value.data == 1 and prod(self.taps.get_values()) == 1

    @property
    def is_of_plain_3x3(self) -> bool:
        """
        Whether it has one group of 3 x 3 taps, each position the neighbour of the one before, in images or in the
        planes of volumes.
        """
        window = taps, *_ = self.window()
        return (
            self.groups.value.data == 1
            and len(taps) in (2, 3)
            and tuple(each[-2:] for each in window) == ((TAPS,) * 2, (1,) * 2, (1,) * 2)
        )

    @property
    def plane_taps(self) -> int:
        """How many planes of a volume a window reads; 1 of an image."""
        return self.taps.get_values()[0] if len(self.taps.get_values()) == 3 else 1

    @property
    def rounds_in_tiles(self) -> bool:
        """Whether its sums are rounded as in Winograd's algorithm, and not in the order of taps."""
        return isinstance(self.packed, WinogradLayout) and self.accumulator == f32

    def _check_merged(self, layout: ConvolutionLayout) -> None:
        """Raises VerifyException where the layout merges taps that lie apart in `a`, unless it gathers all."""
        dimensions = len(self.taps.get_values())
        gathers = layout.fast_inner_product or layout.matched_tiles
        if gathers and layout.merged != dimensions:
            raise VerifyException(
                f"{label(self)}: filters whose windows are gathered merge the taps of {layout.merged} dimensions, "
                f"not of all {dimensions}; run pack-weights on the unpacked kernel"
            )
        if gathers or not isinstance(type := self.a.type, MemRefType):
            return
        if layout.merged > (beside := self.taps_beside()):
            raise VerifyException(
                f"{label(self)}: filters merge the taps of {layout.merged} dimensions; those of {beside} lie "
                f"side by side in {type}"
            )

    def tap_loops(self) -> list[tuple[int, int]]:
        """
        For each spatial dimension the number of taps, and the distance in elements of one from the next in `a`, which
        is a memref.
        """
        taps, _, dilations = self.window()
        _, *spatial, _ = self._strides_of_a()
        return [(n, s * d) for n, s, d in zip(taps, spatial, dilations, strict=True)]

    def taps_beside(self) -> int:
        """The number of last dimensions whose taps lie side by side with the channels in `a`, which is a memref."""
        return taps_beside(self.tap_loops(), self.channels, self._strides_of_a()[-1])

    def _strides_of_a(self) -> tuple[int, ...]:
        type = shaped(self.a)
        assert isinstance(type, MemRefType)
        return strides_of(type)

    @property
    def macs(self) -> int:
        """Multiply-accumulates of one run."""
        taps, _, _ = self.window()
        return prod(self.shape) * prod(taps) * self.channels
