"""The folder of the cache: which it is, who writes to it at once, and what is removed from it."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime import compiler
from lowstream.runtime.cache.cache import Cache
from lowstream.runtime.cache.packed import ALIGNMENT, in_huge_pages
from lowstream.test.unit.runtime.cache.cached_models import (
    FIRST,
    KEYS,
    compile_sums,
    entries,
    store,
    sums,
)
from lowstream.test.unit.runtime.runtime_models import START


def test_two_writers(folder: Path):
    """Whoever reads meets a whole entry or none."""
    executable = sums()
    made = {path.name for path in folder.iterdir()}
    wrong: list[Any] = []

    def write_and_read() -> None:
        cache = Cache()
        for _ in range(60):
            store(cache, KEYS[0], executable)
            found = cache.load(KEYS[0])
            if found is None or tuple(map(bytes, found.objects)) != executable.objects:
                wrong.append(found)

    threads = [threading.Thread(target=write_and_read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert {path.name for path in folder.iterdir()} - made == {f"{KEYS[0]}.safetensors"}


def test_large_weights_are_the_files_once_they_are_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("lowstream.reference.pages.IN_FILES", 8)
    monkeypatch.setattr("lowstream.runtime.cache.cache.GATHERED", 4096)
    monkeypatch.setattr("lowstream.runtime.cache.packed.LARGE", 4096)
    monkeypatch.setattr("lowstream.runtime.cache.packed.HUGE_PAGE", 4096)
    weights = bytes(range(256)) * 40
    executable = replace(sums(), weights=weights)
    for each in (store(Cache(), KEYS[0], executable), Cache().load(KEYS[0])):
        assert each is not None
        assert bytes(each.weights) == weights
        assert isinstance(memoryview(each.weights).obj, mmap)
        assert each.description() == executable.description()
        assert tuple(map(bytes, each.objects)) == executable.objects
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(folder / f"{KEYS[0]}.safetensors"))
    with pytest.warns(match="cannot be written"):
        assert store(Cache(), KEYS[0], executable) == executable  # no folder


@pytest.mark.parametrize(
    ("most", "is_streamed", "whole"), [(0, False, False), (0, True, True), (1 << 20, False, True)]
)
def test_large_weights_are_in_huge_pages_where_they_are_streamed(
    most: int, is_streamed: bool, whole: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    given: list[bool] = []
    monkeypatch.setattr("lowstream.reference.pages.IN_FILES", 8)
    monkeypatch.setattr("lowstream.runtime.cache.packed.MOST_IN_HUGE_PAGES", most)
    monkeypatch.setattr(
        "lowstream.runtime.cache.packed.in_huge_pages",
        lambda parts: given.append(True) or in_huge_pages(parts),
    )
    store(Cache(), KEYS[0], replace(sums(), weights=bytes(256)), is_streamed=is_streamed)
    assert bool(given) == whole


@given(st.lists(st.binary(max_size=70)))
def test_writes_are_whole_huge_pages(parts: list[bytes]):
    """All but the last one, and none is empty."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lowstream.runtime.cache.packed.HUGE_PAGE", 16)
        *whole, rest = map(bytes, in_huge_pages(parts))
    assert b"".join([*whole, rest]) == b"".join(parts)
    assert all(each and len(each) % 16 == 0 for each in whole) and len(rest) < 16


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: list[Any], place: str
):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / place))
    with pytest.warns(match="cannot be written: (File exists|Not a directory); .* another folder"):
        assert_array_equal(compile_sums(), FIRST)
    assert_array_equal(compile_sums(), FIRST)  # it is said once
    assert len(builds) == 2


def test_a_users_folder_that_cannot_be_written_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: list[Any]
):
    """Nobody asked for a cache."""
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.delenv("LOWSTREAM_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 1


def test_an_empty_variable_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch, builds: list[Any]):
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    assert lowstream.cache.dir is None
    for _ in range(2):
        assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 2
    lowstream.cache.clear()


def test_without_a_cache_nothing_needs_a_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    monkeypatch.delattr(compiler, "key_of_module")
    assert_array_equal(compile_sums(), FIRST)


def test_the_folder_is_the_users_or_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert Cache().dir == Path(os.environ["XDG_CACHE_HOME"]) / "lowstream"
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / "named"))
    assert Cache().dir == tmp_path / "named"
    cache = Cache(tmp_path / "given")
    assert cache.dir == tmp_path / "given"
    cache.dir = tmp_path / "changed"
    assert cache.dir == tmp_path / "changed"
    cache.dir = ""
    assert cache.dir is None
    cache.dir = None
    assert cache.dir == tmp_path / "named"


@pytest.mark.parametrize("home", ["/somewhere", "", "relative", None])
def test_the_users_folder_is_that_of_platformdirs(
    home: str | None, monkeypatch: pytest.MonkeyPatch
):
    """We find it without loading that package where we can."""
    from platformdirs import user_cache_path

    if home is None:
        monkeypatch.delenv("XDG_CACHE_HOME")
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert Cache().dir == user_cache_path("lowstream")


def test_a_folder_below_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "~/named")
    assert Cache().dir == tmp_path / "named"
    assert Cache("~/given").dir == tmp_path / "given"
    compile_sums()
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "~nobody.of.this.name/x")
    with pytest.raises(DiagnosticException, match="no such user; set LOWSTREAM_CACHE_DIR or"):
        compile_sums()
    assert repr(Cache(size=1 << 20)) == "<Cache in ~nobody.of.this.name/x, of no user, up to 1 MiB>"
    assert [path.name for path in tmp_path.iterdir()] == ["named"]


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path):
    executable, cache = sums(), Cache(tmp_path)
    a, b, c, d = KEYS
    store(cache, a, executable)
    size = (tmp_path / f"{a}.safetensors").stat().st_size
    cache.size = 3 * size + size // 2
    for age, key in enumerate((c, b)):
        store(cache, key, executable)
        os.utime(tmp_path / f"{key}.safetensors", (age + 2, age + 2))
    os.utime(tmp_path / f"{a}.safetensors", (1, 1))
    assert cache.load(a) is not None
    store(cache, d, executable)
    assert {path.stem for path in entries(tmp_path)} == {a, b, d}
    cache.clear()
    assert not entries(tmp_path)


def test_a_full_folder_is_looked_at_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache, looks, held, scandir = Cache(tmp_path, size=4096), list[Path](), 0, os.scandir

    def counted(folder: Path) -> object:
        looks.append(folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", counted)
    for number in range(160):
        cache.remember({f"{number:064x}": "line"})
        held = sum(path.stat().st_size for path in map(tmp_path.joinpath, os.listdir(tmp_path)))
        assert held <= cache.size
    assert held > cache.size / 2
    assert 0 < len(looks) < 60


def test_what_fits_stays(tmp_path: Path):
    """Though the folder has less room left than a full one is given."""
    names = [f"{number:064x}" for number in range(32)]
    Cache(tmp_path).remember(dict.fromkeys(names, "line"))
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    cache = Cache(tmp_path, size)
    cache.remember({names[0]: "line"})
    assert [cache.recall(name) for name in names] == ["line"] * len(names)


def test_what_is_not_ours_stays(tmp_path: Path):
    names = {"model.safetensors", "x.note", "y.tmp", f"{KEYS[1]}.bin"}
    for name in names:
        (tmp_path / name).touch()
    cache = Cache(tmp_path, size=0)
    store(cache, KEYS[0], sums())
    cache.clear()
    assert {path.name for path in tmp_path.iterdir()} == names


WRITER = """
import os, signal, sys
from lowstream.runtime.cache.cache import Cache

def stop(draft, path):
    print(draft, flush=True)
    sys.stdin.read()
    real(draft, path)

real, os.replace = os.replace, stop
Cache(sys.argv[1]).remember({"e" * 64: "line"})
"""
"""Writes to the cache, and waits before the draft takes its place."""


@pytest.mark.parametrize("is_killed", [True, False])
def test_drafts_go_with_their_writers(tmp_path: Path, is_killed: bool):
    """Not before, and without waiting until they are old."""
    run = [sys.executable, "-P", "-c", WRITER, str(tmp_path)]
    cache, key = Cache(tmp_path), "e" * 64
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin and writer.stdout
        draft = Path(writer.stdout.readline().rstrip())
        cache.remember({KEYS[0]: "while it writes"})
        assert draft.exists()
        if is_killed:
            writer.send_signal(signal.SIGKILL)
        writer.stdin.close()
        assert (writer.wait() != 0) == is_killed
    assert draft.exists() == is_killed
    Cache(tmp_path).remember({KEYS[1]: "afterwards"})  # the next writer looks at the folder
    assert not draft.exists()
    assert cache.recall(key) == (None if is_killed else "line")


def test_others_can_read_an_entry(tmp_path: Path, starts_from_input: lowstream.CompiledModel):
    from safetensors import safe_open

    executable = sums()
    store(Cache(tmp_path), KEYS[0], executable)
    (path,) = entries(tmp_path)
    data = path.read_bytes()
    assert (8 + int.from_bytes(data[:8], "little")) % ALIGNMENT == 0
    with safe_open(path, "np") as file:
        assert set(file.keys()) == {"weights", "object0", "object1", "object2", "init0"}
        assert json.loads(file.metadata()["lowstream"])["isa"] == executable.isa
        assert_array_equal(file.get_tensor("init0").view(np.float32), START[0])
