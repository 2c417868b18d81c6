"""`relax-constants`: constants that hold a size of the inputs follow it instead."""

from __future__ import annotations

import logging

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import infra, nn
from ...dialects.inferred import shape_of
from ...dialects.module import entry_of
from ...dialects.walk import all_operations
from .limits import (
    BOUNDS,
    relax_broadcast,
    relax_by_trial,
    relax_slice,
    relax_strided_slice,
    relax_trip_count,
)
from .only_size import only_shape, retype_input
from .sizes import Sizes
from .targets import relax_reshape

log = logging.getLogger(__name__)


class RelaxConstants(ModulePass):
    """
    `reshape(x: [1, 49, 10], [1, 490]) = reshape(x, [0, -1])`, and so for other constants that hold a size.

    - A target of `nn.reshape` becomes 0 where it copies a dimension, -1 where it is what is left, and an
      `nn.shape_of` where it copies another dimension, as long as the number of elements stays right
      whatever sizes the inputs get. Elsewhere it stays.
    - A stop of `nn.slice` or `nn.strided_slice` at the end of a dimension that follows an input becomes the end;
      so does a start at its last element.
    - A trip count of `infra.loop` that is the number of parts of what the loop slices becomes -1, no limit, if
      all that it slices follows the inputs.
    - A target of `nn.broadcast`, or a stop of `nn.slice`, that equals a size of an input becomes that
      size, if the model fits another size only so.

    An unknown dimension counts as the size that a target of `nn.reshape` leaves it, as in [?, 1, 40] to [6, 1, 40].

    What the model computes for the shapes it has stays the same. Each change is noted.
    """

    name = "relax-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not (notes := relax_constants(op)):
            log.warning("relax-constants changed nothing: no constant follows a size of an input")
        for note in notes:
            log.warning("relax-constants: %s", note)


def relax_constants(module: ModuleOp) -> list[str]:
    """Relaxes all constants that can be. Returns a note for each change."""
    if (found := only_shape(module)) is None:
        return _relax_all(module)
    number, shape = found
    unknown = shape_of(entry_of(module).body.block.args[number])
    retype_input(module, number, shape)
    notes = _relax_all(module)
    retype_input(module, number, unknown)
    return notes


def _relax_all(module: ModuleOp) -> list[str]:
    notes = list[str]()
    while found := _relax_once(module):
        notes += found
    return notes


def _relax_once(module: ModuleOp) -> list[str]:
    """
    Relaxes what there is a reason for in the operation itself. Failing that, one constant of which only the rest
    of the model tells that it follows an input.
    """
    sizes, notes = Sizes.of(module), list[str]()
    for op in all_operations(module):
        match op:
            case nn.ReshapeOp():
                notes += relax_reshape(op, sizes)
            case nn.SliceOp():
                notes += relax_slice(op, sizes)
            case nn.StridedSliceOp():
                notes += relax_strided_slice(op, sizes)
            case nn.BroadcastOp():
                notes += relax_broadcast(op, sizes)
            case infra.LoopOp():
                notes += relax_trip_count(op, sizes)
            case _:
                pass
    if notes:
        return notes
    trials = (
        relax_by_trial(module, op, operand, sizes)
        for op in all_operations(module)
        for operand in BOUNDS.get(type(op), ())
    )
    return next(filter(None, trials), notes)
