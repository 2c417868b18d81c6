"""The cache on disk: what is found again, and all that must not be."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import runtime_models
from numpy.testing import assert_array_equal
from runtime_models import START
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop import model
from lowstream.runtime import build, compiled, keys
from lowstream.runtime.cache import ABANDONED, ALIGNMENT, Cache
from lowstream.runtime.keys import Options, key_of_file, key_of_module

ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1
OPTIONS = Options("auto", False, 1)


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


def compile_sums(**options: Any) -> np.ndarray:
    compiled = lowstream.compile_model(runtime_models.module(runtime_models.SUMS), **options)
    return compiled([ONES])[0]


def save(path: Path, value: float) -> Path:
    """A model with its weights in a file beside it: `Y = X * value`, element by element."""
    size = 2048
    module = runtime_models.module(f"""
        func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
          %w = nn.constant dense<"0x{(np.arange(size, dtype=np.float32) * value).tobytes().hex()}"> : tensor<{size}xf32>
          %y = nn.multiply %x, %w : (tensor<{size}xf32>, tensor<{size}xf32>) -> tensor<{size}xf32>
          func.return %y : tensor<{size}xf32>
        }}""")
    lowstream.save_model(module, path)
    return path


def scaled(path: Path) -> float:
    """The `value` with which the compiled model multiplies."""
    return float(lowstream.compile_model(path)([np.ones(2048, np.float32)])[0][1])


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


# --- hits and misses ------------------------------------------------------------------------


def test_a_model_is_compiled_once(folder: Path, builds: list[Any]):
    for _ in range(3):
        assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == len(entries(folder)) == 1


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
        "import sys, lowstream; lowstream.compile_model(sys.argv[1]).create_infer_request();"
        "print(*sys.modules)"
    )
    run = [sys.executable, "-P", "-c", program, str(path)]
    loaded = [
        subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert "xdsl.parser" in loaded[0]
    heavy = {
        "xdsl.parser",
        "xdsl.dialects.builtin",
        "lowstream.dialects",
        "lowstream.lowering.pipeline",
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


def test_another_compiler_has_another_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A schedule that changed is a source that changed."""
    module = runtime_models.module(runtime_models.SUMS)
    before = key_of_module(module, OPTIONS)
    root = tmp_path / "lowstream"
    for name in keys.COMPILER:
        (root / name).mkdir(parents=True)
    (root / "lowering" / "schedule.py").write_text("ROWS = 4")
    monkeypatch.setattr(keys, "__file__", str(root / "runtime" / "keys.py"))
    keys._compiler.cache_clear()
    changed = key_of_module(module, OPTIONS)
    (root / "lowering" / "schedule.py").write_text("ROWS = 16")
    keys._compiler.cache_clear()
    assert len({before, changed, key_of_module(module, OPTIONS)}) == 3
    keys._compiler.cache_clear()


def test_passes_that_are_objects_are_not_cached(folder: Path):
    from lowstream.passes.fold_constants import FoldConstants

    assert_array_equal(compile_sums(pipeline=[FoldConstants()]), FIRST)
    assert not folder.exists()


# --- stale and damaged ----------------------------------------------------------------------


def test_passes_that_write_files_do_so_each_time(folder: Path, tmp_path: Path):
    report = tmp_path / "report.csv"
    for _ in range(2):
        compile_sums(pipeline=f"precision-report{{file={report}}}")
        report.unlink()
    assert not list(folder.glob("*"))


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
    found = {key_of_file(path, OPTIONS)}
    for weights in (b"1", b"2"):
        path.with_suffix(".bin").write_bytes(weights)
        found.add(key_of_file(path, OPTIONS))
    assert len(found - {None}) == 3


@pytest.mark.parametrize("gap", ["", "\n  ", " // why\n"])
def test_references_are_found_however_they_are_written(tmp_path: Path, gap: str):
    path, weights = tmp_path / "m.mlir", tmp_path / "w.bin"
    path.write_text(
        f'nn.constant #nn.blob<"w.bin"{gap},{gap}"a \\"key\\"",{gap}"{"0" * 32}"> : tensor<1xi8>'
    )
    weights.write_bytes(b"1")
    before = key_of_file(path, OPTIONS)
    weights.write_bytes(b"2")
    assert before is not None
    assert key_of_file(path, OPTIONS) not in (before, None)


@pytest.mark.parametrize("name", ["missing.bin", "/dev/zero", "."])
def test_files_without_a_key(tmp_path: Path, name: str):
    path = tmp_path / "m.mlir"
    path.write_text(f'#nn.blob<"{name}", "key", "{"0" * 32}">')
    assert key_of_file(path, OPTIONS) is None
    assert key_of_file(tmp_path / "m.onnx", OPTIONS) is None


def damage_cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def damage_weights(data: bytes) -> bytes:
    start = 8 + int.from_bytes(data[:8], "little")
    return data[:start] + bytes([data[start] ^ 1]) + data[start + 1 :]


