"""Kernels that one model had compiled are not compiled again for others, and are the same as if they were."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lowstream
from lowstream.lowering.codegen import compile as codegen
from lowstream.lowering.codegen import load
from lowstream.runtime.cache import known_kernels
from lowstream.test.unit.runtime import runtime_models

TWO_KERNELS = """
func.func @main(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>) {
  %y = nn.exp %x : tensor<3x5xf32>
  %axes = nn.constant dense<1> : tensor<1xi64>
  %z = nn.reduce_sum %x, %axes : (tensor<3x5xf32>, tensor<1xi64>) -> tensor<3xf32>
  func.return %y, %z : tensor<3x5xf32>, tensor<3xf32>
}
"""

FIRST_ALONE = """
func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %y = nn.exp %x : tensor<3x5xf32>
  func.return %y : tensor<3x5xf32>
}
"""

INPUTS = [np.linspace(-1, 1, 15, dtype=np.float32).reshape(3, 5)]


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by the name of each kernel that LLVM compiles."""
    made: list[str] = []

    def counting(assembly: str, isa: Any, *level: int) -> bytes:
        made.extend(re.findall(r"(?m)^define .*@(\w+Kernel\.\w+)\(", assembly))
        return real(assembly, isa, *level)

    real = codegen._compile
    monkeypatch.setattr(codegen, "_compile", counting)
    return made


def compiled(text: str, **options: Any) -> lowstream.CompiledModel:
    return lowstream.compile_model(runtime_models.module(text), num_threads=1, **options)


def objects_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.o"))


def test_another_model_with_the_same_kernel(folder: Path, kernels: list[str]):
    compiled(FIRST_ALONE)
    assert len(kernels) == len(objects_in(folder)) == 1
    compiled(TWO_KERNELS)
    assert len(kernels) == len(objects_in(folder)) == 2


def test_those_of_a_light_model_are_not_kept(
    folder: Path, kernels: list[str], monkeypatch: pytest.MonkeyPatch
):
    """A model with little work has one file, and the same results."""
    wanted = compiled(TWO_KERNELS)(INPUTS)
    lowstream.cache.clear()
    kernels.clear()
    monkeypatch.setattr("lowstream.lowering.codegen.work.LIGHT_WORK", 1 << 20)
    found = compiled(TWO_KERNELS)(INPUTS)
    assert len(kernels) == 2
    assert [path.suffix for path in folder.iterdir()] == [".safetensors"]
    for number in range(2):
        assert_array_equal(found[number], wanted[number])


def test_kernels_are_compiled_together(folder: Path, kernels: list[str]):
    compiled(TWO_KERNELS)
    assert len(kernels) == 2
    assert len(objects_in(folder)) == 1
    compiled(FIRST_ALONE)
    assert len(kernels) == 2


def test_as_many_as_a_module_has(folder: Path, kernels: list[str], monkeypatch: pytest.MonkeyPatch):
    together = compiled(TWO_KERNELS)(INPUTS)
    lowstream.cache.clear()
    monkeypatch.setattr(codegen, "KERNELS_IN_MODULE", 1)
    apart = compiled(TWO_KERNELS)(INPUTS)
    assert len(objects_in(folder)) == 2
    assert_array_equal(together[0], apart[0])
    assert_array_equal(together[1], apart[1])


LARGE = """
func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %y = nn.mat_mul %x, %x : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  func.return %y : tensor<512x512xf32>
}
"""


def test_a_team_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch):
    made: list[str] = []

    def counting(assembly: str, *more: Any) -> bytes:
        made.append(assembly)
        return real(assembly, *more)

    real = codegen._compile_once
    monkeypatch.setattr(codegen, "_compile_once", counting)
    for threads in (2, 3):
        module = runtime_models.module(LARGE)
        compiled = lowstream.compile_model(module, num_threads=threads)
        assert compiled.executable().threads == threads
    assert sum("team.begin" in assembly for assembly in made) == 1


