"""Emits `kernel.map` and `kernel.copy`: a body at every point of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from llvmlite import ir
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from ...dialects.kernel import Access, CopyOp, MapOp, body_type
from ..bodies import Body, build_body
from .body import body_text, emit_body
from .elements import Operand, load_lanes, memref, store_lanes
from .isa import Isa
from .schedule import MapSchedule
from .share import SHARED, Share
from .vectors import POINTER, VOID, byte_offset, index, loop, scaled


@dataclass(frozen=True)
class MapKernel:
    """What of a map decides its machine code; equal ones share a function."""

    domain: tuple[int, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    text: str
    body: Block = field(compare=False)

    @classmethod
    def of(cls, op: MapOp) -> MapKernel:
        """The kernel of an operation on planned memory."""
        operands = [
            Operand.of(memref(value), access)
            for value, access in zip((*op.ins, *op.outs), op.accesses, strict=True)
        ]
        ins = tuple(operands[: len(op.ins)])
        body = op.body.block
        return cls(op.shape, ins, tuple(operands[len(ins) :]), body_text(body), body)

    @classmethod
    def of_copy(cls, op: CopyOp) -> MapKernel:
        """A copy is a map of integers that yields what it gets."""
        shape = memref(op.source).get_shape()
        identity = Access.identity(len(shape))
        operands = [Operand.of(memref(value), identity) for value in (op.source, op.target)]
        body = build_body([body_type(bits := IntegerType(8 * operands[0].size))], _same).block
        source, target = (replace(operand, element=bits) for operand in operands)
        return cls(shape, (source,), (target,), body_text(body), body)

    def emit(self, module: ir.Module, isa: Isa, name: str, is_split: bool = False) -> ir.Function:
        """A function of a pointer to each of ins and outs, and of a share if it is split."""
        operands = (*self.ins, *self.outs)
        types = [POINTER] * len(operands) + [*SHARED] * is_split
        function = ir.Function(module, ir.FunctionType(VOID, types), name)
        b = ir.IRBuilder(function.append_basic_block())
        share, arguments = Share.taken(function, is_split)
        pointers = [
            byte_offset(b, pointer, operand.offset * operand.size)
            for pointer, operand in zip(arguments, operands, strict=True)
        ]
        plan = MapSchedule.choose(isa, self.domain, [operand.strides for operand in operands])
        level = plan.shared_level(isa, len(self.outs))
        if level is None:
            with share.at_end(b):
                self._loops(b, isa, plan, [Share.WHOLE] * (len(plan.outer) + 1), 0, pointers)
        else:
            shares = [share if i == level else Share.WHOLE for i in range(len(plan.outer) + 1)]
            self._loops(b, isa, plan, shares, 0, pointers)
        b.ret_void()
        return function

    def _loops(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        shares: Sequence[Share],
        level: int,
        pointers: Sequence[ir.Value],
    ) -> None:
        if level == len(plan.outer):
            self._row(b, isa, plan, shares[level], pointers)
            return
        first, count = shares[level].of(b, plan.outer[level])
        strides = [s[level] for s in plan.outer_strides]
        start = self._advance(b, pointers, first, strides)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            inner = self._advance(b, start, i, strides)
            self._loops(b, isa, plan, shares, level + 1, inner)
            return []

        loop(b, count, [], iteration)

    def _advance(
        self, b: ir.IRBuilder, pointers: Sequence[ir.Value], i: ir.Value, strides: Sequence[int]
    ) -> list[ir.Value]:
        """The pointers at position `i` of a dimension."""
        operands = (*self.ins, *self.outs)
        return [
            byte_offset(b, pointer, scaled(b, i, stride * operand.size)) if stride else pointer
            for pointer, operand, stride in zip(pointers, operands, strides, strict=True)
        ]

    def _row(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        share: Share,
        pointers: Sequence[ir.Value],
    ) -> None:
        whole, rest = divmod(plan.inner, isa.lanes)
        per_vector = [stride * isa.lanes for stride in plan.inner_strides]
        first, count = share.of(b, whole)
        start = self._advance(b, pointers, first, per_vector)

        def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
            self._points(b, isa, plan, self._advance(b, start, i, per_vector), isa.lanes)
            return []

        loop(b, count, [], iteration)
        if rest:
            with share.at_end(b):
                tail = self._advance(b, pointers, index(whole), per_vector)
                self._points(b, isa, plan, tail, rest)

    def _points(
        self,
        b: ir.IRBuilder,
        isa: Isa,
        plan: MapSchedule,
        pointers: Sequence[ir.Value],
        active: int,
    ) -> None:
        count, lanes = len(self.ins), isa.lanes
        strides = plan.inner_strides
        values = [
            load_lanes(b, isa, pointer, operand.element, stride, lanes, active)
            for pointer, operand, stride in zip(pointers, self.ins, strides, strict=False)
        ]
        results = emit_body(b, isa, self.body, lanes, values)
        outs = zip(pointers[count:], self.outs, strides[count:], results, strict=True)
        for pointer, operand, stride, value in outs:
            store_lanes(b, isa, pointer, operand.element, stride, value, active)


def _same(body: Body, x: SSAValue) -> SSAValue:
    return x
