"""Elements along one axis, picked while compiling: slices and repetitions where they are such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.inferred import shape_of
from ...dialects.kernel import Access, Term
from .indexing import gather
from .writer import KernelWriter

LONG = 8
"""Elements of a run, on average, from which copying run by run beats looking each one up."""


@dataclass(frozen=True)
class StridedRange:
    """`first, first + step, …`, so many."""

    first: int
    step: int
    count: int


def runs_of(indices: Sequence[int]) -> list[StridedRange]:
    """The runs that indices are made of, each as long as it can be."""
    runs: list[StridedRange] = []
    for index in indices:
        last = runs[-1] if runs else None
        if last is not None and last.count == 1:
            runs[-1] = StridedRange(last.first, index - last.first, 2)
        elif last is not None and index == last.first + last.step * last.count:
            runs[-1] = StridedRange(last.first, last.step, last.count + 1)
        else:
            runs.append(StridedRange(index, 1, 1))
    return runs


def take(write: KernelWriter, value: SSAValue, axis: int, indices: Sequence[int]) -> SSAValue:
    """The elements of a value at these places of an axis; all lie inside."""
    size = shape_of(value)[axis]
    if list(indices) == list(range(size)):
        return value
    if not indices:
        return _run(write, value, axis, StridedRange(0, 0, 0))
    repeated = _repetition(indices)
    runs = runs_of(indices[::repeated])
    if len(runs) * LONG > len(indices) // repeated and len(runs) > 3:
        return gathered(write, value, axis, indices)
    parts = [_run(write, value, axis, run) for run in runs]
    if len(parts) > 1:
        parts = [write.concat(parts, axis)]
    return repeat(write, parts[0], axis, repeated)


def _repetition(indices: Sequence[int]) -> int:
    """How often each index follows itself, if all do equally often."""
    array = np.asarray(indices)
    if array.size < 2:
        return 1
    first = np.flatnonzero(array != array[0])
    times = int(first[0]) if first.size else array.size
    if array.size % times or (array.reshape(-1, times) != array[::times, None]).any():
        return 1
    return times


def _run(write: KernelWriter, value: SSAValue, axis: int, run: StridedRange) -> SSAValue:
    shape = list(shape_of(value))
    rank, shape[axis] = len(shape), run.count
    terms = [Term(d) for d in range(rank)]
    terms[axis] = Term(axis, run.step, run.first) if run.step else Term(None, 1, run.first)
    return write.data_movement(value, Access(rank, tuple(terms)), shape)


def repeat(write: KernelWriter, value: SSAValue, axis: int, times: int) -> SSAValue:
    """Each element along an axis so many times in a row."""
    if times == 1:
        return value
    shape = shape_of(value)
    rank = len(shape)
    grown = (*shape[: axis + 1], times, *shape[axis + 1 :])
    access = Access(rank + 1, tuple(Term(d if d <= axis else d + 1) for d in range(rank)))
    value = write.data_movement(value, access, grown)
    return write.reshape(value, (*shape[:axis], shape[axis] * times, *shape[axis + 1 :]))


def gathered(write: KernelWriter, value: SSAValue, axis: int, indices: Sequence[int]) -> SSAValue:
    """Looked up one by one."""
    places = write.constant(np.asarray(indices, np.int32), i32)
    return gather(write, value, places, axis, 0)
