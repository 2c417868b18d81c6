"""`split-depth`: a deep product of many rows is the sum of products of some of its depth (K-blocking)."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused
from ...passes.instrumentation import note_rewrite
from ..machine import Isa, planned_isa

BLOCK = 1024
"""Elements of K in a block, at most: rows of so many stay in the second-level cache, beside a tile of the weights."""

SHALLOWEST = 3 * BLOCK
"""Elements of K from which on it pays: with 2048, what sums cost that go to memory and back is what is gained."""

FEWEST_UNITS = 256
"""Columns from which on rows are read often enough."""

ELEMENT_BYTES = 4


@dataclass(frozen=True)
class SplitDepth(ModulePass):
    """
    `a · b = sum_i a_i · b_i` in f32 for a constant matrix b, with blocks i of at most 1024 elements of K. It needs 3072
    elements, 256 columns, and rows of a that together do not stay in the second-level cache: they are read again for
    each tile of the columns. Blocks are views, and each sum is the residual of the next product.

    On instruction sets whose vectors have 32 bytes and 16 registers, whose cores have small caches. Sums are added in
    another order. `isa` is that of `sink-constants`.
    """

    name = "split-depth"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        isa = planned_isa(self.isa)
        for inner in all_operations(op):
            if isinstance(inner, nn.MatMulOp) and _is_worth(inner, isa):
                _split(inner)
                note_rewrite("SplitDepth")


def _is_worth(op: nn.MatMulOp, isa: Isa) -> bool:
    """Whether a product is deep enough, and its rows and columns are many."""
    rows, weights = shape_of(op.a), shape_of(op.b)
    if isa.vector != "ymm" or op.transpose_a or tensor(op.result).element_type != f32:
        return False
    if len(weights) != 2 or len(rows) < 2 or any(size < 1 for size in rows):
        return False
    if nn.constant_of(op.b) is None:
        return False
    depth, units = rows[-1], weights[0 if op.transpose_b else 1]
    is_far = prod(rows) * ELEMENT_BYTES > isa.second_level_bytes
    return depth >= SHALLOWEST and units >= FEWEST_UNITS and is_far


def _split(op: nn.MatMulOp) -> None:
    """Puts the sum of the products of blocks, of about the same size, in the place of a product."""
    from ...reference.arrays import array_of, blob_of_view

    blob = nn.constant_of(op.b)
    assert blob is not None
    weights, written = array_of(blob), list[Operation]()
    axis, along = len(shape_of(op.a)) - 1, 1 if op.transpose_b else 0
    depth = shape_of(op.a)[axis]
    count = -(-depth // BLOCK)
    write = Writer(InsertPoint.before(op))
    write.builder.operation_insertion_handler.append(written.append)

    def product(block: int) -> SSAValue:
        first, last = block * depth // count, (block + 1) * depth // count
        part = weights[:, first:last] if along else weights[first:last]
        a = write.slice(op.a, first, last, axis)
        b = write.constant(blob_of_view(part, f32))
        return write(nn.MatMulOp, a, b, transpose_b=bool(op.transpose_b))

    result = product(0)
    for block in range(1, count):
        result = write(nn.AddOp, product(block), result)
    origins, dropped = origin_of(op), op.b
    for each in written:
        if not isinstance(each, nn.ConstantOp):
            set_origins(each, origins)
    Rewriter.replace_op(op, [], [result])
    erase_unused(dropped)
