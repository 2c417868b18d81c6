"""Integers in text, in ASCII digits: Python's `int` also takes those of all scripts, signs, blanks and underscores."""

from __future__ import annotations

MOST_DIGITS = 20
"""The most digits of an integer of 64 bits; Python refuses to read thousands."""


def natural(text: str) -> int | None:
    """The number that digits alone say, and None for other text."""
    if not (text.isascii() and text.isdecimal()) or len(text) > MOST_DIGITS:
        return None
    return int(text)


def integer(text: str) -> int | None:
    """The same with an optional minus in front."""
    number = natural(text.removeprefix("-"))
    return -number if number is not None and text.startswith("-") else number
