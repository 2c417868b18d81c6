"""Entries that others could have written are not loaded."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

from lowstream.test.unit.runtime.cache.cached_models import FIRST, compile_sums, entries


@pytest.mark.parametrize(("mode", "who"), [(0o777, "everybody"), (0o770, "its group")])
def test_a_folder_that_others_can_write_is_not_used(
    folder: Path, builds: list[Any], mode: int, who: str
):
    compile_sums()
    folder.chmod(mode)
    objection = f"the cache in {folder} is not used: {who} can"
    with pytest.warns(UserWarning, match=objection) as found:
        compile_sums()
    compile_sums()
    assert len(found) == 1
    assert len(builds) == 3
    command = str(found[0].message).rpartition("run: ")[2]
    subprocess.run(command, shell=True, check=True)
    compile_sums()
    assert len(builds) == 3


def test_an_entry_that_others_can_write_is_not_loaded(folder: Path, builds: list[Any]):
    compile_sums()
    (entry,) = entries(folder)
    entry.chmod(0o666)
    assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 2
    compile_sums()
    assert len(builds) == 2


def test_what_we_make_is_ours_whatever_the_umask(folder: Path, builds: list[Any]):
    before = os.umask(0)
    try:
        compile_sums()
    finally:
        os.umask(before)
    compile_sums()
    assert len(builds) == 1
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entries(folder)[0].stat().st_mode & 0o777 == 0o644


def test_an_entry_without_the_key_is_none(
    folder: Path, builds: list[Any], monkeypatch: pytest.MonkeyPatch
):
    for count, key in enumerate(("", "a", "a", "b", ""), 1):
        monkeypatch.setenv("LOWSTREAM_KEY", key)
        assert_array_equal(compile_sums(), FIRST)
        assert len(builds) == (count if count < 3 else count - 1)
