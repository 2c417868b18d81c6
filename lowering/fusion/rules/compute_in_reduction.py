"""Elementwise kernels in front of one reduction."""

from math import prod

from ....dialects import kernel
from ..reduction_elements import compute_inside, reductions_over
from ..rule import FusionRule


class ComputeInReduction(FusionRule[kernel.MapOp]):
    """`reduce(f(x)) = reduce'(x)` if f(x) has no other reader and the windows read no element twice."""

    def apply(self, op: kernel.MapOp) -> bool:
        if len(op.results) != 1:
            return False
        (result,), found = op.results, reductions_over(op)
        if len(found) != 1 or len({use.operation for use in result.uses}) != 1:
            return False
        if prod(found[0].shape) * prod(found[0].extents) > prod(op.shape):
            return False
        return compute_inside(op, found)
