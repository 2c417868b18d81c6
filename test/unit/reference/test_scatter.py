"""Scattering is what a loop over the updates does, whatever meets at a place."""

from collections.abc import Callable

import numpy as np
import pytest

from lowstream.reference.arrays import Array
from lowstream.reference.scatter import scattered

COMBINE: list[Callable[[Array, Array], Array]] = [
    np.subtract,
    np.maximum,
    lambda there, update: update,
]


def one_by_one(
    data: Array, axis: int, indices: Array, updates: Array, combine: Callable[[Array, Array], Array]
) -> Array:
    result = data.copy()
    for place in np.ndindex(*updates.shape):
        index = int(indices[place[axis]] if indices.ndim == 1 else indices[place])
        if -data.shape[axis] <= index < data.shape[axis]:
            at = (*place[:axis], index, *place[axis + 1 :])
            result[at] = combine(result[at], updates[place])
    return result


@pytest.mark.parametrize("combine", COMBINE, ids=["subtract", "maximum", "replace"])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("updates_along_axis", [0, 1, 7])
@pytest.mark.parametrize("is_vector", [True, False])
def test_updates_are_taken_in_order(
    combine: Callable[[Array, Array], Array], axis: int, updates_along_axis: int, is_vector: bool
):
    rng = np.random.default_rng(updates_along_axis)
    data = rng.standard_normal((3, 4, 2), dtype=np.float32)
    shape = tuple(updates_along_axis if i == axis else size for i, size in enumerate(data.shape))
    updates = rng.standard_normal(shape, dtype=np.float32)
    indices = rng.integers(-6, 6, updates_along_axis if is_vector else shape)
    expected = one_by_one(data, axis, indices, updates, combine)
    np.testing.assert_array_equal(scattered(data, axis, indices, updates, combine), expected)
