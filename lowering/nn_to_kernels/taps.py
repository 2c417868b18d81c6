"""
Weighted sums of a few elements along an axis, as linear and cubic interpolation take them: the elements are looked up,
where a product would multiply by the zeros of all others, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.tensor_types import typed
from ...reference.arrays import Array, dtype_of
from ..kernel_bodies.bodies import Scalar, build_body
from .writer import KernelWriter

MOST_TAPS = 8
"""Elements that a kernel looks up for each of the result."""

LOOKUP_COST, VECTOR_COST = 32, 4
"""
What an element of a sum takes, in those of a product, about: looked up one by one, along the last axis; as a part of a
vector along others.
"""


@dataclass(frozen=True)
class Taps:
    """Element i of an axis is `sum over t of weights[t, i] * x[places[t, i]]`."""

    places: Array
    weights: Array

    @classmethod
    def of(cls, matrix: Array, is_last: bool) -> Self | None:
        """
        Those of a matrix [after, before], for the last axis or another one; None where the product takes less. Taps
        beyond the last one of an element have a weight of 0, and repeat its place.
        """
        _, before = matrix.shape
        taken = matrix != 0
        count = int(taken.sum(axis=1).max(initial=1))
        if count > MOST_TAPS or count * _cost(is_last) > before:
            return None
        places = np.argsort(~taken, axis=1, kind="stable")[:, :count]
        weights = np.take_along_axis(matrix, places, 1)
        places = np.where(weights != 0, places, places[:, :1])
        return cls(places.T.astype(np.int32), weights.T)

    def cost(self, is_last: bool) -> int:
        """Of an element, in those of a product."""
        return len(self.places) * _cost(is_last)

    def over(self, write: KernelWriter, value: SSAValue, axis: int) -> SSAValue:
        """The sums along an axis of a value."""
        shape, element = list(shape_of(value)), tensor(value).element_type
        count, shape[axis] = self.places.shape
        rank = len(shape)
        along, identity = Access(rank, (Term(axis),)), Access.identity(rank)
        point = Access(rank, tuple(Term(None if d == axis else d) for d in range(rank)))
        places = [write.constant(each, i32) for each in self.places]
        weights = [write.constant(each.astype(dtype_of(element)), element) for each in self.weights]
        new = kernel.GatherOp(
            shape,
            axis,
            [value] * count,
            places,
            [(point, along)] * count,
            kernel.Epilogue(
                weights,
                [*[along] * count, identity],
                build_body([body_type(element)] * (2 * count), _weighted_sum),
            ),
            results=[typed(element, shape)],
        )
        return write.kernel(new, value)


def _cost(is_last: bool) -> int:
    return LOOKUP_COST if is_last else VECTOR_COST


def _weighted_sum(*scalars: Scalar) -> Scalar:
    count = len(scalars) // 2
    total, *terms = (x * weight for x, weight in zip(scalars, scalars[count:], strict=False))
    for term in terms:
        total = total + term
    return total
