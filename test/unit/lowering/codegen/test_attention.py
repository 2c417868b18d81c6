"""Attention as machine code against its meaning in NumPy, which is that of the kernels it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr, f32, i1, i8, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering.codegen.attention import AttentionKernel
from lowstream.lowering.codegen.schedule import attention
from lowstream.lowering.codegen.schedule.attention import AttentionSchedule, AttentionShape
from lowstream.lowering.expand_math.exponential import exp
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body, select
from lowstream.lowering.machine import ISAS, Isa, choose_isa
from lowstream.lowering.pack_weights.mat_mul import pack
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    each_isa,
    one_kernel,
    random_array,
    sampled,
    ui8,
    widened,
)
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.lowering.codegen.products import ProductCase

SCRATCH = 1 << 12
"""Room for so few scores that a block has few rows."""


@dataclass(frozen=True)
class Case(ProductCase):
    """
    Sizes of attention; with `codes` queries, keys and values are i8, and weights ui8 where they are quantized, by an
    operand if `scaled`.
    """

    batch: tuple[int, ...] = ()
    rows: int = 3
    keys: int = 20
    depth: int = 4
    columns: int = 16
    codes: bool = False
    quantized: bool = False
    scaled: bool = False
    masked: bool = True
    packed: bool = True
    shared: bool = False
    begin: int = 0

    @property
    def kinds(self) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """Of query and key, and of weight and value."""
        scores = (i8, i8) if self.codes else (f32, f32)
        return scores, (ui8, i8) if self.quantized else (f32, f32)

    def schedule(self, isa: Isa) -> AttentionSchedule:
        """What weights are packed for."""
        shape = AttentionShape(self.rows, self.keys, self.depth, self.columns, self.kinds)
        return AttentionSchedule.choose(isa, shape)

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """One operation, and memory for what it is given."""
        schedule, (scores, means) = self.schedule(isa), self.kinds
        right = [(self.keys, self.depth), (self.columns, self.keys)]
        if self.packed:
            layouts = schedule.scores.layout, schedule.means.layout
            right = [one.shape(n, 1, k) for one, (n, k) in zip(layouts, right, strict=True)]
        lead = [1 if self.shared else size for size in self.batch]
        ins = [
            dense(scores[0], *self.batch, self.rows, self.depth),
            dense(scores[1], *lead, *right[0]),
            dense(means[1], *lead, *right[1]),
            *[dense(f32, self.rows, self.begin + self.keys), dense(i1, self.begin + self.keys)]
            * self.masked,
            *[dense(f32, 1)] * self.scaled,
            dense(f32, self.begin + self.columns),
        ]

        def make(values: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            op = self._attention(schedule, values, outs)
            if self.keys >= isa.lanes:
                op.properties["partial_accumulators"] = IntegerAttr(isa.lanes, 64)
            return op

        return one_kernel(ins, [dense(f32, *self._domain)], make)

    @property
    def _domain(self) -> list[int]:
        return [*self.batch, self.rows, self.columns]

    def _attention(
        self, schedule: AttentionSchedule, values: Sequence[SSAValue], outs: Sequence[SSAValue]
    ) -> kernel.AttentionOp:
        """A bias is added to the sums over values, of codes or not."""

        def end(total: Scalar, powers: Scalar, bias: Scalar) -> Scalar:
            return (widened(total) * 0.5 if self.quantized else total / powers) + bias

        rank = len(self._domain)
        row = Access(rank, (Term(rank - 1, offset=self.begin),))
        layouts = schedule.scores.layout, schedule.means.layout
        return kernel.AttentionOp(
            self._domain,
            self.keys,
            values[:3],
            self._softmax(values[3:-1]),
            kernel.Epilogue(
                values[-1:],
                [row, Access.identity(rank)],
                build_body([i32 if self.quantized else f32, f32, f32], end),
            ),
            schedule.scores.offsets[0] if self.packed else 0,
            layouts if self.packed else None,
            outs=outs,
        )

    def _softmax(self, more: Sequence[SSAValue]) -> kernel.Softmax:
        """
        Scores are scaled and masked, weights are powers or codes of their parts of the total. `more` are masks and
        scales.
        """
        rank, masks = len(self._domain), 2 * self.masked
        row = Access(rank, (Term(rank - 1, offset=self.begin),))
        mask = Access(rank, (Term(rank - 2), *row.terms))

        def score(total: Scalar, *masks: Scalar) -> Scalar:
            value = (widened(total) if self.codes else total) * 0.01
            return select(masks[1], value + masks[0], -1e30) if masks else value

        def weight(power: Scalar, total: Scalar, *scales: Scalar) -> Scalar:
            if not self.quantized:
                return power
            part = power / total * (scales[0] if scales else 255)
            return part.clamp(0, 255).round_even().convert(f32, i32)

        return kernel.Softmax(
            build_body([i32 if self.codes else f32, *[f32, i1] * self.masked], score),
            build_body([f32, f32], lambda s, most: exp(s - most)),
            build_body([f32], lambda total: total),
            build_body([f32] * (2 + self.scaled), weight),
            self.kinds[1][0],
            more[:masks],
            [mask, row] * self.masked,
            more[masks:],
        )

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        rng = np.random.default_rng(self.keys)
        found = [random_array(rng, arg.type) for arg in program.input_args]
        if self.packed:
            schedule, lead = self.schedule(isa), [1 if self.shared else n for n in self.batch]
            for number, (layout, units, depth) in enumerate(
                (
                    (schedule.scores.layout, self.keys, self.depth),
                    (schedule.means.layout, self.columns, self.keys),
                )
            ):
                element = self.kinds[number][1]
                raw = random_array(rng, dense(element, *lead, units, depth))
                found[1 + number] = pack(raw, layout, 1, units).joined()
        return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of tiles, vectors and blocks of rows."""
    return Case(
        batch=tuple(draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2))),
        rows=draw(st.sampled_from([1, 2, 5, 13])),
        keys=draw(st.sampled_from([1, 3, 16, 17, 70, 200])),
        depth=draw(st.sampled_from([1, 3, 4, 8, 9])),
        columns=draw(st.sampled_from([1, 8, 16, 17, 33])),
        codes=draw(st.booleans()),
        quantized=draw(st.booleans()),
        scaled=draw(st.booleans()),
        masked=draw(st.booleans()),
        packed=draw(st.booleans()),
        shared=draw(st.booleans()),
        begin=draw(st.sampled_from([0, 2])),
    )


