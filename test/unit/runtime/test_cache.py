"""The cache on disk: what is found again, and all that must not be."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop import model
from lowstream.runtime import build, compiled, keys
from lowstream.runtime.cache import Cache
from lowstream.runtime.executable import Executable
from lowstream.runtime.keys import Options, key_of_file, key_of_module
from lowstream.runtime.packed import ALIGNMENT, pack, unpack
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import START

ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1
OPTIONS = Options("auto", False, 1)
KEYS = [letter * 64 for letter in "abcd"]


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


def damage_bounds(data: bytes) -> bytes:
    """Where the weights end, and the code begins."""
    start = data.index(b'"data_offsets": [0, ') + 20
    end = data.index(b"]", start)
    other = str(int(data[start:end]) - 16).encode().rjust(end - start)
    return data[:start] + other + data[end:].replace(data[start:end], other, 1)


def damage_names(data: bytes) -> bytes:
    return data.replace(b'"object0"', b'"object9"')


def damage_header(data: bytes) -> bytes:
    return (2**60).to_bytes(8, "little") + data[8:]


@pytest.mark.parametrize(
    "damage",
    [
        damage_cut,
        damage_weights,
        damage_code,
        damage_description,
        damage_bounds,
        damage_names,
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


def test_an_entry_in_the_place_of_another_is_none(folder: Path, tmp_path: Path):
    paths = [save(tmp_path / f"m{value}.mlir", value) for value in (2.0, 3.0)]
    assert [scaled(path) for path in paths] == [2.0, 3.0]
    first, second = (path.rename(path.with_suffix(".moved")) for path in entries(folder))
    first.rename(folder / second.with_suffix(".safetensors").name)
    second.rename(folder / first.with_suffix(".safetensors").name)
    assert [scaled(path) for path in paths] == [2.0, 3.0]


def sums() -> Executable:
    return build.build(runtime_models.module(runtime_models.SUMS), None, False, 1)


def test_every_bit_is_sealed():
    """No part of what is damaged is looked at, parsed or loaded."""
    whole = bytes(pack(sums(), "name"))
    assert unpack(whole, "name") == sums()
    with pytest.raises(DiagnosticException, match="damaged"):
        unpack(whole, "another name")
    step = len(whole) // 500
    for place in {*range(0, 600, 3), *range(600, len(whole), step)}:
        mutant = bytearray(whole)
        mutant[place] ^= 1 << place % 8
        with pytest.raises(DiagnosticException, match="the compiled model is damaged"):
            unpack(mutant, "name")
    for mutant in (*(whole[:end] for end in (*range(120), len(whole) - 1)), whole + b"\0"):
        with pytest.raises(DiagnosticException, match="the compiled model is damaged"):
            unpack(mutant, "name")


# --- trust ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "who"), [(0o777, "everybody"), (0o770, "its group")])
def test_a_folder_that_others_can_write_is_not_used(
    folder: Path, builds: list[Any], mode: int, who: str
):
    compile_sums()
    folder.chmod(mode)
    objection = f"the cache in {folder} is not used: {who} can"
    with pytest.warns(UserWarning, match=objection) as found:
        compile_sums()
    compile_sums()
    assert len(found) == 1
    assert len(builds) == 3
    command = str(found[0].message).rpartition("run: ")[2]
    subprocess.run(command, shell=True, check=True)
    compile_sums()
    assert len(builds) == 3


def test_an_entry_that_others_can_write_is_not_loaded(folder: Path, builds: list[Any]):
    compile_sums()
    (entry,) = entries(folder)
    entry.chmod(0o666)
    assert_array_equal(compile_sums(), FIRST)
    assert len(builds) == 2
    compile_sums()
    assert len(builds) == 2


def test_what_we_make_is_ours_whatever_the_umask(folder: Path, builds: list[Any]):
    before = os.umask(0)
    try:
        compile_sums()
    finally:
        os.umask(before)
    compile_sums()
    assert len(builds) == 1
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entries(folder)[0].stat().st_mode & 0o777 == 0o644


def test_an_entry_without_the_key_is_none(
    folder: Path, builds: list[Any], monkeypatch: pytest.MonkeyPatch
):
    for count, key in enumerate(("", "a", "a", "b", ""), 1):
        monkeypatch.setenv("LOWSTREAM_KEY", key)
        assert_array_equal(compile_sums(), FIRST)
        assert len(builds) == (count if count < 3 else count - 1)


# --- the folder -----------------------------------------------------------------------------


def test_two_writers(folder: Path):
    """Whoever reads meets a whole entry or none."""
    executable = sums()
    wrong: list[Any] = []

    def write_and_read() -> None:
        cache = Cache()
        for _ in range(60):
            cache.store(KEYS[0], executable)
            found = cache.load(KEYS[0])
            if found is None or tuple(map(bytes, found.objects)) != executable.objects:
                wrong.append(found)

    threads = [threading.Thread(target=write_and_read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [path.name for path in folder.iterdir()] == [f"{KEYS[0]}.safetensors"]


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


def test_a_folder_below_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "~/named")
    assert Cache().dir == tmp_path / "named"
    assert Cache("~/given").dir == tmp_path / "given"
    compile_sums()
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "~nobody.of.this.name/x")
    with pytest.raises(DiagnosticException, match="no such user; set LOWSTREAM_CACHE_DIR or"):
        compile_sums()
    assert [path.name for path in tmp_path.iterdir()] == ["named"]


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path):
    executable, cache = sums(), Cache(tmp_path)
    a, b, c, d = KEYS
    cache.store(a, executable)
    size = (tmp_path / f"{a}.safetensors").stat().st_size
    cache.size = 3 * size
    for age, key in enumerate((c, b)):
        cache.store(key, executable)
        os.utime(tmp_path / f"{key}.safetensors", (age + 2, age + 2))
    os.utime(tmp_path / f"{a}.safetensors", (1, 1))
    assert cache.load(a) is not None
    cache.store(d, executable)
    assert {path.stem for path in entries(tmp_path)} == {a, b, d}
    cache.clear()
    assert not entries(tmp_path)


def test_what_is_not_ours_stays(tmp_path: Path):
    names = {"model.safetensors", "x.note", "y.tmp", f"{KEYS[1]}.bin"}
    for name in names:
        (tmp_path / name).touch()
    cache = Cache(tmp_path, size=0)
    cache.store(KEYS[0], sums())
    cache.clear()
    assert {path.name for path in tmp_path.iterdir()} == names


WRITER = """
import os, signal, sys
from lowstream.runtime.cache import Cache

