"""Transposed stores of products and convolutions."""

from math import prod

from xdsl.rewriter import Rewriter

from ....dialects import kernel
from ...machine import MOST_LANES
from ..rule import FusionRule
from ..transposes import is_permutation, transpose_before, write_permuted

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
            dims = tuple(term.dim for term in access.terms if term.dim is not None)
            if not is_permutation(access) or dims[-1] == len(dims) - 1:
                continue
            new = write_permuted(op, value, tuple(dims.index(d) for d in range(len(dims))))
            owner = new.owner
            assert isinstance(owner, kernel.MatMulOp | kernel.ConvolutionOp)
            value.replace_all_uses_with(transpose_before(op, new, dims))
            Rewriter.erase_op(op)
            self.apply(owner)
            return True
        return False
