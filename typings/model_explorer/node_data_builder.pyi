"""Data that Model Explorer puts on nodes."""

class NodeDataResult:
    def __init__(self, value: float): ...

class GradientItem:
    def __init__(self, stop: float, bgColor: str): ...

class GraphNodeData:
    def __init__(
        self, name: str, results: dict[str, NodeDataResult], gradient: list[GradientItem]
    ): ...