def damage_code(data: bytes) -> bytes:
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


def damage_description(data: bytes) -> bytes:
    return data.replace(b'\\"arena_bytes\\": ', b'\\"arena_bytes\\":-')


def damage_header(data: bytes) -> bytes:
    return (2**60).to_bytes(8, "little") + data[8:]


@pytest.mark.parametrize(
    "damage",
    [
        damage_cut,
        damage_weights,
        damage_code,
        damage_description,
        damage_header,
        lambda data: b"",
        lambda data: b"\0" * len(data),
        lambda data: data[:8] + b"[" + data[9:],
        lambda data: (1).to_bytes(8, "little") + b"5",
        lambda data: (10**6).to_bytes(8, "little") + b"[" * 10**6,
    ],
)
def test_damaged_entries_are_compiled_again(
    folder: Path, builds: list[Any], damage: Any, tmp_path: Path
):
    path = save(tmp_path / "m.mlir", 2.0)
    assert scaled(path) == 2.0
    (entry,) = entries(folder)
    whole = entry.read_bytes()
    entry.unlink()  # the first compilation has it mapped
    entry.write_bytes(damage(whole))
    assert entry.read_bytes() != whole
    assert scaled(path) == 2.0
    assert len(builds) == 2
    assert entries(folder)[0].read_bytes() == whole


# --- the folder -----------------------------------------------------------------------------


def test_two_writers(folder: Path):
    """Whoever reads meets a whole entry or none."""
    module = runtime_models.module(runtime_models.SUMS)
    executable = build.build(module, None, False, 1)
    wrong: list[Any] = []

    def write_and_read() -> None:
        cache = Cache()
        for _ in range(60):
            cache.store("k", executable)
            found = cache.load("k")
            if found is None or tuple(map(bytes, found.objects)) != executable.objects:
                wrong.append(found)

    threads = [threading.Thread(target=write_and_read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [path.name for path in folder.iterdir()] == ["k.safetensors"]


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builds: list[Any], place: str
):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / place))
    for _ in range(2):
        assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 2


def test_an_empty_variable_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch, builds: list[Any]):
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    assert lowstream.cache.dir is None
    for _ in range(2):
        assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 2
    lowstream.cache.clear()


def test_without_a_cache_nothing_needs_a_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    monkeypatch.delattr(compiled, "key_of_module")
    assert_array_equal(compile_sums(), FIRST)


def test_the_folder_is_the_users_or_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert Cache().dir == Path(os.environ["XDG_CACHE_HOME"]) / "lowstream"
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / "named"))
    assert Cache().dir == tmp_path / "named"
    cache = Cache(tmp_path / "given")
    assert cache.dir == tmp_path / "given"
    cache.dir = tmp_path / "changed"
    assert cache.dir == tmp_path / "changed"
    cache.dir = ""
    assert cache.dir is None
    cache.dir = None
    assert cache.dir == tmp_path / "named"


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path):
    executable = build.build(runtime_models.module(runtime_models.SUMS), None, False, 1)
    cache = Cache(tmp_path)
    cache.store("a", executable)
    size = (tmp_path / "a.safetensors").stat().st_size
    cache.size = 3 * size
    for age, key in enumerate("cb"):
        cache.store(key, executable)
        os.utime(tmp_path / f"{key}.safetensors", (age + 2, age + 2))
    os.utime(tmp_path / "a.safetensors", (1, 1))
    assert cache.load("a") is not None
    cache.store("d", executable)
    assert {path.stem for path in entries(tmp_path)} == {"a", "b", "d"}
    cache.clear()
    assert not entries(tmp_path)


def test_drafts_that_nobody_ends_go(tmp_path: Path):
    old, young = tmp_path / "x.tmp", tmp_path / "y.tmp"
    for path in (old, young):
        path.write_bytes(b"")
    long_ago = time.time() - 2 * ABANDONED
    os.utime(old, (long_ago, long_ago))
    executable = build.build(runtime_models.module(runtime_models.SUMS), None, False, 1)
    Cache(tmp_path).store("a", executable)
    assert {path.name for path in tmp_path.iterdir()} == {"a.safetensors", "y.tmp"}


def test_others_can_read_an_entry(tmp_path: Path, starts_from_input: lowstream.CompiledModel):
    from safetensors import safe_open

    executable = build.build(runtime_models.module(runtime_models.SUMS), None, False, 1)
    Cache(tmp_path).store("k", executable)
    data = (tmp_path / "k.safetensors").read_bytes()
    assert (8 + int.from_bytes(data[:8], "little")) % ALIGNMENT == 0
    with safe_open(tmp_path / "k.safetensors", "np") as file:
        assert set(file.keys()) == {"weights", "object0", "object1", "init0"}
        assert json.loads(file.metadata()["lowstream"])["isa"] == executable.isa
        assert_array_equal(file.get_tensor("init0").view(np.float32), START[0])
