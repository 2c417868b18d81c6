"""Tables in HTML, as notebooks and reports show them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()
) -> str:
    """A table of text. Columns with these numbers are right-aligned."""
    head = "".join(_cell("th", column, n in numbers) for n, column in enumerate(columns))
    body = "".join(
        f"<tr>{''.join(_cell('td', text, n in numbers) for n, text in enumerate(row))}</tr>\n"
        for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def _cell(tag: str, text: str, is_number: bool) -> str:
    side = "right" if is_number else "left"
    return f'<{tag} style="text-align: {side}">{escape(text)}</{tag}>'
