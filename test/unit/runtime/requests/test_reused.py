"""Memory of results: used again when nobody holds it, and never before."""

import gc
from typing import Any

import numpy as np
import pytest

from lowstream.runtime.requests.reused import MOST_BYTES, Reused

F32 = np.dtype(np.float32)


def address(array: Any) -> int:
    return array.ctypes.data


def test_memory_of_what_was_dropped():
    memory = Reused()
    first = memory.array((3, 4), F32)
    place = address(first)
    assert place % 64 == 0
    second = memory.array((3, 4), F32)
    assert not np.shares_memory(first, second)
    del first
    again = memory.array((2, 6), F32)
    assert (address(again), again.shape, again.flags.writeable) == (place, (2, 6), True)
    del again
    integers = memory.array((2, 6), np.dtype(np.int32))
    assert (address(integers), integers.dtype) == (place, np.int32)


@pytest.mark.parametrize(
    "hold",
    [lambda a: a, lambda a: a[1:, ::2], memoryview, lambda a: a.view(np.uint8).T, np.from_dlpack],
    ids=["itself", "a view", "a buffer", "a view of a view", "DLPack"],
)
def test_memory_that_somebody_holds(hold: Any):
    memory = Reused()
    memory.array((3, 4), F32)  # nobody holds it: its memory is that of the next one
    array = memory.array((3, 4), F32)
    array[...] = 7
    held = hold(array)
    del array
    for _ in range(3):
        memory.array((3, 4), F32)[...] = 0
    assert not (np.asarray(held) == 0).all()
    del held
    gc.collect()


def test_results_put_in_the_place_of_the_ones_before_take_turns():
    memory, places, result = Reused(), set[int](), None
    for _ in range(6):
        result = memory.array((1000,), F32)
        places.add(address(result))
    assert len(places) == 2


def test_neither_too_little_nor_far_too_much():
    memory = Reused()
    small = address(memory.array((10,), F32))
    large = memory.array((1000,), F32)
    assert address(large) != small
    place = address(large)
    del large
    assert address(memory.array((10,), F32)) != place


def test_large_memory_is_given_back():
    memory = Reused()
    memory.array((MOST_BYTES + 1,), np.dtype(np.uint8))
    assert not memory._kept


@pytest.mark.parametrize("shape", [(0, 3), (), (0,)])
def test_empty_and_single(shape: tuple[int, ...]):
    assert Reused().array(shape, F32).shape == shape
