"""The pictures of graphs on pages show the graphs that the passes make now."""

import importlib.util
import re
from html import unescape
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[3] / "docs"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PICTURES = script()


@pytest.mark.parametrize("picture", PICTURES.PICTURES)
def test_a_picture_has_the_nodes_of_its_graph(picture: str):
    svg = unescape((DOCS / "images" / f"{picture}.svg").read_text())
    nodes = PICTURES.graph_of(picture).nodes
    shown = re.findall(r'<g class="node (?!legend)[^"]*">', svg)
    assert len(shown) == len(nodes), "run: python docs/pictures.py"
    for node in nodes:
        assert f">{node.type}</text>" in svg


@pytest.mark.parametrize("picture", PICTURES.PICTURES)
def test_a_page_shows_the_picture(picture: str):
    pages = (page.read_text() for page in DOCS.rglob("*.md"))
    assert any(f"images/{picture}.svg)" in text for text in pages)
