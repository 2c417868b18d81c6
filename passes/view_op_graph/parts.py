"""A graph as data: nodes, edges and clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["low", "integer", "half", "float", "other", "state", "port"]
"""How a node is coloured: by its precision, or as what holds values."""

KINDS: Mapping[Kind, str] = {
    "low": "8 bits or fewer",
    "integer": "integers",
    "half": "f16, bf16",
    "float": "f32, f64",
    "other": "other types",
    "state": "states",
    "port": "inputs and outputs",
}
"""What each kind says in a legend."""


@dataclass(frozen=True)
class Node:
    """An operation, a port or a state: what it is, its friendly name, and lines of more."""

    id: str
    type: str
    name: str
    kind: Kind
    lines: tuple[str, ...] = ()
    reason: str = ""
    cluster: str = ""


@dataclass(frozen=True)
class Edge:
    """A value that goes from a node to another; `is_back` where it does so in the next iteration or call."""

    source: str
    target: str
    label: str = ""
    is_back: bool = False


@dataclass(frozen=True)
class Cluster:
    """Nodes that belong together: a body, a sequence, a state. `parent` is the cluster around, if any."""

    id: str
    label: str
    parent: str = ""
    is_state: bool = False


@dataclass(frozen=True)
class Parts:
    """What a graph is made of; nodes are in the order of computation."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[Cluster, ...]