def stop(draft, path):
    print(draft, flush=True)
    sys.stdin.read()
    real(draft, path)

real, os.replace = os.replace, stop
Cache(sys.argv[1]).remember("e" * 64, "line")
"""
"""Writes to the cache, and waits before the draft takes its place."""


@pytest.mark.parametrize("is_killed", [True, False])
def test_drafts_go_with_their_writers(tmp_path: Path, is_killed: bool):
    """Not before, and without waiting until they are old."""
    run = [sys.executable, "-P", "-c", WRITER, str(tmp_path)]
    cache, key = Cache(tmp_path), "e" * 64
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin and writer.stdout
        draft = Path(writer.stdout.readline().rstrip())
        cache.remember(KEYS[0], "while it writes")
        assert draft.exists()
        if is_killed:
            writer.send_signal(signal.SIGKILL)
        writer.stdin.close()
        assert (writer.wait() != 0) == is_killed
    assert draft.exists() == is_killed
    cache.remember(KEYS[1], "afterwards")
    assert not draft.exists()
    assert cache.recall(key) == (None if is_killed else "line")


def test_others_can_read_an_entry(tmp_path: Path, starts_from_input: lowstream.CompiledModel):
    from safetensors import safe_open

    executable = sums()
    Cache(tmp_path).store(KEYS[0], executable)
    (path,) = entries(tmp_path)
    data = path.read_bytes()
    assert (8 + int.from_bytes(data[:8], "little")) % ALIGNMENT == 0
    with safe_open(path, "np") as file:
        assert set(file.keys()) == {"weights", "object0", "object1", "init0"}
        assert json.loads(file.metadata()["lowstream"])["isa"] == executable.isa
        assert_array_equal(file.get_tensor("init0").view(np.float32), START[0])
