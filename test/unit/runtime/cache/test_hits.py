"""What the cache finds again: the same model, with the same options, on the same machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lowstream
from lowstream.runtime.cache import keys
from lowstream.runtime.cache.keys import key_of_module
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.cache.cached_models import (
    FIRST,
    OPTIONS,
    compile_sums,
    entries,
    save,
    scaled,
)


def test_a_model_is_compiled_once(folder: Path, builds: list[Any]):
    for _ in range(3):
        assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == len(entries(folder)) == 1


@pytest.mark.parametrize("is_file", [False, True])
def test_a_model_says_whether_it_was_found(is_file: bool, folder: Path, tmp_path: Path):
    module: Any = runtime_models.module(runtime_models.SUMS)
    lowstream.save_model(module, path := tmp_path / "m.mlir")
    found = [lowstream.compile_model(path if is_file else module) for _ in range(2)]
    assert [each.get_property("LOADED_FROM_CACHE") for each in found] == [False, True]
    assert not lowstream.import_model(found[1].export_model()).get_property("LOADED_FROM_CACHE")
    changing = lowstream.compile_model(runtime_models.module(runtime_models.UNKNOWN))
    assert not changing.get_property("LOADED_FROM_CACHE")


@pytest.mark.parametrize("is_file", [False, True])
def test_what_passes_make_of_the_inputs_is_compiled_once(
    is_file: bool, folder: Path, builds: list[Any], tmp_path: Path
):
    module: Any = runtime_models.module(runtime_models.UNKNOWN)
    lowstream.save_model(module, tmp_path / "m.mlir")
    for shape in ((3, 2), (4, 2), (3, 2)):
        given = tmp_path / "m.mlir" if is_file else module
        compiled = lowstream.compile_model(given, pipeline=f'reshape{{inputs="X={shape[0]}x2"}}')
        assert compiled([np.zeros(shape, np.float32)])[0].shape == shape
    assert len(builds) == 2


def test_a_file_is_read_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = save(tmp_path / "m.mlir", 2.0)
    assert scaled(path) == 2.0
    monkeypatch.setattr("lowstream.interop.model.read_model", None)
    assert scaled(path) == 2.0


def test_a_file_is_known_by_its_bytes_and_a_module_by_its_text(
    folder: Path, tmp_path: Path, builds: list[Any]
):
    path = save(tmp_path / "m.mlir", 2.0)
    for _ in range(2):
        lowstream.compile_model(lowstream.read_model(path))
        assert scaled(path) == 2.0
    assert len(builds) == 2


def test_what_is_found_imports_no_compiler(folder: Path, tmp_path: Path):
    path = save(tmp_path / "m.mlir", 2.0)
    program = (
        "import sys, lowstream; model = lowstream.compile_model(sys.argv[1]);"
        "model({port.any_name: [1.0] * port.shape[0] for port in model.inputs});"
        "print(*sys.modules)"
    )
    run = [sys.executable, "-P", "-c", program, str(path)]
    loaded = [
        subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert "xdsl.parser" in loaded[0]
    heavy = {
        "llvmlite",
        "xdsl.ir",
        "lowstream.dialects",
        "lowstream.lowering.lower_to_kernels",
        "openvino",
    }
    assert not heavy.intersection(loaded[1])


@pytest.mark.parametrize(
    "options",
    [{"profiling": True}, {"num_threads": 7}, {"pipeline": None}, {"pipeline": "fold-constants"}],
)
def test_other_options_have_other_entries(folder: Path, builds: list[Any], options: dict[str, Any]):
    compile_sums(num_threads=1)
    assert_array_equal(compile_sums(**{"num_threads": 1, **options}), FIRST)
    assert len(builds) == 2


def test_another_instruction_set_has_another_entry(
    folder: Path, builds: list[Any], monkeypatch: pytest.MonkeyPatch
):
    compile_sums()
    monkeypatch.setenv("LOWSTREAM_ISA", "portable")
    assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 2


def test_another_cpu_has_another_entry(monkeypatch: pytest.MonkeyPatch):
    module = runtime_models.module(runtime_models.SUMS)
    before = key_of_module(module, OPTIONS)
    monkeypatch.setattr(keys, "host_cpu", lambda: "z80")
    assert key_of_module(module, OPTIONS) != before


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """What counts as our sources."""
    root = tmp_path / "lowstream"
    for name in keys.COMPILER:
        (root / name).mkdir(parents=True)
    monkeypatch.setattr(keys, "__file__", str(root / "runtime" / "cache" / "keys.py"))
    yield root
    keys.digest_of_compiler.cache_clear()


def _key_now() -> str:
    keys.digest_of_compiler.cache_clear()
    return key_of_module(runtime_models.module(runtime_models.SUMS), OPTIONS)


@pytest.mark.parametrize("name", ["schedule.py", "codegen.ll"])
def test_another_compiler_has_another_entry(tree: Path, name: str):
    """A schedule that changed is a source that changed."""
    (tree / "pyproject.toml").touch()
    before = _key_now()
    (tree / "lowering" / name).write_text("ROWS = 4")
    changed = _key_now()
    (tree / "lowering" / name).write_text("ROWS = 16")
    assert len({before, changed, _key_now()}) == 3


def test_another_installed_compiler_has_another_entry(tree: Path):
    """It lies in another folder than the one that was there."""
    before = _key_now()
    os.utime(tree, ns=(1, 1))
    assert _key_now() != before


def test_passes_that_are_objects_are_not_cached(folder: Path):
    from lowstream.passes.fold_constants import FoldConstants

    assert_array_equal(compile_sums(pipeline=[FoldConstants()]), FIRST)
    assert not entries(folder)
