"""Scans of lines: sums, and what else a body carries, at the edges of vectors and in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import AnyFloat, bf16, f16, f32, f64, i8, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import body_type
from lowstream.lowering.codegen.whole.scan import ScanKernel
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
    """A scan of lines, which gives sums without the element itself or, else, with it."""

    element: Attribute
    shape: tuple[int, int, int]
    reverse: bool = False
    exclusive: bool = False
    gap: int = 1  # from an element to the next one
    seed: int = 0

    def program(self) -> kernel.ProgramOp:
        """A program of this kernel alone."""
        scalar = body_type(self.element)
        carried = f64 if isinstance(scalar, AnyFloat) else scalar

        def sums(before: Scalar, x: Scalar) -> tuple[Scalar, Scalar]:
            total = before + x.convert(scalar, carried)
            given = before if self.exclusive else total
            return total, given.convert(carried, self.element)

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            body = build_body([carried, scalar], sums)
            return kernel.ScanOp(ins[0], self.reverse, body).on(ins, outs)

        steps = [prod(self.shape[d + 1 :]) * self.gap for d in range(3)]
        x = strided(self.element, self.shape, steps)
        return one_kernel([x], [dense(self.element, *self.shape)], make)

    def values(self) -> Array:
        """Numbers of both signs, which wrap around where they are integers of 8 bits."""
        rng = np.random.default_rng(self.seed)
        return rng.integers(-100, 100, self.shape).astype(dtype_of(self.element))


SIZES = [1, 2, 3, 7, 15, 16, 17, 33, 64, 77]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    outer, line, inner = (draw(st.sampled_from(SIZES)) for _ in range(3))
    return Case(
        draw(st.sampled_from([i8, ui8, i32, i64, f16, bf16, f32, f64])),
        (outer, line, inner) if draw(st.booleans()) else (outer, line, 1),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.sampled_from([1, 1, 2])),
        draw(st.integers(0, 99)),
    )


@sampled(cases(), 40, each_vector_isa)
def test_lines_are_scanned(isa: Isa, case: Case):
    check(case.program(), isa, [case.values()])


@pytest.mark.parametrize("parts", [1, 2, 5])
@pytest.mark.parametrize(
    "case",
    [
        Case(f32, (7, 20, 1)),
        Case(f32, (70, 20, 1)),
        Case(f32, (7, 20, 33)),
        Case(f32, (1, 20, 133)),
        Case(i32, (1, 9, 1)),
    ],
    ids=["a vector of rows", "rows", "outer lines", "inner lines", "one line"],
)
def test_threads_share_a_scan(case: Case, parts: int):
    check_shares(ScanKernel, case.program(), available_isas()[0], [case.values()], parts)
