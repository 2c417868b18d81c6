"""Orders of rows and of lines side by side: what keys mean, with few different ones and at the edges of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import body_type
from lowstream.lowering.codegen.schedule.order import MOST_INSERTED, Sample
from lowstream.lowering.codegen.whole.order import GREATEST, LEAST, OrderKernel
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import Isa, available_isas
from lowstream.reference.arrays import Array, dtype_of
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    each_vector_isa,
    one_kernel,
    sampled,
    strided,
    ui8,
)
from lowstream.test.unit.lowering.codegen.partitions import check_shares


@dataclass(frozen=True)
class Case:
    """An order of `count` of so many elements, of rows or, where there is `inner`, of lines."""

    element: Attribute
    first: int
    size: int
    count: int
    inner: int = 0
    gap: int = 1  # from an element to the next one
    different: int = 3  # keys, and the least and the greatest one
    seed: int = 0

    @property
    def shape(self) -> list[int]:
        return [self.first, self.size, *[self.inner] * (self.inner > 0)]

    def program(self) -> kernel.ProgramOp:
        """A program of this kernel alone, which gives its room, too."""

        def key(x: Scalar) -> Scalar:
            return x if x.type == i32 else x.bitcast(i32)

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            tensor = kernel.OrderOp(ins[0], self.count, build_body([body_type(self.element)], key))
            return tensor.on(ins, outs)

        steps = [prod(self.shape[d + 1 :]) * self.gap for d in range(len(self.shape))]
        x = strided(self.element, self.shape, steps)
        inner = self.shape[2:]
        outs = [dense(i32, self.first, self.count, *inner)]
        if not inner:
            words = 1 << max(self.count - 1, 0).bit_length()
            outs += [dense(i32, self.first, self.size), dense(i64, self.first, 2, words)]
        return one_kernel([x], outs, make)

    def values(self) -> Array:
        """Few different keys, of both signs, and the ends of all that there are."""
        rng = np.random.default_rng(self.seed)
        dtype = dtype_of(self.element)
        if dtype == np.int32:
            choice = [LEAST, GREATEST, *rng.integers(LEAST, GREATEST, self.different)]
        else:
            choice = [0, 1, *rng.integers(0, 200, self.different)]
        return rng.choice(np.array(choice), self.shape).astype(dtype)


SIZES = [1, 2, 3, 7, 15, 16, 17, 33, 64, 100]


@st.composite
def cases(draw: st.DrawFn, inner: st.SearchStrategy[int], most: int) -> Case:
    size = draw(st.sampled_from(SIZES))
    return Case(
        draw(st.sampled_from([i32, ui8, f32])),
        draw(st.integers(1, 3)),
        size,
        draw(st.integers(1, min(size, most))),
        draw(inner),
        draw(st.sampled_from([1, 1, 2])),
        draw(st.sampled_from([1, 3, 300])),
        draw(st.integers(0, 99)),
    )


@sampled(cases(st.just(0), max(SIZES)), 40, each_vector_isa)
def test_rows_are_ordered(isa: Isa, case: Case):
    check(case.program(), isa, [case.values()])


@sampled(cases(st.sampled_from(SIZES), 5), 40, each_vector_isa)
def test_lines_are_ordered(isa: Isa, case: Case):
    check(case.program(), isa, [case.values()])


@sampled(cases(st.sampled_from(SIZES), max(SIZES)), 40, each_vector_isa)
def test_many_of_lines_are_ordered(isa: Isa, case: Case):
    check(case.program(), isa, [case.values()])


@each_vector_isa
@pytest.mark.parametrize("size", [*range(MOST_INSERTED + 1, MOST_INSERTED + 20), 129, 255])
def test_all_of_lines_are_ordered(isa: Isa, size: int):
    """Of any number, without repeated keys and with many."""
    for different in (1, 1000):
        case = Case(i32, 1, size, size, inner=isa.lanes + 1, different=different)
        check(case.program(), isa, [case.values()])


LONG = 600
"""Keys of a row of which a few are found by a sample."""


@each_vector_isa
@pytest.mark.parametrize("count", [1, 5, 16])
@pytest.mark.parametrize("different", [1, 3, 4000])
def test_few_of_a_long_row(isa: Isa, count: int, different: int):
    """More may equal the last one than there is room for; the greatest keys are kept where there are no others."""
    assert Sample.choose(LONG, count)
    case = Case(i32, 2, LONG, count, different=different)
    x = case.values()
    x[1] = np.maximum(x[1], GREATEST - 1)
    check(case.program(), isa, [x])


@each_vector_isa
def test_few_of_a_long_row_that_is_sorted(isa: Isa):
    """Up, and down; and where equal keys leave no room for lesser ones behind them."""
    case = Case(i32, 3, LONG, 9)
    up = np.arange(LONG, dtype=np.int32)
    check(case.program(), isa, [np.stack([up, -up, LONG - 3 - np.maximum(up, LONG - 3)])])


@pytest.mark.parametrize("size", [*range(400, 5000, 613)])
def test_a_sample_costs_less_than_the_row(size: int):
    for count in (1, 10, 100, size - 1):
        sample = Sample.choose(size, count)
        assert (sample is None) == (size < 512 or count > size // 32)
        assert sample is None or count < sample.room <= sample.groups + 64


@pytest.mark.parametrize("parts", [1, 2, 5])
@pytest.mark.parametrize(
    "case",
    [
        Case(i32, 7, 20, 3),
        Case(i32, 7, LONG, 3),
        Case(i32, 7, 20, 3, inner=37),
        Case(i32, 1, 20, 3, inner=133),
        Case(f32, 1, 9, 9, inner=5),
        Case(i32, 7, 40, 20, inner=37),
    ],
    ids=["rows", "long rows", "blocks of lines", "lines", "less than a vector", "sorted lines"],
)
def test_threads_share_an_order(case: Case, parts: int):
    check_shares(OrderKernel, case.program(), available_isas()[0], [case.values()], parts)
