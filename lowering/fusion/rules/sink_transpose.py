"""Transposed stores of products and convolutions."""

from math import prod

from xdsl.rewriter import Rewriter

from ....dialects import kernel
from ...machine import MOST_LANES
from ..rule import FusionRule
from ..transposes import inverse, permutation_of, transpose_before, write_permuted

TRANSPOSE_TILE = MOST_LANES
"""The least number of units and positions for which a map transposes tiles in registers, as many as lanes each way."""


class SinkTranspose(FusionRule[kernel.MatMulOp | kernel.ConvolutionOp]):
    """
    Transpose sinking: `f'(x) = transpose(f(x))` where f' is a product or a convolution whose transposed stores would
    be scalar, if there are enough units and positions that a map transposes tiles in registers.
    """

    def apply(self, op: kernel.MatMulOp | kernel.ConvolutionOp) -> bool:
        *positions, units = op.shape
        if min(units, prod(positions)) < TRANSPOSE_TILE:
            return False
        for value, access in zip(op.results, op.accesses[len(op.ins) :], strict=True):
            order = permutation_of(access)
            if order is None or order[-1] == len(order) - 1:
                continue
            new = write_permuted(op, value, inverse(order))
            owner = new.owner
            assert isinstance(owner, kernel.MatMulOp | kernel.ConvolutionOp)
            value.replace_all_uses_with(transpose_before(op, new, order))
            Rewriter.erase_op(op)
            self.apply(owner)
            return True
        return False
