"""Reductions over reshapes."""

from xdsl.dialects.builtin import DenseArrayBase, i64

from ....dialects import kernel
from ..accesses import changes_units, without_units
from ..collapses import Collapse, renumbered, sizes_after, uses
from ..rule import FusionRule


class FoldReshapeIntoReduction(FusionRule[kernel.ReduceOp]):
    """
    `reduce(reshape(x)) = reduce'(x)` where the reshape only adds or drops dimensions of size 1, or merges those that
    the window covers: they are dimensions of the window then.
    """

    def apply(self, op: kernel.ReduceOp) -> bool:
        for i, (value, (points, steps)) in enumerate(zip(op.x, op.readings, strict=True)):
            if not changes_units(source := value.owner):
                if _splits_window(op, i):
                    return True
                continue
            readings = op.readings
            readings[i] = without_units(source, points), without_units(source, steps)
            op.operands[i] = source.input
            op.reads_at(readings)
            return True
        return False


def _splits_window(op: kernel.ReduceOp, number: int) -> bool:
    """Makes what operand `number` has merged in the window several dimensions of it, if all operands can be read so."""
    collapse = Collapse.of(op.x[number].owner)
    if collapse is None:
        return False
    split = collapse.split(op.readings[number][1], op.extents)
    if not split:
        return False
    sources, readings = list(op.x), op.readings
    for i, (points, steps) in enumerate(op.readings):
        if not uses(steps, split):
            readings[i] = points, renumbered(steps, split)
            continue
        reshape = Collapse.of(op.x[i].owner)
        if reshape is None or reshape.split(steps, op.extents) != split:
            return False
        moves = (
            p.dim is not None
            for p, s in zip(points.terms, steps.terms, strict=True)
            if s.dim in split
        )
        if any(moves):
            return False
        sources[i] = reshape.op.input
        readings[i] = reshape.read(points, {}), reshape.read(steps, split)
    for i, source in enumerate(sources):
        op.operands[i] = source
    op.properties["window"] = DenseArrayBase.from_list(i64, sizes_after(op.extents, split))
    op.reads_at(readings)
    return True
