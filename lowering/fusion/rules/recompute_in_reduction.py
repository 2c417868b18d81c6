"""Data movement, widening and centering in front of reductions."""

from ....dialects import kernel
from ..recomputation import centers, is_data_movement, widens
from ..reduction_elements import compute_inside, reductions_over
from ..rule import FusionRule


class RecomputeInReduction(FusionRule[kernel.MapOp]):
    """
    `reduce(f(x)) = reduce'(x)` if f only moves or widens elements, or makes few operations of x and what a reduction of
    x gave, as `x - mean(x)`; each of several reductions recomputes it.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if len(op.results) != 1 or not (found := reductions_over(op)):
            return False
        return (is_data_movement(op) or widens(op) or centers(op)) and compute_inside(op, found)
