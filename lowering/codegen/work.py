"""The work of a kernel, by which is decided whether threads are worth their barriers."""

from __future__ import annotations

from functools import cache
from math import prod

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ...dialects import kernel
from ...dialects.kernel import shaped
from .schedule.work_sharing import PIECE_WORK

FLOAT_PRODUCT = 4
"""What a product of floats costs, in products of bytes."""

SCATTERED = 8
"""What looking up one place and updating it costs, in products of bytes."""

SORTED = 64
"""What sorting costs, an element, in products of bytes."""

SUPPRESSED = 256
"""What it takes to say whether a box is suppressed, in products of bytes: by the few that most are compared with."""

SPLIT_WORK = 1 << 17
"""From so much on a kernel is divided: a microsecond or two, several times what a barrier takes."""

THREADS_WORK = 1 << 23
"""From so much on, in kernels that are divided, a program uses threads: it takes a while to wake workers."""


def multiply_accumulates(op: Operation) -> int:
    """How many a kernel does in one run, padding included; 0 for what sums no products, or has sizes of the run."""
    match op:
        case kernel.MatMulOp():
            depth = sum(shaped(a).get_shape()[-1] for a in op.a)
            return max(prod(op.shape) * op.groups.value.data * depth, 0)
        case kernel.AttentionOp():
            depth = shaped(op.query).get_shape()[-1]
            return max(prod(op.score_shape) * (depth + op.shape[-1]), 0)
        case kernel.CompressedMatMulOp():
            return prod(op.shape) * op.blocks * op.block.value.data
        case kernel.ConvolutionOp():
            return max(op.macs, 0)
        case _:
            return 0


def work(op: Operation) -> int:
    """About what a kernel does, in multiply-accumulates of bytes; operations of bodies count as one."""
    if not _works(type(op)):
        return 0
    match op:
        case kernel.MatMulOp() | kernel.ConvolutionOp() | kernel.AttentionOp():
            return _products(op, multiply_accumulates(op)) + _body(op)
        case kernel.CompressedMatMulOp():
            return multiply_accumulates(op) * kernel.DIGITS + _body(op)
        case kernel.ReduceOp():
            each = sum(1 for _ in op.element.block.ops) + len(op.x)
            return prod(op.shape) * prod(op.extents) * each + _body(op)
        case kernel.KernelOp():
            return _body(op)
        case kernel.ScatterOp():
            return prod(shaped(op.ins[2]).get_shape()) * SCATTERED
        case kernel.SortOp():
            return prod(shaped(op.ins[0]).get_shape()) * SORTED
        case kernel.NonMaxSuppressionOp():
            return prod(shaped(op.ins[1]).get_shape()) * SUPPRESSED
        case kernel.SplitDigitsOp():
            return prod(shaped(op.outs[0]).get_shape())
        case kernel.CopyOp():
            return prod(shaped(op.source).get_shape())
        case _:
            return 0


@cache
def _works(kind: type[Operation]) -> bool:
    """Whether operations of a kind do any: most of a program are places in memory."""
    return issubclass(kind, kernel.EmittedOp | kernel.CopyOp)


def _products(op: kernel.MatMulOp | kernel.ConvolutionOp | kernel.AttentionOp, count: int) -> int:
    is_exact = isinstance(op.accumulators[0], IntegerType)
    return count * (1 if is_exact else FLOAT_PRODUCT)


def _body(op: kernel.KernelOp) -> int:
    operations = sum(1 for _ in op.body.block.ops)
    return prod(op.shape) * (operations + len(op.ins) + len(op.outs))


def divided(program: kernel.ProgramOp) -> set[Operation]:
    """The kernels that several threads do together; none where the program is done before they would wake up."""
    found = {op for op in kernel.outside_bodies(program) if work(op) >= SPLIT_WORK}
    return found if sum(work(op) * _runs(op) for op in found) >= THREADS_WORK else set()


def looks_up(program: kernel.ProgramOp) -> set[Operation]:
    """
    The kernels in front of which one thread looks whether it is to stop, so that no more than `PIECE_WORK` lies between
    two looks (loops look in every iteration).
    """
    found, since = set[Operation](), 0
    for op in kernel.outside_bodies(program):
        if isinstance(op, kernel.ForOp | kernel.WhileOp):
            since = 0
        own = work(op)
        since += own
        if since > PIECE_WORK:
            found.add(op)
            since = own
    return found


def _runs(op: Operation) -> int:
    """How often it runs in one call, where that is known."""
    runs = 1
    while (parent := op.parent_op()) is not None:
        if isinstance(parent, kernel.ForOp):
            runs *= parent.count.value.data
        op = parent
    return runs
