"""Lookups as machine code against their meaning in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.lowering.codegen.elements import Operand
from lowstream.lowering.codegen.gather import GatherKernel, Lookup
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import AVX512_VNNI, Isa
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    each_vector_isa,
    one_kernel,
    random_array,
    ui8,
)
from lowstream.test.unit.lowering.codegen.partitions import check_shares

ELEMENTS: list[Attribute] = [i1, i8, ui8, i16, i32, i64, f16, bf16, f32, f64]


def _added(x: Scalar, *others: Scalar) -> Scalar:
    for other in others:
        x = x + other
    return x


@dataclass(frozen=True)
class Case:
    """
    `y[b, p, i] = x[b, index[b, p], i]`, with one index for all b where `shared`, and an index for each i, too, where
    `each`. Where `twice`, the same of a longer operand by other indices is added, and where `scaled`, a vector.
    """

    element: Any
    batch: int
    size: int
    places: int
    inner: int
    index: Any = i32
    shared: bool = False
    scaled: bool = False
    twice: bool = False
    each: bool = False

    def program(self) -> kernel.ProgramOp:
        """A program of this kernel alone."""
        domain = [self.batch, self.places, self.inner]
        scalar = body_type(self.element)
        looked = [Term(1)] if self.shared else [Term(0), Term(1)]
        shape = [self.places] if self.shared else [self.batch, self.places]
        if self.each:
            looked, shape = [*looked, Term(2)], [*shape, self.inner]

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            more = [Access(3, (Term(2),))] if self.scaled else []
            found = 1 + self.twice
            body = build_body([scalar] * (found + len(more)), _added)
            point = Access(3, (Term(0), Term(None), Term(2)))
            places = Access(3, tuple(looked)), Access(3, (Term(0), Term(1)))
            return kernel.GatherOp(
                domain,
                1,
                ins[: 2 * found : 2],
                ins[1 : 2 * found : 2],
                [(point, place) for place in places[:found]],
                kernel.Epilogue(ins[2 * found :], [*more, Access.identity(3)], body),
                outs=outs,
            )

        ins = [dense(self.element, self.batch, self.size, self.inner), dense(self.index, *shape)]
        if self.twice:
            ins.append(dense(self.element, self.batch, self.size + 1, self.inner))
            ins.append(dense(i64, self.batch, self.places))
        if self.scaled:
            ins.append(dense(self.element, self.inner))
        return one_kernel(ins, [dense(self.element, *domain)], make)

    def inputs(self) -> list[Any]:
        """Contents of what it reads; some indices lie outside."""
        rng = np.random.default_rng(0)
        given = [random_array(rng, argument.type) for argument in self.program().input_args]
        for indices in given[1 : 2 + 2 * self.twice : 2]:
            indices[:] = rng.integers(-self.size - 2, self.size + 2, indices.shape)
        return given

    def check(self, isa: Isa) -> None:
        """Machine and reference agree."""
        check(self.program(), isa, self.inputs())


@each_vector_isa
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_every_element_type(isa: Isa, element: Any):
    for inner in (1, isa.lanes + 3):
        Case(element, 2, 5, 7, inner).check(isa)
    Case(element, 2, 5, 3, isa.lanes + 3, each=True).check(isa)


@each_vector_isa
@pytest.mark.parametrize("index", [i8, ui8, i16, i32, i64], ids=str)
def test_every_type_of_index(isa: Isa, index: Any):
    Case(f32, 1, 9, 2 * isa.lanes + 1, 1, index).check(isa)


@each_vector_isa
@settings(max_examples=20)
@given(data=st.data())
def test_shapes(isa: Isa, data: st.DataObject):
    def one(*values: Any) -> Any:
        return data.draw(st.sampled_from(values))

    case = Case(
        one(f32, i8),
        one(1, 2, 5),
        one(0, 1, 3, 40),
        one(1, 2, 16, 33),
        one(1, 2, 17),
        shared=one(False, True),
        scaled=one(False, True),
        twice=one(False, True),
        each=one(False, True),
    )
    case.check(isa)


def test_indices_of_32_bits_reach_what_an_instruction_looks_up():
    """Elements, and the last lane's step from the first."""
    lanes, most = AVX512_VNNI.lanes, 2**31 - 1
    for size, stride, along, index, is_gathered in (
        (most - lanes, 1, 1, i32, True),
        (most - lanes + 1, 1, -1, i32, False),
        (2**20, 2**11, 0, i32, False),
        (5, -1, 0, i32, True),
        (5, 1, 0, i64, False),
    ):
        whole = Operand.of(dense(f32, 1), Access.identity(1))
        indices = Operand.of(dense(index, 1), Access.identity(1))
        assert Lookup(size, stride, whole, indices).is_gathered(along, lanes) is is_gathered


@each_vector_isa
def test_of_no_elements_none_is_read(isa: Isa):
    for inner in (1, isa.lanes + 3):
        Case(f32, 2, 0, isa.lanes + 1, inner).check(isa)


@each_vector_isa
@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_shares_are_everything(isa: Isa, parts: int):
    for case in (Case(f32, 9, 4, 3, 5), Case(i8, 1, 40, 1, 131), Case(i8, 1, 40, 131, 1)):
        program, inputs = case.program(), case.inputs()
        check_shares(GatherKernel, program, isa, inputs, parts)
