"""Transposed stores of products, convolutions and gathers."""

from math import prod

from xdsl.rewriter import Rewriter

from ....dialects import kernel
from ...machine import MOST_LANES
from ..rule import FusionRule
from ..transposes import inverse, permutation_of, transpose_before, write_permuted

TRANSPOSE_TILE = MOST_LANES
"""The least number of units and positions for which a map transposes tiles in registers, as many as lanes each way."""


GATHERED_TILE = 4 * MOST_LANES
"""The same for a gather, which has little else to do (GridSample of 64 channels 1.3 times as fast, of 32 0.6 times)."""

Transposed = kernel.MatMulOp | kernel.ConvolutionOp | kernel.GatherOp
"""What computes vectors along its last dimension."""


class SinkTranspose(FusionRule[kernel.MatMulOp | kernel.ConvolutionOp | kernel.GatherOp]):
    """
    Transpose sinking: `f'(x) = transpose(f(x))` where f' is a product, a convolution or a gather whose transposed
    stores would be scalar, if there are enough units and positions that a map transposes tiles in registers.
    """

    def apply(self, op: Transposed) -> bool:
        *positions, units = op.shape or (1,)
        tile = GATHERED_TILE if isinstance(op, kernel.GatherOp) else TRANSPOSE_TILE
        if min(units, prod(positions)) < tile:
            return False
        for value, access in zip(op.results, op.accesses[len(op.ins) :], strict=True):
            order = permutation_of(access)
            if order is None or order[-1] == len(order) - 1:
                continue
            new = write_permuted(op, value, inverse(order))
            owner = new.owner
            assert isinstance(owner, Transposed)
            value.replace_all_uses_with(transpose_before(op, new, order))
            Rewriter.erase_op(op)
            self.apply(owner)
            return True
        return False
