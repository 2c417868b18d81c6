"""`ModelSpec` and `Worker`: rows in batches, streams from snapshots, the same results whoever runs them."""

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

from lowstream.cluster.worker import ModelSpec, Worker, rounds_of, stacked
from lowstream.test.unit.cluster.models import write_models
from lowstream.test.unit.runtime.runtime_models import START

W = np.array([[1, 0.5], [2, -1], [0.25, 3]], np.float32)
KEYS = ["a", "b", "a", "c", "a", "b"]
FRAMES = np.arange(24, dtype=np.float32).reshape(6, 1, 4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_models(folder)
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path) -> Worker:
    return Worker(ModelSpec(str(folder / "product.mlir"), batch_size=4))


@pytest.fixture(scope="module")
def sums(folder: Path) -> Worker:
    return Worker(ModelSpec(str(folder / "sums.mlir"), capacity=3))


# --- rows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8, 11])
def test_any_number_of_rows_runs_in_batches(rows: Worker, count: int):
    x = np.arange(3 * count, dtype=np.float32).reshape(count, 3)
    z = np.full((count, 2), 7, np.float32)
    (y,) = rows.run({"X": x, "Z": z}).values()
    assert y.dtype == np.float32
    assert_array_equal(y, x @ W + z)


@pytest.mark.parametrize(
    ("batch", "said"),
    [
        ({}, "give at least one array"),
        (
            {"X": np.zeros((3, 3)), "Z": np.zeros((2, 2))},
            "{'X': 3, 'Z': 2} rows; give at least one array, and equally many rows",
        ),
        ({"X": np.zeros((4, 2)), "Z": np.zeros((4, 2))}, "float32[?, 4, 3]"),
        ({"V": np.zeros((4, 3))}, "'V'"),
    ],
)
def test_rows_that_do_not_fit_are_refused(rows: Worker, batch: dict[str, Any], said: str):
    with pytest.raises(DiagnosticException, match=re.escape(said)):
        rows.run(batch)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sums", "has states.*`step`"),
        ("dependent", "depends on the other rows.*batch_size=1"),
        ("dependent_integers", "depends on the other rows.*batch_size=1"),
    ],
)
def test_models_whose_rows_are_no_batch_are_refused(folder: Path, name: str, said: str):
    worker = Worker(ModelSpec(str(folder / f"{name}.mlir"), batch_size=4))
    for _ in range(2):
        with pytest.raises(DiagnosticException, match=said):
            worker.run({"X": np.zeros((4, 4), np.float32)})


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            {"X": np.zeros(3)},
            "row 1 of a batch has the inputs ['X'], and the first row has ['X', 'Z']",
        ),
        (
            {"X": np.zeros(3), "Z": np.zeros(1)},
            "input 'Z' has shape [1] in row 1 of a batch and [2]",
        ),
    ],
)
def test_rows_that_do_not_go_together_are_refused(second: dict[str, Any], said: str):
    first = {"X": np.zeros(3), "Z": np.ones(2)}
    assert_array_equal(stacked([first, first])["Z"], np.ones((2, 2)))
    with pytest.raises(DiagnosticException, match=re.escape(said)):
        stacked([first, second])


# --- streams --------------------------------------------------------------------------------


def expected() -> np.ndarray[Any, Any]:
    """The running sum of each key's frames."""
    sums: dict[str, Any] = {}
    rows: list[Any] = []
    for key, frame in zip(KEYS, FRAMES, strict=True):
        sums[key] = sums.get(key, np.array(START, np.float32)) + frame
        rows.append(sums[key])
    return np.array(rows)


def test_frames_of_a_stream_follow_each_other(sums: Worker):
    results, snapshots = sums.step(KEYS, {"X": FRAMES}, {})
    assert_array_equal(results["Y"], expected())
    assert_array_equal(results["twice"], 2 * expected())
    assert list(snapshots) == ["a", "b", "c"]


@pytest.mark.parametrize("cut", range(1, 6))
def test_another_worker_goes_on_from_snapshots(folder: Path, sums: Worker, cut: int):
    first, snapshots = sums.step(KEYS[:cut], {"X": FRAMES[:cut]}, {})
    rest = KEYS[cut:], {"X": FRAMES[cut:]}, snapshots
    other = Worker(sums.spec)
    for worker in (sums, other, sums):  # the last one runs it again, beyond it as it is
        second, _ = worker.step(*rest)
        assert_array_equal(np.concatenate([first["Y"], second["Y"]]), expected())


def test_a_worker_keeps_as_many_streams_as_it_has_room_for(sums: Worker):
    _, snapshots = sums.step(KEYS, {"X": FRAMES}, {})
    for key in "defg":
        sums.step([key], {"X": FRAMES[:1]}, {})
    results, _ = sums.step(["a"], {"X": FRAMES[:1]}, snapshots)
    assert_array_equal(results["Y"][0], expected()[4] + FRAMES[0])
    with pytest.raises(DiagnosticException, match="4 streams, and the capacity of a worker is 3"):
        sums.step("defg", {"X": FRAMES[:4]}, {})


def test_a_step_that_fails_can_be_made_again(sums: Worker):
    _, snapshots = sums.step(["a"], {"X": FRAMES[:1]}, {})
    for wrong in (FRAMES[:1, :, :2], FRAMES[:2]):
        with pytest.raises(DiagnosticException):
            sums.step(["a"], {"X": wrong}, snapshots)
    results, _ = sums.step(["a"], {"X": FRAMES[2:3]}, snapshots)
    assert_array_equal(results["Y"][0], expected()[2])


def test_marks_stand_for_snapshots_where_the_streams_are(sums: Worker):
    def run(place: int, states: Any, mark: int) -> Any:
        return sums.step_on(KEYS[place:][:2], {"X": FRAMES[place:][:2]}, states, ("run", mark))

    _, snapshots = run(0, {}, 1)
    marked = dict.fromkeys("ab", ("run", 1))
    for wrong in ({"a": ("run", 0)}, {"a": ("other", 1)}, marked | {"c": ("run", 1)}):
        assert run(2, wrong, 2) is None
    results, _ = run(2, {"a": ("run", 1)}, 2)
    assert_array_equal(results["Y"], expected()[2:4])
    assert run(4, marked, 3) is None  # a went on
    results, _ = run(4, {"a": ("run", 2), "b": snapshots["b"]}, 3)
    assert_array_equal(results["Y"], expected()[4:])
    sums.step("a", {"X": FRAMES[:1]}, {})
    assert run(4, {"a": ("run", 3)}, 4) is None


def test_rounds_have_each_key_once():
    assert [places.tolist() for places in rounds_of(KEYS)] == [[0, 1, 3], [2, 5], [4]]


# --- specs ----------------------------------------------------------------------------------


def test_a_process_loads_a_model_once(folder: Path):
    spec = ModelSpec(str(folder / "sums.mlir"), capacity=2)
    assert pickle.loads(pickle.dumps(spec)).load() is spec.load()
    assert spec.load().inputs == ["X"]


def test_a_spec_names_its_file_wherever_a_worker_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(folder)
    assert ModelSpec("sums.mlir") == ModelSpec(str(folder / "sums.mlir"))


@pytest.mark.parametrize("name", ["batch_size", "capacity", "num_threads"])
@pytest.mark.parametrize("value", [0, True, 1.5])
def test_numbers_of_a_spec_begin_at_one(name: str, value: Any):
    with pytest.raises(DiagnosticException, match=f"{name} is {value}; give a number from 1"):
        ModelSpec("sums.mlir", **{name: value})
