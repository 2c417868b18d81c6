"""Constants of arrays: which are copied, and which hold an array that was given away."""

import numpy as np
import pytest

from lowstream.reference import arrays
from lowstream.reference.arrays import array_of, blob_of, paged_zeros


@pytest.mark.parametrize("count", [3, arrays.PAGED // 4, arrays.PAGED // 4 + 1])
@pytest.mark.parametrize("given_away", [False, True])
def test_pages_that_were_given_away_are_not_copied(count: int, given_away: bool):
    """Those that hold the array and nothing else, in whatever shape; a part of them keeps no whole in memory."""
    packed = paged_zeros((count, 1), np.float32)
    assert packed.shape == (count, 1)
    assert not packed.any()
    packed[...] = np.arange(count)[:, None]
    is_paged = count * 4 >= arrays.PAGED
    for array in (packed, packed.reshape(1, count)):
        held = array_of(blob_of(array, given_away=given_away))
        np.testing.assert_array_equal(held, array)
        assert not held.flags.writeable
        assert np.shares_memory(held, packed) == (given_away and is_paged)
    part = array_of(blob_of(packed[1:], given_away=given_away))
    np.testing.assert_array_equal(part, packed[1:])
    assert not np.shares_memory(part, packed)


def test_other_arrays_are_copied_where_malloc_would_keep_their_memory():
    array = np.arange(arrays.PAGED, dtype=np.float32)
    assert not np.shares_memory(array_of(blob_of(array, given_away=True)), array)
