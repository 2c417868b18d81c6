"""Reductions of windows whose limits are computed: any number of dimensions, empty windows, limits that lie outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import bf16, f16, f32, f64, i8, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import body_type
from lowstream.dialects.tensor_types import typed
from lowstream.lowering.codegen.whole.reduce_windows import ReduceWindowsKernel
from lowstream.lowering.kernel_bodies.bodies import build_body, same
from lowstream.lowering.machine import Isa, available_isas
from lowstream.reference.arrays import Array, dtype_of
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    each_vector_isa,
    one_kernel,
    random_array,
    sampled,
    strided,
    ui8,
)
from lowstream.test.unit.lowering.codegen.partitions import check_shares


@dataclass(frozen=True)
class Case:
    """Windows of an array of `sizes`, with so many channels."""

    combiner: str
    element: Attribute
    windows: int
    sizes: tuple[int, ...]
    channels: int
    index: Attribute = i32
    gap: int = 1  # from a channel to the next one
    seed: int = 0

    def program(self) -> kernel.ProgramOp:
        """A program of this kernel alone."""
        limits = dense(self.index, self.windows, len(self.sizes))

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            result = typed(self.element, (self.windows, self.channels))
            body = build_body([body_type(self.element)], same)
            return kernel.ReduceWindowsOp(self.combiner, ins, body, result).on(ins, outs)

        shape = (*self.sizes, self.channels)
        steps = [prod(shape[d + 1 :]) * self.gap for d in range(len(shape))]
        x = strided(self.element, shape, steps)
        return one_kernel([x, limits, limits], [dense(self.element, *self.shape)], make)

    @property
    def shape(self) -> tuple[int, int]:
        """That of the result."""
        return self.windows, self.channels

    def values(self) -> list[Array]:
        """An array, and limits of which some lie outside of it, and some are the wrong way round."""
        rng = np.random.default_rng(self.seed)
        x = random_array(rng, dense(self.element, *self.sizes, self.channels))
        dtype, count = dtype_of(self.index), (self.windows, len(self.sizes))
        begins = rng.integers(-2, np.array(self.sizes) + 2, count, dtype)
        far = rng.choice([np.iinfo(dtype).min, np.iinfo(dtype).max], count)
        ends = np.where(rng.random(count) < 0.1, far, begins + rng.integers(-1, 5, count))
        return [x, begins, ends.astype(dtype)]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    return Case(
        draw(st.sampled_from(["sum", "max", "min", "product"])),
        draw(st.sampled_from([i8, ui8, i32, i64, f16, bf16, f32, f64])),
        draw(st.integers(0, 6)),
        tuple(draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))),
        draw(st.sampled_from([1, 2, 3, 7, 15, 16, 17, 33, 64, 65, 100])),
        draw(st.sampled_from([i32, i64])),
        draw(st.sampled_from([1, 1, 2])),
        draw(st.integers(0, 99)),
    )


@sampled(cases(), 40, each_vector_isa)
def test_windows_are_reduced(isa: Isa, case: Case):
    check(case.program(), isa, case.values())


@pytest.mark.parametrize("parts", [1, 2, 5])
@pytest.mark.parametrize(
    "case",
    [Case("max", f32, 11, (6, 7), 33), Case("sum", f32, 3, (9,), 130)],
    ids=["rows and columns", "fewer windows than threads"],
)
def test_threads_share_windows(case: Case, parts: int):
    check_shares(ReduceWindowsKernel, case.program(), available_isas()[0], case.values(), parts)
