"""The extension itself; Model Explorer imports this module by its name, and finds the classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from model_explorer import (
    Adapter,
    AdapterMetadata,
    ModelExplorerGraphs,
    graph_builder,
    node_data_builder,
)
from model_explorer.node_data_provider import (
    GetConfigEditorsResult,
    NodeDataProvider,
    NodeDataProviderFilter,
    NodeDataProviderMetadata,
    NodeDataProviderResult,
)
from xdsl.utils.exceptions import DiagnosticException

from .graphs import ENDINGS, Json, graphs_of
from .node_data import NAMES, node_data

ADAPTER = "lowstream"


class LowstreamAdapter(Adapter):
    """Opens what lowstream reads, as it is and in low precision."""

    metadata = AdapterMetadata(
        id=ADAPTER,
        name="lowstream",
        description="Models as lowstream reads them, and in low precision; coloured by precision",
        fileExts=list(ENDINGS),
    )

    def convert(self, model_path: str, settings: dict[str, Any]) -> ModelExplorerGraphs:
        """The graphs of a file."""
        return {"graphs": [_graph(graph) for graph in graphs_of(Path(model_path))]}


class LowstreamNodeData(NodeDataProvider):
    """Runs the model, and says what each layer takes, or how far quantization moves its values."""

    metadata: ClassVar[list[NodeDataProviderMetadata]] = [
        NodeDataProviderMetadata(
            id=f"{ADAPTER}_{what}",
            name=f"lowstream: {name}",
            description=f"{name}, on random inputs on this machine",
            filter=NodeDataProviderFilter(adapterIds=[ADAPTER]),
        )
        for what, name in NAMES.items()
    ]

    def get_config_editors(self, provider_id: str) -> GetConfigEditorsResult:
        """There is nothing to choose."""
        return GetConfigEditorsResult()

    def run(
        self,
        provider_id: str,
        model_path: str,
        graph_id: str,
        config_values: dict[str, Any],
        graph: graph_builder.Graph | None,
    ) -> NodeDataProviderResult:
        """The data of one graph."""
        try:
            data = node_data(Path(model_path), provider_id.removeprefix(f"{ADAPTER}_"))[graph_id]
        except DiagnosticException as error:
            return NodeDataProviderResult(error=str(error))
        return NodeDataProviderResult(
            result=node_data_builder.GraphNodeData(
                name=data["name"],
                results={
                    id: node_data_builder.NodeDataResult(**each)
                    for id, each in data["results"].items()
                },
                gradient=[node_data_builder.GradientItem(**each) for each in data["gradient"]],
            )
        )


def _graph(graph: Json) -> graph_builder.Graph:
    return graph_builder.Graph(id=graph["id"], nodes=[_node(node) for node in graph["nodes"]])


def _node(node: Json) -> graph_builder.GraphNode:
    return graph_builder.GraphNode(
        id=node["id"],
        label=node["label"],
        namespace=node["namespace"],
        attrs=_pairs(node["attrs"]),
        incomingEdges=[graph_builder.IncomingEdge(**edge) for edge in node["incomingEdges"]],
        outputsMetadata=[
            graph_builder.MetadataItem(id=item["id"], attrs=_pairs(item["attrs"]))
            for item in node["outputsMetadata"]
        ],
        style=graph_builder.GraphNodeStyle(**node["style"]),
    )


def _pairs(attributes: list[Json]) -> list[graph_builder.KeyValue]:
    return [graph_builder.KeyValue(**pair) for pair in attributes]
