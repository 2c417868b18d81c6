"""What bodies compute, as machine code against its meaning in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f16, f32, f64, i8, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, Epilogue, Term
from lowstream.lowering.kernel_bodies.bodies import BodyBuilder, Scalar, build_body, select
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    VECTOR_ISAS,
    dense,
    each_vector_isa,
    one_kernel,
    random_array,
    ui8,
)
from lowstream.test.unit.lowering.codegen.native import Native

FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.5,
    3.5,
    -0.5,
    0.1,
    1e30,
    -1e-30,
    1e-42,
    7e9,
    np.inf,
    -np.inf,
    np.nan,
]
INTEGERS = [0, 1, -1, 2, -2, 7, -7, 100, 127, 128, -129, 2**31 - 1, -(2**31)]

FLOAT_BINARY = [
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.DivfOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
]
FLOAT_UNARY = [arith.NegfOp, math.SqrtOp, math.AbsFOp, math.FloorOp, math.CeilOp, math.TruncOp]
FLOAT_UNARY += [math.RoundEvenOp]
INTEGER_BINARY = [
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.FloorDivSIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
]
SHIFTS = [arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp]


def written(body: BodyBuilder, op: Operation) -> Scalar:
    """The result of an operation, at the end of a body."""
    body.block.add_op(op)
    return Scalar(body, op.results[0])


def every_operation(
    x: Array, y: Array, element: Attribute, ops: list[Any]
) -> tuple[Any, list[Array]]:
    """A program that applies each of `ops` (functions of body, x and y) to all pairs of x and y."""
    count = x.size * y.size
    pairs = [np.repeat(x, y.size), np.tile(y, x.size)]

    def body(a: Scalar, b: Scalar) -> list[Scalar]:
        return [written(a.body, op(a.value, b.value)) for op in ops]

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        region = build_body([element, element], body)
        accesses = [Access.identity(1)] * (2 + len(ops))
        return kernel.MapOp([count], ins, accesses, region, outs=outs)

    region = build_body([element, element], body)
    yielded = region.block.last_op
    assert yielded is not None
    outs = [dense(value.type, count) for value in yielded.operands]
    return one_kernel([dense(element, count)] * 2, outs, make), pairs


@each_vector_isa
@pytest.mark.parametrize("element", [f32, f64], ids=str)
def test_float_operations(isa: Isa, element: Any):
    ops: list[Any] = [*FLOAT_BINARY]
    ops += [lambda x, y, op=op: op(x) for op in FLOAT_UNARY]
    ops += [lambda x, y, n=n: arith.CmpfOp(x, y, n) for n in range(16)]
    ops += [lambda x, y: math.FmaOp(x, y, x)]
    ops += [lambda x, y: arith.FPToSIOp(x, i32), lambda x, y: arith.FPToSIOp(x, i64)]
    values = np.array(FLOATS, np.float32 if element == f32 else np.float64)
    check(*_for(every_operation(values, values, element, ops), isa))


def _for(case: tuple[Any, list[Array]], isa: Isa) -> tuple[Any, Isa, list[Array]]:
    return case[0], isa, case[1]


@each_vector_isa
@pytest.mark.parametrize("element", [i32, i64], ids=str)
def test_integer_operations(isa: Isa, element: Any):
    ops: list[Any] = [*INTEGER_BINARY]
    ops += [lambda x, y, n=n: arith.CmpiOp(x, y, n) for n in range(10)]
    ops += [
        lambda x, y, op=op, to=to: op(x, to)
        for op in (arith.SIToFPOp, arith.UIToFPOp)
        for to in (f32, f64)
    ]
    if element == i32:
        ops += [lambda x, y: arith.ExtSIOp(x, i64), lambda x, y: arith.ExtUIOp(x, i64)]
        ops += [lambda x, y: arith.BitcastOp(x, f32)]
    else:
        ops += [lambda x, y: arith.TruncIOp(x, i32)]
    values = np.array(INTEGERS, np.int32 if element == i32 else np.int64)
    check(*_for(every_operation(values, values, element, ops), isa))


@each_vector_isa
def test_shifts(isa: Isa):
    amounts = np.array([0, 1, 8, 24, 31], np.int32)
    check(*_for(every_operation(np.array(INTEGERS, np.int32), amounts, i32, [*SHIFTS]), isa))


@each_vector_isa
@pytest.mark.parametrize("first", [-128, 0], ids=["i8", "ui8"])
def test_lookups(isa: Isa, first: int):
    """Only the low bits of what is looked up count; vectors at the end are not whole."""
    rng = np.random.default_rng(0)
    table = rng.permutation(np.arange(first, first + kernel.CODES)).tolist()
    x = np.concatenate([np.arange(-300, 300, dtype=np.int32), np.array(INTEGERS, np.int32)])

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        accesses, region = [Access.identity(1)] * 2, build_body([i32], looked_up)
        return kernel.MapOp([x.size], ins, accesses, region, outs=outs)

    def looked_up(x: Scalar) -> Scalar:
        return written(x.body, kernel.LookupOp(x.value, table))

    for element in (i32, i8 if first else ui8):
        check(one_kernel([dense(i32, x.size)], [dense(element, x.size)], make), isa, [x])


@each_vector_isa
@pytest.mark.parametrize("vectors", [1, 2, 4, 7])
def test_sums_are_looked_up(isa: Isa, vectors: int):
    """A table after the sum takes as many lanes as the sum has, in one register or in several."""
    shape = (3, vectors * isa.lanes + 1)
    table = np.random.default_rng(vectors).permutation(kernel.CODES).tolist()

    def found(total: Scalar) -> Scalar:
        return written(total.body, kernel.LookupOp(total.value, table))

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        return kernel.ReduceOp(
            "sum",
            shape[1:],
            shape[:1],
            ins,
            [(Access(1, (Term(None), Term(0))), Access(1, (Term(0), Term(None))))],
            build_body([i32], lambda x: x),
            Epilogue([], [Access.identity(1)], build_body([i32], found)),
            outs=outs,
        )

    program = one_kernel([dense(i8, *shape)], [dense(ui8, shape[1])], make)
    check(program, isa, [random_array(np.random.default_rng(0), program.input_args[0].type)])


@each_vector_isa
def test_selects(isa: Isa):
    def body(x: Scalar, y: Scalar) -> Scalar:
        return select(x > y, x, 7.0)

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        accesses = [Access.identity(1)] * 3
        return kernel.MapOp([4], ins, accesses, build_body([f32, f32], body), outs=outs)

    x, y = np.array([[1, 2, np.nan, 4], [2, 1, 0, np.nan]], np.float32)
    check(one_kernel([dense(f32, 4)] * 2, [dense(f32, 4)], make), isa, [x, y])


def test_products_and_sums_are_not_fused():
    """`x * y + z` rounds twice: nothing may make an fma of it."""
    x = np.full(16, 1 + 2**-12, np.float32)

    def body(x: Scalar) -> Scalar:
        return x * x - x

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        accesses = [Access.identity(1)] * 2
        return kernel.MapOp([16], ins, accesses, build_body([f32], body), outs=outs)

    for isa in VECTOR_ISAS:
        check(one_kernel([dense(f32, 16)], [dense(f32, 16)], make), isa, [x])


@pytest.mark.parametrize(
    ("compute", "problem"),
    [
        (lambda x: [math.SinOp(x)], "math.sin which has no machine code; expand it"),
        (
            lambda x: [
                half := arith.TruncFOp(x, f16),
                total := arith.AddfOp(half, half),
                arith.ExtFOp(total, f32),
            ],
            "arith.addf on f16; bodies compute in integers, f32 and f64",
        ),
        (
            lambda x: [
                wide := arith.ExtFOp(x, f64),
                half := arith.TruncFOp(wide, f16),
                arith.ExtFOp(half, f32),
            ],
            "arith.truncf from f64 to f16; go through f32",
        ),
    ],
)
def test_what_bodies_cannot_do(compute: Any, problem: str):
    def body(x: Scalar) -> Scalar:
        return [written(x.body, op) for op in compute(x.value)][-1]

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        accesses = [Access.identity(1)] * 2
        return kernel.MapOp([4], ins, accesses, build_body([f32], body), outs=outs)

    program = one_kernel([dense(f32, 4)], [dense(f32, 4)], make)
    for isa in VECTOR_ISAS:
        with pytest.raises(DiagnosticException, match=f"kernel.map: its body has {problem}"):
            Native(program, isa)
