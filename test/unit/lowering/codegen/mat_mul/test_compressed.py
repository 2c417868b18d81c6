"""Digits of activations, and their products with compressed weights, as machine code against their meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr, bf16, f16, f32, i8, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering.codegen.mat_mul.compressed import CompressedMatMulKernel
from lowstream.lowering.codegen.mat_mul.split_digits import SplitDigitsKernel
from lowstream.lowering.codegen.schedule.compressed_mat_mul import CompressedMatMulSchedule
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body, same
from lowstream.lowering.machine import CACHE_LINE, ISAS, Isa, choose_isa
from lowstream.lowering.pack_weights.compressed_mat_mul import pack_codes, pack_parameters
from lowstream.reference.arrays import Array
from lowstream.reference.compressed import unit_of, unpacked_codes, unpacked_parameters
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    each_isa,
    one_kernel,
    random_array,
    sampled,
    strided,
    ui8,
)
from lowstream.test.unit.lowering.codegen.native import assembly_of
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.lowering.codegen.products import ProductCase

SCALES: dict[str, Any] = {"f32": f32, "f16": f16, "bf16": bf16}


@dataclass(frozen=True)
class Case(ProductCase):
    """Sizes of a product, and which scales and zero points there are."""

    rows: int = 1
    columns: int = 40
    depth: int = 50
    block: int = 12
    bits: int = 4
    scales: str | None = "f32"
    zeros: bool = True
    zero: int = 8

    @property
    def blocks(self) -> int:
        """How many there are."""
        return kernel.blocks_of(self.depth, self.block)

    def schedule(self, isa: Isa) -> CompressedMatMulSchedule:
        """What codes are packed for."""
        return CompressedMatMulSchedule.choose(isa, self.rows, self.columns, self.block, self.bits)

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """The sums, and a bias and a residual added to each."""
        schedule, blocks = self.schedule(isa), self.blocks
        layout = schedule.layout
        byte = i8 if schedule.product.offset else ui8
        parameters = kernel.packed_parameters(layout, self.columns, blocks)
        codes = kernel.packed_codes(layout, self.columns, blocks, self.block, self.bits)
        digits = (self.rows, blocks, kernel.DIGITS)
        ins = [
            dense(i8, *digits, kernel.padded_block(self.block)),
            dense(f32, *digits[:2]),
            dense(i32, *digits),
            dense(byte, *codes),
            *([dense(SCALES[self.scales], *parameters)] if self.scales else []),
            *([dense(byte, *parameters)] if self.zeros else []),
            dense(f32, self.columns),
            dense(f32, self.rows, self.columns),
        ]

        def end(total: Scalar, bias: Scalar, residual: Scalar) -> Scalar:
            return total + bias + residual

        def make(values: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            first = 4 + bool(self.scales)
            return kernel.CompressedMatMulOp(
                [self.rows, self.columns],
                self.bits,
                self.block,
                0 if self.zeros else self.zero,
                [values[:3], values[3:4], values[4:first], values[first:-2]],
                kernel.Epilogue(
                    values[-2:],
                    [Access(2, (Term(1),)), *[Access.identity(2)] * 2],
                    build_body([f32] * 3, end),
                ),
                layout,
                outs=outs,
            )

        return one_kernel(ins, [dense(f32, self.rows, self.columns)], make)

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        rng, schedule = np.random.default_rng(self.depth), self.schedule(isa)
        digits, units, sums, _, *others = [random_array(rng, a.type) for a in program.input_args]
        filled = np.zeros((self.blocks, digits.shape[-1]), bool)
        filled[:, : self.block] = np.arange(self.blocks * self.block).reshape(self.blocks, -1) < (
            self.depth
        )
        digits *= filled[:, None]
        sums[:] = digits.sum(axis=-1, dtype=np.int32)
        units[:] = np.exp2(rng.integers(-30, 0, units.shape))
        found = [digits, units, sums, self.codes(rng, schedule)]
        shape = (self.columns, self.blocks)
        if self.scales:
            scales = rng.uniform(0.1, 1, shape).astype(others.pop(0).dtype)
            found.append(pack_parameters(scales, schedule.layout))
        if self.zeros:
            byte = others.pop(0).dtype
            zeros = rng.integers(np.iinfo(byte).min, np.iinfo(byte).max, shape, byte, endpoint=True)
            found.append(pack_parameters(zeros, schedule.layout))
        return [*found, *others]

    def codes(self, rng: np.random.Generator, schedule: CompressedMatMulSchedule) -> Array:
        """Packed ones, the least and the greatest among them."""
        low = schedule.product.offset
        codes = rng.integers(low, low + (1 << self.bits), (self.columns, self.depth))
        codes[:, :1], codes[:, -1:] = low, low + (1 << self.bits) - 1
        return pack_codes(
            codes.astype(np.int8 if low else np.uint8), schedule.layout, self.block, self.bits
        )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of tiles, vectors, steps and blocks."""
    block = draw(st.sampled_from([1, 8, 12, 32, 100, 128, 256]))
    return Case(
        rows=draw(st.sampled_from([1, 2, 3, 4, 5, 9])),
        columns=draw(st.sampled_from([1, 15, 16, 17, 40, 64, 65, 130])),
        depth=max(1, block * draw(st.sampled_from([1, 2, 3])) - draw(st.sampled_from([0, 0, 3]))),
        block=block,
        bits=draw(st.sampled_from([4, 8])),
        scales=draw(st.sampled_from([None, *SCALES])),
        zeros=draw(st.booleans()),
        zero=draw(st.sampled_from([0, 8, 255])),
    )


