"""Transposed stores of products, convolutions, gathers and reductions."""

from math import prod

from ....dialects import kernel
from ....dialects.kernel import Term
from ....dialects.rewriter import Rewriter
from ...machine import FIRST_LEVEL_WAY_BYTES, MOST_LANES
from ..rule import FusionRule
from ..transposes import inverse, permutation_of, transpose_before, write_permuted

TRANSPOSE_TILE = MOST_LANES
"""The least number of units and positions for which a map transposes tiles in registers, as many as lanes each way."""

REDUCED_UNITS = 2 * MOST_LANES
"""The least number of units for a reduction: at each position, they touch as many lines of the first-level cache."""

REDUCED_PLANE = FIRST_LEVEL_WAY_BYTES // 4
"""
The least number of positions for a reduction: as many f32 fill a way, so that scalars of neighbouring units compete for
the first-level cache. (Maxima of 3 x 3 neighbours are 1.9 times as fast in 32 channels of 32 x 32, 0.6 times in 64 of
20 x 20.)
"""

Transposed = kernel.MatMulOp | kernel.ConvolutionOp | kernel.GatherOp | kernel.ReduceOp
"""What computes vectors along its last dimension: a reduction if it reads them so."""


class SinkTranspose(
    FusionRule[kernel.MatMulOp | kernel.ConvolutionOp | kernel.GatherOp | kernel.ReduceOp]
):
    """
    Transpose sinking: `f'(x) = transpose(f(x))` where f' is a product, a convolution, a gather or a reduction of
    neighbours whose transposed stores would be scalar, if there are enough units and positions that a map transposes
    tiles in registers.
    """

    def apply(self, op: Transposed) -> bool:
        *positions, units = op.shape or (1,)
        if min(units, prod(positions)) < TRANSPOSE_TILE:
            return False
        if isinstance(op, kernel.ReduceOp) and not _is_worth_transposing(op):
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


def _is_worth_transposing(op: kernel.ReduceOp) -> bool:
    """Whether positions are enough, and neighbours in the last dimension are neighbours in all that is reduced."""
    *positions, units = op.shape
    last = Term(len(positions))
    reads_vectors = all(points.terms and points.terms[-1] == last for points, _ in op.readings)
    return units >= REDUCED_UNITS and prod(positions) >= REDUCED_PLANE and reads_vectors