@sampled(cases(), 12)
def test_machine_is_reference(isa: Isa, case: Case):
    with patch.object(attention, "SCRATCH_BYTES", SCRATCH):
        program = case.program(isa)
        check(program, isa, case.inputs(program, isa))


@pytest.mark.parametrize("quantized", [False, True])
@each_isa
def test_special_scores(isa: Isa, quantized: bool):
    """A row with NaN, or without a finite score, is what the reference makes of it; others are not touched by it."""
    case = Case(rows=4, keys=70, depth=1, quantized=quantized, masked=False, packed=False)
    program = case.program(isa)
    query, key, *others = case.inputs(program, isa)
    query[...] = np.array([[1], [np.nan], [-np.inf], [2]])
    key[...] = abs(key) + 1
    key[3] = np.inf
    check(program, isa, [query, key, *others])


@each_isa
@pytest.mark.parametrize("rows", [9, 130])
def test_codes_that_become_words_once_for_all_keys(isa: Isa, rows: int):
    """Where `vpmaddwd` multiplies words: queries of a block, and weights."""
    case = Case(rows=rows, keys=140, depth=67, columns=131, codes=True, quantized=True)
    widens = any(product.mac.adds for product in isa.products([(i8, i8)]))
    schedule = case.schedule(isa)
    assert (schedule.scores.widens, schedule.means.widens) == (widens, widens)
    case.check(isa)


@each_isa
@pytest.mark.parametrize("quantized", [False, True])
@pytest.mark.parametrize("keys", [5, 70])
def test_a_single_query_of_codes(isa: Isa, quantized: bool, keys: int):
    """It is prepared, as weights of codes are, in scratch memory of the block."""
    Case(rows=1, keys=keys, depth=8, columns=33, codes=True, quantized=quantized).check(isa)


@each_isa
def test_operands_begin_behind_other_elements(isa: Isa):
    Case(begin=2).check(isa)


@each_isa
def test_the_batch_decides_no_code(isa: Isa):
    """Its members neither, wherever they lie."""
    one, other = Case(batch=(2, 2)), Case(batch=(1, 3), shared=True)

    def kernel_of(case: Case) -> AttentionKernel:
        (op,) = case.program(isa).body.block.ops
        assert isinstance(op, kernel.AttentionOp)
        return AttentionKernel.of(op, isa)

    assert kernel_of(one) == kernel_of(other)
    assert kernel_of(one).table != kernel_of(other).table
    assert kernel_of(one) != kernel_of(replace(one, keys=21))


@pytest.mark.parametrize("parts", [2, 5])
def test_threads_divide_blocks(parts: int):
    """Of all members of the batch; each block is computed as if it were alone."""
    isa, case = choose_isa(), Case(batch=(2, 2), rows=13, keys=200, quantized=True)
    with patch.object(attention, "SCRATCH_BYTES", SCRATCH):
        program = case.program(isa)
        check_shares(AttentionKernel, program, isa, case.inputs(program, isa), parts)


@given(
    isa=st.sampled_from(ISAS),
    rows=st.integers(1, 3000),
    keys=st.integers(1, attention.most_keys()),
    quantized=st.booleans(),
)
def test_blocks_fit_into_scratch_memory(isa: Isa, rows: int, keys: int, quantized: bool):
    plan = Case(rows=rows, keys=keys, quantized=quantized).schedule(isa)
    assert 1 <= plan.rows <= rows
    assert plan.rows * plan.score_stride * 4 <= attention.SCRATCH_BYTES
    assert plan.rows >= min(rows, attention.FEWEST_ROWS)
    assert min(plan.score_stride, plan.weight_stride) >= keys
    assert plan.score_stride // 16 % 2 == 1, "rows lie in different sets of a cache"
