"""What the README, and pages that it leads to, show is what is there."""

import re
from pathlib import Path

from lowstream.tools.command import COMMANDS

ROOT = Path(__file__).parents[3]
TUTORIAL = ROOT / "docs/tutorials/passes.md"


def test_the_tutorial_shows_its_model():
    (shown,) = re.findall(r"^```mlir\n(.*?)^```$", TUTORIAL.read_text(), re.M | re.S)
    assert shown == (ROOT / "docs/examples/step.mlir").read_text()


def test_the_page_about_the_command_line_lists_all_commands():
    text = (ROOT / "docs/command_line.md").read_text()
    for name in COMMANDS:
        assert f"| `{name}` |" in text


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^):]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []
