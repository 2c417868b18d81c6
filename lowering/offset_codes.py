"""
`offset-codes`: codes of rows that meet many columns become what the instruction takes once, and not for each tile of
columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness, TensorType, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import kernel, nn
from ..dialects.inferred import shape_of, tensor
from ..dialects.kernel import Access
from ..dialects.origins import origins_of, set_origins
from ..dialects.rewriter import Rewriter
from ..passes.instrumentation import note_rewrite
from .codegen.schedule.mat_mul import MatMulSchedule
from .kernel_bodies.bodies import Scalar, build_body
from .machine import Isa, planned_isa
from .pack_weights.corrections import constant_before
from .pack_weights.mat_mul import shape_of_product, subtract_sums

ui8 = IntegerType(8, Signedness.UNSIGNED)

FEWEST_ROWS, FEWEST_COLUMNS, FEWEST_CODES = 8, 64, 16
"""
Rows, columns and codes of a row from which on it pays: fewer rows wait for their weights, and fewer columns are few
tiles.
"""


@dataclass(frozen=True)
class OffsetCodes(ModulePass):
    """
    `x · w = (x + 128) · w - 128 sum_k w_k` for i8 codes x and constant codes w, where the instruction multiplies u8 by
    i8 (`vpdpbusd` of AVX-512 VNNI and AVX-VNNI): a `kernel.map` gives x + 128, which each tile of columns would compute
    again. All is exact in i32.

    It needs 8 rows, 64 columns and 16 codes of a row. `isa` is that of `pack-weights`.
    """

    name = "offset-codes"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        isa = planned_isa(self.isa)
        written: dict[SSAValue, SSAValue] = {}
        for inner in kernel.outside_bodies(op):
            if isinstance(inner, kernel.MatMulOp) and (offsets := _offsets(inner, isa)):
                _add_offsets(inner, offsets, written)
                note_rewrite("OffsetCodes")


def _offsets(op: kernel.MatMulOp, isa: Isa) -> dict[int, int]:
    """What the instruction adds to the codes of which products, where it pays to do so before."""
    shape = shape_of_product(op)
    if op.layout is not None or shape.k_by_n or shape.rows < FEWEST_ROWS:
        return {}
    if shape.groups * shape.columns < FEWEST_COLUMNS:
        return {}
    if any(nn.constant_of(b) is None for b in op.b) or MatMulSchedule.matched_candidates(
        isa, shape
    ):
        return {}
    offsets = MatMulSchedule.choose(isa, shape).offsets
    return {
        number: offset
        for number, (depth, offset) in enumerate(zip(shape.depths, offsets, strict=True))
        if offset > 0 and depth >= FEWEST_CODES
    }


def _add_offsets(
    op: kernel.MatMulOp, offsets: Mapping[int, int], written: dict[SSAValue, SSAValue]
) -> None:
    """Makes products read codes that have the offset, and subtracts what that adds."""
    import numpy as np

    from ..reference.arrays import array_of, blob_of

    groups, a, ins = op.groups.value.data, list(op.a), list(op.ins)
    reads, writes = op.accesses[: len(ins)], op.accesses[len(ins) :]
    for product, offset in offsets.items():
        weights = nn.constant_of(op.b[product])
        assert weights is not None
        if (codes := written.get(a[product])) is None:
            codes = written[a[product]] = _codes(op, a[product], offset)
        a[product] = codes
        sums = offset * array_of(weights).sum(axis=-1, dtype=np.int32)
        ins += [constant_before(op, blob_of(sums), None)] * groups
        reads += subtract_sums(op, product, sums.shape)
    new = kernel.MatMulOp(
        op.shape,
        groups,
        a,
        list(op.b),
        kernel.Epilogue(ins, [*reads, *writes], op.detach_region(op.body)),
        results=[tensor(result) for result in op.results],
        attributes=op.attributes,
    )
    Rewriter.replace_op(op, new)


def _codes(op: kernel.MatMulOp, a: SSAValue, offset: int) -> SSAValue:
    """The codes of a with the offset, in front of the first kernel that reads them."""

    def shifted(x: Scalar) -> Scalar:
        return x + offset

    shape = shape_of(a)
    access = Access.identity(len(shape))
    result, body = TensorType(ui8, shape), build_body([i32], shifted)
    codes = kernel.MapOp(shape, [a], [access, access], body, results=[result])
    set_origins(codes, origins_of(op))
    Rewriter.insert_op(codes, InsertPoint.before(op))
    return codes.results[0]
