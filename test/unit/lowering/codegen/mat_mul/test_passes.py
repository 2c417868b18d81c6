"""Products of a single row with the same weights: one pass over these sums both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute, Block, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.lowering.codegen.mat_mul.mat_mul import MatMulKernel, Pass
from lowstream.lowering.codegen.schedule.mat_mul import MatMulSchedule
from lowstream.lowering.codegen.schedule.register_tiles import MatMulShape
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import AVX2, AVX512_VNNI, Isa, available_isas
from lowstream.lowering.pack_weights.mat_mul import pack
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import dense, program_of, random_array
from lowstream.test.unit.pairwise import each_pair

ARENA = 1 << 10


@dataclass(frozen=True)
class Digits:
    """
    Digits, which lie at these places of the arena, times weights of these numbers. Those without a place are inputs.
    """

    places: tuple[int | None, ...] = (0, 320)
    weights: tuple[int, ...] = (0, 0)
    element: Attribute = i8
    bits: int = 8
    rows: int = 1
    columns: int = 16
    groups: int = 1
    depth: int = 67

    @property
    def kinds(self) -> list[tuple[Attribute, Attribute]]:
        return [(self.element, self.element)] * len(self.places)

    def schedule(self, isa: Isa) -> MatMulSchedule:
        depths = (self.depth,) * len(self.places)
        return MatMulSchedule.choose(
            isa, MatMulShape(self.rows, self.columns, depths, self.groups, self.kinds)
        )

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """Digits are copied to their places."""
        schedule = self.schedule(isa)
        layout = replace(schedule.layout, bits=self.bits)
        digit = dense(self.element, self.rows, self.depth)
        weights = dense(self.element, *layout.shape(self.columns, self.groups, self.depth))
        sum_type, identity = body_type(self.element), Access.identity(2)
        count = len(self.places) * self.groups

        def total(*sums: Scalar) -> Scalar:
            found = sums[0]
            for each in sums[1:]:
                found = found * 3 + each
            return found

        def make(block: Block, ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> None:
            digits = list(ins[: len(self.places)])
            for n, place in enumerate(self.places):
                if place is not None:
                    kept = kernel.BufferOp(block.args[-1], place, digit)
                    same = build_body([sum_type], lambda x: x)
                    copy = kernel.MapOp(
                        [self.rows, self.depth],
                        [digits[n]],
                        [identity] * 2,
                        same,
                        outs=[kept.result],
                    )
                    block.add_ops([kept, copy])
                    digits[n] = kept.result
            body = build_body([sum_type] * count, total)
            access = Access(2, (Term(0), Term(1)))
            product = kernel.MatMulOp(
                [self.rows, self.columns],
                self.groups,
                digits,
                [ins[len(self.places) + n] for n in self.weights],
                kernel.Epilogue([], [access], body),
                outs=outs,
                offset_a=schedule.offsets,
                layout=layout,
            )
            block.add_op(product)

        ins = [*[digit] * len(self.places), *[weights] * (max(self.weights) + 1)]
        return program_of(ins, [dense(sum_type, self.rows, self.columns)], make, ARENA)

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        rng = np.random.default_rng(self.columns)
        layout = replace(self.schedule(isa).layout, bits=self.bits)
        found = [random_array(rng, each.type) for each in program.input_args[: len(self.places)]]
        for _ in range(max(self.weights) + 1):
            raw = random_array(rng, dense(self.element, self.columns * self.groups, self.depth))
            raw = raw if self.bits == 8 else raw % 16 - 8
            found.append(pack(raw, layout, self.groups, self.columns).joined())
        return found

    def passes(self, isa: Isa) -> Sequence[Pass]:
        """Those of the kernel, which is checked."""
        program = self.program(isa)
        check(program, isa, self.inputs(program, isa))
        op = program.body.block.last_op
        assert isinstance(op, kernel.MatMulOp)
        return MatMulKernel.of(op, isa).passes


@each_pair(
    isa=available_isas(),
    left=[(i8, 8), (i8, 4), (f32, 8)],
    right=[(5, 1), (40, 1), (21, 2), (150, 1), (70, 3)],
)
def test_digits_are_summed_together(isa: Isa, left: tuple[Attribute, int], right: tuple[int, int]):
    """If their sums stay in registers: of 32 they always do."""
    (element, bits), (columns, groups) = left, right
    case = Digits(element=element, bits=bits, columns=columns, groups=groups)
    found = case.passes(isa)
    assert found in ((Pass(0, 320),), (Pass(0), Pass(1)))
    assert len(found) == 1 or isa.registers < 32


@pytest.mark.host
def test_sums_that_do_not_fit_into_registers_take_two_passes():
    """Six vectors of weights, two sums of each: more than 16 registers hold, fewer than 32."""
    case = Digits(columns=96)
    assert case.schedule(AVX2).nr_vectors == 6
    assert case.passes(AVX2) == (Pass(0), Pass(1))


@pytest.mark.host
def test_a_digit_may_lie_before_the_other_one():
    assert Digits(places=(128, 0)).passes(AVX512_VNNI) == (Pass(0, -128),)


@pytest.mark.host
def test_of_three_digits_two_are_summed_together():
    case = Digits(places=(0, 128, 256), weights=(0, 0, 0))
    assert case.passes(AVX512_VNNI) == (Pass(0, 128), Pass(2))


@pytest.mark.host
@pytest.mark.parametrize(
    "case",
    [Digits(weights=(0, 1)), Digits(places=(0, None)), Digits(rows=2)],
    ids=["other weights", "an input", "two rows"],
)
def test_nearest_misses(case: Digits):
    assert case.passes(AVX512_VNNI) == (Pass(0), Pass(1))