@sampled(cases(), 12)
def test_machine_is_reference(isa: Isa, case: Case):
    case.check(isa)


@pytest.mark.parametrize("bits", [4, 8])
def test_largest_sums_are_exact(bits: int):
    """Of the longest block, all digits and codes at their limits, and zero points at the other end."""
    case = Case(2, 17, 256, 256, bits, None, False, 0)
    isa = choose_isa()
    program = case.program(isa)
    inputs = case.inputs(program, isa)
    for digit, zero in ((-128, 255), (127, 255), (-128, 0)):
        inputs[0][:], inputs[2][:] = digit, digit * 256
        for op in program.body.block.ops:
            op.properties["zero"] = IntegerAttr(zero, 64)
        check(program, isa, inputs)


def test_weights_are_packed_for_a_machine():
    Case().check_refused_elsewhere()


@pytest.mark.parametrize("parts", [2, 5])
@pytest.mark.parametrize("columns", [640, 650])
def test_threads_divide_tiles(parts: int, columns: int):
    isa, case = choose_isa(), Case(rows=3, columns=columns)
    program = case.program(isa)
    check_shares(CompressedMatMulKernel, program, isa, case.inputs(program, isa), parts)


@given(
    isa=st.sampled_from(ISAS),
    columns=st.integers(1, 70),
    depth=st.integers(1, 40),
    block=st.integers(1, 17),
    bits=st.sampled_from([4, 8]),
    rows=st.integers(1, 5),
)
def test_packed_weights_are_the_same(
    isa: Isa, columns: int, depth: int, block: int, bits: int, rows: int
):
    layout = CompressedMatMulSchedule.choose(isa, rows, columns, block, bits).layout
    rng = np.random.default_rng(depth)
    codes = rng.integers(0, 1 << bits, (columns, depth)).astype(np.uint8)
    packed = pack_codes(codes, layout, block, bits)
    blocks = kernel.blocks_of(depth, block)
    assert packed.shape == kernel.packed_codes(layout, columns, blocks, block, bits)
    whole = unpacked_codes(packed, bits)[:columns, :, :block].reshape(columns, -1)
    assert np.array_equal(whole[:, :depth], codes)
    scales = rng.random((columns, blocks))
    assert np.array_equal(unpacked_parameters(pack_parameters(scales, layout))[:columns], scales)


@given(
    isa=st.sampled_from(ISAS),
    rows=st.integers(1, 99),
    columns=st.integers(1, 300),
    block=st.integers(1, 256),
    bits=st.sampled_from([4, 8]),
)
def test_sums_of_a_register_tile_stay_in_registers(
    isa: Isa, rows: int, columns: int, block: int, bits: int
):
    plan = CompressedMatMulSchedule.choose(isa, rows, columns, block, bits)
    assert kernel.DIGITS * plan.mr[0] * plan.nr_vectors < isa.registers - 1
    assert plan.mr[-1] == 1 and plan.mr[0] <= rows
    assert plan == CompressedMatMulSchedule.follow(isa, plan.layout, rows, block, bits)


# --- digits -----------------------------------------------------------------------------------


