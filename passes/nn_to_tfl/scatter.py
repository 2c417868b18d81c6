"""Scatter updates. LiteRT's own scatter sums up updates of the same index, and starts with zeros."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...reference.arrays import Array
from .movement import cropped, gathered
from .refusals import refuse, refuse_unknown
from .tensors import UNKNOWN, Tensor, inverse
from .writer import TflWriter, emits, sizes_of

COMBINED = {"sum": "ADD", "sub": "SUB", "prod": "MUL", "min": "MINIMUM", "max": "MAXIMUM"}
"""By reduction, the operator that combines an update with the old element."""


@emits(nn.ScatterNdUpdateOp)
def scatter_nd(write: TflWriter, op: nn.ScatterNdUpdateOp) -> None:
    shape, named = _static(op), shape_of(op.indices)[-1]
    sizes, parts = shape[:named], prod(shape[named:])
    count = prod(shape_of(op.indices)[:-1])
    data = write.reshaped(write.plain(op.data), (prod(sizes), parts))
    updates = write.reshaped(write.plain(op.updates), (count, parts))
    places = _places(write, op.indices, count, sizes)
    found = _updated(write, op, data, places, updates, op.reduction.data)
    write.set(op.result, write.reshaped(found, shape))


@emits(nn.ScatterUpdateOp)
def scatter(write: TflWriter, op: nn.ScatterUpdateOp) -> None:
    """The axis is moved to the front, where an index names a row."""
    shape, taken = _static(op), len(shape_of(op.indices))
    axis = write.numbers(op, op.axis, "axis")[0] % len(shape)
    order = (axis, *(i for i in range(len(shape)) if i != axis))
    along = range(axis, axis + taken)
    others = (i for i in range(len(shape_of(op.updates))) if i not in along)
    moved, count = tuple(shape[i] for i in order), prod(shape_of(op.indices))
    rows = (moved[0], prod(moved[1:]))
    data = write.reshaped(write.arranged(op.data, order), rows)
    updates = write.reshaped(write.arranged(op.updates, (*along, *others)), (count, rows[1]))
    places = _places(write, op.indices, count, moved[:1])
    found = write.reshaped(_updated(write, op, data, places, updates, "none"), moved)
    write.set(op.result, write.transposed(found, inverse(order)))


def _static(op: nn.ScatterOp) -> tuple[int, ...]:
    """The shape of the data. Raises DiagnosticException where a size is not known."""
    if any(UNKNOWN in sizes_of(operand) for operand in op.operands):
        raise refuse_unknown(op, "it updates a place of unknown sizes")
    return sizes_of(op.result)


def _places(
    write: TflWriter, indices: SSAValue, count: int, sizes: Sequence[int]
) -> Array | Tensor:
    """For each row of indices, the number of the element that it names; for rows out of bounds, a number behind all."""
    strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    if (known := write.known(indices)) is not None:
        rows = known.astype(np.int64).reshape(count, len(sizes))
        rows = np.where(rows < 0, rows + sizes, rows)
        inside = ((rows >= 0) & (rows < sizes)).all(1)
        return np.where(inside, (rows * strides).sum(1), prod(sizes)).astype(np.int32)
    given = write.reshaped(write.plain(indices), (count, len(sizes)))
    if given.element != "int64":
        given = write.cast(given, "int32")
    limits, steps = (write.constant([numbers], given.element) for numbers in (sizes, strides))
    below = write.binary("LESS", given, 0, element="bool")
    from_end = write.binary("ADD", given, limits)
    index = write.op("SELECT_V2", [below, from_end, given], given.shape, like=given)
    enough = write.binary("GREATER_EQUAL", index, 0, element="bool")
    inside = write.binary(
        "LOGICAL_AND", enough, write.binary("LESS", index, limits, element="bool")
    )
    inside = write.reduced("REDUCE_ALL", inside, [1], keep=False)
    place = write.reduced("SUM", write.binary("MUL", index, steps), [1], keep=False)
    choices = [inside, place, write.scalar(place, prod(sizes))]
    return write.cast(write.op("SELECT_V2", choices, place.shape, like=place), "int32")


def _updated(
    write: TflWriter,
    op: Operation,
    data: Tensor,
    places: Array | Tensor,
    updates: Tensor,
    reduction: str,
) -> Tensor:
    """Rows of data after updates at these places, one by one; a place behind the last row is ignored."""
    if reduction in ("sum", "sub"):
        sums = _put(write, data.shape, places, updates)
        return write.binary(COMBINED[reduction], data, sums)
    if isinstance(places, Tensor):
        if reduction == "none":
            return _replaced(write, data, places, updates)
        raise refuse(
            op, f"with reduction '{reduction}' its indices must be constant; fix them first"
        )
    for rows in _rounds(places, data.shape[0], reduction == "none"):
        there = np.zeros((data.shape[0], 1), np.bool_)
        there[places[rows]] = True
        found = _put(write, data.shape, places[rows], gathered(write, updates, rows, 0))
        if reduction != "none":
            found = write.binary(COMBINED[reduction], data, found)
        data = write.op("SELECT_V2", [write.constant(there), found, data], data.shape, like=data)
    return data


def _rounds(places: Array, count: int, only_last: bool) -> list[list[int]]:
    """Updates in rounds in which no place occurs twice; only the last update of each place where only that counts."""
    rounds: list[dict[int, int]] = []
    for row, place in enumerate(places.tolist()):
        if place == count:
            continue
        free = next((each for each in rounds if only_last or place not in each), None)
        if free is None:
            rounds.append(free := {})
        free[place] = row
    return [sorted(each.values()) for each in rounds]


def _put(write: TflWriter, shape: Sequence[int], places: Array | Tensor, updates: Tensor) -> Tensor:
    """The sums of the updates of each place; there is one more place, for updates out of bounds."""
    if not isinstance(places, Tensor):
        places = write.constant(places)
    indices = write.reshaped(places, (places.shape[0], 1))
    whole = (shape[0] + 1, shape[1])
    sums = write.op("SCATTER_ND", [indices, updates, write.integers(whole)], whole, data=1)
    return cropped(write, sums, (0, 0), shape, (1, 1))


def _replaced(write: TflWriter, data: Tensor, places: Tensor, updates: Tensor) -> Tensor:
    """The last update of each place: the one with the highest number among those that name it."""
    count, rows = data.shape[0], updates.shape[0]
    numbers = write.constant(np.arange(count, dtype=np.int32).reshape(count, 1))
    names = write.binary("EQUAL", numbers, write.reshaped(places, (1, rows)), element="bool")
    later = write.constant(np.arange(1, rows + 1, dtype=np.int32).reshape(1, rows))
    choices = [names, later, write.constant(0, "int32")]
    ranks = write.op("SELECT_V2", choices, names.shape, "int32")
    highest = write.reduced("REDUCE_MAX", ranks, [1], keep=False)
    last = write.binary("MAXIMUM", write.binary("SUB", highest, 1), 0)
    found = write.op("GATHER", [updates, last], data.shape, like=updates, axis=0)
    there = write.reduced("REDUCE_ANY", names, [1])
    return write.op("SELECT_V2", [there, found, data], data.shape, like=data)
