"""Reductions over reshapes."""

from ....dialects import kernel
from ..accesses import changes_units, without_units
from ..rule import FusionRule


class FoldReshapeIntoReduction(FusionRule[kernel.ReduceOp]):
    """`reduce(reshape(x)) = reduce'(x)` where the reshape only adds or drops dimensions of size 1."""

    def apply(self, op: kernel.ReduceOp) -> bool:
        for i, (value, (points, steps)) in enumerate(zip(op.x, op.readings, strict=True)):
            if not changes_units(source := value.owner):
                continue
            readings = op.readings
            readings[i] = without_units(source, points), without_units(source, steps)
            op.operands[i] = source.input
            op.reads_at(readings)
            return True
        return False
