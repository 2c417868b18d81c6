"""Data movement and widening in front of reductions."""

from xdsl.ir import Operation

from ....dialects import kernel
from ..recomputation import is_data_movement, widens
from ..reduction_elements import compute_inside, reductions_over
from ..rule import FusionRule


class RecomputeInReduction(FusionRule):
    """`reduce(f(x)) = reduce'(x)` if f only moves or widens elements; each of several reductions recomputes it."""

    def apply(self, op: Operation) -> bool:
        if not isinstance(op, kernel.MapOp) or not (is_data_movement(op) or widens(op)):
            return False
        return compute_inside(op, reductions_over(op))
