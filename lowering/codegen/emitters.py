"""Which emitter each operation has: the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from ...dialects import kernel
from ..machine import Isa
from .attention import AttentionKernel
from .compressed_mat_mul import CompressedMatMulKernel
from .convolution import ConvolutionKernel
from .depthwise import DepthwiseKernel
from .emitter import Emitter
from .fill import FillKernel
from .gather import GatherKernel
from .map import MapKernel
from .mat_mul import MatMulKernel
from .non_max_suppression import NonMaxSuppressionKernel
from .reduce import ReduceKernel
from .scatter import ScatterKernel
from .sort import SortKernel
from .split_digits import SplitDigitsKernel


def _convolution(op: kernel.ConvolutionOp, isa: Isa) -> Emitter:
    return (DepthwiseKernel if op.is_depthwise else ConvolutionKernel).of(op, isa)


def _map(op: kernel.MapOp, isa: Isa) -> Emitter:
    return FillKernel.of(op) or MapKernel.of(op, isa)


EMITTERS: dict[type[Operation], Callable[[Any, Isa], Emitter]] = {
    kernel.MapOp: _map,
    kernel.CopyOp: MapKernel.of_copy,
    kernel.MatMulOp: MatMulKernel.of,
    kernel.AttentionOp: AttentionKernel.of,
    kernel.CompressedMatMulOp: CompressedMatMulKernel.of,
    kernel.ConvolutionOp: _convolution,
    kernel.ReduceOp: ReduceKernel.of,
    kernel.GatherOp: GatherKernel.of,
    kernel.ScatterOp: ScatterKernel.of,
    kernel.SortOp: SortKernel.of,
    kernel.SplitDigitsOp: SplitDigitsKernel.of,
    kernel.NonMaxSuppressionOp: NonMaxSuppressionKernel.of,
}
"""From an operation on planned memory, and the instruction set, to what emits it."""
