"""Weights whose order lets `vpmaddubsw` add products exactly, and kernels that multiply them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i8

from lowstream.dialects import kernel
from lowstream.dialects.elements import limits_of
from lowstream.dialects.kernel import ConvolutionLayout, PackedLayout
from lowstream.dialects.kernel.packed_layout import BLOCK, MATCHED_KR
from lowstream.lowering.codegen.convolution.im2col import im2col_kernel
from lowstream.lowering.codegen.mat_mul.mat_mul import MatMulKernel
from lowstream.lowering.machine import AVX2, Isa
from lowstream.lowering.pack_weights.matched import (
    FEWEST_ROWS,
    find_orders,
    matched_layout,
    pack_matched,
)
from lowstream.reference.arrays import Array
from lowstream.reference.unpacked_weights import unpacked
from lowstream.test.unit.lowering.codegen.convolution.convolutions import ConvolutionCase
from lowstream.test.unit.lowering.codegen.judge import check_results
from lowstream.test.unit.lowering.codegen.kernels import ui8
from lowstream.test.unit.lowering.codegen.mat_mul.case import Case
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair


def weights_of(units: int, depth: int) -> Array:
    """A fifth of the places has weights that none of these may follow, of either sign."""
    random = np.random.default_rng(depth)
    heavy = random.random(depth) < 1 / 5
    signs = random.choice([-127, 127], (units, depth))
    return np.where(heavy, signs, random.integers(-1, 2, (units, depth))).astype(np.int8)


def packed(weights: Array, layout: Any, shape: Sequence[int]) -> Array:
    orders = find_orders(weights, layout)
    assert orders is not None
    return pack_matched(weights, layout, orders, tuple(shape)).joined()


@pytest.mark.parametrize("tiles", [1, 2, 4])
@pytest.mark.parametrize("depth", [16, 17, 32, 47, 80, 96, 135])
@pytest.mark.parametrize("units", [16, 40, 70])
def test_no_two_neighbours_are_too_large(units: int, depth: int, tiles: int):
    layout = PackedLayout(8, MATCHED_KR, 2, matched_tiles=tiles)
    weights = weights_of(units, depth)
    found = packed(weights, layout, layout.shape(units, 1, depth))
    assert (unpacked(found, layout, 1, units, depth) == weights).all()
    before = kernel.Matched(depth).table_steps(layout)
    neighbours = found[:, before:].astype(int).reshape(-1, 2)
    for sums in (neighbours.clip(0).sum(1), -neighbours.clip(None, 0).sum(1)):
        assert sums.max() <= 128


def test_what_has_no_order():
    layout = PackedLayout(8, MATCHED_KR, 2)
    weights = np.full((32, 64), 64, np.int8)
    assert matched_layout(weights, layout, FEWEST_ROWS) is not None
    assert matched_layout(weights, layout, FEWEST_ROWS - 1) is None
    for other in (65, -65, -128):
        assert matched_layout(np.full_like(weights, other), layout, FEWEST_ROWS) is None
    weights[:, ::16] = 65  # 129 * 255 is more than 16 bits have
    assert matched_layout(weights, layout, FEWEST_ROWS) is None


def test_one_pair_that_does_not_match_is_dealt_with_others():
    """One block of two that are heavy may lie anywhere, so beside the other one, too."""
    layout = PackedLayout(8, MATCHED_KR, 2, matched_tiles=1)
    for other in range(1, 24):
        weights = np.ones((16, 24, BLOCK), np.int8)
        weights[:, [0, other]] = 127
        assert find_orders(weights.reshape(16, -1), layout) is not None


@dataclass(frozen=True)
class MatchedProduct(Case):
    """A product of matched weights; so many tiles have an order in common."""

    tiles: int = 2

    def layout(self, isa: Isa) -> PackedLayout:
        return PackedLayout(isa.lanes, MATCHED_KR, 2, matched_tiles=self.tiles)

    def offsets(self, isa: Isa) -> Sequence[int]:
        return [128 if x == i8 else 0 for x, _ in self.kinds]

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        found = replace(self, packed=False).inputs_of(program, isa)
        layout, (depth,) = self.layout(isa), self.depths
        shape = layout.shape(self.columns, 1, depth)
        found[1] = packed(weights_of(self.columns, depth), layout, shape)
        return found

    def inputs_of(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        return super().inputs(program, isa)


@dataclass(frozen=True)
class MatchedConvolution(ConvolutionCase):
    """A convolution with matched filters; so many tiles have an order in common."""

    tiles: int = 2

    def packing(self, isa: Isa) -> tuple[ConvolutionLayout, int]:
        merged = len(self.taps)
        layout = ConvolutionLayout(isa.lanes, MATCHED_KR, 2, merged, matched_tiles=self.tiles)
        return layout, 128 if self.kind[0] == i8 else 0

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        found = ConvolutionCase(units=self.units, packed=False).inputs(program, isa)
        layout, _ = self.packing(isa)
        shape = layout.shape(self.units, self.taps, self.channels, 1)
        units, *depth = self.filters
        found[1] = packed(weights_of(units, int(np.prod(depth))), layout, shape)
        return found


def check_with_extremes(case: MatchedProduct | MatchedConvolution, x: Any) -> None:
    """Random codes, and the least and the greatest one in every place."""
    native = case.check(AVX2)
    inputs = case.inputs(native.program, AVX2)
    for code in limits_of(x):
        inputs[0][...] = code
        check_results(native, inputs)


@pytest.mark.host
@each_pair(
    x=[ui8, i8],
    depth=[16, 47, 64, 96],
    sizes=[((), 8, 48), ((), 31, 70), ((2,), 9, 32), ((), 23, 16), ((), 13, 9)],
    tiles=[1, 2, 4],
)
def test_products(
    x: Any,
    depth: int,
    sizes: tuple[tuple[int, ...], int, int],
    tiles: int,
    monkeypatch: pytest.MonkeyPatch,
):
    """Random codes, and extremes in every place, in several panels."""
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "MATCHED_BYTES", 1)
    batch, rows, columns = sizes
    case = MatchedProduct(batch, rows, columns, 1, (depth,), ((x, i8),), tiles=tiles)
    assert case.kernel_on(AVX2).matched is not None
    check_with_extremes(case, x)


@pytest.mark.host
@each_pair(
    taps=[(1, 1), (3, 3), (1, 3), (5, 2), (9,)],
    strides=[1, 2],
    channels=[16, 36, 3],
    x=[ui8, i8],
    room=[0, 3],
)
def test_windows(
    taps: tuple[int, ...],
    strides: int,
    channels: int,
    x: Any,
    room: int,
    monkeypatch: pytest.MonkeyPatch,
):
    """Taps that lie beside the channels, and that do not, in several panels."""
    from lowstream.lowering.codegen.schedule import mat_mul as schedule

    monkeypatch.setattr(schedule, "MATCHED_BYTES", 1)
    if channels * np.prod(taps) < 16:
        channels = 16
    steps, near = (strides,) * len(taps), (1,) * len(taps)
    positions, kind = (3, 9)[-len(taps) :], (x, i8)
    case = MatchedConvolution(
        2, positions, taps, steps, near, channels=channels, units=43, kind=kind, room=room
    )
    check_with_extremes(case, x)


@pytest.mark.host
@pytest.mark.parametrize(("rows", "columns"), [(33, 130), (9, 290)])
def test_shares(rows: int, columns: int):
    """Divided by rows, which are many, and by tiles that have an order in common."""
    case = MatchedProduct(rows=rows, columns=columns, depths=(48,), kinds=((ui8, i8),))
    program = case.program(AVX2)
    for parts in (2, 3):
        check_shares(MatMulKernel, program, AVX2, case.inputs(program, AVX2), parts)


@pytest.mark.host
def test_shares_of_windows():
    case = MatchedConvolution(
        3, (5, 9), (3, 3), (2, 2), channels=16, units=70, kind=(ui8, i8), tiles=1
    )
    program = case.program(AVX2)
    product = SimpleNamespace(of=im2col_kernel)
    for parts in (2, 3):
        check_shares(product, program, AVX2, case.inputs(program, AVX2), parts)


@pytest.mark.host
def test_a_table_of_other_places_reads_nothing_outside():
    """Whoever writes a program by hand may write any table."""
    case = MatchedProduct(rows=9, columns=32, depths=(64,), kinds=((ui8, i8),))
    program = case.program(AVX2)
    inputs = case.inputs(program, AVX2)
    inputs[1][...] = -1
    Native(program, AVX2, guard="after").run(inputs)
