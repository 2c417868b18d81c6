"""Every page that users follow does what it says."""

import importlib
import re
import shlex
from pathlib import Path

import pytest

from lowstream.test.unit.docs.pages import FENCE, PAGES, ROOT, Page, assert_says, pages_here
from lowstream.tools.command import COMMANDS
from lowstream.tools.opt_tool import OptTool


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


OTHERS = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if path.parent.name != "guides"  # which are followed in a copy of the tree
]
TYPED = re.compile(
    r"^(?:    |\$ )((?:lowstream|(?:opt|translate|run|benchmark)-tool) [^\n]*)$", re.MULTILINE
)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_are_ones_that_tools_take(path: Path):
    """Also those that no page runs, on models of the reader's."""
    text = path.read_text()
    for line in TYPED.findall(FENCE.sub("", text) if path in PAGES else text):
        tool, *words = shlex.split(line.replace("…", ""), comments=True)
        name = words.pop(0) if tool == "lowstream" else tool.removesuffix("-tool")
        if name == "opt":
            OptTool(words)
        elif name in COMMANDS:
            importlib.import_module(f"lowstream.tools.{COMMANDS[name][0]}").arguments().parse_args(
                words
            )