def splitting(rows: int, depth: int, block: int, step: int = 1) -> kernel.ProgramOp:
    """The digits of activations that lie so far apart."""
    blocks = kernel.blocks_of(depth, block)
    digits = (rows, blocks, kernel.DIGITS)
    outs = [
        dense(i8, *digits, kernel.padded_block(block)),
        dense(f32, *digits[:2]),
        dense(i32, *digits),
    ]

    def make(values: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        op = kernel.SplitDigitsOp(values[0], block, build_body([f32], same))
        return op.on(values, outs)

    return one_kernel([strided(f32, [rows, depth], [depth * step + 1, step])], outs, make)


@each_isa
@pytest.mark.parametrize(("depth", "block"), [(1, 1), (40, 12), (50, 12), (300, 128), (33, 256)])
@pytest.mark.parametrize("step", [1, 3])
def test_split_is_reference(isa: Isa, depth: int, block: int, step: int):
    rng = np.random.default_rng(depth)
    x = (rng.normal(size=(3, depth)) * np.exp2(rng.integers(-20, 20, (3, depth)))).astype("f")
    check(splitting(3, depth, block, step), isa, [x])


@each_isa
def test_special_activations_are_as_in_the_reference(isa: Isa):
    """Peaks around each power of two and at the ends of f32, halves between digits, infinities and NaN."""
    powers = np.exp2(np.arange(-149, 128)).astype(np.float32)
    limit = powers * np.float32(kernel.GREATEST_DIGITS / (1 << 23))
    peaks = [powers, limit, np.nextafter(limit, np.float32(np.inf)), 2 * limit[:-1]]
    peaks.append(np.array([0, -0.0, np.finfo(np.float32).max, np.inf, -np.inf, np.nan], "f"))
    factors = np.array([1, 0.5, -(2.0**-23), 1.5 * 2.0**-23, 2.0**-149], "f")
    with np.errstate(all="ignore"):
        x = np.concatenate(peaks)[:, None] * factors
    x[-3, 3:], x[-2, 3:] = np.finfo(np.float32).max, np.nan
    rows, depth = x.shape
    check(splitting(rows, depth, depth), isa, [x])


def test_threads_divide_rows():
    x = np.random.default_rng(0).normal(size=(7, 50)).astype(np.float32)
    check_shares(SplitDigitsKernel, splitting(7, 50, 12), choose_isa(), [x], 3)


@given(st.floats(2.0**-126, 2.0**127, width=32))
def test_units_are_the_least(peak: float):
    unit = float(unit_of(np.array(peak, np.float32)))
    assert peak <= kernel.GREATEST_DIGITS * unit
    assert unit == 2.0**-126 or peak > kernel.GREATEST_DIGITS * unit / 2


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
@pytest.mark.parametrize("bits", [4, 8])
def test_rows_share_codes_where_digits_are_not_widened(isa: Isa, bits: int):
    schedule = CompressedMatMulSchedule.choose(isa, 4, 128, 128, bits)
    rows = {"avx512_vnni": 4, "avx_vnni": 3, "neon_dot": 4, "avx2": 2 if bits == 4 else 1}
    assert schedule.mr[0] == rows.get(isa.name, 1)


@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
def test_codes_are_prefetched(isa: Isa, rows: int):
    """All bytes of an iteration, whatever the number of rows."""
    case = Case(rows, columns=64, depth=128, block=128, bits=8)
    plan = case.schedule(isa)
    vector = isa.lanes * plan.product.mac.kr
    lines = -(-plan.unroll * plan.nr_vectors * vector // CACHE_LINE)
    text = "".join(assembly_of(case.program(isa), isa))
    places = {int(place) for place in re.findall(r"prefetcht0 (\d+)\(", text)}
    if isa.vector:
        assert places == {plan.ahead + CACHE_LINE * i for i in range(lines)}
    assert text.count("prefetch") >= lines


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
def test_an_iteration_sums_words_no_longer_than_they_fit(isa: Isa):
    """Nearest miss: codes of 8 bits."""
    narrow, wide = (CompressedMatMulSchedule.choose(isa, 1, 128, 256, bits) for bits in (4, 8))
    assert narrow.sums_words == (isa.name == "avx2")
    assert not wide.sums_words
    if narrow.sums_words:
        assert 2 * narrow.unroll * 2 * 15 * 128 < 1 << 15
