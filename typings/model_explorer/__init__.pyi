"""What lowstream uses of Model Explorer."""

from typing import Any, TypedDict

from . import graph_builder as graph_builder
from . import node_data_builder as node_data_builder

class AdapterMetadata:
    def __init__(self, *, id: str, name: str, description: str, fileExts: list[str]): ...

class ModelExplorerGraphs(TypedDict):
    graphs: list[graph_builder.Graph]

class Adapter:
    def convert(self, model_path: str, settings: dict[str, Any]) -> ModelExplorerGraphs: ...
