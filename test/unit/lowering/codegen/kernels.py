"""Programs of one kernel each: what the tests of code generation run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    bf16,
    f16,
    f32,
    f64,
    i8,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.elements import limits_of
from lowstream.lowering.kernel_bodies.bodies import Scalar
from lowstream.lowering.machine import Isa, available_isas
from lowstream.reference.arrays import Array, dtype_of, rounded

Test = Callable[..., None]
Decorator = Callable[[Test], Test]
Memref = MemRefType[Any]
ui8 = IntegerType(8, Signedness.UNSIGNED)
ui16 = IntegerType(16, Signedness.UNSIGNED)

BYTES = [(x, y) for x in (i8, ui8) for y in (i8, ui8)]
"""What products of integers are of."""

FLOATS = [(f32, f32), (f64, f64), (f16, f32), (bf16, bf16), (f16, f16)]
"""What products of real numbers are of."""

each_isa = pytest.mark.parametrize(
    "isa", [pytest.param(isa, id=isa.name) for isa in available_isas()]
)
"""A test for each instruction set that this machine has."""


def without_products(isas: Sequence[Isa]) -> list[Isa]:
    """
    The instruction sets that differ for kernels without products: not those that only multiply codes otherwise, as
    AVX-VNNI beside AVX2, or whose caches, which schedules of products look at, are of another size.
    """
    return [
        *{(isa.lanes, isa.registers, isa.cpu, isa.half, isa.permute): isa for isa in isas}.values()
    ]


VECTOR_ISAS = without_products(available_isas())

each_vector_isa = pytest.mark.parametrize(
    "isa", [pytest.param(isa, id=isa.name) for isa in VECTOR_ISAS]
)
"""A test of kernels without products for each instruction set that this machine has and that differs for them."""


def sampled(
    cases: st.SearchStrategy[Any], count: int = 25, each: Decorator = each_isa
) -> Decorator:
    """A test of so many cases on each instruction set."""

    def decorate(test: Test) -> Test:
        return each(settings(max_examples=count)(given(case=cases)(test)))

    return decorate


def program_of(
    ins: Sequence[Attribute],
    outs: Sequence[Attribute],
    make: Callable[[Block, Sequence[SSAValue], Sequence[SSAValue]], Any],
    arena: int = 0,
) -> kernel.ProgramOp:
    """A verified program of these inputs and outputs, whose operations `make` appends."""
    block = Block(arg_types=[*ins, *outs, MemRefType(i8, [arena])])
    make(block, block.args[: len(ins)], block.args[len(ins) : -1])

    def names(prefix: str, values: Sequence[Attribute]) -> ArrayAttr[StringAttr]:
        return ArrayAttr([StringAttr(f"{prefix}{i}") for i in range(len(values))])

    program = kernel.ProgramOp(
        properties={
            "sym_name": StringAttr("main"),
            "inputs": names("x", ins),
            "outputs": names("y", outs),
            "states": ArrayAttr([]),
            "assigned": ArrayAttr([]),
            "inits": ArrayAttr([]),
        },
        regions=[Region(block)],
    )
    ModuleOp([program]).verify()
    return program


def one_kernel(
    ins: Sequence[Memref], outs: Sequence[Memref], make: Callable[..., Operation]
) -> kernel.ProgramOp:
    """A program of the one kernel that `make(ins, outs)` gives."""
    return program_of(ins, outs, lambda block, x, y: block.add_op(make(x, y)))


def dense(element: Attribute, *shape: int) -> Memref:
    """A memref of this element type and shape."""
    return MemRefType(element, shape)


def strided(element: Attribute, shape: Sequence[int], strides: Sequence[int]) -> Memref:
    """A memref whose elements lie so far apart."""
    return MemRefType(element, shape, StridedLayoutAttr(list(strides), None))


def random_array(rng: np.random.Generator, type: Attribute) -> Array:
    """
    Values for a memref: of the whole range of integers; of floats, ones whose products do not overflow.
    """
    assert isinstance(type, MemRefType)
    element, shape = type.element_type, type.get_shape()
    dtype = dtype_of(element)
    if dtype.kind in "iu":
        assert isinstance(element, IntegerType)
        low, high = limits_of(element)
        edges = rng.choice(np.array([low, high], dtype), shape)
        inside = rng.integers(low, high, shape, dtype, endpoint=True)
        return np.where(rng.random(shape) < 0.2, edges, inside)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    values = np.asarray(rng.normal(size=shape) * 10.0 ** rng.integers(-3, 3, shape))
    return rounded(values, element).astype(dtype)


def widened(value: Scalar) -> Scalar:
    """A scalar as f32."""
    return value.convert(value.type, f32)
