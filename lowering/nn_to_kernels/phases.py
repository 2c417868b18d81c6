"""
Images enlarged linearly by a power of two: each element of the result lies between two of the input, at one of a few
distances, its phase. Elements of another dimension lie beside each other then, as convolutions have their channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.tensor_types import typed
from ...dialects.traits import Elementwise
from ...reference.arrays import Array, dtype_of
from ..kernel_bodies.bodies import Scalar
from .take import take
from .writer import KernelWriter

FEWEST_CHANNELS = 32
"""Channels from which on they fill vectors."""

MOST_AXES = 2
"""Axes that are enlarged at once: of more, an element would lie between too many others."""


@dataclass(frozen=True)
class InterpolationPhases:
    """
    Along an axis of n elements, element r of half i, of 2 n halves, is

        (1 - fractions[i, r]) * x[halves[i]] + fractions[i, r] * x[halves[i + 2]]
    """

    axis: int
    halves: tuple[int, ...]
    fractions: Array

    @classmethod
    def of(cls, axis: int, weights: Array) -> Self | None:
        """The phases of a matrix [after, before]; None where it has none, or repeats a single element."""
        after, before = weights.shape
        factor, rest = divmod(after, before)
        if rest or factor % 2 or before == 1:
            return None
        halves = (min(max((i - 1) // 2, 0), before - 1) for i in range(2 * before + 2))
        fractions = np.array([((i + 0.5) / factor + 0.5) % 1 for i in range(factor)])
        found = cls(axis, tuple(halves), np.tile(fractions, before).reshape(2 * before, -1))
        return found if np.array_equal(found.matrix(before), weights) else None

    def matrix(self, before: int) -> Array:
        """What each element of the result takes of each of the input, as a matrix [after, before]."""
        rows, right = np.eye(before)[list(self.halves)], self.fractions[..., None]
        between = (1 - right) * rows[:-2, None] + right * rows[2:, None]
        return between.reshape(-1, before)


def is_convolved(value: SSAValue) -> bool:
    """Whether a convolution reads this, perhaps by way of elementwise operations, transposes and concatenations."""
    seen = set[Operation]()
    left = [value]
    while left:
        for op in {use.operation for use in left.pop().uses} - seen:
            if isinstance(op, ConvolutionBase):
                return True
            seen.add(op)
            if op.has_trait(Elementwise) or isinstance(op, nn.ConcatOp | nn.TransposeOp):
                left += op.results
    return False


def enlarged(
    write: KernelWriter, value: SSAValue, phases: Sequence[InterpolationPhases]
) -> SSAValue | None:
    """
    A value enlarged along these axes; None where there are too many, or too few elements of a dimension that may lie
    beside each other: of channels, first or last.
    """
    by_axis, shape = {each.axis: each for each in phases}, shape_of(value)
    beside = next((d for d in (1, len(shape) - 1) if d < len(shape) and d not in by_axis), 0)
    if not 1 <= len(phases) <= MOST_AXES or beside == 0 or shape[beside] < FEWEST_CHANNELS:
        return None
    order = [*(d for d in range(len(shape)) if d != beside), beside]
    value = write.transpose(value, order)
    for axis, each in by_axis.items():
        value = take(write, value, order.index(axis), each.halves)
    value = _between(write, value, [by_axis.get(d) for d in order])
    result = [by_axis[d].fractions.size if d in by_axis else shape[d] for d in order]
    return write.transpose(
        write.reshape(value, tuple(result)), [order.index(d) for d in range(len(order))]
    )


def _between(
    write: KernelWriter, value: SSAValue, phases: Sequence[InterpolationPhases | None]
) -> SSAValue:
    """
    A kernel with two dimensions, half and element of it, for each that has phases, and one for each other. It reads the
    corners around each point, those of the first such dimension furthest apart.
    """
    element, grown = tensor(value).element_type, [each for each in phases if each is not None]
    domain: list[int] = []
    dimensions: list[int] = []
    for size, each in zip(shape_of(value), phases, strict=True):
        dimensions.append(len(domain))
        domain += [size] if each is None else each.fractions.shape
    halves = [d for d, each in zip(dimensions, phases, strict=True) if each is not None]
    access = [Access(len(domain), (Term(half), Term(half + 1))) for half in halves]
    for corner in product((0, 2), repeat=len(grown)):
        offsets = dict(zip(halves, corner, strict=True))
        terms = tuple(Term(d, 1, offsets.get(d, 0)) for d in dimensions)
        access.append(Access(len(domain), terms))

    def compute(*scalars: Scalar) -> Scalar:
        fractions, values = scalars[: len(grown)], list(scalars[len(grown) :])
        for fraction in reversed(fractions):
            pairs = zip(values[::2], values[1::2], strict=True)
            values = [left * (1 - fraction) + right * fraction for left, right in pairs]
        return values[0]

    dtype = dtype_of(element)
    ins = [write.constant(each.fractions.astype(dtype), element) for each in grown]
    ins += [value] * (len(access) - len(ins))
    return write.map(typed(element, domain), ins, compute, access)
