"""Transposes of reshapes of what a map writes."""

from __future__ import annotations

from itertools import chain

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ....dialects.rewriter import Rewriter
from ..collapses import Collapse
from ..rule import FusionRule
from ..transposes import (
    Order,
    is_layout_agnostic,
    leaves_block,
    order_of,
    permutation_of,
    permuted_type,
    read_permuted,
    write_permuted,
)

WRITERS = (kernel.MapOp, kernel.MatMulOp, kernel.ConvolutionOp)


class HoistTransposeAboveReshape(FusionRule[kernel.ReshapeOp]):
    """
    `f(reshape(g(x))) = f'(reshape(g'(x)))` where the reshape merges dimensions that a map, a product or a convolution
    writes, and all its readers write them in one other order, whose last dimension is not merged: g' writes that order.
    """

    def apply(self, op: kernel.ReshapeOp) -> bool:
        writer, collapse = op.input.owner, Collapse.of(op)
        if not isinstance(writer, WRITERS) or len(writer.results) != 1 or collapse is None:
            return False
        if not op.input.has_one_use() or not _may_permute(writer):
            return False
        readers = list(dict.fromkeys(use.operation for use in op.result.uses))
        order, *others = {_order(reader, op.result) for reader in readers} or {None}
        if order is None or others or order == tuple(range(len(order))):
            return False
        if not order or len(collapse.merged(order[-1])) > 1:
            return False  # elements would be written far apart
        apart = tuple(chain.from_iterable(collapse.runs[d] for d in order))
        if len(apart) != len(collapse.source) or any(map(_leaves_transposed, readers)):
            return False
        written = write_permuted(writer, op.input, apart)
        new = kernel.ReshapeOp(written, permuted_type(op.result, order))
        Rewriter.insert_op(new, InsertPoint.before(op))
        for reader in readers:
            if order_of(reader) is not None:
                Rewriter.replace_op(reader, [], [new.result])
            else:
                read_permuted(reader, op.result, new.result, order)
        Rewriter.erase_op(op)
        Rewriter.erase_op(writer)
        return True


def _may_permute(writer: KernelOp) -> bool:
    """
    Whether it may write another order: maps iterate over points as they lie, others transpose what they write anyway.
    """
    written = writer.accesses[-1]
    return written.is_identity or (
        not isinstance(writer, kernel.MapOp) and permutation_of(written) is not None
    )


def _order(reader: Operation, value: SSAValue) -> Order | None:
    """The order in which a kernel that reads a value once, by an access, writes its dimensions."""
    if not isinstance(reader, KernelOp) or isinstance(reader, kernel.ReduceOp):
        return None
    if list(reader.operands).count(value) != 1 or not reader.results:
        return None
    if not is_layout_agnostic(reader, value):
        return None
    number = list(reader.ins).index(value)
    read, written = (permutation_of(reader.accesses[n]) for n in (number, len(reader.ins)))
    if read is None or written is None:
        return None
    return tuple(read.index(dim) for dim in written)


def _leaves_transposed(reader: Operation) -> bool:
    """Whether the result of a transpose leaves the block."""
    return order_of(reader) is not None and leaves_block(reader)
