"""A profile as a table of kernels, the longest first, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dialects.short_types import short_shape
from ...passes.elided import elided
from ...passes.html_table import html_table

if TYPE_CHECKING:
    from .profiling import KernelProfile, Profile

SHOWN = 20
"""The number of kernels in a table; the others are one line."""

NAME_WIDTH = 32

COLUMNS = ("µs", "share", "GOP/s", "type", "result", "operation", "and")
NUMBERS = (0, 1, 2)


def text_of(profile: Profile) -> str:
    """Lines of columns."""
    rows = rows_of(profile, SHOWN)
    names = elided([row[5] for row in rows], NAME_WIDTH)
    rows = [(*row[:5], name, *row[6:]) for row, name in zip(rows, names, strict=True)]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    lines = [title_of(profile)]
    for row in (COLUMNS, *rows):
        cells = [
            cell.rjust(width) if n in NUMBERS else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join((*lines, *_rest(profile)))


def html_of(profile: Profile) -> str:
    """The same for notebooks."""
    rest = "".join(f"<p>{line}</p>\n" for line in _rest(profile))
    table = html_table(COLUMNS, rows_of(profile, SHOWN), NUMBERS)
    return f"<p>{title_of(profile)}</p>\n{table}{rest}"


def title_of(profile: Profile) -> str:
    """The time of all kernels, and the instruction set."""
    threads = max((each.threads for each in profile.kernels), default=1)
    counts = (len(profile.kernels), "kernel"), (len(profile), "operation"), (threads, "thread")
    kernels, operations, on = (f"{n} {what}{'s' * (n != 1)}" for n, what in counts)
    total = f"{profile.nanoseconds / 1000:.1f} µs"
    return f"{total} in {kernels} for {operations} ({profile.isa}, {on})"


def longest_first(profile: Profile) -> list[KernelProfile]:
    """The kernels by time."""
    return sorted(profile.kernels, key=lambda each: -each.nanoseconds)


def rows_of(profile: Profile, most: int) -> list[tuple[str, ...]]:
    """A row for each of the longest kernels: the operation that it is named for, and how many others it computes."""
    return [row_of(each, profile.nanoseconds) for each in longest_first(profile)[:most]]


def row_of(each: KernelProfile, total: int) -> tuple[str, ...]:
    """A kernel's cells."""
    kernel, origin = each.kernel, each.origin
    more = len(kernel.origins) - 1
    return (
        f"{each.nanoseconds / 1000:.2f}",
        f"{each.nanoseconds / max(total, 1):.1%}",
        f"{each.giga_operations:.1f}" if each.giga_operations else "",
        origin.type,
        f"{kernel.type}{short_shape(kernel.shape)}"
        + (f" × {each.runs}" if each.runs not in (None, 1) else ""),
        origin.name,
        f"{more} more" if more > 0 else "",
    )


def _rest(profile: Profile) -> Sequence[str]:
    others = longest_first(profile)[SHOWN:]
    if not others:
        return ()
    taken = sum(each.nanoseconds for each in others)
    return (f"{len(others)} more kernels took {taken / 1000:.1f} µs",)
