"""Large entries are checked once, and again when they were touched."""

import os
from pathlib import Path
from typing import Any

import pytest

from lowstream.runtime.cache import cache as cache_module
from lowstream.runtime.cache.cache import Cache
from lowstream.runtime.executable import Executable
from lowstream.test.unit.runtime.cache.cached_models import KEYS, entries, store, sums

Checks = list[str]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A cache with an entry that counts as large, and as written long ago."""
    monkeypatch.setattr(cache_module, "LARGE", 0)
    monkeypatch.setattr(cache_module, "ON_DISK", float("-inf"))
    made = Cache(tmp_path)
    store(made, KEYS[0], sums())
    return made


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    """Grows by a name with each entry that is read to check it."""
    names: Checks = []

    def recording(packed: memoryview, name: str) -> None:
        names.append(name)
        real(packed, name)

    real = cache_module.check
    monkeypatch.setattr(cache_module, "check", recording)
    return names


def loads(cache: Cache, times: int = 3) -> list[Executable | None]:
    return [cache.load(KEYS[0]) for _ in range(times)]


def test_a_large_entry_is_checked_once(kept: Cache, checks: Checks):
    assert loads(kept) == [sums()] * 3
    assert checks == [f"{KEYS[0]}.safetensors"]


def test_an_entry_that_was_touched_is_checked_again(kept: Cache, checks: Checks, tmp_path: Path):
    loads(kept)
    os.utime(entries(tmp_path)[0], ns=(1, 1))
    assert loads(kept) == [sums()] * 3
    assert len(checks) == 2


def test_an_entry_that_is_damaged_after_its_check_is_none(kept: Cache, tmp_path: Path):
    """Of the same size, in the same place, and with the same time of writing."""
    (entry,) = entries(tmp_path)
    status, whole = entry.stat(), entry.read_bytes()
    loads(kept)
    with entry.open("r+b") as file:
        file.seek(-20, os.SEEK_END)
        file.write(bytes([whole[-20] ^ 1]))
    os.utime(entry, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert loads(kept) == [None] * 3


def test_an_entry_may_still_be_lost_that_was_just_written(
    kept: Cache, checks: Checks, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cache_module, "ON_DISK", 3600.0)
    loads(kept)
    assert len(checks) == 3


def test_a_key_is_asked_for_each_time(kept: Cache, monkeypatch: pytest.MonkeyPatch):
    loads(kept)
    monkeypatch.setenv("LOWSTREAM_KEY", "secret")
    assert kept.load(KEYS[0]) is None


def test_a_large_entry_that_is_used_stays(kept: Cache, tmp_path: Path):
    """Its own time is that of its writing."""
    executable: Any = sums()
    loads(kept)
    store(kept, KEYS[1], executable)
    for age, path in enumerate(entries(tmp_path)):
        os.utime(path, (age + 1, age + 1))
    loads(kept)
    kept.size = sum(path.stat().st_size for path in tmp_path.iterdir()) * 5 // 4
    store(kept, KEYS[2], executable)
    assert {path.stem for path in entries(tmp_path)} == {KEYS[0], KEYS[2]}
