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
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import kernel, nn
from ..dialects.blob import BlobAttr
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
    import numpy as np

    from ..reference.arrays import array_of, blob_of

    groups, columns = op.groups.value.data, op.shape[-1]
    b: list[SSAValue] = []
    ins: list[SSAValue] = list(op.ins)
    reads = op.accesses[: len(op.ins)]
    writes = op.accesses[len(op.ins) :]
    for p, offset in enumerate(offsets):
        weights = nn.constant_of(op.b[p])
        assert weights is not None
        array = array_of(weights)
        packed = blob_of(pack(array, layout, groups, columns), weights.type.element_type)
        b.append(_constant_before(op, packed, op.b[p].name_hint))
        if offset:
            sums = offset * array.sum(axis=-1, dtype=np.int32)
            ins += [_constant_before(op, blob_of(sums), None)] * groups
            reads += _subtract(op, p, len(sums.shape))
    new = kernel.MatMulOp(
        op.shape,
        groups,
        list(op.a),
        b,
        ins,
        [*reads, *writes],
        op.detach_region(op.body),
        results=[tensor(result) for result in op.results],
        offset_a=offsets if any(offsets) else None,
        layout=layout,
        attributes=op.attributes,
    )
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
    Rewriter.replace_op(op, new)


def _constant_before(op: Operation, blob: BlobAttr, hint: str | None) -> SSAValue:
    constant = nn.ConstantOp(blob)
    constant.result.name_hint = hint
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result


def _subtract(op: kernel.MatMulOp, product: int, rank: int) -> list[Access]:
    """
    Makes the body subtract, from the sums of product number `product` in each group, one more argument; gives
    the accesses of these to a tensor [batch…, N] of `rank` dimensions.
    """
    groups, columns, depth = op.groups.value.data, op.shape[-1], len(op.shape)
    block = op.body.block
    first = block.first_op
    assert first is not None
    accesses: list[Access] = []
    for group in range(groups):
        argument = block.insert_arg(i32, len(block.args))
        total = block.args[product * groups + group]
        correct = arith.SubiOp(total, argument)
        total.replace_uses_with_if(correct.result, lambda use, op=correct: use.operation is not op)
        block.insert_op_before(correct, first)
        batch = [Term(depth - 1 - rank + i) for i in range(rank - 1)]
        accesses.append(Access(depth, (*batch, Term(depth - 1, 1, group * columns))))
    return accesses


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
