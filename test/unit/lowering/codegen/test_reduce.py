"""Reductions as machine code against their meaning in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from xdsl.dialects.builtin import AnyFloat, bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.lowering.codegen.reduce import ReduceKernel
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import AVX512_VNNI, Isa
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    VECTOR_ISAS,
    dense,
    each_vector_isa,
    one_kernel,
    random_array,
    sampled,
    strided,
    ui8,
    ui16,
)
from lowstream.test.unit.lowering.codegen.native import Native, assembly_of
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair

ELEMENTS: list[Attribute] = [i8, ui8, i16, ui16, i32, i64, f16, bf16, f32, f64]


@dataclass(frozen=True)
class Case:
    """
    A reduction over a window that moves in the middle of [outer, positions…, inner], or over the last dimension
    where `last` says so; in one or more lanes, with one more input for the body, or a number.
    """

    combiner: str
    element: Any
    result: Any
    outer: int
    positions: tuple[int, ...]
    inner: int
    window: tuple[int, ...]
    stride: int = 1
    dilation: int = 1
    lanes: int = 1
    last: bool = False
    squares: bool = False
    scaled: bool = False
    factor: float | None = None

    def program(self) -> kernel.ProgramOp:
        """A program of this kernel alone."""
        domain = (self.outer, *self.positions, self.inner)
        rank, spatial = len(domain), len(self.positions)
        sizes = [
            (count - 1) * self.stride + (extent - 1) * self.dilation + 1
            for count, extent in zip(self.positions, self.window, strict=True)
        ]
        points = [Term(0), *(Term(1 + d, self.stride) for d in range(spatial))]
        steps = [Term(None), *(Term(d, self.dilation) for d in range(spatial))]
        shape = [self.outer, *sizes]
        if self.last:
            points.insert(1, Term(rank - 1))
            steps.insert(1, Term(None))
            shape.insert(1, self.inner)
        else:
            points.append(Term(rank - 1))
            steps.append(Term(None))
            shape.append(self.inner)
        of_element, of_total = self._bodies()

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            whole, along = Access.identity(rank), Access(rank, (Term(rank - 1),))
            return kernel.ReduceOp(
                self.combiner,
                domain,
                self.window,
                ins[:1],
                [(Access(rank, tuple(points)), Access(spatial, tuple(steps)))],
                of_element,
                kernel.Epilogue(
                    ins[1:],
                    [along, whole] if self.scaled else [whole],
                    of_total,
                ),
                outs=outs,
                partials=self.lanes,
            )

        ins = [dense(self.element, *shape)]
        if self.scaled:
            ins.append(dense(self.result, self.inner))
        return one_kernel(ins, [dense(self.result, *domain)], make)

    def _bodies(self) -> tuple[Region, Region]:
        """What is reduced of an element, and what becomes of a total."""
        scalar = body_type(self.element)
        summed = i1 if self.combiner in ("and", "or") else scalar

        def element(x: Scalar) -> Scalar:
            return x * x if self.squares else x

        def finish(total: Scalar, *scale: Scalar) -> Scalar:
            if self.factor is not None:
                total = total * self.factor
            given = total.convert(summed, body_type(self.result))
            return given * scale[0] if scale else given

        extra = [body_type(self.result)] if self.scaled else []
        return build_body([scalar], element), build_body([summed, *extra], finish)

    def inputs(self, seed: int) -> list[Any]:
        """Contents of what it reads."""
        rng = np.random.default_rng(seed)
        return [random_array(rng, argument.type) for argument in self.program().input_args]

    def check(self, isa: Isa) -> None:
        """Machine and reference agree."""
        check(self.program(), isa, self.inputs(0))


COMBINERS = ["sum", "product", "max", "min"]


@each_pair(isa=VECTOR_ISAS, element=ELEMENTS, combiner=COMBINERS)
def test_every_element_type(isa: Isa, element: Any, combiner: str):
    """In a row of vectors with a tail; shorter rows take turns, so that each type and each combiner has all of them."""
    shorter = (1, 3, isa.lanes + 1, 4 * isa.lanes)
    turn = (ELEMENTS.index(element) + COMBINERS.index(combiner)) % len(shorter)
    for inner in (shorter[turn], 7 * isa.lanes + 2):
        Case(combiner, element, element, 2, (2, 3), inner, (3, 2), stride=2).check(isa)
    wide = body_type(element)
    Case(combiner, element, wide, 1, (1,), 5, (37,), lanes=16, last=True).check(isa)


@each_vector_isa
@pytest.mark.parametrize("combiner", ["and", "or"])
def test_truth_values(isa: Isa, combiner: str):
    Case(combiner, i1, i1, 3, (2,), 2 * isa.lanes + 3, (3,)).check(isa)
    Case(combiner, i1, i1, 3, (1,), 5, (40,), lanes=isa.lanes, last=True).check(isa)


windows = st.lists(st.sampled_from([1, 2, 3, 7, 18]), min_size=1, max_size=2).map(tuple)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Reductions of any geometry."""
    window = draw(windows)
    element = draw(st.sampled_from([i8, ui8, f32]))
    combiner = draw(st.sampled_from(["sum", "max", "min"]))
    scaled = draw(st.booleans())
    squares = draw(st.booleans())
    results = [element, f32] if isinstance(element, AnyFloat) else [element, i32, f32]
    result = f32 if scaled else draw(st.sampled_from(results))
    return Case(
        combiner,
        element,
        result,
        draw(st.sampled_from([1, 2])),
        tuple(draw(st.sampled_from([1, 2, 3])) for _ in window),
        draw(st.sampled_from([1, 2, 5, 16, 17, 64, 131])),
        window,
        stride=draw(st.sampled_from([1, 2])),
        dilation=draw(st.sampled_from([1, 3])),
        lanes=draw(st.sampled_from([1, 1, 2, 8, 16, 64])),
        last=draw(st.booleans()),
        squares=squares,
        scaled=scaled,
    )


