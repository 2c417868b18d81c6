"""
`pack-weights`: constant weights of kernels laid out as the host's instructions stream them.

The schedule, a pure function of shapes and instruction set, decides the layout. Where only u8 x i8 is
fast, i8 activations are read as u8 by adding 128, and the body subtracts 128 times the weights' sums.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import kernel


@dataclass(frozen=True)
class PackWeights(ModulePass):
    """Packs the weights of every kernel where they are constants. `isa` names the instruction set (default: the
    host's)."""

    name = "pack-weights"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ..codegen.isa import choose_isa
        from .convolution import pack_convolution
        from .mat_mul import pack_mat_mul

        isa = choose_isa(self.isa)
        for inner in list(op.walk()):
            match inner:
                case kernel.MatMulOp(layout=None):
                    pack_mat_mul(inner, isa)
                case kernel.ConvolutionOp(layout=None):
                    pack_convolution(inner, isa)
                case _:
                    pass
