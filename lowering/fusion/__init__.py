"""
`fuse-kernels`: fewer kernels, the same numbers.

A sweep over each block applies the fusions of `FUSION_RULES` to every kernel until none applies. Each is a law
about two kernels next to each other in the graph; together they turn a step of a recurrent layer into one
kernel: products that meet in an addition share it, the gates that a split separates become groups, and all
elementwise work runs on sums that are still in registers.
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
