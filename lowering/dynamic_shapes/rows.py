"""Rows of indices that name slices of a value, where sizes of either are only known at run time."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of
from ...dialects.nn.writer import Writer
from .bounded import Bounded, Sizes, masked, refusal, same
from .data_movement import inside, size_of, wide


def gather_nd(write: Writer, op: nn.GatherNdOp, given: Sequence[Bounded]) -> Bounded | None:
    """Along dynamic dimensions: indices count from their ends, and lie beyond them, too."""
    data, indices = given
    if op.batch_dims.value.data or min(data.sizes, default=_named(op)) >= _named(op):
        return None
    sizes = _sizes(op, data, indices)
    return Bounded(
        write(nn.GatherNdOp, data.value, _places(write, data, indices), **op.properties), sizes
    )


def scatter_nd(write: Writer, op: nn.ScatterNdUpdateOp, given: Sequence[Bounded]) -> Bounded:
    """Updates that are not there go to where nothing is; negative indices count from the end of what is there."""
    data, indices, updates = given
    if not same(updates.sizes, _sizes(op, data, indices)):
        raise refusal(op)
    places, beyond = (
        _places(write, data, indices),
        max(shape_of(data.value)[: _named(op)], default=0),
    )
    for d, size in indices.sizes.items():
        places = masked(write, places, d, size, beyond)
    value = write(nn.ScatterNdUpdateOp, data.value, places, updates.value, **op.properties)
    return Bounded(value, data.sizes)


def _named(op: nn.GatherNdOp | nn.ScatterNdUpdateOp) -> int:
    """How many dimensions a row names."""
    return shape_of(op.indices)[-1]


def _sizes(op: nn.GatherNdOp | nn.ScatterNdUpdateOp, data: Bounded, indices: Bounded) -> Sizes:
    """The sizes of the slices that are named, one for each row."""
    named, rows = _named(op), len(shape_of(op.indices)) - 1
    if rows in indices.sizes:
        raise refusal(op)
    return indices.sizes | {rows + d - named: size for d, size in data.sizes.items() if d >= named}


def _places(write: Writer, data: Bounded, indices: Bounded) -> SSAValue:
    """Indices that count from the start of what is there, or lie beyond all that there may be."""
    named, places = shape_of(indices.value)[-1], wide(write, indices.value)
    if min(data.sizes, default=named) >= named:
        return places
    largest = shape_of(data.value)[:named]
    counts = (size_of(write, data, d) for d in range(named))
    size = write(
        nn.ConcatOp,
        *(write.integers(n) if isinstance(n, int) else write.reshaped(n, (1,)) for n in counts),
        axis=0,
    )
    beyond = write.constant(BlobAttr.of(TensorType(i64, [named]), largest))
    return inside(write, places, size, beyond)
