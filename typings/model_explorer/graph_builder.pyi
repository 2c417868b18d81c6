"""Graphs of Model Explorer."""

class KeyValue:
    def __init__(self, key: str, value: str): ...

class IncomingEdge:
    def __init__(self, sourceNodeId: str, sourceNodeOutputId: str, targetNodeInputId: str): ...

class MetadataItem:
    def __init__(self, id: str, attrs: list[KeyValue]): ...

class GraphNodeStyle:
    def __init__(self, backgroundColor: str): ...

class GraphNode:
    def __init__(
        self,
        id: str,
        label: str,
        namespace: str,
        attrs: list[KeyValue],
        incomingEdges: list[IncomingEdge],
        outputsMetadata: list[MetadataItem],
        style: GraphNodeStyle,
    ): ...

class Graph:
    def __init__(self, id: str, nodes: list[GraphNode]): ...
