"""Modules and their weights files: what is written reads back, and what is wrong is one line."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, f8E8M0FNU, f32
from xdsl.ir import Attribute, Region
from xdsl.ir import Block as XBlock

from lowstream import Model, read_model, save_model
from lowstream.dialects import nn
from lowstream.dialects.blob import INLINE_LIMIT
from lowstream.dialects.element_names import SAFETENSORS
from lowstream.dialects.inferred import NAME
from lowstream.dialects.weights_file import PACKED_TYPES
from lowstream.interop.mlir import SourceError
from lowstream.reference.arrays import array_of, blob_of

MANY = INLINE_LIMIT * 8 + 3
"""Elements that are too many to stay inline, packed bits included."""


def constant(values: Any, element: Attribute = f32, name: str = "") -> nn.ConstantOp:
    op = nn.ConstantOp(blob_of(values, element))
    if name:
        op.attributes[NAME] = StringAttr(name)
    return op


def model_of(*constants: nn.ConstantOp) -> Model:
    """A model that gives its constants."""
    block = XBlock([*constants, func.ReturnOp(*constants)])
    types = [op.result.type for op in constants]
    return Model(ModuleOp([func.FuncOp("main", ([], types), Region(block))]))


def ramp(start: int = 0) -> Any:
    return np.arange(start, start + MANY, dtype=np.float32)


def arrays(model: Model) -> list[Any]:
    return [array_of(op.value) for op in model.module.walk() if isinstance(op, nn.ConstantOp)]


# --- writing and reading --------------------------------------------------------------------


@pytest.mark.parametrize("element", {**SAFETENSORS, **PACKED_TYPES}.values(), ids=str)
@pytest.mark.parametrize("count", [0, 1, 5, MANY])
def test_round_trip(tmp_path: Path, element: Attribute, count: int):
    values = np.random.default_rng(count).integers(0, 2, (1, count, 1))
    values += element == f8E8M0FNU  # it has no 0
    model = model_of(constant(values, element))
    save_model(model, tmp_path / "m.mlir")
    assert (tmp_path / "m.safetensors").exists() == (count == MANY)
    again = read_model(tmp_path / "m.mlir")
    assert again.module.is_structurally_equivalent(model.module)
    np.testing.assert_array_equal(arrays(again)[0], values)


def test_other_readers_understand_the_weights(tmp_path: Path):
    save_model(model_of(constant(ramp(), name="a")), tmp_path / "m.mlir")
    loaded = load_file(tmp_path / "m.safetensors")
    assert list(loaded) == ["a"]
    np.testing.assert_array_equal(loaded["a"], ramp())


def test_keys_are_friendly_names_made_unique_and_equal_constants_share_one(tmp_path: Path):
    constants = [
        constant(ramp(0), name="w"),
        constant(ramp(1), name="w"),
        constant(ramp(0), name="twin"),
        constant(ramp(2)),
        constant(np.zeros(MANY), name="splat"),
    ]
    save_model(model_of(*constants), tmp_path / "m.mlir")
    assert sorted(load_file(tmp_path / "m.safetensors")) == ["nn.constant", "w", "w_2"]


def test_a_file_may_be_saved_over_itself(tmp_path: Path):
    path = tmp_path / "m.mlir"
    save_model(model_of(constant(ramp(), name="w")), path)
    first = read_model(path)
    for _ in range(2):
        save_model(first, path)
    np.testing.assert_array_equal(arrays(first)[0], ramp())
    assert read_model(path).module.is_structurally_equivalent(first.module)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["m.mlir", "m.safetensors"]


def test_a_rewritten_file_is_read_anew_and_old_readers_keep_theirs(tmp_path: Path):
    path = tmp_path / "m.mlir"
    save_model(model_of(constant(ramp(0))), path)
    old = read_model(path)
    stamp = (tmp_path / "m.safetensors").stat()
    save_model(model_of(constant(ramp(1))), path)
    os.utime(tmp_path / "m.safetensors", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    np.testing.assert_array_equal(arrays(read_model(path))[0], ramp(1))
    np.testing.assert_array_equal(arrays(old)[0], ramp(0))


@pytest.mark.parametrize("last", ["m.safetensors", "m.mlir"])
def test_a_failing_write_leaves_whole_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str
):
    path = tmp_path / "m.mlir"
    save_model(model_of(constant(ramp(0))), path)
    replace = os.replace

    def fail_for_last(source: Path, target: Path) -> None:
        if target.name == last:
            raise OSError(28, "No space left on device", str(source))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail_for_last)
    with pytest.raises(OSError, match=f"No space left on device: '.*/{last}'"):
        save_model(model_of(constant(ramp(1))), path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["m.mlir", "m.safetensors"]
    if last == "m.safetensors":
        np.testing.assert_array_equal(arrays(read_model(path))[0], ramp(0))
    else:  # the new weights do not pass for the old ones
        with pytest.raises(SourceError, match="the module expects"):
            read_model(path)


def test_files_are_as_readable_as_others(tmp_path: Path):
    (tmp_path / "other").touch()
    save_model(model_of(constant(ramp())), tmp_path / "m.mlir")
    assert len({file.stat().st_mode for file in tmp_path.iterdir()}) == 1


def test_a_device_gets_everything_inline(tmp_path: Path):
    pipe = tmp_path / "m.mlir"
    pipe.symlink_to("/dev/null")
    save_model(model_of(constant(ramp())), pipe)
    assert pipe.is_symlink()
    assert [file.name for file in tmp_path.iterdir()] == ["m.mlir"]


def test_missing_folders_are_made(tmp_path: Path):
    path = tmp_path / "new" / "folder" / "m.mlir"
    save_model(model_of(constant(ramp())), path)
    np.testing.assert_array_equal(arrays(read_model(path)), [ramp()])


# --- weights that are wrong -----------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    save_model(model_of(constant(ramp(), name="w")), folder / "m.mlir")
    return folder / "m.mlir"


def error_of(path: Path) -> str:
    """The one line that reading `path` ends in, without the place, which is the constant's."""
    with pytest.raises(SourceError) as error:
        read_model(path)
    message = str(error.value)
    assert "\n" not in message
    place, _, what = message.partition(": error: ")
    file, line, column = place.rsplit(":", 2)
    assert (file, line) == (str(path), "3")
    assert int(column) > 1
    return what


