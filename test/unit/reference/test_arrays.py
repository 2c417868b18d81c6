"""Constants of arrays: which are copied, which are views, and which are computed when they are wanted."""

from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.dialects.builtin import bf16, f32, i1
from xdsl.ir import Attribute

from lowstream.dialects.blob import DeferredBlob
from lowstream.reference import arrays
from lowstream.reference.arrays import (
    SHORT,
    Array,
    Pieces,
    array_of,
    blob_of,
    blob_of_pieces,
    blob_of_view,
    repeats,
)

LARGE = arrays.PAGED // 4


def test_arrays_are_copied_where_malloc_would_keep_their_memory():
    array = np.arange(arrays.PAGED, dtype=np.float32)
    assert not np.shares_memory(array_of(blob_of(array, given_away=True)), array)


@pytest.mark.parametrize("piece", [4, 4000, 1 << 20])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_views_of_large_constants_are_not_copied(
    monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...], piece: int
):
    monkeypatch.setattr(arrays, "PIECE", piece)
    array = array_of(blob_of(np.arange(LARGE, dtype=np.float32).reshape(64, 32, -1)))
    view = array.transpose(order)
    constant = blob_of_view(view, f32)
    assert np.shares_memory(array_of(constant), array)
    assert not array_of(constant).flags.writeable
    np.testing.assert_array_equal(array_of(constant), view)
    assert b"".join(map(bytes, constant.data.pieces())) == view.tobytes()
    assert bytes(constant.data.buffer) == view.tobytes()
    assert constant.data.digest == blob_of(view).data.digest
    assert constant == blob_of_view(view, f32)
    assert constant != blob_of_view(np.flip(view, 0), f32)


@pytest.mark.parametrize(
    ("array", "element"),
    [
        (np.zeros(LARGE, np.float32), f32),
        (np.arange(8, dtype=np.float32), f32),
        (np.ones(2 * arrays.PAGED, np.bool_), i1),
        (np.arange(LARGE, dtype=np.float32), bf16),
    ],
)
def test_other_views_are_constants_as_any(array: Array, element: Attribute):
    """Those that repeat an element, small ones, and those whose elements are not stored as arrays have them."""
    assert not isinstance(blob_of_view(array, element).data, DeferredBlob)
    assert blob_of_view(array, element) == blob_of(array, element)


@pytest.mark.parametrize("rows", [1, 7, LARGE])
def test_large_constants_are_computed_when_they_are_wanted(rows: int):
    source = np.arange(rows * 5, dtype=np.float32).reshape(rows, 5)
    made: list[int] = []

    def make() -> Iterator[Array]:
        for row in source:
            made.append(len(made))
            yield -row

    constant = blob_of_pieces(Pieces(source.shape, source.dtype, make), f32, source)
    is_large = source.nbytes >= arrays.PAGED
    assert bool(made) != is_large
    np.testing.assert_array_equal(array_of(constant), -source)
    count = len(made)
    np.testing.assert_array_equal(array_of(constant), -source)
    assert len(made) == count == rows  # the data stays


@pytest.mark.parametrize("count", [0, 1, 2, 3, SHORT // 2, SHORT])
def test_bytes_repeat_where_all_elements_are_the_first(count: int):
    raw = np.tile(np.array([1, 2], np.uint8), count)
    assert repeats(raw, count) == (count > 1)
    for place in {0, len(raw) // 2, len(raw) - 1} if count else ():
        other = raw.copy()
        other[place] += 1
        assert not repeats(other, count)
