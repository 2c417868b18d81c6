"""Reductions that read a large operand again at points beside each other, which are computed together."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f16, f32, f64, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.lowering.codegen import reduce_loops
from lowstream.lowering.codegen.reduce import ReduceKernel
from lowstream.lowering.codegen.schedule.reduction_blocks import MOST_BESIDE, MOST_TOGETHER
from lowstream.lowering.kernel_bodies.bodies import build_body
from lowstream.lowering.machine import Isa, available_isas
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import dense, one_kernel, random_array
from lowstream.test.unit.lowering.codegen.partitions import check_shares
from lowstream.test.unit.pairwise import each_pair


def product(element: Any, rows: int, units: int, depth: int, lanes: int) -> kernel.ProgramOp:
    """Sums of products of `[units, depth]` and `[rows, depth]` at points `[row, unit]`, and a number for each unit."""
    scalar, line, along = body_type(element), Term(None), Access(1, (Term(None), Term(0)))
    points = [Access(2, (Term(d), line)) for d in (1, 0)]

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        return kernel.ReduceOp(
            "sum",
            (rows, units),
            (depth,),
            ins[:2],
            [(each, along) for each in points],
            build_body([scalar, scalar], operator.mul),
            kernel.Epilogue(
                ins[2:],
                [Access(2, (Term(1),)), Access.identity(2)],
                build_body([scalar, scalar], operator.add),
            ),
            outs=outs,
            partials=lanes,
        )

    ins = [dense(element, units, depth), dense(element, rows, depth), dense(element, units)]
    return one_kernel(ins, [dense(element, rows, units)], make)


def inputs(program: kernel.ProgramOp) -> list[Any]:
    rng = np.random.default_rng(0)
    return [random_array(rng, argument.type) for argument in program.input_args]


@pytest.fixture
def nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """No operand stays in the first-level cache."""
    monkeypatch.setattr(reduce_loops, "FIRST_LEVEL_BYTES", 0)


@pytest.mark.usefixtures("nothing_stays")
@each_pair(
    isa=available_isas(),
    element=[f32, f16, f64, i32],
    rows=[2, 3, 5, MOST_TOGETHER, MOST_TOGETHER + 1],
    units=[MOST_TOGETHER + 3, 2 * MOST_BESIDE, 6],
    depth=[16, 37, 64, 150],
    lanes=[8, 16, 64],
)
def test_rows_that_share_a_matrix(
    isa: Isa, element: Any, rows: int, units: int, depth: int, lanes: int
):
    """Units that share a row are computed with these, where they come in blocks and each needs one vector."""
    program = product(element, rows, units, depth, lanes)
    check(program, isa, inputs(program))


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("rows", "lanes"), [(3, 64), (MOST_TOGETHER + 1, 8)])
def test_threads_share_the_units(rows: int, lanes: int):
    program = product(f32, rows, 20, 40, lanes)
    check_shares(ReduceKernel, program, available_isas()[0], inputs(program), 3)
