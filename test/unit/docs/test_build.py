"""The site has a page for each dialect, with every operation, its example and its names elsewhere."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from lowstream.dialects import DIALECTS
from lowstream.dialects.names import names_of
from lowstream.interop.openvino.graph import reads
from lowstream.interop.openvino.refused import REFUSED, types_of_opsets

BUILD = Path(__file__).parents[3] / "docs" / "build.py"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_site", BUILD)
    assert spec is not None and spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build


@pytest.fixture(scope="module")
def pages(build: ModuleType) -> dict[str, str]:
    return dict(build.dialect_pages())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_is_in_the_reference(dialect: str, pages: dict[str, str]):
    sections = dict(
        part.split("\n", 1) for part in pages[f"dialects/{dialect}.md"].split("\n## ")[1:]
    )
    assert list(sections) == [f"`{op.name}`" for op in DIALECTS[dialect]().operations]
    for op, section in zip(DIALECTS[dialect]().operations, sections.values(), strict=True):
        names = names_of(op)
        assert all(f"`{name}`" in section for name in (*names.of("openvino"), *names.of("litert")))
        assert dialect in ("kernel", "tfl") or "```mlir\n" in section


def test_sizes_in_brackets_are_no_links(build: ModuleType):
    said = build._markdown("Codes [tiles][blocks], `[a][b]`.\n\n    %y[0][1]\n")
    assert said == "Codes [tiles]\\[blocks], `[a][b]`.\n\n\n```mlir\n%y[0][1]\n```"


def test_versions_are_those_of_opsets(pages: dict[str, str]):
    assert "| ONNX | `Exp` (opset 13) |" in pages["dialects/nn.md"]


def test_every_operation_of_openvino_is_here_or_has_a_reason(build: ModuleType):
    page, types = build.openvino_page(), types_of_opsets()
    assert {"Add", "NonMaxSuppression", "GatherTree", "StringTensorPack"} <= set(types)
    assert {type for type in types if not reads(type)} == set(REFUSED)
    assert "| `GatherTree` | [`nn.gather_tree`](dialects/nn.md) |" in page
    assert "| `ExperimentalDetectronTopKROIs` | [`nn.experimental_detectron_top_k_rois`]" in page
    assert "| `Loop` | read |" in page
    assert f"| `StringTensorPack` | refused: {REFUSED['StringTensorPack']} |" in page


def test_messages_are_those_of_the_code(build: ModuleType):
    found = {message.text: message for part in build.PARTS for message in build.messages(part)}
    assert "the model takes … inputs, was given …; name them in a dict to set some" in found
    samples = found["there are no samples to calibrate with; give some"]
    assert (samples.what, samples.advice) == ("there are no samples to calibrate with", "give some")
    assert f"| {samples.what} | {samples.advice} |" in build.messages_page()
