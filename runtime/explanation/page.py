"""An explanation as a page of its own, which loads nothing from anywhere: layers, graphs, memory and states."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from .html import fragment
from .views import Section

if TYPE_CHECKING:
    from .rows import Explanation


def page(explanation: Explanation) -> str:
    """The text of the page."""
    views = list(explanation.views.sections()) if explanation.views is not None else []
    sections = [*views[:1], Section("layers", "Layers", fragment(explanation)), *views[1:]]
    template = Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(explanation.model or "model"),
        links="".join(f'<a href="#{each.id}">{each.title}</a>' for each in sections),
        sections="\n".join(
            f'<h2 id="{each.id}">{each.title}</h2>\n{each.html}' for each in sections
        ),
    )
