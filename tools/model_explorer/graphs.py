"""A model as Model Explorer's graphs, in plain data: as it is and, where it is quantized, in low precision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...interop.model import read_model
from ...passes.quantized import is_quantized
from ...passes.view_op_graph import Graph, graph_of
from ...passes.view_op_graph.dot import COLORS
from ...passes.view_op_graph.parts import Cluster, Edge, Node

Json = dict[str, Any]

AS_READ, LOW_PRECISION = "model", "low precision"
"""The ids of the graphs."""

ENDINGS = ("xml", "onnx", "mlir", "tflite", "pb", "pdmodel")
"""The files that the extension opens."""


def modules_of(path: Path) -> dict[str, ModuleOp]:
    """By the id of a graph, what it shows. Raises what `read_model` raises."""
    from ...passes.legalize import legalized
    from ...runtime.build import AUTO, prepared

    found = {AS_READ: legalized(read_model(path).module)}
    if is_quantized(found[AS_READ]):
        found[LOW_PRECISION] = prepared(found[AS_READ], AUTO)
    return found


def graphs_of(path: Path) -> list[Json]:
    """The graphs of the model in a file, as `GraphBuilder` of Model Explorer has them."""
    return [graph_json(graph_of(module), id) for id, module in modules_of(path).items()]


def graph_json(graph: Graph, id: str) -> Json:
    """A graph; bodies and states are layers, which open and close."""
    namespaces = _namespaces(graph.clusters)
    incoming: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        incoming.setdefault(edge.target, []).append(edge)
    nodes = [
        _node(node, namespaces.get(node.cluster, ""), incoming.get(node.id, []), graph)
        for node in graph.nodes
    ]
    return {"id": id, "nodes": nodes}


def _namespaces(clusters: tuple[Cluster, ...]) -> Mapping[str, str]:
    """A path of labels for each cluster; in a label, a slash is no step."""
    found: dict[str, str] = {}
    for cluster in clusters:
        label = cluster.label.replace("/", "∕")
        found[cluster.id] = f"{found[cluster.parent]}/{label}" if cluster.parent else label
    return found


def _node(node: Node, namespace: str, incoming: list[Edge], graph: Graph) -> Json:
    attributes = {
        "name": node.name,
        "precision": " ".join(node.lines),
        "why not in low precision": node.reason,
    }
    made = next((edge.label for edge in graph.edges if edge.source == node.id), "")
    return {
        "id": node.id,
        "label": node.type,
        "namespace": namespace,
        "attrs": [{"key": key, "value": value} for key, value in attributes.items() if value],
        "incomingEdges": [
            {
                "sourceNodeId": edge.source,
                "sourceNodeOutputId": "0",
                "targetNodeInputId": str(number),
            }
            for number, edge in enumerate(incoming)
        ],
        "outputsMetadata": [{"id": "0", "attrs": [{"key": "shape", "value": made}]}]
        if made
        else [],
        "style": {"backgroundColor": COLORS[node.kind]},
    }
