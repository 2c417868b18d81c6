"""The laws on the pages of lpt are those that docstrings give, each on one page."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def laws() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lpt_laws", DOCS / "lpt_laws.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_laws_are_those_of_the_code(laws: ModuleType):
    for page in laws.PAGES:
        assert laws.updated(page) == page.read_text(), "run: python docs/lpt_laws.py"


def test_every_family_has_one_page(laws: ModuleType):
    families = [family for _, family in laws.places()]
    assert sorted(families) == sorted([laws.INDEX, *laws.families()])
    text = "".join(page.read_text() for page in laws.PAGES)
    for name in ("fake_quantize_decomposition", "lin_op_sequence_fusion", "shift_weights"):
        assert text.count(f"\n### `{name}`\n") == 1
