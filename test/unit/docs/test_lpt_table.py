"""The tables of transformations on the page of lpt are those that docstrings give."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def test_the_tables_are_those_of_the_code():
    spec = importlib.util.spec_from_file_location("lpt_table", DOCS / "lpt_table.py")
    assert spec is not None and spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    page = (DOCS / "passes" / "lpt.md").read_text()
    assert tables.updated(page) == page, "run: python docs/lpt_table.py"
    for name in ("`fake_quantize_decomposition`", "`lin_op_sequence_fusion`", "`fold_convert`"):
        assert page.count(f"\n| {name} |") == 1
