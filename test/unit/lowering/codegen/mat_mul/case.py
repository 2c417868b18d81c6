"""A product of matrices of any sizes, as a program of one kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import Access, PackedLayout, Term, body_type
from lowstream.lowering.codegen.mat_mul import mat_mul
from lowstream.lowering.codegen.mat_mul.mat_mul import MatMulKernel
from lowstream.lowering.codegen.schedule.mat_mul import MatMulSchedule
from lowstream.lowering.codegen.schedule.register_tiles import MatMulShape
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import Isa
from lowstream.lowering.pack_weights.mat_mul import pack
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.kernels import (
    dense,
    one_kernel,
    random_array,
    widened,
)
from lowstream.test.unit.lowering.codegen.products import ProductCase


@pytest.fixture(autouse=True, scope="module")
def sizes_at_run_time() -> Iterator[None]:
    """Also for short sums, which most cases here have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mat_mul, "LONG_SUM", 0)
        yield


@dataclass(frozen=True)
class Case(ProductCase):
    """A product's sizes: depths and element types go by product."""

    batch: tuple[int, ...] = ()
    rows: int = 1
    columns: int = 16
    groups: int = 1
    depths: tuple[int, ...] = (4,)
    kinds: tuple[tuple[Any, Any], ...] = ((i8, i8),)
    packed: bool = True
    k_by_n: bool = False
    broadcast_a: bool = False
    batched_b: bool = False
    bits: int = 8
    paired: bool = False

    def schedule(self, isa: Isa) -> MatMulSchedule:
        sizes = self.rows, self.columns, self.depths, self.groups, self.kinds
        return MatMulSchedule.choose(isa, MatMulShape(*sizes, k_by_n=self.k_by_n))

    def layout(self, isa: Isa) -> PackedLayout:
        layout = replace(self.schedule(isa).layout, bits=self.bits)
        return replace(layout, kr=2, nr_vectors=2, fast_inner_product=1) if self.paired else layout

    def offsets(self, isa: Isa) -> Sequence[int]:
        """What is added to the codes of each a."""
        return self.schedule(isa).offsets

    def program(self, isa: Isa) -> kernel.ProgramOp:
        """A product that yields `sums * scale + bias`, and the first sum as it is."""
        domain = [*self.batch, self.rows, self.columns]
        units = self.columns * self.groups
        a = [
            dense(x, *(1 if self.broadcast_a else n for n in self.batch), self.rows, k)
            for (x, _), k in zip(self.kinds, self.depths, strict=True)
        ]
        layout = self.layout(isa)
        b = [
            dense(
                y,
                *(self.batch if self.batched_b else ()),
                *self._lies(layout, units, k),
            )
            for (_, y), k in zip(self.kinds, self.depths, strict=True)
        ]
        rank = len(domain)
        accumulator = body_type(self.kinds[0][0])
        count = len(self.kinds) * self.groups

        def body(*args: Scalar) -> list[Scalar]:
            total = args[count + 1]
            for value in args[:count]:
                value = widened(value) if accumulator == i32 else value
                if value.type == f32:
                    total = value.fma(args[count], total)
            return [total, args[0]]

        def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
            pairs = len(a)
            return kernel.MatMulOp(
                domain,
                self.groups,
                ins[:pairs],
                ins[pairs : 2 * pairs],
                kernel.Epilogue(
                    ins[2 * pairs :],
                    [Access(rank, (Term(rank - 1),)), *[Access.identity(rank)] * 3],
                    build_body([*[accumulator] * count, f32, f32], body),
                ),
                outs=outs,
                offset_a=self.offsets(isa) if self.packed else None,
                layout=layout if self.packed else None,
                k_by_n=self.k_by_n,
            )

        ins = [*a, *b, dense(f32, self.columns), dense(f32, *domain)]
        return one_kernel(ins, [dense(f32, *domain), dense(accumulator, *domain)], make)

    def _lies(self, layout: PackedLayout, units: int, depth: int) -> Sequence[int]:
        """The last dimensions of a right operand."""
        if self.packed:
            return layout.shape(self.columns, self.groups, depth)
        return (depth, units) if self.k_by_n else (units, depth)

    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        rng = np.random.default_rng(self.columns)
        found = [random_array(rng, arg.type) for arg in program.input_args]
        if self.packed:
            layout = self.layout(isa)
            for p, ((_, y), depth) in enumerate(zip(self.kinds, self.depths, strict=True)):
                lead = self.batch if self.batched_b else ()
                raw = random_array(rng, dense(y, *lead, self.columns * self.groups, depth))
                raw = raw if self.bits == 8 else raw % 16 - 8
                found[len(self.kinds) + p] = pack(raw, layout, self.groups, self.columns).joined()
        return found

    def kernel_on(self, isa: Isa) -> MatMulKernel:
        (op,) = self.program(isa).body.block.ops
        assert isinstance(op, kernel.MatMulOp)
        return MatMulKernel.of(op, isa)
