"""Elements that are combined in the order of a reduction's machine code."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.ir import Attribute

from ..dialects import kernel
from .arrays import Array, dtype_of

COMBINE: Mapping[str, np.ufunc] = {
    "sum": np.add,
    "product": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.logical_and,
    "or": np.logical_or,
}
"""The combiners of reductions."""


def accumulated(made: Array, combiner: str, accumulator: Attribute, partials: int) -> Array:
    """Elements [domain…, outer, last] combined over the last two dimensions in so many partial accumulators."""
    *domain, outer, _ = made.shape
    dtype, combine = dtype_of(accumulator), COMBINE[combiner]
    neutral = np.array(kernel.neutral(combiner, accumulator).value.data).astype(dtype)
    partial: list[Array] = []
    with np.errstate(all="ignore"):
        for lane in range(partials):
            part = made[..., lane::partials]
            part = part.reshape(*domain, outer * part.shape[-1])
            begun = np.concatenate([np.full((*domain, 1), neutral), part], axis=-1)
            partial.append(combine.accumulate(begun, axis=-1, dtype=dtype)[..., -1])
        while (half := len(partial) // 2) > 0:
            pairs = zip(partial[:half], partial[half:], strict=True)
            partial = [combine(low, high) for low, high in pairs]
    return partial[0]