@sampled(cases(), 25, each_vector_isa)
def test_geometries(isa: Isa, case: Case):
    """Strides, dilations, windows of one or two dimensions, sums of squares, bodies with inputs."""
    case.check(isa)


@each_vector_isa
def test_windows_of_nothing(isa: Isa):
    """The neutral element."""
    for combiner, lanes in (("sum", 1), ("max", 1), ("product", 16)):
        Case(combiner, f32, f32, 2, (3,), 5, (0,), lanes=lanes, dilation=0).check(isa)


@pytest.mark.parametrize(("combiner", "element"), [("max", f32), ("min", f32), ("max", i32)])
def test_either_zero_is_the_greatest(combiner: str, element: Any):
    """Comparisons of floats say so, which takes half of the instructions."""
    program = Case(combiner, element, element, 1, (3,), 16, (2,)).program()
    (*kernels, _) = assembly_of(program, AVX512_VNNI)
    calls = [
        line
        for text in kernels
        for line in text.splitlines()
        if "@llvm." in line and "call" in line
    ]
    assert calls
    assert all("call nsz <" in line for line in calls if "imum" in line)
    assert any("imum" in line for line in calls) is (element == f32)


def test_numbers_that_are_none():
    for isa in VECTOR_ISAS:
        for combiner in ("sum", "max", "min"):
            case = Case(combiner, f32, f32, 1, (1,), 9, (21,), lanes=16, last=True)
            program, (x,) = case.program(), case.inputs(0)
            x[0, 3, 7] = np.nan
            (have,) = Native(program, isa).run([x])
            (want,) = ProgramExecutor(program).run([x])
            assert np.isnan(want).sum() == 1
            np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("step", [Term(0), Term(0, -1, 19)], ids=["forwards", "backwards"])
def test_operands_with_gaps(step: Term):
    """The part of a concatenation is reduced where it lies."""

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        body = build_body([f32], lambda x: x)
        return kernel.ReduceOp(
            "sum",
            [3],
            [20],
            ins,
            [(Access(1, (Term(0), Term(None))), Access(1, (Term(None), step)))],
            body,
            kernel.Epilogue([], [Access.identity(1)], body.clone()),
            outs=outs,
            partials=8,
        )

    for strides in ([40, 1], [1, 5]):
        program = one_kernel([strided(f32, [3, 20], strides)], [dense(f32, 3)], make)
        x = random_array(np.random.default_rng(0), dense(f32, 3, 20))
        for isa in VECTOR_ISAS:
            check(program, isa, [x])


@each_vector_isa
@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_shares_are_everything(isa: Isa, parts: int):
    """Each partition once, in any order: together they do what the whole does."""
    for case in (
        Case("max", ui8, ui8, 1, (9, 3), 67, (3, 3), stride=2),
        Case("sum", ui8, f32, 1, (1, 1), 700, (7, 7)),
        Case("sum", f32, f32, 3, (2,), 5, (40,), lanes=16, last=True),
    ):
        program, inputs = case.program(), case.inputs(0)
        check_shares(ReduceKernel, program, isa, inputs, parts)


def _kernel(case: Case) -> ReduceKernel:
    (op,) = (op for op in kernel.outside_bodies(case.program()) if isinstance(op, kernel.ReduceOp))
    return ReduceKernel.of(op, AVX512_VNNI)


SCALED = Case("sum", f32, f32, 2, (3,), 5, (4,), factor=0.3)


@each_vector_isa
def test_numbers_of_a_body_decide_no_code(isa: Isa):
    """In one lane and in several."""
    for case in (SCALED, replace(SCALED, inner=70), replace(SCALED, lanes=16, last=True)):
        other = replace(case, factor=-7.5)
        assert _kernel(case) == _kernel(other)
        assert _kernel(case).table != _kernel(other).table
        case.check(isa)
        other.check(isa)


@pytest.mark.parametrize(
    ("case", "other"),
    [
        (
            Case("max", ui8, ui8, 2, (9, 3), 67, (3, 3), stride=2),
            Case("max", ui8, ui8, 2, (2, 5), 131, (3, 3), stride=2),
        ),
        (
            Case("sum", f32, f32, 2, (1, 1), 64, (7, 7)),
            Case("sum", f32, f32, 3, (1, 1), 128, (9, 5)),
        ),
        (
            Case("sum", f32, f32, 2, (2,), 5, (40,), lanes=16, last=True),
            Case("sum", f32, f32, 3, (4,), 7, (24,), lanes=16, last=True),
        ),
    ],
    ids=["unrolled window", "window", "lanes"],
)
def test_sizes_decide_no_code(case: Case, other: Case):
    """But for a window that is unrolled, and what whole vectors leave."""
    assert _kernel(case) == _kernel(other)
    assert _kernel(case).table != _kernel(other).table
    assert _kernel(case) != _kernel(
        replace(case, inner=case.inner + 1, window=(17, 3)[: len(case.window)])
    )
    for isa in VECTOR_ISAS:
        case.check(isa)
        other.check(isa)


@pytest.mark.parametrize(
    ("result", "factor"),
    [(f32, 1.0), (f32, 0.0), (f32, -0.0), (f32, -1.0), (i8, -7.5)],
)
def test_numbers_that_decide_code(result: Any, factor: float):
    """Those that spare instructions, and all where a range says whether a conversion saturates."""
    case = replace(SCALED, result=result)
    other = replace(case, factor=factor)
    assert _kernel(case) != _kernel(other)
    for isa in VECTOR_ISAS:
        other.check(isa)
