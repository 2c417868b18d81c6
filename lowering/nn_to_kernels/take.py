"""Elements along one axis, picked while compiling: slices and repetitions where they are such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import SSAValue

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.origins import origin_of, set_origins
from ..bodies import build_body, same
from .chain import Chain
from .rule import constant, is_low, moved

LONG = 8
"""Elements of a run, on average, from which copying run by run beats looking each one up."""


@dataclass(frozen=True)
class Run:
    """`first, first + step, …`, so many."""

    first: int
    step: int
    count: int


def runs_of(indices: Sequence[int]) -> list[Run]:
    """The runs that indices are made of, each as long as it can be."""
    runs: list[Run] = []
    for index in indices:
        last = runs[-1] if runs else None
        if last is not None and last.count == 1:
            runs[-1] = Run(last.first, index - last.first, 2)
        elif last is not None and index == last.first + last.step * last.count:
            runs[-1] = Run(last.first, last.step, last.count + 1)
        else:
            runs.append(Run(index, 1, 1))
    return runs


def take(chain: Chain, value: SSAValue, axis: int, indices: Sequence[int]) -> SSAValue:
    """The elements of a value at these places of an axis; all lie inside."""
    size = shape_of(value)[axis]
    if list(indices) == list(range(size)):
        return value
    if not indices:
        return _run(chain, value, axis, Run(0, 0, 0))
    repeated = _repetition(indices)
    runs = runs_of(indices[::repeated])
    if len(runs) * LONG > len(indices) // repeated and len(runs) > 3:
        return gathered(chain, value, axis, indices)
    parts = [_run(chain, value, axis, run) for run in runs]
    if len(parts) > 1:
        shape = list(shape_of(value))
        shape[axis] = len(indices) // repeated
        type: TensorType[Any] = TensorType(tensor(value).element_type, shape)
        parts = [chain.add(kernel.ConcatOp(parts, axis, type))]
    return repeat(chain, parts[0], axis, repeated)


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


def _run(chain: Chain, value: SSAValue, axis: int, run: Run) -> SSAValue:
    shape = list(shape_of(value))
    rank, shape[axis] = len(shape), run.count
    terms = [Term(d) for d in range(rank)]
    terms[axis] = Term(axis, run.step, run.first) if run.step else Term(None, 1, run.first)
    type: TensorType[Any] = TensorType(tensor(value).element_type, shape)
    return chain.add(moved(chain.op, value, type, Access(rank, tuple(terms))))


def repeat(chain: Chain, value: SSAValue, axis: int, times: int) -> SSAValue:
    """Each element along an axis so many times in a row."""
    if times == 1:
        return value
    shape = shape_of(value)
    rank = len(shape)
    grown = (*shape[: axis + 1], times, *shape[axis + 1 :])
    access = Access(rank + 1, tuple(Term(d if d <= axis else d + 1) for d in range(rank)))
    type: TensorType[Any] = TensorType(tensor(value).element_type, grown)
    value = chain.add(moved(chain.op, value, type, access))
    return chain.reshape(value, (*shape[:axis], shape[axis] * times, *shape[axis + 1 :]))


def gathered(chain: Chain, value: SSAValue, axis: int, indices: Sequence[int]) -> SSAValue:
    """Looked up one by one."""
    places = chain.add(constant(np.asarray(indices, np.int32), i32))
    return gather(chain, value, places, axis, 0)


def gather(chain: Chain, value: SSAValue, places: SSAValue, axis: int, batch: int) -> SSAValue:
    """`result[b…, o…, p…, i…] = value[b…, o…, places[b…, p…], i…]`, with `batch` dimensions b."""
    shape, inner = shape_of(value), shape_of(places)[batch:]
    domain = (*shape[:axis], *inner, *shape[axis + 1 :])
    rank, more = len(domain), len(inner)
    element = tensor(value).element_type
    before = (Term(d) for d in range(axis))
    behind = (Term(d) for d in range(axis + more, rank))
    looked = (*(Term(d) for d in range(batch)), *(Term(axis + d) for d in range(more)))
    new = kernel.GatherOp(
        domain,
        axis,
        value,
        places,
        Access(rank, (*before, Term(None), *behind)),
        Access(rank, looked),
        [],
        [Access.identity(rank)],
        build_body([body_type(element)], same),
        results=[TensorType(element, domain)],
    )
    set_origins(new, origin_of(chain.op, is_low(value)))
    return chain.add(new)
