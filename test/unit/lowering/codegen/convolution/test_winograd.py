"""
Convolutions in transformed tiles as machine code against their meaning in NumPy. Sums of codes are exact. Of floats,
tiles of 2 x 2 compute with integers and halves, so their sums of small integers are exact; those of 4 x 4 round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i8, i16, i32
from xdsl.ir import Attribute, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.elements import limits_of
from lowstream.dialects.kernel import (
    Access,
    Term,
    WinogradLayout,
    integer_winograd_transforms,
    winograd_transforms,
)
from lowstream.lowering.codegen.compile import compile_program
from lowstream.lowering.codegen.convolution import winograd, winograd_input
from lowstream.lowering.codegen.convolution.winograd import WinogradKernel
from lowstream.lowering.codegen.convolution.winograd_passes import is_unrolled
from lowstream.lowering.codegen.link import IS_HOST, LinkedObjects, address_in_process
from lowstream.lowering.codegen.run_time import RunTime
from lowstream.lowering.codegen.schedule import costs
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import AVX512_VNNI, ISAS, Isa, available_isas
from lowstream.lowering.pack_weights.winograd import extreme_sums, pack_winograd, sums_fit
from lowstream.reference.arrays import Array, dtype_of
from lowstream.reference.unpacked_weights import unpacked_winograd
from lowstream.test.unit.lowering.codegen.convolution.convolutions import spaced
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import dense, each_isa, one_kernel, sampled, ui8
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.lowering.codegen.products import ProductCase
from lowstream.test.unit.pairwise import each_pair

TOLERANCE = 2e-5
"""Of sums of 4 x 4 tiles, relative to the largest."""

TILES = (2, 4)

ELEMENTS: tuple[Attribute, ...] = (f32, i8, ui8)
"""Of the input."""


@dataclass(frozen=True)
class Case(ProductCase):
    """
    A convolution's sizes and its layout. `room` is what lies between the last dimension's rows of a, ins and outs;
    `over` are positions of a beyond those that the window reaches. Of a `volume`, planes, taps, stride and dilation
    of its first dimension.
    """

    tile: int = 2
    positions: tuple[int, int] = (5, 6)
    channels: int = 4
    units: int = 16
    batch: int = 1
    rows: int = 4
    nr_vectors: int = 2
    room: int = 0
    over: int = 0
    body: int = 1
    volume: tuple[int, int, int, int] | None = None
    element: Attribute = f32

    @property
    def of_codes(self) -> bool:
        return self.element != f32

    @property
    def plane_taps(self) -> int:
        """The taps of its first dimension."""
        return self.volume[1] if self.volume else 1

    def layout(self, isa: Isa) -> WinogradLayout:
        """How filters are laid out."""
        element = i16 if self.of_codes else f32
        (product,) = isa.products([(element, element)])
        return WinogradLayout(isa.lanes, product.mac.kr, self.nr_vectors, self.tile, self.rows)

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """A convolution that yields `sum * scale + other`, and the sum as it is."""
        depth, *first = self.volume or (1, 1, 1, 1)
        taps, stride, dilation = ([each] if self.volume else [] for each in first)
        positions = [*([depth] if self.volume else []), *self.positions]
        domain = [self.batch, *positions, self.units]
        rank, layout = len(domain), self.layout(isa)

        def body(total: Scalar, scale: Scalar, other: Scalar) -> list[Scalar]:
            value = total
            for _ in range(self.body):
                value = value * scale + other if self.of_codes else value.fma(scale, other)
            return [value, total]

        filters, sum = (i16, i32) if self.of_codes else (f32, f32)

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            return kernel.ConvolutionOp(
                domain,
                1,
                kernel.ConvolutionWindow((*taps, 3, 3), (*stride, 1, 1), (*dilation, 1, 1)),
                ins[0],
                ins[1],
                kernel.Epilogue(
                    ins[2:],
                    [Access(rank, (Term(rank - 1),)), *[Access.identity(rank)] * 3],
                    build_body([sum] * 3, body),
                ),
                outs=outs,
                layout=layout,
            )

        window = zip(positions, (*stride, 1, 1), (*taps, 3, 3), (*dilation, 1, 1), strict=True)
        sizes = [(n - 1) * s + (t - 1) * d + 1 + self.over for n, s, t, d in window]
        ins = [
            spaced(self.element, self.room, self.batch, *sizes, self.channels),
            dense(filters, *layout.shape(self.units, self.plane_taps * self.channels)),
            dense(sum, self.units),
            spaced(sum, self.room, *domain),
        ]
        return one_kernel(ins, [spaced(sum, self.room, *domain)] * 2, make)

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        """
        Small integers: quarters of them, and their sums, are floats without rounding. Any codes, the greatest among
        them.
        """
        rng = np.random.default_rng(self.units)

        def integers(type: Attribute, shape: Sequence[int]) -> Array:
            limits = limits_of(type) if type in (i8, ui8) else (-8, 8)
            found = rng.integers(*limits, shape, endpoint=True).astype(dtype_of(type))
            return np.where(rng.random(shape) < 0.5, found, found.dtype.type(limits[-1]))

        found = [
            integers(type.get_element_type(), type.get_shape())
            for type in map(kernel.shaped, program.input_args)
        ]
        taps = [self.plane_taps] if self.volume else []
        filters = integers(i8 if self.of_codes else f32, (self.units, *taps, 3, 3, self.channels))
        found[1] = pack_winograd(filters, self.layout(isa)).joined()
        found[2] = np.where(found[2] < 0, -1, 1).astype(found[2].dtype)
        return found

    def check(self, isa: Isa) -> Native:
        program = self.program(isa)
        inputs = self.inputs(program, isa)
        if self.tile == 2 or self.of_codes:
            return check(program, isa, inputs)

        def agree(have: Array, want: Array) -> None:
            most = float(np.abs(want).max(initial=1))
            np.testing.assert_allclose(have, want, 0, TOLERANCE * most)

        return check(program, isa, inputs, agree)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of tiles, blocks, register tiles and vectors."""
    sizes = st.sampled_from([1, 2, 3, 4, 5, 7, 8, 9])
    return Case(
        tile=draw(st.sampled_from(TILES)),
        positions=(draw(sizes), draw(sizes)),
        channels=draw(st.sampled_from([1, 3, 8, 15, 16, 17, 33])),
        units=draw(st.sampled_from([1, 3, 8, 15, 16, 17, 33, 50])),
        batch=draw(st.sampled_from([1, 1, 2])),
        rows=draw(st.sampled_from([1, 2, 5, 14, 40])),
        nr_vectors=draw(st.sampled_from([1, 2, 3])),
        room=draw(st.sampled_from([0, 3])),
        over=draw(st.sampled_from([0, 2])),
        element=draw(st.sampled_from(ELEMENTS)),
        volume=draw(st.none() | st.tuples(*[st.integers(1, 3)] * 4)),
    )


