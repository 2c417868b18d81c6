"""Depthwise convolutions as machine code against their meaning in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.lowering.codegen.schedule.costs import LONGEST_EPILOGUE
from lowstream.lowering.codegen.schedule.depthwise import DepthwiseSchedule, DepthwiseShape
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import ISAS as KNOWN
from lowstream.lowering.machine import Isa, available_isas
from lowstream.lowering.pack_weights.depthwise import pack_depthwise, packed_element
from lowstream.reference.arrays import Array, dtype_of
from lowstream.reference.unpacked_weights import unpacked_depthwise
from lowstream.test.unit.lowering.codegen.judge import check, check_results
from lowstream.test.unit.lowering.codegen.kernels import (
    BYTES,
    FLOATS,
    dense,
    each_isa,
    one_kernel,
    random_array,
    sampled,
    strided,
    ui8,
    widened,
)
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.lowering.codegen.products import ProductCase
from lowstream.test.unit.pairwise import each_pair

CODES_BY_FLOATS = [(ui8, f32), (i8, f32)]
"""Kinds whose codes become floats in registers."""

UNPACKING = [isa for isa in available_isas() if isa.macs[0].kr == 4 and isa.vector]
"""Instruction sets that unpack rows of bytes for their products."""

KINDS = [*BYTES, FLOATS[0], *CODES_BY_FLOATS]
"""Those that are tried with any window."""


@dataclass(frozen=True)
class Case(ProductCase):
    """A convolution's sizes, dimension by dimension of its positions."""

    batch: int = 1
    positions: tuple[int, ...] = (3, 4)
    channels: int = 16
    units: int = 1
    taps: tuple[int, ...] = (3, 3)
    strides: tuple[int, ...] = (1, 1)
    dilations: tuple[int, ...] = (1, 1)
    kind: tuple[Any, Any] = (ui8, i8)
    packed: bool = True
    steps: int = 1
    column_sums: bool = False
    in_blocks: bool = False

    @property
    def window(self) -> kernel.Window:
        return (self.taps, self.strides, self.dilations)

    def schedule(self, isa: Isa) -> DepthwiseSchedule:
        shape = DepthwiseShape(
            self.positions, self.channels, self.window, self.kind, self.column_sums
        )
        schedule = DepthwiseSchedule.choose(isa, shape)
        return replace(schedule, layout=replace(schedule.layout, in_blocks=int(self.in_blocks)))

    @property
    def a(self) -> Any:
        """The input that is just large enough."""
        sizes = [
            (count - 1) * stride + (tap - 1) * dilation + 1
            for count, tap, stride, dilation in zip(
                self.positions, self.taps, self.strides, self.dilations, strict=True
            )
        ]
        return dense(self.kind[0], self.batch, *sizes, self.channels)

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """
        A convolution that yields `sums * scale + residual`, step after step, and as codes where channels are in blocks,
        and the sums as they are; of columns, what their numbers times their sums add up to.
        """
        total = self.channels * self.units
        domain = [self.batch, *self.positions, total]
        schedule = self.schedule(isa)
        shape = (total, *self.taps, 1)
        if self.packed:
            shape = schedule.layout.shape(self.units, self.channels, self.window)
        rank = len(domain)
        accumulator = i32 if str(self.kind[1]) in ("i8", "ui8") else body_type(self.kind[1])

        sums = self.taps[-1] if self.column_sums else 1

        def body(*args: Scalar) -> list[Scalar]:
            found, *more, scale, residual = args
            for number, each in enumerate(more, 2):
                found += each * number
            value = widened(found) if accumulator == i32 else found
            if value.type != f32:
                return [residual, found]
            for _ in range(self.steps):
                value = value.fma(scale, residual)
            if self.in_blocks:
                value = value.clamp(0, 255).round_even().convert(f32, i32)
            return [value, found]

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            return kernel.ConvolutionOp(
                domain,
                self.channels,
                kernel.ConvolutionWindow(self.taps, self.strides, self.dilations),
                ins[0],
                ins[1],
                kernel.Epilogue(
                    ins[2:],
                    [Access(rank, (Term(rank - 1),)), *[Access.identity(rank)] * 3],
                    build_body([*[accumulator] * sums, f32, f32], body),
                ),
                outs=outs,
                offset_a=schedule.product.offset if self.packed else 0,
                layout=schedule.layout if self.packed else None,
                column_sums=self.column_sums,
            )

        element = self.kind[1]
        if self.packed:
            element = packed_element(schedule.layout, element)
        ins = [self.a, dense(element, *shape), dense(f32, total), dense(f32, *domain)]
        first = ui8 if self.in_blocks else f32
        return one_kernel(ins, [dense(first, *domain), dense(accumulator, *domain)], make)

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        rng = np.random.default_rng(self.channels)
        found = [random_array(rng, arg.type) for arg in program.input_args]
        if self.packed:
            raw = random_array(rng, dense(self.kind[1], self.channels * self.units, *self.taps, 1))
            layout = self.schedule(isa).layout
            raw = raw.astype(dtype_of(packed_element(layout, self.kind[1])))
            found[1] = pack_depthwise(raw, layout, self.channels, self.window).joined()
        return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of register tiles, vectors and bundles."""
    rank = draw(st.sampled_from([1, 2, 2, 2, 3]))

    def sizes(*options: int) -> tuple[int, ...]:
        return tuple(draw(st.sampled_from(options)) for _ in range(rank))

    channels = draw(st.sampled_from([1, 3, 8, 15, 16, 17, 40, 48, 64, 65, 100]))
    taps, kind = sizes(1, 2, 3, 3, 5, 7), draw(st.sampled_from(KINDS))
    has_columns = kind in BYTES and prod(taps[:-1]) > 1 < taps[-1]
    return Case(
        batch=draw(st.sampled_from([1, 1, 2])),
        positions=sizes(1, 2, 3, 5, 8),
        channels=channels,
        units=draw(st.sampled_from([1, 1, 1, 2, 3] if channels > 1 else [1])),
        taps=taps,
        strides=sizes(1, 1, 2, 3),
        dilations=sizes(1, 1, 2, 3),
        kind=kind,
        packed=draw(st.booleans()),
        column_sums=has_columns and draw(st.booleans()),
    )


@sampled(cases(), 16)
def test_sums_are_exact(isa: Isa, case: Case):
    case.check(isa)


@each_pair(
    isa=available_isas(),
    packed=[True, False],
    kind=[*BYTES, *FLOATS, *CODES_BY_FLOATS, (i32, i32)],
)
def test_every_kind(isa: Isa, kind: Any, packed: bool):
    Case(channels=21, units=2, kind=kind, packed=packed).check(isa)


@each_isa
@pytest.mark.parametrize(
    ("size", "stride", "dilation"),
    [
        (1, 1, 1),
        (1, 2, 1),
        (2, 2, 2),
        (3, 1, 1),
        (3, 1, 3),
        (3, 2, 1),
        (3, 3, 2),
        (5, 1, 1),
        (5, 2, 1),
        (7, 1, 1),
    ],
)
def test_squares(isa: Isa, size: int, stride: int, dilation: int):
    """
    Rows and columns that are left over, columns that no tap reads. Larger windows have more of the same taps. Where
    columns do not move one by one, two tiles share channels, and neither fills the register that it is loaded to.
    """
    for kind in ((ui8, i8), (f32, f32))[: 2 if size <= 3 else 1]:
        Case(
            positions=(7, 5),
            channels=(3 if stride == 1 else 5) * isa.lanes + 4,
            taps=(size, size),
            strides=(stride, stride),
            dilations=(dilation, dilation),
            kind=kind,
        ).check(isa)


@each_isa
@pytest.mark.parametrize(
    "taps", [(2, 3), (3, 3), (5, 5), (7, 7), (3, 2, 3), (34, 8)], ids=lambda taps: f"taps{taps}"
)
def test_sums_of_columns(isa: Isa, taps: tuple[int, ...]):
    """Each column has a sum of its own, whether columns stay in registers or a loop goes over bundles."""
    for kind, stride in ((BYTES[0], 1), (BYTES[-1], 2)):
        Case(
            positions=(5,) * len(taps),
            channels=isa.lanes + 3,
            taps=taps,
            strides=(stride,) * len(taps),
            dilations=(1,) * len(taps),
            kind=kind,
            column_sums=True,
        ).check(isa)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("isa", UNPACKING, ids=lambda isa: isa.name)
def test_channels_in_blocks(isa: Isa, stride: int):
    """Two tiles share channels. Scalars of channels are in blocks once, the residual at each point."""
    case = Case(
        positions=(5, 3),
        channels=5 * isa.lanes + 4,
        strides=(stride, stride),
        kind=((ui8, i8), (i8, i8))[stride - 1],
        in_blocks=True,
    )
    whole = replace(case.schedule(isa), layout=replace(case.schedule(isa).layout, nr_vectors=4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DepthwiseSchedule, "choose", lambda *_: whole)
        case.check(isa)


@each_pair(
    isa=available_isas(),
    kind=[(f32, f32), (i8, f32)],
    columns=[(4, 1, 1), (5, 2, 1), (8, 1, 2), (9, 2, 2), (17, 1, 1)],
)
def test_several_columns_at_once(isa: Isa, kind: Any, columns: tuple[int, int, int]):
    """Whole ones, and columns behind them."""
    width, stride, dilation = columns
    Case(
        positions=(5, width),
        channels=isa.lanes + 3,
        taps=(3, 5),
        strides=(1, stride),
        dilations=(1, dilation),
        kind=kind,
    ).check(isa)


@each_isa
@pytest.mark.parametrize("kind", [(ui8, i8), (f32, f32)], ids=["bytes", "floats"])
@pytest.mark.parametrize("width", [4, 5])
def test_long_bodies(isa: Isa, width: int, kind: Any):
    """A loop goes over sums of a single vector: over pairs of columns, or one after the other."""
    channels, steps = isa.lanes - 1, LONGEST_EPILOGUE // 2
    Case(positions=(5, width), channels=channels, kind=kind, steps=steps).check(isa)


@each_pair(
    isa=available_isas(),
    kind=[(ui8, i8), (f32, f32)],
    sizes=[
        ((260,), (1,), (7,)),
        ((1, 258), (1, 2), (1, 6)),
        ((34, 8), (1, 1), (5, 3)),
        ((44, 6), (3, 2), (6, 2)),
    ],
)
def test_large_windows(isa: Isa, kind: Any, sizes: tuple[tuple[int, ...], ...]):
    """A loop goes over what every output row of a register tile adds; rows are left over, too."""
    taps, strides, positions = sizes
    ones = (1,) * len(taps)
    for channels in (1, 20):
        case = Case(
            positions=positions,
            channels=channels,
            taps=taps,
            strides=strides,
            dilations=ones,
            kind=kind,
        )
        assert case.schedule(isa).steady_bundles
        case.check(isa)


@each_isa
@pytest.mark.parametrize(
    ("taps", "strides", "dilations"),
    [
        ((26, 5), (1, 1), (2, 1)),
        ((65, 2), (66, 1), (1, 1)),
        ((3, 8, 6), (1, 2, 1), (2, 1, 3)),
        ((3, 3, 4, 2), (1, 1, 2, 1), (1, 3, 1, 2)),
        ((9, 1, 8), (1, 1, 1), (1, 1, 1)),
    ],
    ids=["dilated", "apart", "volume", "four dimensions", "one tap between"],
)
def test_large_windows_of_floats(
    isa: Isa,
    taps: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
):
    """Taps of one output row may leave gaps; those of other dimensions have loops around."""
    positions = (2, 3, 4, 5)[-len(taps) :]
    case = Case(
        positions=positions,
        channels=5,
        taps=taps,
        strides=strides,
        dilations=dilations,
        kind=(f32, f32),
    )
    assert len(case.schedule(isa).steady_bundles) == taps[case.schedule(isa).layout.down]
    case.check(isa)


@each_isa
def test_extremes(isa: Isa):
    """-128 x -128 and 255 x -128 in every place: nothing saturates on the way."""
    for x, y, left, right in ((i8, i8, -128, -128), (ui8, i8, 255, -128), (ui8, ui8, 255, 255)):
        case = Case(kind=(x, y), taps=(7, 7))
        program = case.program(isa)
        inputs = case.inputs(program, isa)
        inputs[0][...] = left
        filters = np.full((case.channels, *case.taps, 1), right, inputs[1].dtype)
        layout = case.schedule(isa).layout
        inputs[1] = pack_depthwise(filters, layout, case.channels, case.window).joined()
        check_results(Native(program, isa), inputs)


@each_pair(
    isa=available_isas(),
    kind=[(ui8, i8), (f32, f32)],
    channel_stride=[1, 2],
    taps=[(3, 3), (1, 3)],  # register tiles of one vector, of several
)
def test_strided_operands(isa: Isa, kind: Any, channel_stride: int, taps: tuple[int, int]):
    """Some channels of a wider tensor in, some out: what concat and split leave."""
    height, width, channels = 5, 4, 70
    wide = channel_stride * channels + 7
    strides = [8 * 6 * wide, 6 * wide, wide, channel_stride]
    left = strided(kind[0], [1, height + taps[0] - 1, width + 2, channels], strides)
    accumulator = i32 if kind[0] == ui8 else f32
    out = strided(accumulator, [1, height, width, channels], strides)
    window = kernel.ConvolutionWindow(taps, (1, 1), (1, 1))

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        region = build_body([accumulator], lambda x: x)
        domain, access = [1, height, width, channels], [Access.identity(4)]
        x, w = ins
        return kernel.ConvolutionOp(
            domain,
            channels,
            window,
            x,
            w,
            kernel.Epilogue([], access, region),
            outs=outs,
        )

    filters = dense(kind[1], channels, *taps, 1)
    program = one_kernel([left, filters], [out], make)
    rng = np.random.default_rng(0)
    x = random_array(rng, dense(kind[0], *left.get_shape()))
    check(program, isa, [x, random_array(rng, filters)])


def test_filters_for_another_machine():
    """Packed for 4 lanes, compiled for 16."""
    Case().check_refused_elsewhere()


@given(case=cases(), isa=st.sampled_from(available_isas()))
def test_packing_loses_nothing(case: Case, isa: Isa):
    """The reference finds every filter again."""
    layout = case.schedule(isa).layout
    shape = (case.channels * case.units, *case.taps, 1)
    filters = np.arange(1, 1 + prod(shape), dtype=np.int32).reshape(shape)
    packed = pack_depthwise(filters, layout, case.channels, case.window).joined()
    again = unpacked_depthwise(packed, layout, case.channels, case.window)
    np.testing.assert_array_equal(again, filters)


@given(case=cases(), isa=st.sampled_from(KNOWN))
def test_register_tiles_fit(case: Case, isa: Isa):
    """Into the registers, and into the rows there are; every tap of every row has a place of its own."""
    schedule = case.schedule(isa)
    layout = schedule.layout
    sums = layout.nr_vectors * layout.mr * schedule.columns
    assert sums + layout.nr_vectors <= isa.registers
    assert 1 <= schedule.columns <= max(1, case.positions[layout.across])
    assert 1 <= layout.mr <= case.positions[layout.down]
    assert layout.across != layout.down
    places = layout.places(case.window)
    assert len(places) == layout.mr * prod(case.taps)
    for row in range(layout.mr):
        mine = [place for (of, _), place in places.items() if of == row]
        assert len(set(mine)) == len(mine)
        if layout.kr == 1:  # floats are summed in the order of the taps
            assert mine == sorted(mine)
