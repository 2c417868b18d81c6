"""Softmaxes of rows as machine code against their meaning in NumPy, which is that of the kernels they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import bf16, f16, f32, i32
from xdsl.ir import Attribute, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering.codegen.softmax import SoftmaxKernel
from lowstream.lowering.expand_math.exponential import exp, log
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import Isa, choose_isa
from lowstream.reference.arrays import Array
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
    """
    Sizes of a softmax, or of its `logarithm`. A row is scaled. Elements of a row lie `apart` in the input, and
    there is a result of codes beside that of floats, if `quantized`.
    """

    rows: tuple[int, ...] = (3,)
    keys: int = 20
    partials: int = 16
    element: Attribute = f32
    apart: int = 1
    logarithm: bool = False
    quantized: bool = False

    def program(self) -> kernel.ProgramOp:
        """One operation, and memory for what it is given."""
        domain = [*self.rows, self.keys]
        strides = [self.apart]
        for size in reversed(domain[1:]):
            strides.insert(0, strides[0] * size + 1)
        ins = [strided(self.element, domain, strides), dense(f32, self.keys)]
        outs = [dense(f32, *domain), *[dense(ui8, *domain)] * self.quantized]
        return one_kernel(ins, outs, self._softmax)

    def _softmax(self, values: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        rank = len(self.rows) + 1
        access = Access.identity(rank)

        def power(x: Scalar, most: Scalar) -> list[Scalar]:
            less = x - most
            raised = exp(less)
            return [less if self.logarithm else raised, raised]

        def total(found: Scalar) -> Scalar:
            return log(found) if self.logarithm else found

        def end(power: Scalar, total: Scalar, scale: Scalar) -> list[Scalar]:
            found = (power - total if self.logarithm else power / total) * scale
            codes = (found * 255).clamp(0, 255).round_even().convert(f32, i32)
            return [found, *[codes] * self.quantized]

        return kernel.SoftmaxOp(
            [*self.rows, self.keys],
            self.partials,
            values[0],
            access,
            (build_body([f32, f32], power), build_body([f32], total)),
            kernel.Epilogue(
                values[1:],
                [Access(rank, (Term(rank - 1),)), *[access] * len(outs)],
                build_body([f32, f32, f32], end),
            ),
            outs=outs,
        )

    def inputs(self, program: kernel.ProgramOp) -> list[Array]:
        """Elements so near each other that the order of a sum matters."""
        rng = np.random.default_rng(self.keys)
        x, scale = (random_array(rng, arg.type) for arg in program.input_args)
        return [np.tanh(x.astype(np.float32)).astype(x.dtype), scale]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sizes around the edges of vectors, and of turns of the accumulators."""
    return Case(
        rows=tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3]), max_size=3))),
        keys=draw(st.sampled_from([1, 3, 16, 17, 31, 32, 33, 64, 70, 81, 200])),
        partials=draw(st.sampled_from([1, 2, 8, 16, 32, 64])),
        element=draw(st.sampled_from([f32, f16, bf16])),
        apart=draw(st.sampled_from([1, 1, 3])),
        logarithm=draw(st.booleans()),
        quantized=draw(st.booleans()),
    )


@sampled(cases(), 25, each_vector_isa)
def test_machine_is_reference(isa: Isa, case: Case):
    program = case.program()
    check(program, isa, case.inputs(program))


@pytest.mark.parametrize("logarithm", [False, True])
@each_vector_isa
def test_special_rows(isa: Isa, logarithm: bool):
    """A row with NaN, or without a finite greatest element, is what the reference makes of it; others are as ever."""
    case = Case(rows=(5,), keys=70, partials=64, logarithm=logarithm)
    program = case.program()
    x, scale = case.inputs(program)
    x[0, 3], x[1, :], x[2, 69], x[3, 5] = np.nan, -np.inf, np.inf, -np.inf
    check(program, isa, [x, scale])


@each_vector_isa
def test_rows_decide_no_code(isa: Isa):
    """Neither their number nor how far apart they lie."""
    one, other = Case(rows=(2,)), Case(rows=(7,))

    def kernel_of(case: Case) -> SoftmaxKernel:
        (op,) = case.program().body.block.ops
        assert isinstance(op, kernel.SoftmaxOp)
        return SoftmaxKernel.of(op, isa)

    assert kernel_of(one) == kernel_of(other)
    assert kernel_of(one).table != kernel_of(other).table
    assert kernel_of(one) != kernel_of(replace(one, keys=21))
    assert kernel_of(one) != kernel_of(replace(one, partials=32))


@pytest.mark.parametrize("rows", [(), (13,), (2, 9)])
@pytest.mark.parametrize("parts", [2, 5])
def test_threads_divide_rows(rows: tuple[int, ...], parts: int):
    """The longest loop over them; without a loop, one thread computes the row."""
    isa, case = choose_isa(), Case(rows=rows, keys=70, quantized=True)
    program = case.program()
    check_shares(SoftmaxKernel, program, isa, case.inputs(program), parts)
