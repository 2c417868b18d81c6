"""Guides are followed, step by step, in a copy of the tree; what they and the documents at the root name exists."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
DOCUMENTS = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *GUIDES]

STEP = re.compile(
    r"^(?:New file `(?P<new>[^`]+)`|In `(?P<file>[^`]+)`, (?P<how>at the end|after|instead of)(?: `(?P<text>[^`]+)`)?):"
    r"\n\n```\w+\n(?P<code>.*?)^```$|^```\n(?P<commands>(?:\$ [^\n]*\n)+)```$",
    re.MULTILINE | re.DOTALL,
)
"""What a guide says to write, and where; or commands."""

MODULES = {
    "pytest": ["-m", "pytest", "-p", "no:cacheprovider"],
    "lit": ["-c", "from lit.main import main; main()"],  # its module does nothing when it is run
}
LEFT_OUT = shutil.ignore_patterns(
    ".*", "build", "bench", "fuzz", "data", "files", "*.safetensors", "images", "*.pyc.*"
)
"""The last are files of bytecode that another process is about to rename."""


@dataclass
class Copy:
    """A copy of the tree that a guide is followed in."""

    root: Path

    def follow(self, guide: Path) -> None:
        for step in STEP.finditer(guide.read_text()):
            if step["commands"]:
                for command in step["commands"].splitlines():
                    self.run(command.removeprefix("$ "))
            elif step["new"]:
                assert not (self.root / step["new"]).exists()
                (self.root / step["new"]).write_text(step["code"])
            else:
                self.edit(self.root / step["file"], step["how"], step["text"], step["code"])

    def edit(self, path: Path, how: str, place: str | None, code: str) -> None:
        old = path.read_text()
        if place is None:
            path.write_text(f"{old}\n\n{code}")
            return
        assert old.count(f"{place}\n") == 1, f"{path.name} has no line {place}"
        kept = f"{place}\n" if how == "after" else ""
        path.write_text(old.replace(f"{place}\n", kept + code))

    def run(self, command: str) -> None:
        words = shlex.split(command)
        if fails := words[0] == "!":
            words.pop(0)
        variables = os.environ | {"PYTHONPATH": str(self.root.parent), "PYTHONWARNINGS": ""}
        variables.pop("PYTHONDONTWRITEBYTECODE", None)  # what one command compiled, the next reads
        while "=" in words[0]:
            name, value = words.pop(0).split("=")
            variables[name] = value
        tool, *words = words
        module = MODULES.get(tool, ["-m", f"lowstream.tools.{tool.replace('-', '_')}"])
        done = subprocess.run(
            [sys.executable, "-P", *([] if tool == "python" else module), *words],
            cwd=self.root,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        said = done.stdout[-3000:] + done.stderr[-3000:]
        assert (done.returncode != 0) == fails, f"{command}\n{said}"


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    shutil.copytree(ROOT, tmp_path / "lowstream", ignore=LEFT_OUT)
    yield Copy(tmp_path / "lowstream")
    shutil.rmtree(tmp_path / "lowstream")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_leads_there(guide: Path, copy: Copy):
    copy.follow(guide)


def test_there_is_a_guide_for_each_kind_of_addition():
    added = {"an-operation", "a-pass", "an-lpt-transformation", "an-instruction-set"}
    assert {guide.stem.removeprefix("add-") for guide in GUIDES} == added


PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md|toml|mlir))`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_what_a_document_names_exists(document: Path):
    text = document.read_text()
    new = {step["new"] for step in STEP.finditer(text)}
    paths = [path for path in PATH.findall(text) if path not in new]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
    links = re.findall(r"\]\(([^):#]+)\)", text)
    assert [link for link in links if not (document.parent / link).exists()] == []
