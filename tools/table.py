"""Tables: drawn on a terminal, plain lines of columns for pipes and files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import IO

from ..passes.elided import NARROWEST, elided


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    to: IO[str] | None = None,
    texts: int = 1,
) -> None:
    """Prints a table, on standard output where nothing else is said; the first columns are text, the others numbers."""
    stream: IO[str] = to or sys.stdout
    if stream.isatty():
        _draw(title, columns, rows, stream, texts)
        return
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    if title:
        print(title, file=stream)
    for row in (columns, *rows) if any(columns) else rows:
        cells = [
            cell.ljust(width) if index < texts else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip(), file=stream)


def _draw(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    stream: IO[str],
    texts: int,
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, (heading, *others) = Console(file=stream), columns
    numbers = [max(map(len, cells)) for cells in zip(*((columns, *rows)), strict=True)][1:]
    room = console.width - sum(width + len(" x |") for width in numbers) - len("| x |")
    names = elided([row[0] for row in rows], max(NARROWEST, room))
    cells = [[heading, *names], *zip(others, *(row[1:] for row in rows), strict=True)]
    unbroken = [_widest(column, 0 < index < texts) for index, column in enumerate(cells)]
    least = sum(len("|  ") + width for width in unbroken) + len("|")
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        show_header=any(columns),
        width=least if least > console.width else None,
    )
    table.add_column(heading, no_wrap=True, width=unbroken[0])
    for index, column in enumerate(others, 1):
        is_text = index < texts
        justify = "left" if is_text else "right"
        table.add_column(column, justify=justify, no_wrap=not is_text, overflow="fold")
    for name, row in zip(names, rows, strict=True):
        table.add_row(Text(name), *map(Text, row[1:]))
    console.print(table, crop=False)


def _widest(cells: Sequence[str], is_text: bool) -> int:
    """The width that a column has at least: that of its longest word, or number."""
    return max(
        len(word) for cell in cells for word in (cell.split() if is_text else [cell]) or [""]
    )
