"""
Emits `kernel.mat_mul`: tiles of sums of products, finished by the body while in registers.

Tiles of units outside, blocks of rows inside, so that a tile's weights are read from near memory again
and again; for one row they are streamed once. What is not packed is gathered along the units, `step`
elements of k at a time: slower, but the same sums in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product as every
from typing import cast

from llvmlite import ir
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Block

from ...dialects.kernel import Access, MatMulOp, PackedLayout, Term
from .body import body_text, emit_body
from .elements import (
    Operand,
    decode,
    load_lanes,
    load_raw,
    memory_type,
    memref,
    store_lanes,
)
from .isa import Isa
from .schedule import MatMulSchedule
from .vectors import (
    I8,
    I32,
    I64,
    POINTER,
    VOID,
    broadcast,
    byte_offset,
    index,
    loop,
    scaled,
    splat,
    zero,
)

Sums = dict[tuple[int, int, int, int], ir.Value]
"""Accumulators by product, group, vector and row."""


@dataclass(frozen=True)
class MatMulKernel:
    """
    What of a matrix product decides its machine code; equal ones share a function, whatever their number
    of rows.

    `a` and `b` move along [batch…, row or unit, k] (packed `b`: along the batch alone), `ins` and `outs` along
    [batch…, row, unit].
    """

    batch: tuple[int, ...]
    columns: int
    groups: int
    depths: tuple[int, ...]
    a: tuple[Operand, ...]
    b: tuple[Operand, ...]
    ins: tuple[Operand, ...]
    outs: tuple[Operand, ...]
    packed: PackedLayout | None
    schedule: MatMulSchedule
    text: str
    body: Block = field(compare=False)

    @classmethod
    def of(cls, op: MatMulOp, isa: Isa) -> tuple[MatMulKernel, int]:
        """The kernel of an operation on planned memory, and its number of rows."""
        *batch, rows, columns = op.shape
        rank = len(op.shape)
        a = [_factor(memref(value).get_shape(), rank, memref(value)) for value in op.a]
        b = [_weights(op, rank, i) for i in range(len(op.b))]
        operands = [
            Operand.of(memref(value), access)
            for value, access in zip((*op.ins, *op.outs), op.accesses, strict=True)
        ]
        batch, rows, drop = _merge_batch(batch, rows, a, b, operands)
        a, b, operands = (
            [_without(one, drop) for one in group] for group in (a, b, operands)
        )
        depths = [memref(value).get_shape()[-1] for value in op.a]
        groups = op.groups.value.data
        kinds = [(x.element, y.element) for x, y in zip(a, b, strict=True)]
        schedule = MatMulSchedule.choose(isa, rows, columns, depths, groups, kinds, op.packed)
        block = op.body.block
        kernel = cls(
            tuple(batch),
            columns,
            groups,
            tuple(depths),
            tuple(a),
            tuple(b),
            tuple(operands[: len(op.ins)]),
            tuple(operands[len(op.ins) :]),
            op.packed,
            schedule,
            f"{list(op.offsets)} {body_text(block)}",
            block,
        )
        return kernel, rows
