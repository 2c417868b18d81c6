"""Variables that name nothing are not ignored in silence, and no other is named."""

import re
from pathlib import Path

import pytest

import lowstream
from lowstream.runtime.environment import VARIABLES
from lowstream.test.unit.runtime import runtime_models

ROOT = Path(__file__).parents[3]


def test_a_variable_that_names_nothing(monkeypatch: pytest.MonkeyPatch):
    module = runtime_models.module(runtime_models.TYPES)
    for name in VARIABLES:
        monkeypatch.setenv(name, "")
    lowstream.compile_model(module)
    monkeypatch.setenv("LOWSTREAM_CACHEDIR", "x")
    message = "LOWSTREAM_CACHEDIR has no effect; lowstream reads LOWSTREAM_CACHE_DIR, "
    with pytest.warns(UserWarning, match=message):
        lowstream.compile_model(module)
    lowstream.compile_model(module)


def test_every_variable_is_listed():
    sources = [file for folder in ("runtime", "lowering") for file in (ROOT / folder).rglob("*.py")]
    named = {
        name for file in sources for name in re.findall(r'"(LOWSTREAM_\w+)"', file.read_text())
    }
    assert named == set(VARIABLES)
