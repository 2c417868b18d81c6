"""
Writes the tables of transformations in `passes/lpt.md`: names, laws and what they decline, from docstrings.

    python docs/lpt_table.py
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

PAGE = Path(__file__).with_name("passes") / "lpt.md"
DECLINES = "Declines "
"""How the paragraph of a docstring begins that says where the law does not hold."""


def rules() -> dict[str, Iterable[object]]:
    """By the name of the step, what it is made of."""
    return {
        "prerequisites": [rule for patterns in PREREQUISITES for rule in patterns],
        "main": MAIN,
        "cleanup": [rule for patterns in cleanup_pattern_sets(LptConfig()) for rule in patterns],
    }


def law(kind: type[object]) -> tuple[str, str]:
    """The law of a class, and what it declines. Where it only names the base that says it, that one's."""
    text = inspect.getdoc(kind) or ""
    if (found := re.match(r"`(\w+)` of", text)) is not None:
        (base,) = (each for each in kind.__mro__ if each.__name__ == found[1])
        text = inspect.getdoc(base) or ""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    declined = [part for part in paragraphs if part.startswith(DECLINES)]
    holds = " ".join(part for part in paragraphs if part not in declined)
    return holds, " ".join(part.removeprefix(DECLINES).removesuffix(".") for part in declined)


def table(rules: Iterable[object]) -> Iterator[str]:
    """The lines of a step's table; rules of one name share one."""
    laws: dict[str, dict[tuple[str, str], None]] = {}
    for rule in rules:
        assert isinstance(rule, NamedPattern | Transformation)
        laws.setdefault(rule.name, {})[law(type(rule))] = None
    yield "| name | law | declines |"
    yield "|---|---|---|"
    for name, found in laws.items():
        holds, declined = zip(*found, strict=True)
        cells = [" ".join(holds), "; ".join(dict.fromkeys(filter(None, declined)))]
        yield "| " + " | ".join([f"`{name}`", *(cell.replace("|", "\\|") for cell in cells)]) + " |"


def updated(text: str) -> str:
    """The page with its tables as the code has them."""
    for step, listed in rules().items():
        begin, end = f"<!-- {step}: written by docs/lpt_table.py -->\n\n", "\n<!-- end -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        assert after, f"the page has no place for the table of {step}"
        text = before + begin + "\n".join(table(listed)) + "\n" + end + after
    return text


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text()))
