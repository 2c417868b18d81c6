"""The site builds without a warning, asks no other host for anything, and its search finds what users look for."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lowstream
from lowstream.passes.registry import PASSES

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-P", str(ROOT / "docs" / "build.py"), str(folder)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, "")
    return folder / "site"


def test_nothing_comes_from_another_host(site: Path):
    loaded = r"<(?:script|img|link|iframe|source)\b[^>]*?(?:src|href)=[\"']?(?:https?:)?//[^>]*>"
    asked = {
        found for page in site.rglob("*.html") for found in re.findall(loaded, page.read_text())
    }
    assert asked == set()


def test_search_finds_every_public_name_and_pass(site: Path):
    titles = {
        re.sub(r"  <code>.*|<[^>]+>|\{.*\}", "", entry["title"]).strip()
        for entry in json.loads((site / "search" / "search_index.json").read_text())["docs"]
    }
    assert {*lowstream.__all__, *(info.name for info in PASSES)} - titles == set()
    assert {"reset_state", "nn.gather_elements"} <= titles


def test_every_page_leads_on(site: Path):
    for page in site.rglob("*.html"):
        text = page.read_text()
        article = text[text.find("<article") : text.find("</article>")]
        assert page.name == "404.html" or "<a " in article, page
