"""Choosing elements by their values: what lies beyond a dynamic size becomes what is chosen last, or never."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan
from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.elements import ends_of
from ...dialects.inferred import constant_integers, normalize_axis, shape_of, tensor
from ...dialects.nn.detection.non_max_suppression import EXCLUDED
from ...dialects.nn.writer import Writer
from .bounded import Bounded, masked, refusal
from .data_movement import size_of, wide

Mask = Callable[[Writer, Any, Sequence[Bounded]], Sequence[SSAValue]]


def top_k(write: Writer, op: nn.TopKOp, given: Sequence[Bounded]) -> Sequence[Bounded]:
    """The best of those that are there, as many as are computed; of equal elements the first ones win."""
    data, count = given[0], constant_integers(op.k)
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.input)))
    if (count is not None and axis in data.sizes) or given[1].sizes or op.sort.data == "index":
        raise refusal(op)
    value, size = data.value, size_of(write, data, axis)
    element = tensor(value).element_type
    if isinstance(size, SSAValue):
        low, high = ends_of(element)
        if isinstance(element, AnyFloat):
            high = nan  # greater than any number
        worst = low if op.mode.data == "max" else high
        value = masked(write, value, axis, size, worst)
    sizes = {d: each for d, each in data.sizes.items() if d != axis}
    most = shape_of(value)[axis]
    if count is None:
        most = min(most, at_most(op.k) or most)
        wanted = write.reshaped(wide(write, given[1].value), (1,))
        there = write(nn.MinimumOp, wanted, size)
        sizes[axis] = write(nn.MaximumOp, there, 0)
    k = op.k if count is not None else write.integer(most)
    results = write.all(nn.TopKOp, value, k, **op.properties)
    return [Bounded(result, sizes) for result in results]


def at_most(value: SSAValue) -> int | None:
    """What a computed integer cannot exceed, if it is the least of several of which one is known."""
    if (known := constant_integers(value)) is not None:
        return max(known, default=None)
    match op := value.owner:
        case nn.ReshapeOp() | nn.SqueezeOp() | nn.UnsqueezeOp() | nn.ConvertOp():
            return at_most(op.operands[0])
        case nn.MinimumOp():
            parts: Sequence[SSAValue] = op.operands
        case nn.ReduceMinOp() if isinstance(joined := op.input.owner, nn.ConcatOp):
            if shape_of(op.input) != (len(joined.operands),):
                return None
            parts = joined.operands
        case _:
            return None
    limits = [limit for each in parts if (limit := at_most(each)) is not None]
    return min(limits, default=None)


def _scores(
    write: Writer, op: nn.NonMaxSuppressionOp, given: Sequence[Bounded]
) -> Sequence[SSAValue]:
    """Boxes that are not there have a score with which none is chosen."""
    boxes, scores, *limits = given
    size = scores.sizes.get(2, boxes.sizes.get(1))
    if scores.sizes.keys() - {2} or boxes.sizes.keys() - {1}:
        raise refusal(op)
    value = scores.value if size is None else masked(write, scores.value, 2, size, EXCLUDED)
    return [boxes.value, value, *(each.value for each in limits)]


def _elements(write: Writer, op: nn.NonZeroOp, given: Sequence[Bounded]) -> Sequence[SSAValue]:
    """What is not there is 0."""
    value = given[0].value
    for axis, size in given[0].sizes.items():
        value = masked(write, value, axis, size, 0)
    return [value]


MASKS: dict[type[Operation], Mask] = {
    nn.NonMaxSuppressionOp: _scores,
    nn.NmsRotatedOp: _scores,
    nn.NonZeroOp: _elements,
}
"""By operation, its operands at their largest size, of which it never chooses what lies beyond."""
