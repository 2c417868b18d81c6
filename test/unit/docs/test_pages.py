"""Every page that users follow does what it says."""

from pathlib import Path

import pytest

from lowstream.test.unit.docs.pages import PAGES, ROOT, Page, assert_says, pages_here


@pytest.mark.parametrize("path", pages_here(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_does_what_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Page(path).follow(tmp_path, monkeypatch)


def test_pages_that_need_other_environments_are_followed_there():
    makefile = (ROOT / "Makefile").read_text()
    for path in {*PAGES} - {*pages_here()}:
        assert f"[{path.relative_to(ROOT)}]" in makefile


@pytest.mark.parametrize("said", ["a 1.5 µs\nmore\nlast\n", "a 2 µs\nlast\n"])
def test_what_differs_is_left_open(said: str):
    assert_says(said, "a … µs\n…\nlast\n", "")
    with pytest.raises(AssertionError):
        assert_says(said, "b … µs\n…\nlast\n", "")
    with pytest.raises(AssertionError):
        assert_says(said, "a … µs\n", "")
