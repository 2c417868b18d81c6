"""The extension of Model Explorer: its JSON fits what that package reads, and the data is on the right nodes."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, make_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import lowstream
from lowstream.interop.model import Model, save_model
from lowstream.passes.view_op_graph import Graph
from lowstream.passes.view_op_graph.parts import Cluster, Edge, Node
from lowstream.test.unit.passes.lpt.small_models import Layers
from lowstream.tools.model_explorer.__main__ import main
from lowstream.tools.model_explorer.graphs import AS_READ, LOW_PRECISION, graph_json, graphs_of
from lowstream.tools.model_explorer.node_data import NAMES, data_json, errors_of, node_data

STEP = Path(__file__).parents[3] / "docs/examples/step.mlir"

FIELDS = {
    "graph_builder": {
        "Graph": ("id", "nodes"),
        "GraphNode": (
            *("id", "label", "namespace", "attrs", "incomingEdges", "outputsMetadata", "style"),
        ),
        "GraphNodeStyle": ("backgroundColor",),
        "IncomingEdge": ("sourceNodeId", "sourceNodeOutputId", "targetNodeInputId"),
        "KeyValue": ("key", "value"),
        "MetadataItem": ("id", "attrs"),
    },
    "node_data_builder": {
        "GraphNodeData": ("name", "results", "gradient"),
        "NodeDataResult": ("value",),
        "GradientItem": ("stop", "bgColor"),
    },
}
"""What the dataclasses of Model Explorer 0.1.34 are called that the extension makes, and those of their fields."""


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The extension, with dataclasses of this shape in place of the package, which is large."""
    package: Any = ModuleType("model_explorer")
    for module, classes in FIELDS.items():
        setattr(package, module, submodule := ModuleType(f"model_explorer.{module}"))
        for name, fields in classes.items():
            setattr(submodule, name, make_dataclass(name, fields))
    provider: Any = ModuleType("model_explorer.node_data_provider")
    package.Adapter = package.ModelExplorerGraphs = provider.NodeDataProvider = object
    provider.GetConfigEditorsResult = make_dataclass("GetConfigEditorsResult", [])
    package.AdapterMetadata = make_dataclass(
        "AdapterMetadata", ["id", "name", "description", "fileExts"]
    )
    provider.NodeDataProviderFilter = make_dataclass("NodeDataProviderFilter", ["adapterIds"])
    provider.NodeDataProviderMetadata = make_dataclass(
        "NodeDataProviderMetadata", ["id", "name", "description", "filter"]
    )
    provider.NodeDataProviderResult = make_dataclass(
        "NodeDataProviderResult", [("result", Any, None), ("error", str, "")]
    )
    monkeypatch.setitem(sys.modules, "model_explorer", package)
    monkeypatch.setitem(sys.modules, "model_explorer.node_data_provider", provider)
    name = "lowstream.tools.model_explorer.main"
    yield import_module(name)
    del sys.modules[name]


def test_bodies_and_states_are_namespaces():
    graph = Graph(
        "main",
        (
            Node("n0", "Input", "X", "port"),
            Node("n1", "MatMul", "fc", "low", ("u8 i8 → i32",), "", "c1"),
        ),
        (Edge("n0", "n1", "f32[1,4]"),),
        (Cluster("c0", "a/b: Loop"), Cluster("c1", "If, then", "c0")),
    )
    first, second = graph_json(graph, "model")["nodes"]
    assert (first["namespace"], second["namespace"]) == ("", "a∕b: Loop/If, then")
    assert second["incomingEdges"] == [
        {"sourceNodeId": "n0", "sourceNodeOutputId": "0", "targetNodeInputId": "0"}
    ]
    assert {"key": "name", "value": "fc"} in second["attrs"]
    assert first["outputsMetadata"] == [
        {"id": "0", "attrs": [{"key": "shape", "value": "f32[1,4]"}]}
    ]


def test_the_adapter_gives_the_same_graphs(extension: Any):
    assert "xml" in extension.LowstreamAdapter.metadata.fileExts
    graphs = extension.LowstreamAdapter().convert(str(STEP), {})["graphs"]
    assert [asdict(graph) for graph in graphs] == graphs_of(STEP)
    assert [graph.id for graph in graphs] == [AS_READ, LOW_PRECISION]


@pytest.mark.parametrize("what", NAMES)
def test_the_provider_puts_numbers_on_nodes(extension: Any, what: str):
    provider = extension.LowstreamNodeData()
    assert f"lowstream_{what}" in {each.id for each in provider.metadata}
    found = provider.run(f"lowstream_{what}", str(STEP), LOW_PRECISION, {}, None)
    graph = next(graph for graph in graphs_of(STEP) if graph["id"] == LOW_PRECISION)
    names = {node["id"]: pair["value"] for node in graph["nodes"] for pair in node["attrs"][:1]}
    assert "product" in {names[id] for id in asdict(found.result)["results"]}
    assert all(each["value"] >= 0 for each in asdict(found.result)["results"].values())


def test_what_is_wrong_is_said_there(extension: Any, tmp_path: Path):
    (tmp_path / "m.mlir").write_text(
        'func.func @main(%x: tensor<?xf32> {nn.names = ["X"]}) -> tensor<?xf32> {\n'
        "  %y = nn.relu %x : tensor<?xf32>\n  func.return %y : tensor<?xf32>\n}"
    )
    found = extension.LowstreamNodeData().run(
        "lowstream_time", str(tmp_path / "m.mlir"), AS_READ, {}, None
    )
    assert "input 'X' has unknown dimensions" in found.error and found.result is None


def test_quantization_moves_what_is_behind_it():
    errors = errors_of(lowstream.read_model(STEP).module)
    assert 0 < errors["product"] < 0.02


def test_low_precision_is_what_is_compiled(tmp_path: Path):
    """Products of codes with zero points on both sides, too, which `lpt` alone leaves to floating point."""
    layers = Layers((2, 3, 4), (2, 4, 5))
    left, right = (layers.quantized(value, (-1.0, 1.55)) for value in layers.inputs)
    path = tmp_path / "m.mlir"
    save_model(Model(layers.module(layers.mat_mul(left, right))), path)
    low = next(graph for graph in graphs_of(path) if graph["id"] == LOW_PRECISION)
    product = next(node for node in low["nodes"] if node["label"] == "MatMul")
    assert {"key": "precision", "value": "u8 i8 → i32"} in product["attrs"]


def test_of_what_a_layer_became_the_last_operation_has_the_value():
    model = lowstream.read_model(STEP)
    lowstream.run_passes(model, "low-latency2,lpt")
    same = [node.id for node in model.graph().nodes if node.name == "product"]
    assert len(same) > 1
    assert [*data_json("µs", model.module, {"product": 2.5})["results"]] == [same[-1]]


def test_files_hold_the_same(tmp_path: Path):
    main([str(STEP), "-o", str(tmp_path / "out")])
    assert json.loads((tmp_path / "out/model.json").read_text()) == {
        "label": "step.mlir",
        "graphs": graphs_of(STEP),
    }
    assert json.loads((tmp_path / "out/error.json").read_text()) == node_data(STEP, "error")
    assert (tmp_path / "out/time.json").exists()
