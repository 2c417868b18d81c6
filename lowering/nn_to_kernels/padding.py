"""Padding: what lies around a value is written around it, or copied from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term
from .chain import Chain
from .rule import Lowered, known_integers, moved, rule, uniform
from .take import take


@rule(nn.PadOp)
def pad(op: nn.PadOp) -> Lowered:
    """What is taken away goes first."""
    chain, shape = Chain(op), static_shape(op.input)
    begin = known_integers(op, op.pads_begin, "pads_begin")
    end = known_integers(op, op.pads_end, "pads_end")
    if op.pad_mode.data == "constant":
        return Lowered(_constant(chain, op, begin, end), ops=chain.ops)
    value: SSAValue = op.input
    for axis in sorted(range(len(shape)), key=lambda axis: begin[axis] + end[axis]):
        size = shape[axis]
        places = np.arange(-begin[axis], size + end[axis])
        if op.pad_mode.data != "edge":
            # What lies opposite of the border, which `symmetric` counts in.
            again = int(op.pad_mode.data == "symmetric")
            places = np.where(places < 0, -again - places, places)
            places = np.where(places >= size, 2 * (size - 1) + again - places, places)
        places = np.clip(places, 0, max(size - 1, 0))
        value = take(chain, value, axis, [int(place) for place in places])
    return Lowered(value, ops=chain.ops)


def _constant(chain: Chain, op: nn.PadOp, begin: list[int], end: list[int]) -> SSAValue:
    shape = static_shape(op.input)
    inside = [
        max(size + min(b, 0) + min(e, 0), 0) for size, b, e in zip(shape, begin, end, strict=True)
    ]
    value = op.input
    crop = [max(-b, 0) for b in begin]
    result = static_shape(op.result)
    if 0 in inside:  # then there is nothing but what lies around it
        inside = [0] * len(inside)
        type: TensorType[Any] = TensorType(tensor(value).element_type, inside)
        value = chain.add(moved(chain.op, value, type, Access.identity(len(inside))))
        low, high = [0] * len(inside), list(result)
    else:
        value = cropped(chain, value, crop, inside)
        low, high = [max(b, 0) for b in begin], [max(e, 0) for e in end]
    if not any((*low, *high)):
        return value
    number = 0 if op.pad_value is None else uniform(op.pad_value)
    if number is not None:
        return chain.add(kernel.PadOp(value, low, high, number))
    assert op.pad_value is not None
    filling = chain.reshape(op.pad_value, ())
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        parts = [_filled(chain, filling, value, axis, count) for count in (before, after)]
        whole = [part for part in (parts[0], value, parts[1]) if shape_of(part)[axis]]
        if len(whole) < 2:
            value = whole[0] if whole else value
            continue
        grown = list(shape_of(value))
        grown[axis] += before + after
        type = TensorType(tensor(value).element_type, grown)
        value = chain.add(kernel.ConcatOp(whole, axis, type))
    return value


def _filled(chain: Chain, filling: SSAValue, like: SSAValue, axis: int, count: int) -> SSAValue:
    """So many elements along an axis that all are `filling`."""
    shape = list(shape_of(like))
    shape[axis] = count
    type: TensorType[Any] = TensorType(tensor(like).element_type, shape)
    return chain.add(moved(chain.op, filling, type, Access(len(shape), ())))


def cropped(chain: Chain, value: SSAValue, begin: Sequence[int], shape: Sequence[int]) -> SSAValue:
    """The part of a value that has this shape, from `begin` on."""
    if shape_of(value) == tuple(shape):
        return value
    access = Access(len(shape), tuple(Term(d, 1, first) for d, first in enumerate(begin)))
    result: TensorType[Any] = TensorType(tensor(value).element_type, shape)
    return chain.add(moved(chain.op, value, result, access))
