"""A file keeps what it held unless all of the new is written."""

from pathlib import Path

import pytest

from lowstream.passes.whole_file import replacing


def test_the_new_takes_the_place_of_the_old(tmp_path: Path):
    path = tmp_path / "f.csv"
    path.write_text("old")
    with replacing(path) as draft:
        draft.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def write_half(path: Path) -> None:
    with replacing(path) as draft:
        draft.write_text("half")
        raise OSError(28, "No space left on device", str(draft))


def test_a_failure_leaves_the_old(tmp_path: Path):
    path = tmp_path / "f.csv"
    path.write_text("old")
    with pytest.raises(OSError, match=r"No space left on device: '.*/f.csv'"):
        write_half(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_others_may_read_it_as_they_may_any_file(tmp_path: Path):
    """Whatever writes it makes a file of its own."""
    path, usual = tmp_path / "f.csv", tmp_path / "usual"
    usual.touch()
    with replacing(path) as draft:
        draft.chmod(0o600)
    assert path.stat().st_mode == usual.stat().st_mode


def test_what_numpy_could_not_write_names_the_file(tmp_path: Path):
    with (
        pytest.raises(OSError, match=r"not written whole .*room on the disk") as raised,
        replacing(tmp_path / "y.npy"),
    ):
        raise OSError("40000 requested and 4064 written")
    assert raised.value.filename == str(tmp_path / "y.npy")
    assert not list(tmp_path.iterdir())
