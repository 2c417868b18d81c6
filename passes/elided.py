"""Shortens names such that different ones stay different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GAP = "…"

NARROWEST = 10
"""The room that a table gives names at least."""


def elided(names: Sequence[str], width: int) -> list[str]:
    """
    The names, none longer than `width`. A gap replaces the part that distinguishes names least: their middles, or their
    common prefix. If no gap keeps different names different, they are numbered.
    """
    every = list(dict.fromkeys(names))
    short = [name for name in every if len(name) <= width]
    long = [name for name in every if len(name) > width]
    for shown in _candidates(long, width):
        if len({*short, *shown}) == len(every):
            break
    else:
        shown = _numbered(long, {*short}, width)
    known = dict(zip(long, shown, strict=True))
    return [known.get(name, name) for name in names]


def _candidates(names: Sequence[str], width: int) -> Iterator[list[str]]:
    """
    Elisions with a gap at several places: after a third of the width, at the end of the common prefix, at the start,
    and further on.
    """
    room = width - len(GAP)
    if room < 1:
        return
    common = _in_common(names)
    for head in dict.fromkeys((room // 3, 0, room // 2, 2 * room // 3, room)):
        for begin in (0, common):
            yield [_with_gap(name, begin, head, width) for name in names]


def _in_common(names: Sequence[str]) -> int:
    """The length of the common prefix."""
    if not names:
        return 0
    first, last = min(names), max(names)
    differ = (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return next(differ, len(first))


def _with_gap(name: str, begin: int, head: int, width: int) -> str:
    """From `begin` on, so many characters, a gap, and as many of the last ones as there is room for."""
    if begin:
        rest = GAP + name[begin:]
        head += len(GAP)
    else:
        rest = name
    if len(rest) <= width:
        return rest
    head = min(head, width - len(GAP))
    tail = width - len(GAP) - head
    return rest[:head] + GAP + rest[len(rest) - tail :]


def _numbered(names: Sequence[str], taken: set[str], width: int) -> list[str]:
    """The first characters and a number that no other name has."""
    shown: list[str] = []
    number = 0
    for name in names:
        while True:
            number += 1
            mark = f"{GAP}{number}"
            candidate = name[: max(0, width - len(mark))] + mark
            if candidate not in taken:
                break
        taken.add(candidate)
        shown.append(candidate)
    return shown
