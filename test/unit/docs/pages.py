"""
Pages as their readers follow them: what stands in fences runs, in order, in a folder of the page's own.

A fence of `python` belongs to one session for the whole page; a fence of plain text right behind it is what it prints.
In a fence without a language, lines that begin with `$` are commands, and what follows each is what it says, if
anything does. `…` stands for whatever differs from machine to machine: in a line for some of it, alone for any lines.
Python with a lone `...` is an excerpt, which runs elsewhere. The session begins in a copy of the examples, and goes on
in X from where a page says "in the folder `X`".
"""

from __future__ import annotations

import ast
import io
import logging
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from xdsl.xdsl_opt_main import xDSLOptMain

from lowstream.runtime.cache.cache import cache
from lowstream.tools import command

ROOT = Path(__file__).parents[3]
PAGES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/tutorials/*.md")),
]

TOOLS = {
    "lowstream": command.main,
    "xdsl-opt": lambda words: xDSLOptMain(args=words).run(),
    **{f"{name}-tool": partial(command.start, name, f"{name}-tool") for name in command.COMMANDS},
}
"""What commands call, by name; they run in this process, which has loaded all that they need."""

INSTALLERS = ("make", "pip", "source")
"""Commands that make environments; what they make runs the tests."""

FOLDER = re.compile(r"[Ii]n\s+the\s+folder\s+`([^`]+)`")

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Page:
    """A page, and the session that its blocks run in."""

    path: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "page"})

    @property
    def blocks(self) -> list[tuple[str, str, str]]:
        """What stands before each fence, its language and its text."""
        _, *parts = pieces = FENCE.split(self.path.read_text())
        return list(zip(pieces[::3], parts[::3], parts[1::3], strict=False))

    @property
    def imports(self) -> set[str]:
        """The packages that its Python imports."""
        trees = [ast.parse(code) for _, language, code in self.blocks if language == "python"]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        names = [each.name for node in nodes if isinstance(node, ast.Import) for each in node.names]
        names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        return {name.partition(".")[0] for name in names}

    def follow(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Runs all blocks, and compares what they say with what the page says."""
        shutil.copytree(ROOT / "docs" / "examples", folder / "docs" / "examples")
        monkeypatch.chdir(folder)
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setenv("HOME", str(folder))  # which pages call ~
        monkeypatch.setattr(cache, "_dir", cache._dir)  # pyright: ignore[reportPrivateUsage]
        monkeypatch.setattr(cache, "size", cache.size)
        kept = set(sys.modules)
        blocks = [*self.blocks, ("", "", "")]
        for (before, language, text), (_, after, printed) in pairwise(blocks):
            if found := FOLDER.findall(before):
                monkeypatch.chdir(folder / found[-1])
                monkeypatch.syspath_prepend(folder / found[-1])
            if language == "python" and "\n    ...\n" not in text:
                is_output = after in ("", "text") and not printed.startswith("$ ")
                assert_says(self._python(text), printed if is_output else "", text)
            elif text.startswith("$ "):
                for line, expected in commands(text):
                    assert_says(run(line, monkeypatch, bool(expected)), expected, line)
        for name in set(sys.modules) - kept:  # modules of this folder
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]

    def _python(self, code: str) -> str:
        said = io.StringIO()
        with redirect_stdout(said):
            exec(compile(code, self.path.name, "exec"), self.names)
        return said.getvalue()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a fence, each with the lines that follow it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, _, said = part.partition("\n")
        while line.endswith("\\"):
            more, _, said = said.partition("\n")
            line = f"{line[:-1]} {more}"
        yield line, said


def run(line: str, monkeypatch: pytest.MonkeyPatch, may_fail: bool) -> str:
    """What a command says, on both streams, or several joined by `&&`. It may fail where the page shows how."""
    first, is_several, rest = line.partition(" && ")
    if is_several:
        return run(first, monkeypatch, may_fail) + run(rest, monkeypatch, may_fail)
    words = shlex.split(line, comments=True)
    said = io.StringIO()
    notes = logging.StreamHandler(said)  # as Python shows warnings where pytest does not take them
    with monkeypatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        patch.setattr(logging.getLogger("lowstream"), "handlers", [notes])
        while "=" in words[0]:
            patch.setenv(*words.pop(0).split("=", 1))
        tool, *arguments = words
        if tool in INSTALLERS:
            return ""
        if tool == "ls":
            print(*sorted(os.listdir(*arguments)), sep="\n")
        elif tool == "python":
            (script,) = arguments
            exec(compile(Path(script).read_text(), script, "exec"), {"__name__": "__main__"})
        else:
            try:
                TOOLS[tool](arguments)
            except SystemExit as end:
                if end.code and not may_fail:
                    pytest.fail(f"{line}\nsays\n{said.getvalue()}")
    return said.getvalue()


def assert_says(said: str, expected: str, what: str) -> None:
    """Compares; nothing is expected where a page shows nothing."""
    if not expected:
        return
    parts = [
        "(?:.*\n)*?" if line.strip() == "…" else f"{_pattern(line)} *\n"
        for line in expected.rstrip("\n").split("\n")
    ]
    assert re.fullmatch("".join(parts), said.rstrip("\n") + "\n"), f"{what}\nsays\n{said}"


def _pattern(line: str) -> str:
    """A line as a regular expression; how far columns are apart depends on what is in them."""
    return re.sub(r"(\\ )+", " +", ".*".join(map(re.escape, line.split("…"))))


ELSEWHERE = {"apache_beam", "dask", "keras", "nncf", "ray", "tensorflow", "torch", "torchao"}
"""
What pages import that only the environments of `make distributed`, `make torch`, `make quantizers` and
`make tensorflow` have.
"""


def pages_here() -> list[Path]:
    """The pages whose packages this environment has."""
    packages = {path: {*Page(path).imports} & ELSEWHERE for path in PAGES}
    return [path for path in PAGES if all(find_spec(name) for name in packages[path])]
