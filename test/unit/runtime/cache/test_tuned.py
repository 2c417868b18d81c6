"""Tables of measured schedules beside the cache: who writes, who reads, and what depends on them."""

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.lowering.machine import choose_isa
from lowstream.lowering.tuning_configuration import TuningConfiguration
from lowstream.runtime import build, tuning
from lowstream.runtime.cache.keys import Options, contents_of, key_of_contents, key_of_module
from lowstream.runtime.cache.tuned import configurations_for, digest_of, path_of, store
from lowstream.runtime.tuning import LEAST_TURNS, Measured, TuningTask
from lowstream.test.unit.runtime import runtime_models

BYTES, FLOATS = "product of 4x16xi8 by i8 to 4x64", "product of 4x64xf32 by f32 to 4x64"
"""How the kernels of PRODUCTS are described."""

X = np.linspace(-1, 1, 64, dtype=np.float32).reshape(4, 16)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, empty."""
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def table(threads: int = 1) -> Path:
    path = path_of(threads)
    assert path is not None
    return path


def compile_products() -> lowstream.CompiledModel:
    module = runtime_models.module(runtime_models.PRODUCTS)
    return lowstream.compile_model(module, num_threads=1)


def task(threads: int = 1) -> TuningTask:
    return TuningTask.of(
        build.prepared(runtime_models.module(runtime_models.PRODUCTS), "auto"), threads
    )


def test_nobody_waits_for_a_pipe():
    path = table()
    path.parent.mkdir()
    os.mkfifo(path, 0o600)
    assert digest_of(1) == ""
    assert configurations_for(1, "avx2") == {}
    store(1, "avx2", {"a": TuningConfiguration(1, (2,))})
    assert path.is_file()


def test_a_table_that_others_can_write_is_not_used():
    path = store(1, "avx2", {"a": TuningConfiguration(1, (2,))})
    assert path.stat().st_mode & 0o022 == 0
    path.chmod(0o666)
    with pytest.warns(UserWarning, match=f"{path} are not used: everybody can write to it; run: "):
        assert configurations_for(1, "avx2") == {}
    assert store(1, "avx2", {"b": TuningConfiguration(1, (2,))}) == path
    assert configurations_for(1, "avx2") == {"b": TuningConfiguration(1, (2,))}


def test_drafts_of_writers_that_were_killed_go(folder: Path):
    path = store(1, "avx2", {"a": TuningConfiguration(1, (2,))})
    path.with_name(f".{path.name}.01234567.tmp").touch()
    store(1, "avx2", {"b": TuningConfiguration(1, (2,))})
    assert list(folder.iterdir()) == [path]


def test_what_is_stored_is_found():
    store(1, "avx2", {"a": TuningConfiguration(1, (2,)), "b": TuningConfiguration(3, (4, 5))})
    store(1, "avx2", {"b": None, "c": TuningConfiguration(6, (7,))})
    store(1, "portable", {"a": None})
    store(2, "avx2", {"a": TuningConfiguration(8, (9,))})
    assert configurations_for(1, "avx2") == {
        "a": TuningConfiguration(1, (2,)),
        "c": TuningConfiguration(6, (7,)),
    }
    assert configurations_for(2, "avx2") == {"a": TuningConfiguration(8, (9,))}
    assert (
        configurations_for(1, "portable")
        == configurations_for(1, "neon_dot")
        == configurations_for(3, "avx2")
        == {}
    )


def test_writers_keep_what_others_write(folder: Path):
    def write(name: str) -> None:
        for n in range(20):
            store(1, "avx2", {f"{name}{n}": TuningConfiguration(n + 1, (1,))})
            assert configurations_for(1, "avx2"), "whoever reads meets a whole table"

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(configurations_for(1, "avx2")) == 60
    assert [path.name for path in folder.iterdir()] == [table().name]


def test_a_damaged_table_counts_as_none(folder: Path):
    want = compile_products()([X])[0]
    store(1, "avx2", {"a": TuningConfiguration(1, (2,))})
    table().write_bytes(table().read_bytes()[:-5])
    with pytest.warns(UserWarning, match="is not a table of schedules; remove it"):
        found = compile_products()([X])[0]
    assert_array_equal(found, want)
    store(1, "avx2", {"b": TuningConfiguration(1, (2,))})
    assert configurations_for(1, "avx2") == {"b": TuningConfiguration(1, (2,))}


def test_a_choice_that_cannot_be_counts_as_none():
    store(1, choose_isa().name, {BYTES: TuningConfiguration(99, (99,))})
    with pytest.warns(
        UserWarning, match="kernel.mat_mul.*: register tiles of 99 x 99, as measured, are none"
    ):
        compile_products()


def test_nothing_stays_without_a_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    assert path_of(1) is None
    assert digest_of(1) == ""
    assert configurations_for(1, "avx2") == {}
    with pytest.raises(DiagnosticException, match="there is no folder for measured schedules; set"):
        store(1, "avx2", {})


def test_the_cache_clears_and_shrinks_without_it(monkeypatch: pytest.MonkeyPatch):
    store(1, "avx2", {"a": TuningConfiguration(1, (2,))})
    lowstream.cache.clear()
    monkeypatch.setattr(lowstream.cache, "size", 1)
    compile_products()
    assert configurations_for(1, "avx2")


def test_keys_depend_on_the_table(tmp_path: Path):
    module = runtime_models.module(runtime_models.PRODUCTS)
    path = tmp_path / "m.mlir"
    path.write_text(runtime_models.PRODUCTS)
    one, two = (Options("auto", False, threads) for threads in (1, 2))

    def keys(options: Options) -> list[str | None]:
        return [key_of_module(module, options), key_of_contents(contents_of(path), options)]

    before = keys(one), keys(two)
    store(1, "avx2", {"a": TuningConfiguration(1, (2,))})
    after = keys(one), keys(two)
    assert not {*before[0]} & {*after[0]}
    assert before[1] == after[1], "programs for two threads have a table of their own"


def test_a_model_is_compiled_with_the_table(monkeypatch: pytest.MonkeyPatch):
    """Once with it, once without; the results are the same bits, and each stays in the cache."""
    made: list[Any] = []
    real = build.compile_program

    def counting(program: Any, *arguments: Any) -> Any:
        made.append(program)
        return real(program, *arguments)

    monkeypatch.setattr(build, "compile_program", counting)
    isa = choose_isa()
    first, *others = task().candidates()[BYTES]
    other = others[-1]
    want = compile_products()([X])[0]
    store(1, isa.name, {BYTES: other})
    for _ in range(2):
        assert_array_equal(compile_products()([X])[0], want)
    store(1, isa.name, {BYTES: None})
    table().unlink()
    assert_array_equal(compile_products()([X])[0], want)
    texts = [str(program) for program in made]
    assert len(texts) == 2
    assert f"nr_vectors = {first.nr_vectors} : i64}}" in texts[0]
    assert "mr = " not in texts[0]
    assert f"nr_vectors = {other.nr_vectors} : i64}}, mr = array<i64: {other.mr[0]}>}}" in texts[1]


# --- measuring ------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_kernels_are_measured_where_they_run(threads: int):
    """Each kernel once, with what the cost model chose first; the model itself stays as it was."""
    done: list[float] = []
    found = task(threads).measure([X], 1e-3, done.append)
    assert [each.kernel for each in found] == [BYTES, FLOATS]
    assert [each.count for each in found] == [1, 2]
    options = task().candidates()
    for each in found:
        assert each.before == options[each.kernel][0]
        assert each.best in options[each.kernel]
        assert 0 < each.nanoseconds <= each.nanoseconds_before
    assert done == sorted(done)
    assert done[-1] == 1
    assert len([part for part in done if part > 0.5]) >= LEAST_TURNS


def test_candidates_are_few_and_unlike():
    for configurations in task().candidates().values():
        assert 1 < len(configurations) <= tuning.MOST_CANDIDATES
        widths = [configuration.nr_vectors for configuration in configurations]
        assert max(map(widths.count, widths)) <= tuning.MOST_ALIKE
        assert len(set(widths)) > 1


def test_what_is_faster_by_less_than_noise_is_not_faster():
    configurations = TuningConfiguration(1, (2,)), TuningConfiguration(2, (1,))
    assert not Measured("k", 1, *configurations, 1000, 981).is_better
    assert Measured("k", 1, *configurations, 1000, 979).is_better


def test_a_model_without_kernels_to_choose_for():
    module = runtime_models.module(runtime_models.SUMS)
    assert TuningTask.of(module, 1).measure([np.ones((1, 4), np.float32)], 1, print) == []


def test_states_of_unknown_size_need_many_programs():
    module = runtime_models.module(runtime_models.FIFO)
    with pytest.raises(DiagnosticException, match="schedules are measured for one program"):
        TuningTask.of(module, 1)
