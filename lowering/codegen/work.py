"""The work of a kernel: it decides whether threads are worth their barriers, and whether LLVM's time is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from math import prod

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ...dialects import kernel
from ...dialects.kernel import shaped
from ...dialects.walk import block_operations
from ..machine import Isa
from .emitter import Emitter
from .schedule.work_sharing import PIECE_WORK

FLOAT_PRODUCT = 4
"""The cost of a product of floats, in products of bytes."""

SCATTERED = 8
"""The cost of looking up one index and updating its element, in products of bytes."""

SORTED = 64
"""The cost of sorting an element, in products of bytes."""

SCANNED = 4
"""The cost of an operation on an element that has to wait for the element before, in products of bytes."""

WINDOW_ELEMENTS = 16
"""The elements of a window whose limits are computed."""

SUPPRESSED = 256
"""The cost of deciding whether a box is suppressed, in products of bytes; most are compared with few others."""

LIGHT_PART = 4096
"""
A kernel with at most one part in so many of a program's work is light: LLVM compiles it at a lower level. MobileNetV3
and RegNetY run as fast with that, and with 1024 2 to 4 % slower.
"""

LIGHT_WORK = 8192
"""
A program with at most so much work is light as a whole. A product of 4x64 by 64x32 takes 0.05 microseconds longer for
that, and compiles in 4 of 5 parts of the time.
"""

SPLIT_WORK = 1 << 17
"""Kernels with so much work are divided: a microsecond or two, several times the cost of a barrier."""

THREADS_WORK = 1 << 23
"""Programs with so much work in divided kernels use threads: it takes a while to wake workers."""


def multiply_accumulates(op: Operation) -> int:
    """
    Multiply-accumulates of one run of a kernel, padding included. 0 for a kernel that sums no products, or whose sizes
    are known only at run time.
    """
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
    """The approximate work of a kernel, in multiply-accumulates of bytes. An operation of a body counts as one."""
    if not _works(type(op)):
        return 0
    match op:
        case kernel.MatMulOp() | kernel.ConvolutionOp() | kernel.AttentionOp():
            return _products(op, multiply_accumulates(op)) + _body(op)
        case kernel.CompressedMatMulOp():
            return multiply_accumulates(op) * kernel.DIGITS + _body(op)
        case kernel.ReduceOp():
            each = len(block_operations(op.element.block)) + len(op.x)
            return prod(op.shape) * prod(op.extents) * each + _body(op)
        case kernel.SoftmaxOp():
            return prod(op.shape) * (len(block_operations(op.power.block)) + 2) + _body(op)
        case kernel.KernelOp():
            return _body(op)
        case kernel.ScatterOp():
            return prod(shaped(op.ins[2]).get_shape()) * SCATTERED
        case kernel.SortOp() | kernel.OrderOp():
            return prod(shaped(op.ins[0]).get_shape()) * SORTED
        case kernel.ScanOp():
            each = len(block_operations(op.body.block)) * SCANNED
            return prod(shaped(op.ins[0]).get_shape()) * each
        case kernel.ReduceWindowsOp():
            return prod(shaped(op.outs[0]).get_shape()) * WINDOW_ELEMENTS
        case kernel.NonMaxSuppressionOp():
            return prod(shaped(op.ins[1]).get_shape()) * SUPPRESSED
        case kernel.SplitDigitsOp():
            return prod(shaped(op.outs[0]).get_shape())
        case kernel.CopyOp():
            return prod(shaped(op.source).get_shape())
        case _:
            return 0


def parts_of_work(emitters: Mapping[Operation, Emitter], isa: Isa) -> dict[Emitter, float]:
    """
    Which part of a program's work the kernels of each emitter are, not counting inner loops that are assembly; 0 in a
    program with next to no work. What runs an unknown number of times, or has unknown sizes, is left out.
    """
    compiled, total = defaultdict[Emitter, int](int), 0
    for op, found in emitters.items():
        runs, each = _runs(op), work(op)
        total += runs * each
        if found.is_assembly(isa) and isinstance(op, kernel.KernelOp):
            each = _body(op)
        compiled[found] += runs * each
    repeated = {found for op, found in emitters.items() if _is_in_while(op)}
    is_light = sum(compiled.values()) <= LIGHT_WORK and not repeated
    return {
        found: 0 if is_light else each / total
        for found, each in compiled.items()
        if each > 0 and found not in repeated
    }


@cache
def _works(kind: type[Operation]) -> bool:
    """Whether operations of a kind do any work: most operations of a program only name places in memory."""
    return issubclass(kind, kernel.EmittedOp | kernel.CopyOp)


def _products(op: kernel.MatMulOp | kernel.ConvolutionOp | kernel.AttentionOp, count: int) -> int:
    is_exact = isinstance(op.accumulators[0], IntegerType)
    return count * (1 if is_exact else FLOAT_PRODUCT)


def _body(op: kernel.KernelOp) -> int:
    operations = len(block_operations(op.body.block))
    return prod(op.shape) * (operations + len(op.ins) + len(op.outs))


def divided(program: kernel.ProgramOp) -> set[Operation]:
    """The kernels that several threads divide; none if the program ends before threads would wake up."""
    found = {op for op in kernel.outside_bodies(program) if work(op) >= SPLIT_WORK}
    return found if sum(work(op) * _runs(op) for op in found) >= THREADS_WORK else set()


def cancellation_points(program: kernel.ProgramOp) -> set[Operation]:
    """
    The kernels before which the calling thread checks for cancellation, so that at most `PIECE_WORK` lies between two
    checks. Loops check in every iteration.
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


def _is_in_while(op: Operation) -> bool:
    """Whether an operation runs as often as only the run can tell."""
    parent = op.parent_op()
    return parent is not None and (isinstance(parent, kernel.WhileOp) or _is_in_while(parent))


def _runs(op: Operation) -> int:
    """How often an operation runs in one call, where that is known."""
    runs = 1
    while (parent := op.parent_op()) is not None:
        if isinstance(parent, kernel.ForOp):
            runs *= parent.count.value.data
        op = parent
    return runs
