"""Guides are followed, step by step, in a copy of the tree; what they and the documents at the root name exists."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
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
    """A copy of the tree that guides are followed in, one after the other."""

    root: Path
    written: set[Path] = field(default_factory=set[Path])

    def follow(self, guide: Path) -> None:
        for step in STEP.finditer(guide.read_text()):
            if step["commands"]:
                for command in step["commands"].splitlines():
                    self.run(command.removeprefix("$ "))
            elif step["new"]:
                assert not (self.root / step["new"]).exists()
                self.write(step["new"], step["code"])
            else:
                self.edit(step["file"], step["how"], step["text"], step["code"])

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.write_text(text)
        self.written.add(path)

    def edit(self, name: str, how: str, place: str | None, code: str) -> None:
        old = (self.root / name).read_text()
        if place is None:
            self.write(name, f"{old}\n\n{code}")
            return
        assert old.count(f"{place}\n") == 1, f"{name} has no line {place}"
        kept = f"{place}\n" if how == "after" else ""
        self.write(name, old.replace(f"{place}\n", kept + code))

    def leave(self) -> None:
        """Takes back what was written, times included, by which Python knows what it has compiled."""
        while self.written:
            path = self.written.pop()
            path.unlink()
            if (original := ROOT / path.relative_to(self.root)).exists():
                shutil.copy2(original, path)

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


@pytest.fixture(scope="module")
def copy_for_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    root = tmp_path_factory.mktemp("guides") / "lowstream"
    shutil.copytree(ROOT, root, ignore=LEFT_OUT)
    yield Copy(root)
    shutil.rmtree(root)


@pytest.fixture
def copy(copy_for_all: Copy) -> Iterator[Copy]:
    yield copy_for_all
    copy_for_all.leave()


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