def remove(weights: Path) -> None:
    weights.unlink()


def exchange(weights: Path) -> None:
    save_model(model_of(constant(ramp(1), name="w")), weights.with_name("other.mlir"))
    weights.with_name("other.safetensors").replace(weights)


def rename_key(weights: Path) -> None:
    save_model(model_of(constant(ramp(), name="v")), weights.with_name("other.mlir"))
    weights.with_name("other.safetensors").replace(weights)


def flip_a_bit(weights: Path) -> None:
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)


def link_out(weights: Path) -> None:
    outside = weights.parent.parent / "outside.safetensors"
    shutil.move(weights, outside)
    weights.symlink_to(outside)


def make_folder(weights: Path) -> None:
    weights.unlink()
    weights.mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (remove, "weights file 'm.safetensors' is missing"),
    "exchanged": (exchange, "m.safetensors: tensor 'w' has digest"),
    "other key": (rename_key, "m.safetensors: no tensor 'w'"),
    "flipped bit": (flip_a_bit, "m.safetensors: tensor 'w' has digest"),
    "link out": (link_out, "weights file 'm.safetensors' is a link out of the module's folder"),
    "folder": (make_folder, "weights file 'm.safetensors' is not a regular file"),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_damaged_weights(saved: Path, case: str):
    damage, message = DAMAGE[case]
    damage(saved.with_suffix(".safetensors"))
    assert error_of(saved).startswith(message)


@pytest.mark.parametrize("length", [0, 7, 8, 40, 100, 1000, -1])
def test_truncated_weights(saved: Path, length: int):
    weights = saved.with_suffix(".safetensors")
    weights.write_bytes(weights.read_bytes()[:length])
    assert "m.safetensors: " in error_of(saved)


@pytest.mark.parametrize("name", ["../m.safetensors", "/etc/passwd", "a/../../x", "", "."])
def test_weights_outside_the_folder(saved: Path, name: str):
    shutil.copy(saved.with_suffix(".safetensors"), saved.parent.parent / "m.safetensors")
    saved.write_text(saved.read_text().replace('"m.safetensors"', f'"{name}"'))
    assert error_of(saved).startswith(f"weights file '{name}' is ")


def test_weights_of_another_type(saved: Path):
    saved.write_text(saved.read_text().replace(f"tensor<{MANY}xf32>", f"tensor<{MANY}xi32>"))
    assert f"holds a tensor<{MANY}xf32>, not a tensor<{MANY}xi32>" in error_of(saved)


# --- text that is wrong ---------------------------------------------------------------------

ENTRY = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  {}\n  func.return %y : tensor<4xf32>\n}}"

WRONG = {
    "%y = nn.relu %x : tensor<4xf32": ":3:",
    "%y = nn.reluu %x : tensor<4xf32>": ":2:",
    "%y = nm.relu %x : tensor<4xf32>": ":2:",
    '%y = nn.clamp %x {min = 0.0, max = 1.0, most = "x"} : tensor<5xf32>': ":2:",
    "%y = nn.relu %z : tensor<4xf32>": ":2:",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_text_is_one_line_with_its_place(tmp_path: Path, line: str):
    path = tmp_path / "m.mlir"
    path.write_text(ENTRY.format(line))
    with pytest.raises(SourceError) as error:
        read_model(path)
    message = str(error.value)
    assert message.startswith(f"{path}{WRONG[line]}")
    assert ": error: " in message
    assert "\n" not in message


def test_what_a_verifier_refuses_names_the_operation(tmp_path: Path):
    path = tmp_path / "m.mlir"
    wrong = '%z = "nn.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>'
    path.write_text(ENTRY.format(f"{wrong}\n%y = nn.relu %x : tensor<4xf32>"))
    with pytest.raises(SourceError) as error:
        read_model(path)
    assert str(error.value).startswith(f"{path}:2:8: error: ")
    assert "nn.relu" in str(error.value)
    assert "\n" not in str(error.value)
