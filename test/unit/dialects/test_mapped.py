"""Pages of mapped files go, and what the files hold stays."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lowstream.dialects import context
from lowstream.dialects.mapped import SMALL, drop_mapped_pages, file_of, mapped, scratch
from lowstream.passes.instrumentation import apply_pass

SIZE = 1 << 20

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux what lies in memory")


def resident(path: Path) -> int:
    """Bytes of a mapped file that lie in the memory of this process."""
    found, total = False, 0
    for line in Path("/proc/self/smaps").read_text("utf-8", "replace").splitlines():
        if line[0] in "0123456789abcdef":
            found = line.endswith(str(path))
        elif found and line.startswith("Rss:"):
            total += int(line.split()[1]) << 10
    return total


def test_dropped_pages_are_read_again(tmp_path: Path):
    path = tmp_path / "weights.bin"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    view = mapped(path)
    assert sum(view) == SIZE * 255 // 2
    assert resident(path) == SIZE
    drop_mapped_pages()
    assert resident(path) == 0
    assert view == path.read_bytes()


def test_files_that_are_closed_are_not_looked_for(tmp_path: Path):
    path = tmp_path / "weights.bin"
    path.write_bytes(b"1234")
    view = mapped(path)
    view.release()
    drop_mapped_pages()
    assert resident(path) == 0


def test_the_file_of_a_view_knows_when_it_was_written(tmp_path: Path):
    path = tmp_path / "weights.bin"
    path.write_bytes(bytes(range(16)))
    view = mapped(path)
    file = file_of(np.frombuffer(view[4:], np.uint8).reshape(3, 4).data)
    assert file is not None and file.is_unchanged
    os.utime(path, ns=(0, 0))
    assert not file.is_unchanged


def test_a_file_that_is_replaced_or_gone_keeps_its_pages(tmp_path: Path):
    path, other = tmp_path / "weights.bin", tmp_path / "other.bin"
    path.write_bytes(b"1234")
    other.write_bytes(b"56")
    view = mapped(path)
    file = file_of(view)
    assert file is not None
    other.replace(path)
    assert file.is_unchanged and view == b"1234"
    path.unlink()
    assert file.is_unchanged and view == b"1234"


def test_memory_has_no_file():
    assert file_of(b"12") is None and file_of(np.zeros(2).data) is None and file_of(None) is None


def test_passes_leave_nothing_of_files_in_memory(tmp_path: Path):
    path = tmp_path / "weights.bin"
    path.write_bytes(bytes(SIZE))
    view = mapped(path)

    class Reads(ModulePass):
        name = "reads"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            assert sum(view) == 0
            assert resident(path) == SIZE

    apply_pass(Reads(), context(), ModuleOp([]))
    assert resident(path) == 0


def test_what_was_written_to_scratch_stays_when_pages_go():
    pages = scratch(SIZE)
    assert pages is not None
    assert pages[:] == bytes(SIZE)
    before = in_memory()
    pages[:] = b"\1" * SIZE
    assert in_memory() >= before
    drop_mapped_pages()
    assert in_memory() <= before - SIZE
    assert pages[:] == b"\1" * SIZE


def test_there_is_no_scratch_on_a_full_disk(monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("os.posix_fallocate", full)
    assert scratch(SIZE) is None


def test_scratch_leaves_file_descriptors_to_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lowstream.dialects.mapped.MOST_SCRATCH_FILES", 2)
    held = [scratch(SIZE) for _ in range(3)]
    assert [each is None for each in held] == [False, False, True]
    del held
    assert scratch(SIZE) is not None


def in_memory() -> int:
    """Bytes of files, those that nobody can name among them, that lie in the memory of this process."""
    status = Path("/proc/self/status").read_text()
    return sum(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith(FILES))


FILES = ("RssFile:", "RssShmem:")


def test_pages_of_a_small_file_stay(tmp_path: Path):
    path = tmp_path / "weights.bin"
    path.write_bytes(bytes(SMALL))
    view = mapped(path)
    assert sum(view) == 0
    drop_mapped_pages()
    assert resident(path) == SMALL
