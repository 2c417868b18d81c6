"""Convolutions of any size as programs with inputs, for tests of machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, f64, i8, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.elements import limits_of
from lowstream.dialects.kernel import Access, ConvolutionLayout, Term, body_type
from lowstream.lowering.codegen.convolution.convolution import ConvolutionKernel
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import Isa
from lowstream.lowering.pack_weights.convolution import (
    ConvolutionProblem,
    convolution_schedule,
    pack_filters,
)
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.kernels import (
    Memref,
    dense,
    one_kernel,
    random_array,
    strided,
    ui8,
    widened,
)
from lowstream.test.unit.lowering.codegen.products import ProductCase


@dataclass(frozen=True)
class ConvolutionCase(ProductCase):
    """
    A convolution's sizes. `room` is what lies between the last dimension's rows of a, ins and outs, as it does
    where they are slices of a concatenation; `over` are positions of a beyond those that the window reaches.
    """

    batch: int = 1
    positions: tuple[int, ...] = (3, 5)
    taps: tuple[int, ...] = (3, 3)
    strides: tuple[int, ...] = (1, 1)
    dilations: tuple[int, ...] = (1, 1)
    groups: int = 1
    channels: int = 4
    units: int = 16
    kind: tuple[Any, Any] = (ui8, i8)
    packed: bool = True
    codes: Any = ui8
    room: int = 0
    over: int = 0
    zeros: tuple[tuple[int, int], ...] = ()
    column_sums: bool = False

    def kernel(self, isa: Isa) -> ConvolutionKernel:
        """What emits it."""
        (op,) = self.program(isa).body.block.ops
        assert isinstance(op, kernel.ConvolutionOp)
        return ConvolutionKernel.of(op, isa)

    @property
    def input(self) -> list[int]:
        """The shape of a."""
        sizes = [
            (p - 1) * s + (t - 1) * d + 1 + self.over
            for p, t, s, d in zip(
                self.positions, self.taps, self.strides, self.dilations, strict=True
            )
        ]
        return [self.batch, *sizes, self.groups * self.channels]

    @property
    def filters(self) -> list[int]:
        """The shape of b before it is packed."""
        return [self.groups * self.units, *self.taps, self.channels]

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """
        A convolution that yields `sum * scale + other`, its nearest code, and the sum as it is; of columns, that of
        their numbers times their sums.
        """
        domain = [self.batch, *self.positions, self.groups * self.units]
        rank = len(domain)
        layout, offset = self.packing(isa)
        a = spaced(self.kind[0], self.room, *self.input)
        b = dense(self.kind[1], *self.filters)
        if layout is not None:
            shape = layout.shape(self.units, self.taps, self.channels, self.groups)
            b = dense(self.kind[1], *shape)
        accumulator = i32 if str(self.kind[0]) in ("i8", "ui8", "i32") else body_type(self.kind[0])
        scalar = accumulator if accumulator == f64 else f32

        sums = self.taps[-1] if self.column_sums else 1

        def body(*arguments: Scalar) -> list[Scalar]:
            total, *more, scale, other = arguments
            for number, each in enumerate(more, 2):
                total += each * number
            value = widened(total) if accumulator == i32 else total
            value = value.fma(scale, other)
            limited = value.clamp(*limits_of(self.codes))
            return [value, limited.round_even().convert(scalar, i32), total]

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            return kernel.ConvolutionOp(
                domain,
                self.groups,
                kernel.ConvolutionWindow(self.taps, self.strides, self.dilations, self.zeros),
                ins[0],
                ins[1],
                kernel.Epilogue(
                    ins[2:],
                    [Access(rank, (Term(rank - 1),)), *[Access.identity(rank)] * 4],
                    build_body([*[accumulator] * sums, scalar, scalar], body),
                ),
                outs=outs,
                offset_a=offset,
                layout=layout,
                column_sums=self.column_sums,
            )

        ins = [a, b, dense(scalar, domain[-1]), spaced(scalar, self.room, *domain)]
        outs = [spaced(x, self.room, *domain) for x in (scalar, self.codes, accumulator)]
        return one_kernel(ins, outs, make)

    def packing(self, isa: Isa) -> tuple[ConvolutionLayout | None, int]:
        """How filters are packed, where they are, and what is added to a then."""
        if not self.packed:
            return None, 0
        window = (self.taps, self.strides, self.dilations)
        return convolution_schedule(
            isa,
            ConvolutionProblem(
                self.kind,
                self.input,
                self.positions,
                self.units,
                self.groups,
                window,
                self.column_sums,
            ),
        )

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        rng = np.random.default_rng(self.units)
        found = [random_array(rng, arg.type) for arg in program.input_args]
        layout, _ = self.packing(isa)
        if layout is not None:
            raw = random_array(rng, dense(self.kind[1], *self.filters))
            found[1] = pack_filters(raw, layout, self.groups).joined()
        for d, (first, last) in enumerate(self.zeros, 1):
            moved = np.moveaxis(found[0], d, 0)
            moved[:first] = moved[len(moved) - last :] = 0
        return found


def spaced(element: Any, room: int, *shape: int) -> Memref:
    """A memref whose last dimension is a slice of a longer one."""
    if not room:
        return dense(element, *shape)
    strides = [1]
    for i, size in enumerate(reversed(shape[1:])):
        strides.insert(0, strides[0] * (size + (room if i == 0 else 0)))
    return strided(element, shape, strides)
