"""What the README shows is what happens."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lowstream.tools.command import COMMANDS

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)


def block(language: str, holding: str) -> str:
    """The one block that holds this text."""
    (found,) = (text for kind, text in BLOCKS if kind == language and holding in text)
    return found


def run(command: str, folder: Path) -> str:
    """The standard output of a tool's command line, in this environment."""
    tool, *words = shlex.split(command)
    if tool == "lowstream":
        words = ["-m", "lowstream", *words]
    elif tool != "python":
        words = ["-m", f"lowstream.tools.{tool.replace('-', '_')}", *words]
    process = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


def test_the_example_before_and_after():
    assert block("mlir", "infra.tensor_iterator") == (ROOT / "docs/examples/step.mlir").read_text()
    command, after = block("", "opt-tool --low-latency2").split("\n", 1)
    assert run(command.removeprefix("$ "), ROOT).rstrip() == after.rstrip()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pitch example's folder, to write into."""
    folder = tmp_path_factory.mktemp("readme") / "pitch"
    shutil.copytree(ROOT / "docs/examples/pitch", folder)
    return folder


def test_the_blocks_for_a_user(example: Path):
    (example / "readme.py").write_text(block("python", "import lowstream"))
    heard = re.findall(r"^\d\.\d\d s: (\d+) Hz$", run("python readme.py", example), re.M)
    assert [int(hertz) > 0 for hertz in heard] == [False, True, False, True, True]
    for command in block("", "translate-tool").splitlines():
        run(command.removeprefix("$ "), example)
    assert (example / "results" / "answers.npy").stat().st_size > 200 * 2 * 4
    assert "MatMul" in (example / "counters.csv").read_text()


def test_the_page_about_the_command_line(example: Path):
    text = (ROOT / "docs/command_line.md").read_text()
    (commands,) = re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)
    doctor, ran, *_ = [run(line.removeprefix("$ "), example) for line in commands.splitlines()]
    assert "instruction set" in doctor and "1x4x2" in ran
    for name in COMMANDS:
        assert f"| `{name}` |" in text


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^):]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
