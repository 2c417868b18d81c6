"""What says a version says the same one."""

import re
import tomllib
from pathlib import Path

from lowstream.interop.ir_version import current_version

ROOT = Path(__file__).parents[3]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_citation_is_of_this_version():
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_changelog_has_this_version_or_announces_it():
    text = (ROOT / "CHANGELOG.md").read_text()
    assert f"\n## {VERSION} " in text or f"is to be {VERSION}." in text


def test_every_version_of_the_ir_is_in_the_table():
    rows = re.findall(r"^\| (\d+) \| ", (ROOT / "docs/versions.md").read_text(), re.MULTILINE)
    assert [int(row) for row in rows] == [*range(1, current_version() + 1)]
