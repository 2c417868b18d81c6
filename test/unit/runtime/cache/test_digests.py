"""Digests of files: computed once for what stays as it is, and again for all else."""

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from lowstream.runtime.cache import digests
from lowstream.runtime.cache.digests import digest_of_file

Read = list[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, empty. Clocks are as fine as can be."""
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(digests, "SETTLED", float("-inf"))
    monkeypatch.setattr(digests, "SMALL", 3)
    return tmp_path / "cache"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """Grows by a name with each file that is read."""
    names: Read = []

    def recording(file: Any, kind: str) -> Any:
        names.append(Path(file.name).name)
        return real(file, kind)

    real = hashlib.file_digest
    monkeypatch.setattr(hashlib, "file_digest", recording)
    return names


def a_file(folder: Path, contents: bytes) -> Path:
    """`weights.bin`, a file that was not there before, if there was one of this name."""
    draft = folder / "weights.bin.draft"
    draft.write_bytes(contents)
    return draft.replace(folder / "weights.bin")


def sha256(contents: bytes) -> str:
    return hashlib.sha256(contents).hexdigest()


def test_a_file_that_stays_as_it_is_is_read_once(folder: Path, read: Read, tmp_path: Path):
    path = a_file(tmp_path, b"some")
    assert [digest_of_file(path) for _ in range(3)] == [sha256(b"some")] * 3
    assert read == ["weights.bin"]


def test_a_file_in_the_place_of_another_is_read(folder: Path, read: Read, tmp_path: Path):
    """Of the same name, size and times."""
    path = a_file(tmp_path, b"some")
    digest_of_file(path)
    status = path.stat()
    a_file(tmp_path, b"more")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert digest_of_file(path) == sha256(b"more")


def test_a_file_that_was_touched_is_read_again(folder: Path, read: Read, tmp_path: Path):
    path = a_file(tmp_path, b"some")
    digest_of_file(path)
    os.utime(path, ns=(1, 1))
    assert digest_of_file(path) == sha256(b"some")
    assert len(read) == 2


def test_a_small_file_is_read_each_time_and_not_remembered(folder: Path, tmp_path: Path):
    for contents in (b"few", b"fee"):
        assert digest_of_file(a_file(tmp_path, contents)) == sha256(contents)
    assert not folder.exists()


def test_a_file_that_changed_a_moment_ago_is_not_remembered(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """It could change again while the clock shows the same time."""
    monkeypatch.setattr(digests, "SETTLED", 3600.0)
    path = a_file(tmp_path, b"some")
    assert digest_of_file(path) == sha256(b"some")
    assert not folder.exists()


def test_a_file_that_changes_while_it_is_read_is_not_remembered(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def touching(file: Any, kind: str) -> Any:
        os.utime(path, ns=(2, 2))
        return real(file, kind)

    real = hashlib.file_digest
    monkeypatch.setattr(hashlib, "file_digest", touching)
    path = a_file(tmp_path, b"some")
    digest_of_file(path)
    assert not folder.exists()


@pytest.mark.parametrize("note", ["", "0" * 63, "x" * 64, "0" * 64 + "\n"])
def test_a_damaged_note_counts_as_none(folder: Path, tmp_path: Path, note: str):
    path = a_file(tmp_path, b"some")
    digest_of_file(path)
    (found,) = folder.iterdir()
    found.write_text(note)
    assert digest_of_file(path) == sha256(b"some")


def test_without_a_cache_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    path = a_file(tmp_path, b"some")
    assert digest_of_file(path) == sha256(b"some")


def test_a_file_that_cannot_be_read(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        digest_of_file(tmp_path / "none")
