"""`bound-suppression`: a non-maximum suppression selects no more boxes than are read of it."""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, normalize_axis, shape_of
from ...dialects.nn.detection.non_max_suppression import SuppressionOp
from ...dialects.nn.writer import Writer
from ...dialects.walk import all_operations


class BoundSuppression(ModulePass):
    """
    `slice(suppression(x, count), 0, k) = slice(suppression(x, min(count, k)), 0, k)`: each class adds at most k of the
    first k rows, its best ones, which are selected first. Between the two may lie what leaves rows in their places.
    """

    name = "bound-suppression"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if isinstance(inner, SuppressionOp) and inner.limits:
                _bound(inner)


def _bound(op: SuppressionOp) -> None:
    count = constant_integers(op.limits[0])
    *rows, number = op.results
    read = [_rows_read(each) for each in rows]
    if count is None or any(number.uses) or None in read:
        return
    if 0 < (most := max(each or 0 for each in read)) < count[0]:
        write = Writer(InsertPoint.before(op))
        op.operands[2] = write.scalar_like(op.limits[0], most)


def _rows_read(value: SSAValue) -> int | None:
    """How many of the first rows of a value are read at most; None where all may be."""
    found = [_rows_read_by(use) for use in value.uses]
    known = [each for each in found if each is not None]
    return max(known, default=0) if len(known) == len(found) else None


def _rows_read_by(use: Use) -> int | None:
    op = use.operation
    if isinstance(op, infra.YieldOp):
        branch = op.parent_op()
        return _rows_read(branch.results[use.index]) if isinstance(branch, infra.IfOp) else None
    if use.index != 0:
        return None
    if isinstance(op, nn.SliceOp) and (axes := constant_integers(op.axes)) is not None:
        listed = [normalize_axis(op, axis, len(shape_of(op.input))) for axis in axes]
        return _first_rows(op, listed.index(0)) if 0 in listed else _rows_read(op.result)
    return _rows_read(op.results[0]) if _keeps_rows(op) else None


def _first_rows(op: nn.SliceOp, place: int) -> int | None:
    """How many rows a slice takes of the first ones, where its limits of rows stand at a place."""
    limits = [constant_integers(each) for each in (op.start, op.stop, op.step)]
    match [None if each is None else each[place] for each in limits]:
        case [0, int(stop), 1] if stop > 0:
            return stop
        case _:
            return None


def _keeps_rows(op: object) -> bool:
    """Whether an operation leaves the rows of its first operand where they are."""
    match op:
        case nn.ConvertOp():
            return True
        case nn.GatherOp():
            axis, rank = constant_integers(op.axis), len(shape_of(op.input))
            return axis is not None and normalize_axis(op, axis[0], rank) != 0
        case nn.SqueezeOp() if op.axes is not None:
            axes, rank = constant_integers(op.axes), len(shape_of(op.input))
            return bool(axes) and all(normalize_axis(op, each, rank) for each in axes or ())
        case nn.ReshapeOp():
            return len(shape_of(op.result)) == prod(shape_of(op.input)[1:]) == 1
        case _:
            return False
