"""What is as large as another value of dynamic size: a repetition to its shape, and numbers up to its size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import constant_integers, shape_of
from ...dialects.nn.writer import Writer
from ...passes.shapes.computed_integers import source
from ...passes.shapes.sum_of_sizes import Sum
from .bounded import Bounded, Sizes, refusal
from .data_movement import largest, wide

Most = Callable[[SSAValue], int | None]
"""The largest that a size may be."""


def broadcast(write: Writer, op: nn.BroadcastOp, data: Bounded, most: Most) -> Bounded:
    """To a shape of which sizes are those of other values, or the data's own."""
    rank, sizes, target = len(shape_of(op.result)), Sizes(), list[int]()
    behind = shape_of(op.target_shape)[0] - rank
    for d in range(rank):
        wanted = source(op.target_shape, d + behind) if d + behind >= 0 else 1
        own = d - rank + len(shape_of(data.value))
        if (size := data.sizes.get(own)) is not None:
            sizes[d] = size
            target.append(shape_of(data.value)[own])
        elif isinstance(wanted, int):
            target.append(wanted)
        elif wanted is not None and (limit := most(wanted)) is not None:
            sizes[d] = wanted
            target.append(limit)
        elif wanted is not None:
            target.append(largest(op, Sum.of(wanted)))
            sizes[d] = write(nn.MaximumOp, write.reshaped(wide(write, wanted), (1,)), 0)
        else:
            raise refusal(op)
    properties: dict[str, Any] = dict(op.properties)
    return Bounded(write(nn.BroadcastOp, data.value, write.integers(*target), **properties), sizes)


def numbers(write: Writer, op: nn.RangeOp, most: Most) -> Bounded:
    """0, 1, 2, … up to a size, which may turn out to be known."""
    first, step = (list(constant_integers(each) or ()) for each in (op.start, op.step))
    stop = source(op.stop, 0)
    if stop is None or (first, step) != ([0], [1]):
        raise refusal(op)
    limit, sizes = stop, Sizes()
    if isinstance(stop, SSAValue):
        sizes[0] = write.reshaped(wide(write, stop), (1,))
        if (limit := most(stop)) is None:
            limit = largest(op, Sum.of(stop))
            sizes[0] = write(nn.MaximumOp, sizes[0], 0)
    return Bounded(write(nn.RangeOp, op.start, limit, op.step, **op.properties), sizes)
