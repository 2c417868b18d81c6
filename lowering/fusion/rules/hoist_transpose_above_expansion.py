"""Transposes of reshapes that split dimensions."""

from __future__ import annotations

from xdsl.rewriter import InsertPoint

from ....dialects import kernel
from ....dialects.inferred import shape_of, tensor
from ....dialects.rewriter import Rewriter
from ..collapses import runs_of
from ..rule import MovementRule
from ..transposes import Order, leaves_block, order_of, transpose_before


class HoistTransposeAboveExpansion(MovementRule):
    """
    `transpose(reshape(x)) = reshape(transpose'(x))` where the reshape splits dimensions of x and the transpose leaves
    the parts of each beside each other: tokens become an image with channels last as they lie.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if (order := order_of(op)) is None or leaves_block(op):
            return False
        reshape = op.operands[0].owner
        if not isinstance(reshape, kernel.ReshapeOp):
            return False
        if (above := _order_above(reshape, order)) is None:
            return False
        value = reshape.input
        if above != tuple(range(len(above))):
            value = transpose_before(op, value, above)
        new = kernel.ReshapeOp(value, tensor(op.results[0]))
        Rewriter.insert_op(new, InsertPoint.before(op))
        Rewriter.replace_op(op, [], [new.result])
        return True


def _order_above(reshape: kernel.ReshapeOp, order: Order) -> Order | None:
    """The same order for the input of the reshape. None where parts of one dimension are separated or change places."""
    source, parts = shape_of(reshape.input), shape_of(reshape.result)
    if (runs := runs_of(parts, source)) is None:
        return None
    whole = {part: dim for dim, run in enumerate(runs) for part in run}
    moved = [part for part in order if parts[part] != 1]
    above = [dim for dim, size in enumerate(source) if size == 1]
    above += dict.fromkeys(whole[part] for part in moved)
    as_they_lie = [part for dim in above for part in runs[dim] if parts[part] != 1]
    return tuple(above) if moved == as_they_lie else None
