"""Who could have written a file."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lowstream.runtime.cache.trust import objection_to

Look = Callable[[int, int], None]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Look:
    """Lets every file look as if it had this owner and mode, and us be user 54322, who is not listed."""

    def look(owner: int, mode: int) -> None:
        status = os.stat_result((mode, 0, 0, 1, owner, 0, 0, 0, 0, 0))
        monkeypatch.setattr(Path, "stat", lambda _: status)

    monkeypatch.setattr(os, "geteuid", lambda: 54322)
    return look


@pytest.mark.parametrize(
    ("owner", "mode", "objection"),
    [
        (54322, 0o755, None),
        (0, 0o755, None),
        (54322, 0o1777, "everybody can write to it; run: chmod go-w x"),
        (54322, 0o775, "its group can write to it; run: chmod go-w x"),
        (0, 0o777, "everybody can write to it; run: chmod go-w x"),
        (54321, 0o700, "it belongs to user 54321, not to user 54322; use one of your own"),
    ],
)
def test_whom_we_trust(looks: Look, owner: int, mode: int, objection: str | None):
    looks(owner, mode)
    assert objection_to(Path("x")) == objection


def test_what_is_not_there_is_no_danger(tmp_path: Path):
    assert objection_to(tmp_path / "none") is None
