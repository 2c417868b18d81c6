"""
`fuse-kernels`: fewer kernels, the same numbers.

A sweep over each block applies `FUSION_RULES` to every kernel until none applies. Each rule is a law about a producer
and its consumer. Together they make one kernel of a step of a recurrent layer: added products accumulate together,
gates become groups of one product, and elementwise work becomes the epilogue.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ...dialects import kernel


@dataclass(frozen=True)
class FuseKernels(ModulePass):
    """Fuses the kernels of every block."""

    name = "fuse-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .rules import fuse_block

        blocks: list[Block] = []
        for inner in op.walk():
            if not isinstance(inner, kernel.KernelOp):
                blocks += [block for region in inner.regions for block in region.blocks]
        for block in blocks:
            fuse_block(block)
