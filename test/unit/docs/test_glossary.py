"""The glossary and the map of the code name places that exist, and the words that were replaced are gone."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from lowstream.dialects import kernel
from lowstream.dialects.kernel.packed_layout import Layout
from lowstream.lowering.codegen.schedule.convolution import ConvolutionSchedule
from lowstream.lowering.codegen.schedule.depthwise import DepthwiseSchedule
from lowstream.lowering.codegen.schedule.mat_mul import MatMulSchedule
from lowstream.lowering.instructions import Mac
from lowstream.lowering.tuning_configuration import TuningConfiguration
from lowstream.passes.registry import PASSES

ROOT = Path(__file__).parents[3]
GLOSSARY = ROOT / "docs" / "glossary.md"
SEARCHED = (
    *("dialects", "reference", "passes", "lowering", "runtime", "interop", "tools"),
    *("bench", "docs", "test"),
)

RETIRED = (
    *(info.old_name for info in PASSES if info.old_name),
    *(info.old_name.replace("-", "_") for info in PASSES if info.old_name),
    "CARRIERS",
    "LONGEST_END",
    "MEET",
    "MisfitError",
    "OddCallOp",
    "OneGrid",
    "SHAPED_BY",
    "block_cycles",
    "check_block",
    "choices_for",
    "cleanup_phases",
    "ends_in_loop",
    "is_movement",
    "look_into",
    "lpt.bounds",
    "most_rows",
    "note_bounds",
    "one_grid",
    "permute_producer",
    "prefetching_blocks",
    "read_through_movement",
    "row_blocks",
    "rows_of_blocks",
    "shared_level",
    "through_memory",
    "turn_afterwards",
    "turned_boxes",
)
"""Names that the code had before it took the field's."""


def lines_of(page: Path, heading: str = "") -> list[list[str]]:
    """The cells of a table, without its header: of the page, or of a section."""
    text = (
        page.read_text().partition(heading)[2].partition("\n## ")[0]
        if heading
        else page.read_text()
    )
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines[1:]]


NAMING = (
    GLOSSARY,
    Path(__file__),
    ROOT / "passes" / "registry.py",
    ROOT / "test" / "unit" / "passes" / "test_registry.py",
    ROOT / "test" / "unit" / "tools" / "test_opt_tool.py",
)
"""What may say them: the table of aliases, and what tests these."""


@pytest.mark.parametrize("line", lines_of(GLOSSARY), ids=lambda line: line[0])
def test_a_term_lives_where_the_glossary_says(line: list[str]):
    term, meaning, where = line
    assert term
    assert meaning
    path, *names = re.findall(r"`([^`]+)`", where)
    text = (ROOT / path).read_text()
    assert [name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)] == []


@pytest.mark.parametrize(
    "line",
    lines_of(ROOT / "ARCHITECTURE.md", "## Where is it done?"),
    ids=lambda line: line[0],
)
def test_a_thing_is_done_where_the_map_says(line: list[str]):
    _, where = line
    text = ""
    for word in re.findall(r"`([^`]+)`", where):
        if "/" not in word:
            assert re.search(rf"\b{re.escape(word)}\b", text) or not text, word
        elif (path := ROOT / word).is_dir():
            text = ""
        else:
            text = path.read_text()


@pytest.mark.parametrize(
    "page", [GLOSSARY, ROOT / "docs" / "subjects.md"], ids=lambda page: page.stem
)
def test_terms_are_in_order(page: Path):
    terms = [term.lower() for term, *_ in lines_of(page)]
    assert terms == sorted(set(terms))


def test_retired_names_stand_nowhere_but_in_the_table_of_aliases():
    found: dict[str, list[str]] = {}
    for folder in SEARCHED:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md", ".mlir") and path not in NAMING:
                found[str(path.relative_to(ROOT))] = retired_in(path.read_text())
    assert {path: words for path, words in found.items() if words} == {}


def retired_in(text: str) -> list[str]:
    """The retired names that are words of a text."""
    inside = (word for word in RETIRED if word in text)
    return [word for word in inside if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]


REGISTER_TILES = (
    *(Layout, kernel.PackedLayout, kernel.ConvolutionLayout, kernel.DepthwiseLayout),
    kernel.GroupedLayout,
    kernel.WinogradLayout,
    *(MatMulSchedule, ConvolutionSchedule, DepthwiseSchedule, TuningConfiguration, Mac),
)


def test_what_says_a_register_tile_says_mr_nr_and_kr():
    """These words mean other things elsewhere, so they are looked for where they would mean the tile."""
    said = {field.name for each in REGISTER_TILES for field in fields(each)}
    for op in (kernel.MatMulOp, kernel.ConvolutionOp):
        said |= op.get_irdl_definition().properties.keys()
    assert said & {"vectors", "step", "block"} == set()
    assert said >= {"nr_vectors", "kr", "mr"}
