"""Compiling pauses the garbage collector and leaves it as it was."""

import gc

import pytest

from lowstream.runtime.collector import collector_paused


def test_collects_again_afterwards():
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_collects_again_after_an_error():
    with pytest.raises(ValueError, match="stop"), collector_paused():
        raise ValueError("stop")
    assert gc.isenabled()


def test_stays_off_where_it_was_off():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
