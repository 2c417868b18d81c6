"""Files that a compiled model depends on are part of its key."""

import os
from pathlib import Path
from typing import Any

import onnx
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop import model
from lowstream.runtime import build
from lowstream.runtime.cache.keys import Options, contents_of, key_of_contents, key_of_module
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.cache.cached_models import (
    OPTIONS,
    compile_sums,
    entries,
    save,
    scaled,
)


def test_passes_that_write_files_do_so_each_time(folder: Path, tmp_path: Path):
    report = tmp_path / "report.csv"
    for _ in range(2):
        compile_sums(pipeline=f"precision-report{{file={report}}}")
        report.unlink()
    assert not entries(folder)


def test_changed_weights_are_compiled_again(folder: Path, tmp_path: Path):
    path = save(tmp_path / "m.mlir", 2.0)
    assert scaled(path) == 2.0
    save(path, 3.0)
    assert scaled(path) == 3.0
    save(path, 2.0)
    assert scaled(path) == 2.0


def test_a_file_that_changes_while_it_is_read_is_not_taken_for_another(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = save(tmp_path / "m.mlir", 2.0)
    before = path.read_bytes(), path.with_suffix(".safetensors").read_bytes()
    read = model.read_model

    def late(path: Path) -> lowstream.Model:
        save(path, 3.0)
        return read(path)

    with monkeypatch.context() as patch:
        patch.setattr(model, "read_model", late)
        assert scaled(path) == 3.0
    path.write_bytes(before[0])
    path.with_suffix(".safetensors").write_bytes(before[1])
    assert scaled(path) == 2.0


def test_a_file_that_changes_while_it_is_compiled_leaves_no_entry(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = save(tmp_path / "m.mlir", 2.0)
    finished = build.executable_of

    def late(*given: Any) -> Any:
        save(path, 3.0)
        return finished(*given)

    with monkeypatch.context() as patch:
        patch.setattr(build, "executable_of", late)
        scaled(path)
    assert not entries(folder)
    save(path, 2.0)
    assert scaled(path) == 2.0


@pytest.mark.parametrize(
    "pipeline",
    [
        'lpt{config="a b.toml"}',
        "lpt{config=ab.toml}",
        'lpt{preset="all" config="a b.toml"},cse',
        "lpt{preset=all config=ab.toml},cse",
    ],
)
def test_files_of_options_are_part_of_the_key(
    pipeline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    module, options = runtime_models.module(runtime_models.SUMS), Options(pipeline, False, 1)
    found = {key_of_module(module, options)}
    for text in ("", "update_precisions = false"):
        for name in ("a b.toml", "ab.toml"):
            Path(name).write_text(text)
        found.add(key_of_module(module, options))
    assert len(found) == 3


def test_exchanged_weights_are_an_error_as_before(folder: Path, tmp_path: Path):
    """The text still refers to the former weights, by their digest."""
    path = save(tmp_path / "m.mlir", 2.0)
    scaled(path)
    other = save(tmp_path / "other.mlir", 3.0)
    os.replace(other.with_suffix(".safetensors"), path.with_suffix(".safetensors"))
    with pytest.raises(DiagnosticException, match="the module expects"):
        scaled(path)


def test_weights_beside_an_xml_are_part_of_its_key(tmp_path: Path):
    path = tmp_path / "m.xml"
    path.write_text("<net/>")
    found = {key_of_contents(contents_of(path), OPTIONS)}
    for weights in (b"1", b"2"):
        path.with_suffix(".bin").write_bytes(weights)
        found.add(key_of_contents(contents_of(path), OPTIONS))
    assert len(found - {None}) == 3


def an_onnx(path: Path, external: str, name: str = "w", value_first: bool = False) -> Path:
    """A model with a tensor in a file beside it."""
    tensor = onnx.TensorProto(name=name, data_location=onnx.TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=external)
    written = onnx.ModelProto(graph=onnx.GraphProto(initializer=[tensor])).SerializeToString()
    if value_first:
        entry = tensor.external_data[0].SerializeToString()
        key, value = entry[: len("\n\blocation")], entry[len("\n\blocation") :]
        written = written.replace(entry, value + key)
    path.write_bytes(written)
    return path


@pytest.mark.parametrize("name", ["weights.bin", "a " * 100 + "é"])
def test_external_data_are_part_of_the_key(tmp_path: Path, name: str):
    path = an_onnx(tmp_path / "m.onnx", name)
    found = {key_of_contents(contents_of(path), OPTIONS)}
    for weights in (b"1", b"2"):
        (tmp_path / name).write_bytes(weights)
        found.add(key_of_contents(contents_of(path), OPTIONS))
    assert len(found) == 3
    assert None in found, "the file was missing"


@pytest.mark.parametrize(
    "odd", [{"name": "location"}, {"value_first": True}], ids=["name", "order"]
)
def test_a_location_that_is_not_understood_leaves_no_key(tmp_path: Path, odd: dict[str, Any]):
    (tmp_path / "weights.bin").write_bytes(b"1")
    assert (
        key_of_contents(contents_of(an_onnx(tmp_path / "m.onnx", "weights.bin", **odd)), OPTIONS)
        is None
    )


@pytest.mark.parametrize("kind", ["onnx", "tflite"])
def test_a_model_in_one_file_is_not_read_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
):
    path = tmp_path / f"m.{kind}"
    lowstream.save_model(runtime_models.module(runtime_models.SUMS), path)
    first = lowstream.compile_model(path)
    monkeypatch.setattr(model, "read_model", None)
    assert lowstream.compile_model(path).executable().weights == first.executable().weights


@pytest.mark.parametrize("gap", ["", "\n  ", " // why\n"])
def test_references_are_found_however_they_are_written(tmp_path: Path, gap: str):
    path, weights = tmp_path / "m.mlir", tmp_path / "w.bin"
    path.write_text(
        f'nn.constant #nn.blob<"w.bin"{gap},{gap}"a \\"key\\"",{gap}"{"0" * 32}"> : tensor<1xi8>'
    )
    weights.write_bytes(b"1")
    before = key_of_contents(contents_of(path), OPTIONS)
    weights.write_bytes(b"2")
    assert before is not None
    assert key_of_contents(contents_of(path), OPTIONS) not in (before, None)


@pytest.mark.parametrize("name", ["missing.bin", "/dev/zero", "."])
def test_files_without_a_key(tmp_path: Path, name: str):
    path = tmp_path / "m.mlir"
    path.write_text(f'#nn.blob<"{name}", "key", "{"0" * 32}">')
    assert key_of_contents(contents_of(path), OPTIONS) is None
    assert key_of_contents(contents_of(tmp_path / "m.onnx"), OPTIONS) is None
