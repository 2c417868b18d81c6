"""Compiled models that the tests of the runtime share, and a cache that is theirs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lowstream
from lowstream.runtime import build
from lowstream.runtime.native import NativeProgram
from lowstream.test.unit.runtime import runtime_models


@pytest.fixture(autouse=True)
def usual_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable from outside moves the cache that `own_cache` made."""
    monkeypatch.delenv("LOWSTREAM_CACHE_DIR", raising=False)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[NativeProgram]:
    """The programs that were loaded, compiled or from the cache."""
    programs: list[NativeProgram] = []
    original = NativeProgram.__init__

    def noted(self: NativeProgram, *arguments: Any) -> None:
        programs.append(self)
        original(self, *arguments)

    monkeypatch.setattr(NativeProgram, "__init__", noted)
    return programs


def compiled(text: str, profiling: bool = False) -> lowstream.CompiledModel:
    return lowstream.compile_model(runtime_models.module(text), profiling=profiling)


def _compiled_once(text: str, profiling: bool = False) -> Callable[[], lowstream.CompiledModel]:
    return pytest.fixture(scope="session")(lambda: compiled(text, profiling))


sums = _compiled_once(runtime_models.SUMS)
types = _compiled_once(runtime_models.TYPES)
starts_from_input = _compiled_once(runtime_models.STARTS_FROM_INPUT)
unknown = _compiled_once(runtime_models.UNKNOWN)
profiled = _compiled_once(runtime_models.QUANTIZED, profiling=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, empty."""
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows by one with each compilation."""
    made: list[Any] = []

    def counting(*arguments: Any) -> Any:
        made.append(arguments)
        return real(*arguments)

    real = build.build
    monkeypatch.setattr(build, "build", counting)
    return made
