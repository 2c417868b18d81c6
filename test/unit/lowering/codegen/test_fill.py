"""Fills as machine code against their meaning in NumPy."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import f16, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Block

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, body_type
from lowstream.lowering.codegen.fill import FillKernel
from lowstream.lowering.codegen.work import SPLIT_WORK
from lowstream.lowering.kernel_bodies.bodies import BodyBuilder
from lowstream.lowering.machine import Isa
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    each_vector_isa,
    program_of,
    strided,
    ui8,
)

LENGTHS = (2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 144)
"""Around the bytes of each store, for one-byte elements and for wider ones."""


def filled(number: float, type: Any) -> kernel.MapOp:
    """A map that yields a number at each point."""
    return fill(number, [*type.get_shape()], type)


def fill(number: float, shape: list[int], type: Any, outs: Any = None) -> kernel.MapOp:
    body = BodyBuilder(Block())
    region = body.region(body.constant(number, body_type(type.element_type)))
    access = [Access.identity(len(shape))]
    if outs is None:
        outs = Block(arg_types=[type]).args
    return kernel.MapOp(shape, [], access, region, outs=list(outs))


def program(number: float, types: list[Any]) -> kernel.ProgramOp:
    """A program whose outputs are filled one after the other."""

    def make(block: Block, ins: Any, outs: Any) -> None:
        for type, out in zip(types, outs, strict=True):
            block.add_op(fill(number, [*type.get_shape()], type, [out]))

    return program_of([], types, make)


@each_vector_isa
@pytest.mark.parametrize(
    ("element", "number"),
    [(i8, 0), (i8, -128), (ui8, 255), (i16, -2), (i32, 7), (i64, -1), (f32, 1.5), (f32, -0.0)],
)
def test_fills_write_lines_and_nothing_between(isa: Isa, element: Attribute, number: float):
    """Lines of each length, beside each other and apart, in one program: they share functions."""
    types = [strided(element, [3, n], [n + 5, 1]) for n in LENGTHS]
    types += [dense(element, 2, n) for n in LENGTHS[3:6]]
    found = {FillKernel.of(filled(number, type)) for type in types}
    assert len(found) == 1
    assert None not in found
    check(program(number, types), isa, [])


def test_fills_that_differ_do_not_share():
    """By the bytes of an element; those of equal bytes share with bytes."""
    zeros = [FillKernel.of(filled(0, dense(element, 8))) for element in (i8, ui8, i32, f32)]
    assert len(set(zeros)) == 1
    others = [(i8, 1), (i16, 1), (i32, 1), (f32, 1), (f32, 2)]
    found = {FillKernel.of(filled(n, dense(element, 8))) for element, n in others}
    assert len(found) == len(others)


@pytest.mark.parametrize(
    ("type", "number"),
    [
        (dense(i1, 8), 1),  # an element is not its scalar
        (dense(f16, 8), 1),
        (strided(f32, [8], [2]), 1),  # elements apart
        (strided(f32, [2, 2, 2], [9, 4, 1]), 1),  # lines at two distances
        (dense(i8, SPLIT_WORK), 1),  # worth dividing
        (dense(i8, 8), 128),  # saturates
        (dense(i8, 0), 1),  # nothing
    ],
)
def test_other_maps_are_no_fills(type: Any, number: float):
    """Each is one condition away from a fill."""
    assert FillKernel.of(filled(number, type)) is None
