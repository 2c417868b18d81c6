"""
Convolutions in transformed tiles as machine code against their meaning in NumPy. Tiles of 2 x 2 compute with integers
and halves, so their sums of small integers are exact; those of 4 x 4 round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term, WinogradLayout, winograd_transforms
from lowstream.lowering.bodies import Scalar, build_body
from lowstream.lowering.codegen.winograd import WinogradKernel
from lowstream.lowering.machine import AVX512_VNNI, Isa
from lowstream.lowering.pack_weights.winograd import pack_winograd
from lowstream.reference.arrays import Array
from lowstream.reference.unpacked_weights import unpacked_winograd
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import dense, each_isa, one_kernel, sampled
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.lowering.codegen.products import ProductCase
from lowstream.test.unit.lowering.codegen.test_convolution import spaced

TOLERANCE = 2e-5
"""Of sums of 4 x 4 tiles, relative to the largest."""

TILES = (2, 4)


@dataclass(frozen=True)
class Case(ProductCase):
    """
    A convolution's sizes and its layout. `room` is what lies between the last dimension's rows of a, ins and outs;
    `over` are positions of a beyond those that the window reaches.
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

    def layout(self, isa: Isa) -> WinogradLayout:
        """How filters are laid out."""
        return WinogradLayout(isa.lanes, 1, self.nr_vectors, self.tile, self.rows)

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """A convolution that yields `sum * scale + other`, and the sum as it is."""
        domain = [self.batch, *self.positions, self.units]
        rank, layout = len(domain), self.layout(isa)

        def body(total: Scalar, scale: Scalar, other: Scalar) -> list[Scalar]:
            value = total
            for _ in range(self.body):
                value = value.fma(scale, other)
            return [value, total]

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            return kernel.ConvolutionOp(
                domain,
                1,
                (3, 3),
                (1, 1),
                (1, 1),
                ins[0],
                ins[1],
                ins[2:],
                [Access(rank, (Term(rank - 1),)), *[Access.identity(rank)] * 3],
                build_body([f32] * 3, body),
                outs=outs,
                layout=layout,
            )

        sizes = [position + 2 + self.over for position in self.positions]
        ins = [
            spaced(f32, self.room, self.batch, *sizes, self.channels),
            dense(f32, *layout.shape(self.units, self.channels)),
            dense(f32, self.units),
            spaced(f32, self.room, *domain),
        ]
        return one_kernel(ins, [spaced(f32, self.room, *domain)] * 2, make)

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        """Small integers: quarters of them, and their sums, are floats without rounding."""
        rng = np.random.default_rng(self.units)

        def integers(*shape: int) -> Array:
            return rng.integers(-8, 9, shape).astype(np.float32)

        found = [integers(*kernel.shaped(arg).get_shape()) for arg in program.input_args]
        filters = integers(self.units, 3, 3, self.channels)
        found[1] = pack_winograd(filters, self.layout(isa))
        found[2] = np.where(found[2] < 0, np.float32(-1), np.float32(1))
        return found

    def check(self, isa: Isa) -> None:
        program = self.program(isa)
        inputs = self.inputs(program, isa)
        if self.tile == 2:
            check(program, isa, inputs)
            return

        def agree(have: Array, want: Array) -> None:
            most = float(np.abs(want).max(initial=1))
            np.testing.assert_allclose(have, want, 0, TOLERANCE * most)

        check(program, isa, inputs, agree)


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
    )


@sampled(cases())
def test_sums(isa: Isa, case: Case):
    case.check(isa)


@each_isa
@pytest.mark.parametrize("tile", TILES)
def test_long_bodies_end_in_a_loop(isa: Isa, tile: int, monkeypatch: pytest.MonkeyPatch):
    """Sums that wait in memory are the same, in whole tiles and in those at the edges."""
    from lowstream.lowering.codegen import winograd

    monkeypatch.setattr(winograd, "LONGEST_EPILOGUE", 1)
    Case(tile, units=21).check(isa)


@each_isa
@pytest.mark.parametrize("units", [20, 26])
def test_last_tiles_share_code(isa: Isa, units: int):
    """Tiles that have fewer rows, columns or units: the last units are whole vectors, or not."""
    lanes = isa.lanes
    Case(4, (7, 9), units=units * lanes // 4, nr_vectors=3).check(isa)


@each_isa
@pytest.mark.parametrize("parts", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("split", "case"),
    [
        ("blocks", Case(positions=(9, 8), units=5, rows=3)),
        ("units", Case(positions=(6, 6), units=75, rows=5, nr_vectors=1)),
    ],
    ids=["blocks", "units"],
)
def test_shares_are_everything(isa: Isa, parts: int, split: str, case: Case):
    """Each partition once, in any order: together they do what the whole does."""
    program = case.program(isa)
    (op,) = program.body.block.ops
    assert isinstance(op, kernel.ConvolutionOp)
    assert WinogradKernel.of(op, isa).schedule.split == split
    check_shares(WinogradKernel, program, isa, case.inputs(program, isa), parts)


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
def test_filters_come_back(tile: int):
    """Small integers, but for rounding."""
    filters = np.random.default_rng(0).integers(-8, 9, (19, 3, 3, 5)).astype(np.float32)
    layout = Case(tile).layout(AVX512_VNNI)
    packed = pack_winograd(filters, layout)
    assert packed.shape == layout.shape(19, 5)
    np.testing.assert_allclose(unpacked_winograd(packed, layout, 19), filters, 0, 1e-5)


def test_filters_for_another_machine():
    """Packed for 4 lanes, compiled for 16."""
    Case().check_refused_elsewhere()
