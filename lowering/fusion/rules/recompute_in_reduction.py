"""Data movement and widening in front of reductions."""

from ....dialects import kernel
from ..recomputation import is_data_movement, widens
from ..reduction_elements import compute_inside, reductions_over
from ..rule import FusionRule


class RecomputeInReduction(FusionRule[kernel.MapOp]):
    """`reduce(f(x)) = reduce'(x)` if f only moves or widens elements; each of several reductions recomputes it."""

    def apply(self, op: kernel.MapOp) -> bool:
        if not (is_data_movement(op) or widens(op)):
            return False
        return compute_inside(op, reductions_over(op))
