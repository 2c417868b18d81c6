"""Weights in tiles are a copy in the order of their axes, wherever the elements of a word lay before."""

import numpy as np
import pytest

from lowstream.lowering.pack_weights.tiles import in_order


@pytest.mark.parametrize("is_transposed", [False, True], ids=["beside each other", "apart"])
@pytest.mark.parametrize("kr", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.float32, np.float64])
def test_in_order(dtype: type[np.generic], kr: int, is_transposed: bool):
    depth, units = 6 * kr, 32
    matrix = np.arange(units * depth).astype(dtype).reshape(units, depth)
    weights = np.asfortranarray(matrix) if is_transposed else matrix
    tiles = weights.reshape(2, 2, 8, 6, kr).transpose(0, 3, 1, 2, 4)
    assert np.shares_memory(tiles, weights)
    found = in_order(tiles)
    assert found.flags.c_contiguous and found.dtype == tiles.dtype
    np.testing.assert_array_equal(found, tiles)
