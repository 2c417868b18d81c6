"""Names that nodes and the graphs in them read, and renaming."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def rename(nodes: Iterable[Any], old: str, new: str) -> None:
    """Renames an output of one of these nodes."""
    for node in nodes:
        for listed in (node.input, node.output):
            for i, name in enumerate(listed):
                if name == old:
                    listed[i] = new
        for graph in bodies_of(node):
            rename(graph.node, old, new)


def bodies_of(node: Any) -> list[Any]:
    """The graphs among a node's attributes."""
    return [attribute.g for attribute in node.attribute if attribute.HasField("g")]


def read_by(node: Any) -> set[str]:
    """The names that a node and its bodies read."""
    inner = (read_by(each) for graph in bodies_of(node) for each in graph.node)
    return set(node.input).union(*inner)


def needed(nodes: Sequence[Any], outputs: Sequence[str]) -> list[Any]:
    """Nodes that outputs depend on, in order."""
    wanted, kept = set(outputs), list[Any]()
    for node in reversed(nodes):
        if wanted.intersection(node.output):
            wanted |= read_by(node)
            kept.append(node)
    return kept[::-1]
