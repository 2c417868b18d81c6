"""What the README shows is what happens."""

import re
from pathlib import Path

from lowstream.tools.command import COMMANDS

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)


def block(language: str, holding: str) -> str:
    """The one block that holds this text."""
    (found,) = (text for kind, text in BLOCKS if kind == language and holding in text)
    return found


def test_the_example_before_and_after():
    assert block("mlir", "infra.tensor_iterator") == (ROOT / "docs/examples/step.mlir").read_text()


def test_the_page_about_the_command_line_lists_all_commands():
    text = (ROOT / "docs/command_line.md").read_text()
    for name in COMMANDS:
        assert f"| `{name}` |" in text


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^):]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []
