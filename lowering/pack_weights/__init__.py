"""
`pack-weights`: packs constant weights of kernels in the order in which microkernels stream them.

The schedule decides the layout: a pure function of shapes and instruction set, or a measured one from a table of
`schedules`. Where only u8 x i8 is fast, i8 activations are read as u8 by adding 128, and the epilogue subtracts 128
times the weights' sums.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import infra, kernel, nn
from ...dialects.inferred import label
from ...dialects.mapped import drop_mapped_pages
from ..machine import Isa, planned_isa

if TYPE_CHECKING:
    from ..tuning_configuration import Anchor, TuningConfiguration, TuningConfigurations


@dataclass(frozen=True)
class PackWeights(ModulePass):
    """
    Packs the weights of every kernel where they are constants. `isa` names the instruction set (default: the
    host's), `schedules` a file of measured ones (`benchmark-tool --tune`). With `accurate`, no convolution of f32 is
    computed by Winograd's algorithm, which rounds otherwise.
    """

    name = "pack-weights"

    isa: str | None = None
    schedules: str | None = None
    accurate: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ..tuning_configuration import read_table

        isa = planned_isa(self.isa)
        configurations: TuningConfigurations = {}
        if self.schedules is not None:
            configurations = read_table(Path(self.schedules)).get(isa.name, configurations)
        pack_weights(op, isa, configurations, self.accurate)


def pack_weights(
    module: ModuleOp, isa: Isa, configurations: TuningConfigurations, accurate: bool = False
) -> None:
    """Packs all weights that are constants, as was chosen where something was (`PackWeights`)."""
    from .attention import pack_attention
    from .compressed_mat_mul import pack_compressed_mat_mul
    from .convolution import pack_convolution
    from .mat_mul import pack_at_run_time, pack_mat_mul

    for op in kernel.outside_bodies(module):
        if isinstance(op, kernel.AttentionOp) and op.key_layout is None:
            pack_attention(op, isa)
        if isinstance(op, kernel.CompressedMatMulOp) and op.layout is None:
            pack_compressed_mat_mul(op, isa)
        if isinstance(op, kernel.MatMulOp) and op.layout is None and not _has_constants(op):
            pack_at_run_time(op, isa, infra.streams_of(module))
    for op in anchors(module):
        configuration = _chosen(op, isa, configurations, accurate)
        match op:
            case kernel.MatMulOp():
                pack_mat_mul(op, isa, configuration)
            case kernel.ConvolutionOp():
                pack_convolution(op, isa, configuration, accurate)
        drop_mapped_pages()  # the filters that were read


def anchors(module: ModuleOp) -> list[Anchor]:
    """The kernels whose weights are constants, not packed yet."""
    found = (
        op
        for op in kernel.outside_bodies(module)
        if isinstance(op, kernel.ConvolutionOp | kernel.MatMulOp)
    )
    return [op for op in found if op.layout is None and _has_constants(op)]


def _has_constants(op: Anchor) -> bool:
    """Whether all weights are constants."""
    return all(nn.constant_of(weights) for weights in op.factors[1])


def candidates(op: Anchor, isa: Isa, accurate: bool = False) -> list[TuningConfiguration]:
    """All that may be chosen for one of them; the first is chosen where nothing was measured."""
    from .convolution import convolution_candidates
    from .mat_mul import mat_mul_candidates

    match op:
        case kernel.MatMulOp():
            return mat_mul_candidates(op, isa)
        case kernel.ConvolutionOp():
            return convolution_candidates(op, isa, accurate)


def _chosen(
    op: Anchor, isa: Isa, configurations: TuningConfigurations, accurate: bool
) -> TuningConfiguration | None:
    """What was measured for a kernel. One that is no candidate does not count: it comes from another version of us."""
    from ..tuning_configuration import description

    configuration = configurations.get(description(op))
    if configuration is None or configuration in candidates(op, isa, accurate):
        return configuration
    if accurate and configuration in candidates(op, isa):
        return None
    warnings.warn(
        f"{label(op)}: register tiles of {configuration}, as measured, are none that {isa.name} has for it; "
        "measure again (benchmark-tool --tune)",
        stacklevel=2,
    )
    return None
