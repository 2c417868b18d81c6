"""What OpenVINO's users rely on: each behaviour is tried there and here, and what differs is in a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lowstream
from lowstream.interop.model import Model
from lowstream.test.unit.docs.pages import ROOT
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.behaviours.differences import DIFFERENCES, MISSING, table
from lowstream.test.unit.runtime.behaviours.record import (
    ALL,
    CRASHED,
    DEADLY,
    GROUPS,
    Recorder,
    same_form,
)
from lowstream.test.unit.runtime.behaviours.side import MODELS, Side, outcome


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models")
    for name, text in MODELS.items():
        lowstream.save_model(Model(runtime_models.module(text)), path / f"{name}.xml")
    return path


@pytest.fixture(scope="module")
def openvino(folder: Path) -> Iterator[Recorder]:
    recorder = Recorder(folder)
    yield recorder
    recorder.close()


def is_same(theirs: object, ours: object) -> bool:
    """Values are equal; what raises a RuntimeError does so here, and what raises anything else is refused."""
    if isinstance(theirs, str) and theirs.startswith("raises") and theirs != "raises RuntimeError":
        return isinstance(ours, str) and ours.startswith("raises")
    return theirs == ours


@pytest.mark.parametrize("group", GROUPS)
def test_behaviours(group: str, folder: Path, openvino: Recorder):
    side = Side("lowstream", folder)
    ours = {name: same_form(outcome(each, side)) for name, each in GROUPS[group].items()}
    assert not any(str(ours[name]).startswith(CRASHED) for name in ours if name in DEADLY)
    if disagreements(openvino.recorded(group), ours):
        openvino.close()  # a heap that is damaged gives wrong values, too: another process may know better
        wrong = disagreements(openvino.recorded(group), ours)
        assert not wrong, "\n".join(wrong)


def disagreements(theirs: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    """What is the same and ought to differ, or the other way round."""
    return [
        f"{name}: {theirs[name]} there, {value} here"
        for name, value in ours.items()
        if name not in DEADLY and is_same(theirs[name], value) is (name in DIFFERENCES)
    ]


def test_the_list_is_long_and_the_differences_few():
    assert set(DEADLY) <= DIFFERENCES.keys() <= ALL.keys()
    other = [name for name, each in DIFFERENCES.items() if each.kind == MISSING]
    assert len(ALL) >= 175
    assert len(other) <= 10


def test_the_page_has_the_table():
    page = (ROOT / "docs" / "openvino.md").read_text()
    assert table() in page
    assert f"{len(ALL)} of\nthem, of which {len(ALL) - len(DIFFERENCES)} are the same" in page
