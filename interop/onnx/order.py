"""Nodes in the order in which they are read."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any


def in_order(nodes: Sequence[Any]) -> Sequence[Any]:
    """
    The nodes, each behind those that give what it and its bodies read. They stay as they are if they stand so, or if
    no order is such.

    ONNX demands this order, but ONNX Runtime's quantizer sorts nodes by their inputs alone, and writes loops in front
    of what their bodies read.
    """
    given = {name: number for number, node in enumerate(nodes) for name in node.output}
    before = [{given[name] for name in _read(node) if name in given} for node in nodes]
    if all(max(each, default=-1) < number for number, each in enumerate(before)):
        return nodes
    try:
        order = TopologicalSorter(dict(enumerate(before))).static_order()
        return [nodes[number] for number in order]
    except CycleError:
        return nodes


def _read(node: Any) -> set[str]:
    """What a node reads of the graph around it, its bodies included."""
    names = {name for name in node.input if name}
    for attribute in node.attribute:
        if attribute.HasField("g"):
            names |= _read_around(attribute.g)
    return names


def _read_around(body: Any) -> set[str]:
    """What a body reads that it does not give itself."""
    read = {name for node in body.node for name in _read(node)}
    read |= {output.name for output in body.output}
    inside = {name for node in body.node for name in node.output}
    return read - inside - {info.name for info in body.input}
