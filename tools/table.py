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
) -> None:
    """Prints a table, on standard output where nothing else is said; the first column is text, the others numbers."""
    stream: IO[str] = to or sys.stdout
    if stream.isatty():
        _draw(title, columns, rows, stream)
        return
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    if title:
        print(title, file=stream)
    for row in (columns, *rows):
        cells = [
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip(), file=stream)


def _draw(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], stream: IO[str]
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, (heading, *others) = Console(file=stream), columns
    numbers = [max(map(len, cells)) for cells in zip(*((columns, *rows)), strict=True)][1:]
    room = console.width - sum(width + len(" x |") for width in numbers) - len("| x |")
    names = elided([row[0] for row in rows], max(NARROWEST, room))
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(heading, no_wrap=True, min_width=max(map(len, names), default=0))
    for column in others:
        table.add_column(column, justify="right", overflow="fold")
    for name, row in zip(names, rows, strict=True):
        table.add_row(Text(name), *map(Text, row[1:]))
    console.print(table)
