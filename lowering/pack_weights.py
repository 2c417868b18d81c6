"""
`pack-weights`: the right operands of matrix products laid out as the host's instructions stream them.

The schedule, a pure function of shapes and instruction set, decides the layout. Where only u8 x i8 is
fast, i8 activations are read as u8 by adding 128, and the body subtracts 128 times the weights' sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, i32
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import kernel, nn
from ..dialects.inferred import shape_of, tensor
from ..dialects.kernel import Access, PackedLayout, Term

if TYPE_CHECKING:
    from ..reference.arrays import Array


@dataclass(frozen=True)
class PackWeights(ModulePass):
    """Packs every product whose right operands are constants. `isa` names the instruction set (default: the
    host's)."""

    name = "pack-weights"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .codegen.isa import choose_isa
        from .codegen.schedule import MatMulSchedule

        isa = choose_isa(self.isa)
        for inner in list(op.walk()):
            if not isinstance(inner, kernel.MatMulOp) or inner.layout is not None:
                continue
            weights = [nn.constant_of(value) for value in inner.b]
            if any(weight is None for weight in weights):
                continue
            *lead, columns = inner.shape
            kinds = [
                (tensor(a).element_type, tensor(b).element_type)
                for a, b in zip(inner.a, inner.b, strict=True)
            ]
            depths = [shape_of(a)[-1] for a in inner.a]
            groups = inner.groups.value.data
            schedule = MatMulSchedule.choose(isa, math.prod(lead), columns, depths, groups, kinds)
            _pack(inner, schedule.layout, schedule.offsets)


def _pack(op: kernel.MatMulOp, layout: PackedLayout, offsets: Sequence[int]) -> None:
    from ..reference.arrays import array_of, blob_of

    groups, columns = op.groups.value.data, op.shape[-1]
    lead = len(op.a)
    for p, offset in enumerate(offsets):
        weights = nn.constant_of(op.b[p])
        assert weights is not None
        array = array_of(weights)
        if offset:
            _subtract_sums(op, p, offset * _sums(array))
        packed = nn.ConstantOp(blob_of(pack(array, layout, groups, columns), weights.type.element_type))
        packed.result.name_hint = op.b[p].name_hint
        Rewriter.insert_op(packed, InsertPoint.before(op))
        op.operands[lead + p] = packed.result
    op.properties["layout"] = layout.attribute()
    if any(offsets):
        op.properties["offset_a"] = kernel.offsets_attribute(offsets)


def pack(weights: Array, layout: PackedLayout, groups: int, columns: int) -> Array:
    """Weights [batch…, groups * columns, depth] as `PackedLayout` says; zeros fill what lies past the edges."""
    import numpy as np

    *batch, _, depth = weights.shape
    tiles, steps, _, vectors, lanes, step = layout.shape(columns, groups, depth)
    split = weights.reshape(*batch, groups, columns, depth)
    edges = [(0, 0)] * (len(batch) + 1)
    edges += [(0, tiles * vectors * lanes - columns), (0, steps * step - depth)]
    padded = np.pad(split, edges).reshape(*batch, groups, tiles, vectors, lanes, steps, step)
    b = len(batch)
    order = (*range(b), b + 1, b + 4, b, b + 2, b + 3, b + 5)
    return np.ascontiguousarray(padded.transpose(order))


def _sums(weights: Array) -> Array:
    import numpy as np

    return weights.sum(axis=-1, dtype=np.int32)


def _subtract_sums(op: kernel.MatMulOp, product: int, sums: Array) -> None:
    """Makes the body subtract `sums` [batch…, N] from what product number `product` gives in each group."""
    from ..reference.arrays import blob_of

    groups, columns, rank = op.groups.value.data, op.shape[-1], len(op.shape)
    constant = nn.ConstantOp(blob_of(sums))
    Rewriter.insert_op(constant, InsertPoint.before(op))
    accesses = op.accesses
    inputs = len(op.ins)
    block = op.body.block
    for group in range(groups):
        terms = [Term(rank - 1 - len(sums.shape) + i) for i in range(len(sums.shape) - 1)]
        access = Access(rank, (*terms, Term(rank - 1, 1, group * columns)))
        argument = block.insert_arg(i32, len(block.args))
        total = block.args[product * groups + group]
        correct = arith.SubiOp(total, argument)
        total.replace_uses_with_if(correct.result, lambda use: use.operation is not correct)
        _prepend(block, correct)
        accesses.insert(inputs + group, access)
    op.ins = [*op.ins, *([constant.result] * groups)]
    op.properties["access"] = ArrayAttr([access.map() for access in accesses])


def _prepend(block: Block, op: Operation) -> None:
    first = block.first_op
    assert first is not None
    block.insert_op_before(op, first)
