"""`view-op-graph`: the module as a graph, for Graphviz."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from ..whole_file import replacing
from .dot import check_can_draw
from .graph import Graph, graph_of

FORMATS = {".dot": Graph.to_dot, ".svg": Graph.to_svg}
"""How a graph is written, by the ending of the file."""


@dataclass(frozen=True)
class ViewOpGraph(ModulePass):
    """Writes the graph of the module to a `.dot` or `.svg` file, or in Graphviz's language to standard error."""

    name = "view-op-graph"

    file: str | None = None

    def __post_init__(self) -> None:
        if self.file is not None:
            check_picture(Path(self.file))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.file is None:
            sys.stderr.write(graph_of(op).to_dot())
        else:
            write_graph(op, Path(self.file))


def check_picture(path: Path) -> None:
    """Raises DiagnosticException where no graph can be written to such a file."""
    if path.suffix not in FORMATS:
        raise DiagnosticException(f"view-op-graph: '{path}' must end in {' or '.join(FORMATS)}")
    if path.suffix == ".svg":
        check_can_draw()


def write_graph(module: ModuleOp, path: Path) -> None:
    """Writes the graph of a module. Raises DiagnosticException where the file's ending, or no Graphviz, prevents it."""
    check_picture(path)
    text = FORMATS[path.suffix](graph_of(module))
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8")
