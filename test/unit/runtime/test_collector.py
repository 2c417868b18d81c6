"""Compiling pauses the garbage collector and leaves it as it was."""

import gc
from weakref import ref

import pytest

from lowstream.runtime import collector
from lowstream.runtime.collector import collector_paused, count_as_old


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


def test_what_was_imported_is_old(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collector, "_somebody_froze", False)
    gc.unfreeze()
    gc.disable()
    try:
        imported = ["the collector looks at a list"]
        count_as_old()
        assert any(each is imported for each in gc.get_objects(generation=2))
        assert gc.get_freeze_count() == 0
    finally:
        gc.enable()
        gc.freeze()  # as conftest.py has it


def test_what_is_frozen_stays_frozen():
    frozen = ["the collector does not look at a frozen list"]
    gc.freeze()
    count_as_old()
    assert not any(each is frozen for each in gc.get_objects())


def test_frozen_objects_are_counted_once(monkeypatch: pytest.MonkeyPatch):
    """Counting a million of them takes 20 ms, as long as a small model takes to compile."""
    gc.freeze()
    counts: list[int] = []
    real = gc.get_freeze_count

    def counted() -> int:
        counts.append(real())
        return counts[-1]

    monkeypatch.setattr(gc, "get_freeze_count", counted)
    monkeypatch.setattr(collector, "_somebody_froze", False)
    for _ in range(3):
        with collector_paused():
            pass
    assert len(counts) == 1 and counts[0] > 0


def test_what_was_made_before_is_not_counted(monkeypatch: pytest.MonkeyPatch):
    collections: list[bool] = []
    monkeypatch.setattr(gc, "collect", lambda: collections.append(True))
    monkeypatch.setattr(collector, "_put_off", 0)
    monkeypatch.setattr(collector, "MOST_PUT_OFF", 1000)
    made = [[number] for number in range(2000)]
    with collector_paused():
        pass
    assert collections == []
    with collector_paused():
        made += [[number] for number in range(2000)]
    assert collections == [True]


class Circle:
    itself: object


def make_garbage(monkeypatch: pytest.MonkeyPatch, most: int) -> ref[Circle]:
    """What a circle leaves behind that was made while the collector was paused."""
    gc.unfreeze()
    try:
        gc.collect()
        monkeypatch.setattr(collector, "_somebody_froze", False)
        monkeypatch.setattr(collector, "_put_off", 0)
        monkeypatch.setattr(collector, "MOST_PUT_OFF", most)
        with collector_paused():
            circle = Circle()
            circle.itself = circle
            found = ref(circle)
            del circle
        return found
    finally:
        gc.freeze()  # as conftest.py has it


def test_garbage_is_looked_at_later(monkeypatch: pytest.MonkeyPatch):
    found = make_garbage(monkeypatch, most=1 << 20)
    assert found() is not None
    gc.unfreeze()
    try:
        gc.collect()
        assert found() is None
    finally:
        gc.freeze()


def test_much_garbage_is_collected_at_once(monkeypatch: pytest.MonkeyPatch):
    assert make_garbage(monkeypatch, most=0)() is None