@sampled(cases())
def test_sums(isa: Isa, case: Case):
    case.check(isa)


def nearly(total: int) -> Array:
    """Filters of one unit and 116 channels whose taps, 0 to 127, have this sum."""
    filters = np.full((1, 3, 3, 116), 127, np.int8).ravel()
    over = int(filters.sum(dtype=np.int64)) - total
    filters[: over // 127] = 0
    filters[over // 127] -= over % 127
    return filters.reshape(1, 3, 3, 116)


@each_isa
@pytest.mark.parametrize("sign", [1, -1])
def test_greatest_sums_of_codes(isa: Isa, sign: int):
    """26 bits are left of a sum: what just fits is right, and one more of a tap is known not to, of one unit."""
    case = Case(4, channels=116, units=1, element=ui8, body=0)
    greatest = ((1 << 25) - 1) // 255
    filters = sign * nearly(greatest)
    layout = case.layout(isa)
    assert sums_fit(extreme_sums(filters, ui8), layout)
    beyond = sign * nearly(greatest + 1)
    units = np.concatenate([np.zeros_like(beyond), beyond])
    assert not sums_fit(extreme_sums(units, ui8), layout)
    inputs = case.inputs(program := case.program(isa), isa)
    inputs[0][...] = 255
    inputs[1] = pack_winograd(filters, layout).joined()
    check(program, isa, inputs)


@each_isa
@pytest.mark.parametrize("tile", TILES)
def test_long_bodies_end_in_a_loop(isa: Isa, tile: int, monkeypatch: pytest.MonkeyPatch):
    """Sums that wait in memory are the same, in whole tiles and in those at the edges."""
    monkeypatch.setattr(costs, "LONGEST_EPILOGUE", 1)
    Case(tile, units=21).check(isa)


@each_isa
@pytest.mark.parametrize("element", [f32, ui8])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("unrolled", [True, False])
def test_unrolled_transforms_and_loops(
    isa: Isa, unrolled: bool, tile: int, element: Attribute, monkeypatch: pytest.MonkeyPatch
):
    """Both are right whatever the machine chooses, of whole tiles, of those at the edges and of small images."""
    for module in (winograd, winograd_input):
        monkeypatch.setattr(module, "is_unrolled", lambda *_: unrolled)
    for positions in ((8, 8), (7, 9), (2, 3)):
        Case(tile, positions, units=3 * isa.lanes // 2, element=element).check(isa)


def test_few_registers_make_loops():
    """A tile of 4 x 4 positions keeps 24 vectors, of 2 x 2 positions 8. Nearest miss: f32."""
    chosen = {isa.name: [is_unrolled(isa, tile, True) for tile in TILES] for isa in ISAS}
    assert chosen["avx2"] == [True, False]
    assert chosen["avx512_vnni"] == [True, True]
    assert all(is_unrolled(isa, tile, False) for isa in ISAS for tile in TILES)


@each_pair(isa=available_isas(), element=[f32, ui8], units=[20, 26])
def test_last_tiles_share_code(isa: Isa, units: int, element: Attribute):
    """Tiles that have fewer rows, columns or units: the last units are whole vectors, or not."""
    units *= isa.lanes // 4
    Case(4, (7, 9), units=units, nr_vectors=3, element=element).check(isa)


@each_pair(
    isa=available_isas(),
    parts=[1, 2, 3, 7],
    divided=[
        ("blocks", Case(positions=(9, 8), units=5, rows=3)),
        ("blocks", Case(positions=(4, 5), units=5, rows=3, batch=2, volume=(3, 3, 2, 1))),
        ("units", Case(positions=(6, 6), units=75, rows=5, nr_vectors=1)),
    ],
)
def test_shares_are_everything(isa: Isa, parts: int, divided: tuple[str, Case]):
    """Each partition once, in any order: together they do what the whole does."""
    split, case = divided
    program = case.program(isa)
    found = kernel_of(case, isa)
    divides_blocks = found.sizes.divides_blocks
    assert isinstance(divides_blocks, RunTime)
    assert found.table[divides_blocks.place] == (split == "blocks")
    check_shares(WinogradKernel, program, isa, case.inputs(program, isa), parts)


def kernel_of(case: Case, isa: Isa) -> WinogradKernel:
    """What decides its machine code."""
    (op,) = case.program(isa).body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    return WinogradKernel.of(op, isa)


@each_isa
@pytest.mark.parametrize("element", [f32, ui8])
@pytest.mark.parametrize("positions", [(12, 16), (13, 15)], ids=["whole", "ragged"])
def test_sizes_share_functions(isa: Isa, element: Attribute, positions: tuple[int, int]):
    """Both stages around the products: other positions, channels, units, blocks and strides are numbers in a table."""
    case = Case(4, positions, 64, 64, element=element)
    height, width = positions
    other = Case(4, (height + 8, width - 4), 128, 208, rows=3, room=64, element=element)
    first, second = (kernel_of(each, isa) for each in (case, other))
    assert first == second
    assert repr(first) == repr(second)
    assert first.parts[0] == second.parts[0]
    assert first.table != second.table
    assert first != kernel_of(replace(case, body=2), isa)
    case.check(isa)
    other.check(isa)


@each_isa
@pytest.mark.parametrize("element", [f32, ui8])
def test_rests_share_the_transform_of_the_input(isa: Isa, element: Attribute):
    """Whether last tiles are whole, and what of a vector of channels is left, are numbers in a table, too."""
    whole = Case(4, (12, 16), 64, 16, element=element)
    ragged = Case(4, (13, 16), 72, 16, element=element)
    first, second = (kernel_of(case, isa).parts[0] for case in (whole, ragged))
    assert first == second
    whole.check(isa)
    ragged.check(isa)


@pytest.mark.host
@each_isa
def test_linked_without_llvm(isa: Isa):
    """Addresses of the functions that a kernel calls are distances, which lowstream's own linker knows."""
    objects = compile_program(Case().program(isa), isa).objects
    if IS_HOST:
        LinkedObjects(objects, address_in_process).release()


@pytest.mark.parametrize("tile", TILES)
def test_matrices_are_a_convolution(tile: int):
    """`Aᵀ ((G g) ⊙ (Bᵀ d))` is the convolution of three taps; points of opposite signs are neighbours."""
    found = winograd_transforms(tile)
    rng = np.random.default_rng(tile)
    d, g = rng.normal(size=tile + 2), rng.normal(size=3)
    output, filters, input = map(np.array, (found.output, found.filter, found.input))
    sums = output @ ((filters @ g) * (input @ d))
    np.testing.assert_allclose(sums, np.correlate(d, g, "valid"), 0, 1e-12)
    assert len(found.pairs) == tile // 2
    for matrix in (input, output):
        np.testing.assert_array_equal(matrix, matrix.astype(np.float32))


@pytest.mark.parametrize("tile", TILES)
def test_matrices_of_integers_are_a_multiple(tile: int):
    """All of them are integers; what they compute along one dimension is `scale` times the convolution."""
    found = integer_winograd_transforms(tile)
    rng = np.random.default_rng(tile)
    d, g = rng.integers(-128, 256, tile + 2), rng.integers(-128, 128, 3)
    output, filters, input = map(np.array, (found.output, found.filter, found.input))
    assert {each.dtype.kind for each in (output, filters, input)} == {"i"}
    sums = output @ ((filters @ g) * (input @ d))
    np.testing.assert_array_equal(sums, found.scale * np.correlate(d, g, "valid"))
    assert found.scale**2 % 2**found.lost_bits == 0
    assert found.scale**2 % 2 ** (found.lost_bits + 1)


@pytest.mark.parametrize("tile", TILES)
def test_transformed_codes_have_16_bits(tile: int):
    """Of any codes and taps."""
    found = integer_winograd_transforms(tile)
    for matrix, lowest, highest in (
        (found.input, -128, 127),
        (found.input, 0, 255),
        (found.filter, -128, 255),
    ):
        both = np.kron(matrix, matrix)
        up, down = np.maximum(both, 0).sum(1), np.minimum(both, 0).sum(1)
        assert (up * highest + down * lowest).max() <= np.iinfo(np.int16).max
        assert (up * lowest + down * highest).min() >= np.iinfo(np.int16).min


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("planes", [1, 2])
def test_filters_come_back(tile: int, planes: int, dtype: type):
    """Small integers: of floats, but for rounding. Planes of a volume are channels, plane by plane."""
    filters = np.random.default_rng(0).integers(-8, 9, (19, planes, 3, 3, 5)).astype(dtype)
    layout = Case(tile, element=f32 if dtype is np.float32 else i8).layout(AVX512_VNNI)
    packed = pack_winograd(filters if planes > 1 else filters[:, 0], layout).joined()
    assert packed.shape == layout.shape(19, planes * 5)
    most = 1e-5 if dtype is np.float32 else 0
    np.testing.assert_allclose(unpacked_winograd(packed, layout, 19, planes, 5), filters, 0, most)


@pytest.mark.parametrize("tile", TILES)
def test_sums_fit_up_to_the_bits_that_are_left(tile: int):
    layout = Case(tile, element=i8).layout(AVX512_VNNI)
    half = 1 << 31 - layout.transforms(True).lost_bits
    assert sums_fit((-half, half - 1), layout)
    assert not sums_fit((-half - 1, 0), layout)
    assert not sums_fit((0, half), layout)


def test_filters_for_another_machine():
    """Packed for 4 lanes, compiled for 16."""
    Case().check_refused_elsewhere()
