"""Which emitter each operation has: the registry."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from xdsl.ir import Operation

from ...dialects import kernel
from ..machine import Isa
from .convolution.convolution import ConvolutionKernel
from .convolution.depthwise import DepthwiseKernel
from .convolution.im2col import im2col_kernel
from .emitter import Emitter
from .fill import FillKernel
from .map import MapKernel
from .mat_mul.mat_mul import MatMulKernel
from .reduce import ReduceKernel


def _convolution(op: kernel.ConvolutionOp, isa: Isa) -> Emitter:
    if isinstance(op.packed, kernel.WinogradLayout):
        return _later("convolution.winograd", "WinogradKernel")(op, isa)
    if op.is_depthwise:
        return DepthwiseKernel.of(op, isa)
    return im2col_kernel(op, isa) or ConvolutionKernel.of(op, isa)


def _map(op: kernel.MapOp, isa: Isa) -> Emitter:
    return FillKernel.of(op) or MapKernel.of(op, isa)


def _later(module: str, emitter: str) -> Callable[[Any, Isa], Emitter]:
    """An emitter whose module is imported when the first such kernel comes: most programs have few kinds of kernels."""

    def of(op: Operation, isa: Isa) -> Emitter:
        return getattr(import_module(f".{module}", __package__), emitter).of(op, isa)

    return of


EMITTERS: dict[type[Operation], Callable[[Any, Isa], Emitter]] = {
    kernel.MapOp: _map,
    kernel.CopyOp: MapKernel.of_copy,
    kernel.MatMulOp: MatMulKernel.of,
    kernel.AttentionOp: _later("attention", "AttentionKernel"),
    kernel.SoftmaxOp: _later("softmax", "SoftmaxKernel"),
    kernel.CompressedMatMulOp: _later("mat_mul.compressed", "CompressedMatMulKernel"),
    kernel.ConvolutionOp: _convolution,
    kernel.ReduceOp: ReduceKernel.of,
    kernel.GatherOp: _later("gather", "GatherKernel"),
    kernel.ScatterOp: _later("whole.scatter", "ScatterKernel"),
    kernel.SortOp: _later("whole.sort", "SortKernel"),
    kernel.OrderOp: _later("whole.order", "OrderKernel"),
    kernel.ScanOp: _later("whole.scan", "ScanKernel"),
    kernel.ReduceWindowsOp: _later("whole.reduce_windows", "ReduceWindowsKernel"),
    kernel.SplitDigitsOp: _later("mat_mul.split_digits", "SplitDigitsKernel"),
    kernel.NonMaxSuppressionOp: _later("whole.non_max_suppression", "NonMaxSuppressionKernel"),
}
"""The emitter of each kind of operation, given the operation on planned memory and the instruction set."""


def emitters_of(program: kernel.ProgramOp, isa: Isa) -> dict[Operation, Emitter]:
    """The emitter of each operation that has one. Raises DiagnosticException where there is no code for one."""
    return {
        op: emitter_of(op, isa)
        for op in kernel.outside_bodies(program)
        if (emitter_of := EMITTERS.get(type(op))) is not None
    }