@pytest.mark.parametrize("has_objects", [True, False])
def test_what_is_found_is_what_is_compiled(folder: Path, kernels: list[str], has_objects: bool):
    fresh = compiled(TWO_KERNELS).executable()
    (entry,) = folder.glob("*.safetensors")
    if not has_objects:
        objects_in(folder)[0].unlink()
    entry.unlink()
    again = compiled(TWO_KERNELS).executable()
    assert len(kernels) == (2 if has_objects else 4)
    assert again == fresh


@pytest.mark.parametrize("is_host", [True, False], ids=["our linker", "LLVM's linker"])
def test_a_kernel_in_two_objects(
    folder: Path, kernels: list[str], monkeypatch: pytest.MonkeyPatch, is_host: bool
):
    """As processes make them that compile at once."""
    monkeypatch.setattr(load, "IS_HOST", is_host and load.IS_HOST)
    expected = compiled(TWO_KERNELS)(INPUTS)
    known = known_kernels.known_kernels()
    assert known is not None
    (folder / f"{known._name(kernels[0])}.note").unlink()
    compiled(FIRST_ALONE)
    assert kernels == [*kernels[:2], kernels[0]]
    results = compiled(TWO_KERNELS, profiling=True)(INPUTS)
    assert len(kernels) == 3
    assert len(objects_in(folder)) == 2
    assert_array_equal(results[0], expected[0])
    assert_array_equal(results[1], expected[1])


@pytest.mark.parametrize("damage", [b"", b"\0" * 2000, None])
def test_damaged_kernels_are_compiled_again(folder: Path, kernels: list[str], damage: bytes | None):
    compiled(FIRST_ALONE)
    (kernel,) = objects_in(folder)
    whole = kernel.read_bytes()
    kernel.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if damage is None else damage)
    compiled(FIRST_ALONE, profiling=True)
    assert len(kernels) == 2
    assert kernel.read_bytes() == whole


def test_a_kernel_in_the_place_of_another_is_none(folder: Path, kernels: list[str]):
    compiled(FIRST_ALONE)
    compiled(TWO_KERNELS)
    first, second = objects_in(folder)
    codes = first.read_bytes(), second.read_bytes()
    first.write_bytes(codes[1])
    second.write_bytes(codes[0])
    compiled(TWO_KERNELS, profiling=True)
    assert len(kernels) == 4
    assert not first.exists() and not second.exists()


def test_a_kernel_that_others_can_write_is_not_loaded(folder: Path, kernels: list[str]):
    compiled(FIRST_ALONE)
    objects_in(folder)[0].chmod(0o666)
    compiled(TWO_KERNELS)
    assert len(kernels) == 3


def test_another_instruction_set_compiles_its_own(
    folder: Path, kernels: list[str], monkeypatch: pytest.MonkeyPatch
):
    compiled(FIRST_ALONE)
    monkeypatch.setenv("LOWSTREAM_ISA", "portable")
    compiled(FIRST_ALONE)
    assert len(kernels) == 2


def test_another_compiler_compiles_its_own(
    folder: Path, kernels: list[str], monkeypatch: pytest.MonkeyPatch
):
    compiled(FIRST_ALONE)
    monkeypatch.setattr(known_kernels, "digest_of_compiler", lambda: "another")
    compiled(FIRST_ALONE, profiling=True)
    assert len(kernels) == 2


def test_names_of_kernels_are_the_same_in_every_process(folder: Path, tmp_path: Path):
    """Nothing of a process, such as an address, is in what decides the code of any kernel."""
    script = (
        "import sys, lowstream; from lowstream.test.unit.runtime import runtime_models as models;"
        "from lowstream.lowering.codegen import work; work.LIGHT_WORK = 0;"
        "[lowstream.compile_model(models.module(text), num_threads=1) for text in (models.QUANTIZED, models.SUMS)]"
    )
    found: list[list[str]] = []
    for seed in "12":
        folder = tmp_path / seed
        environment = {**os.environ, "LOWSTREAM_CACHE_DIR": str(folder), "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-P", "-c", script], env=environment, check=True)
        found.append([path.name for path in objects_in(folder)])
    assert found[0] == found[1] != []
