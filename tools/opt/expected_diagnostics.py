"""
`--verify-diagnostics`: what is said of a source is what its comments expect, as mlir-opt has it.

    // expected-error@+1 {{shapes [4] and [3] do not broadcast}}
    %y = nn.add %x, %z : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.lexer import Location

from ..diagnostics import Diagnostic, Severity

WHICH = ("all", "only-expected")
"""What is verified: all that is said, or only that what is expected is."""

_EXPECTED = re.compile(
    r"expected-(?P<severity>error|warning|note|remark)(?P<regex>-re)? *"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))? *\{\{(?P<what>(?:\{\{.*?\}\}|(?!\}\}(?!\})).)*)\}\}"
)
_COMMENT = re.compile(r"//.*")


@dataclass
class Expected:
    """A diagnostic that a comment expects."""

    severity: Severity
    comment: Location
    line: int | None
    """Where it is expected; None where its place is not known."""
    text: str
    pattern: re.Pattern[str]
    is_met: bool = False

    def matches(self, said: Diagnostic) -> bool:
        """Whether this is what was said."""
        line = None if said.place is None else said.place.line
        return (
            not self.is_met
            and self.severity == said.severity
            and self.line == line
            and self.pattern.search(said.message) is not None
        )


@dataclass
class ExpectedDiagnostics:
    """What the comments of a source expect, and what was wrong with that."""

    source: str
    expected: Sequence[Expected]
    only_expected: bool = False
    wrong: list[Diagnostic] = field(default_factory=list[Diagnostic])

    @classmethod
    def of(cls, text: str, source: str, which: str = WHICH[0]) -> ExpectedDiagnostics:
        """What the comments of a text expect. Raises DiagnosticException where one is not well formed."""
        return cls(source, list(_expected(text, source)), which != WHICH[0])

    def take(self, said: Diagnostic) -> None:
        """Compares what is said with what is expected."""
        found = next((each for each in self.expected if each.matches(said)), None)
        if found is not None:
            found.is_met = True
        elif not self.only_expected:
            what = f"unexpected {said.severity}: {said.message}"
            self.wrong.append(Diagnostic("error", said.source, said.place, what))

    def finish(self) -> list[Diagnostic]:
        """All that was not expected, or expected and not said."""
        missing = [
            Diagnostic(
                "error",
                self.source,
                each.comment,
                f'expected {each.severity} "{each.text}" was not produced',
            )
            for each in self.expected
            if not each.is_met
        ]
        return [*self.wrong, *missing]


def _expected(text: str, source: str) -> Iterator[Expected]:
    lines = text.splitlines()
    is_designator = [_EXPECTED.search(line) is not None for line in lines]
    for number, line in enumerate(lines, 1):
        comment = _COMMENT.search(line)
        for found in _EXPECTED.finditer(line, comment.start()) if comment else ():
            severity = cast(Severity, found["severity"])
            is_regex, place, what = found.group("regex", "place", "what")
            column = found.start() + 1
            where = Location(source, number, column)
            yield Expected(
                severity,
                where,
                _line_of(place, number, is_designator),
                what,
                _pattern(what, where) if is_regex else re.compile(re.escape(what)),
            )


def _line_of(place: str | None, number: int, is_designator: Sequence[bool]) -> int | None:
    """The line that a comment in line `number` means; above and below pass over lines of other such comments."""
    match place:
        case None:
            return number
        case "unknown":
            return None
        case "above" | "below":
            step = -1 if place == "above" else 1
            line = number + step
            while 0 < line <= len(is_designator) and is_designator[line - 1]:
                line += step
            return line
        case _:
            return number + int(place)


def _pattern(what: str, where: Location) -> re.Pattern[str]:
    """Of an expectation with regular expressions in braces, `shapes {{.*}} do not broadcast`."""
    parts = re.split(r"\{\{(.*?)\}\}", what)
    pieces = (part if place % 2 else re.escape(part) for place, part in enumerate(parts))
    try:
        return re.compile("".join(pieces))
    except re.error as error:
        raise DiagnosticException(f"{where}: error: {error} in '{what}'") from None
