"""
Writes the laws of `lpt`'s transformations into its pages, `passes/lpt*.md`, from docstrings.

    python docs/lpt_laws.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lowstream.passes.lpt.config import LptConfig
from lowstream.passes.lpt.pattern import NamedPattern
from lowstream.passes.lpt.steps import MAIN, PREREQUISITES, cleanup_pattern_sets
from lowstream.passes.lpt.transformation import Transformation

PAGES = sorted(Path(__file__).parent.glob("passes/lpt*.md"))
PLACE = re.compile(r"(<!-- (\w+): written by docs/lpt_laws.py -->\n).*?(<!-- end -->)", re.DOTALL)
"""Where a page has the laws of a family."""

INDEX = "index"
"""The place of the table of all transformations of the main step."""

FIRST = "prerequisites"
STEPS = {FIRST: PREREQUISITES, "cleanup": cleanup_pattern_sets(LptConfig())}
"""The steps that are lists of pattern sets."""

DECLINES = "Declines "
"""How the paragraph of a docstring begins that says where the law does not hold."""


def families() -> dict[str, dict[str, list[type[object]]]]:
    """
    By step, and in the main one by folder: the classes of each name, in the order of `steps.py`. What the first and the
    last step share is the first's.
    """
    found: dict[str, dict[str, list[type[object]]]] = {}
    for step, sets in STEPS.items():
        for rule in (rule for patterns in sets for rule in patterns):
            if rule.name not in found.get(FIRST, {}) or step == FIRST:
                add(found.setdefault(step, {}), rule)
    for rule in MAIN:
        add(found.setdefault(folder_of(type(rule)), {}), rule)
    return found


def folder_of(kind: type[object]) -> str:
    """The folder of a transformation; of one that is made, that of its base."""
    modules = (each.__module__.split(".") for each in kind.__mro__)
    return next(names[-2] for names in modules if "main" in names)


def add(family: dict[str, list[type[object]]], rule: object) -> None:
    """Adds the class of a rule behind its name."""
    assert isinstance(rule, NamedPattern | Transformation)
    classes = family.setdefault(rule.name, [])
    if type(rule) not in classes:
        classes.append(type(rule))


def law(kind: type[object]) -> list[str]:
    """The paragraphs of a class's docstring. Where it only names the base that says them, that one's."""
    text = inspect.getdoc(kind) or ""
    if (found := re.match(r"`(\w+)` of", text)) is not None:
        (base,) = (each for each in kind.__mro__ if each.__name__ == found[1])
        text = inspect.getdoc(base) or ""
    return [re.sub(r"\n(?!- )\s*", " ", part) for part in text.split("\n\n")]


def section(name: str, classes: Iterable[type[object]]) -> Iterator[str]:
    """The paragraphs of one name: the laws first, then what they decline."""
    paragraphs = dict.fromkeys(part for kind in classes for part in law(kind))
    yield f"### `{name}`"
    yield from (part for part in paragraphs if not part.startswith(DECLINES))
    declined = [part.removeprefix(DECLINES) for part in paragraphs if part.startswith(DECLINES)]
    if declined:
        yield "**Declines** " + "; ".join(part.removesuffix(".") for part in declined) + "."


def updated(page: Path) -> str:
    """A page with the laws that the code has."""
    found = families()

    def written(place: re.Match[str]) -> str:
        before, family, after = place.groups()
        if family == INDEX:
            lines = "\n".join(index(found))
        else:
            sections = (section(*each) for each in found[family].items())
            lines = "\n\n".join(line for each in sections for line in each)
        return f"{before}\n{lines}\n\n{after}"

    return PLACE.sub(written, page.read_text())


def index(found: dict[str, dict[str, list[type[object]]]]) -> Iterator[str]:
    """The table of the main step: by folder, its transformations and their pages."""
    yield "| `passes/lpt/main/` | transformations |"
    yield "|---|---|"
    pages = {family: page.name for page, family in places()}
    for family in (family for family in found if family not in STEPS):
        links = (f"[`{name}`]({pages[family]}#{name})" for name in found[family])
        yield f"| `{family}` | {', '.join(links)} |"


def places() -> list[tuple[Path, str]]:
    """Which page has which family."""
    return [(page, found[2]) for page in PAGES for found in PLACE.finditer(page.read_text())]


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(updated(page))
