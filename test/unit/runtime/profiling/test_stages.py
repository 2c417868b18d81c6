"""The stages of a request's call: run one by one they are `infer`, and each is counted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lowstream
from lowstream.runtime.profiling.stages import STAGES
from lowstream.test.unit.runtime.runtime_models import START, SUMS, UNKNOWN, module

ONES = np.ones((1, 4), np.float32)


@pytest.fixture(scope="module")
def sums() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(SUMS))


@pytest.fixture(scope="module")
def counted() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(SUMS), profiling=True)


def test_stages_in_a_row_are_a_call(sums: lowstream.CompiledModel, tmp_path: Path):
    request = sums.create_infer_request()
    request.set_tensor("Y", (target := np.zeros((1, 8)))[:, ::2])
    stages = request.stages
    for call in (1, 2):
        stages.preprocess({"X": ONES})
        written = stages.dump(tmp_path / "files")
        stages.start()
        assert not target.any()
        stages.wait()
        assert_array_equal(stages.postprocess()["Y"], np.array(START) + call)
        assert_array_equal(target[:, ::2], np.array(START) + call)
        assert all(stages.times[stage] > 0 for stage in STAGES)
        assert [path.name for path in written] == ["X.npy", "total.npy"]
        assert_array_equal(np.load(written[0]), ONES)
        target[...] = 0
    assert_array_equal(np.load(written[1]), np.array(START) + 1)


def test_a_start_without_preparation_says_so():
    request = lowstream.compile_model(module(UNKNOWN)).create_infer_request()
    with pytest.raises(RuntimeError, match="preprocess comes before start"):
        request.stages.start()
    request.stages.preprocess({"X": np.ones((3, 2), np.float32)})
    request.stages.start()
    assert_array_equal(request.stages.postprocess()["Y"], np.full((3, 2), 2))


def test_a_profile_counts_stages(counted: lowstream.CompiledModel):
    request = counted.create_infer_request()
    request.set_tensor("X", ONES.astype(float))  # converted in each call
    request.set_tensor("Y", np.zeros((1, 4)))
    request.infer()
    stages = request.profiling_info.stages
    assert [stage for stage in STAGES if stages[stage]] == ["preprocess", "start", "postprocess"]
    request.start_async()
    request.wait()
    assert request.profiling_info.stages["wait"] > 0


def test_taking_inputs_is_preprocessing(
    counted: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    times = iter(range(0, 1000, 10))
    monkeypatch.setattr(
        "lowstream.runtime.requests.bound_program.perf_counter_ns", lambda: next(times)
    )
    monkeypatch.setattr("lowstream.runtime.profiling.stages.perf_counter_ns", lambda: next(times))
    request = counted.create_infer_request()
    request.infer({"X": ONES})
    assert request.profiling_info.stages["preprocess"] == 20
    request.infer()
    assert request.profiling_info.stages["preprocess"] == 10


# --- batches --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unknown() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(UNKNOWN))


@pytest.mark.parametrize("how", ["only", "number", "name"])
def test_a_batch_is_read_in_each_call(unknown: lowstream.CompiledModel, how: str):
    request = unknown.create_infer_request()
    parts = [np.ones((1, 2), np.float32), np.full((1, 2), 2, np.int8)]
    match how:
        case "only":
            request.set_input_tensors(parts)
        case "number":
            request.set_input_tensors(0, parts)
        case _:
            request.set_tensors("X", parts)
    assert_array_equal(request.infer()["Y"], [[2, 2], [3, 3]])
    parts[1][...] = 7
    assert_array_equal(request.infer()["Y"], [[3, 3], [9, 9]])
    with pytest.raises(RuntimeError, match="was set as a batch of 2 arrays"):
        request.get_tensor("X")
    assert_array_equal(request.infer({"X": np.zeros((1, 2))})["Y"], [[3, 3]])


def test_a_batch_of_one_is_the_array(unknown: lowstream.CompiledModel):
    request = unknown.create_infer_request()
    request.set_input_tensors([whole := np.zeros((3, 2), np.float32)])
    assert_array_equal(request.infer()["Y"], np.ones((3, 2)))
    assert np.shares_memory(request.get_tensor("X"), whole)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([ONES, ONES],), r"input 'X' was given a batch of 2 arrays, and takes 1 of them"),
        ((ONES,), "a batch is a list of arrays, not a ndarray"),
        ((), "takes a mapping, a list of arrays, or a number and a list"),
        ((1, [ONES, ONES]), "there is no input 1"),
    ],
)
def test_refused_batches(sums: lowstream.CompiledModel, arguments: Any, message: str):
    with pytest.raises(RuntimeError, match=message):
        sums.create_infer_request().set_input_tensors(*arguments)


def test_parts_of_other_shapes(unknown: lowstream.CompiledModel):
    request = unknown.create_infer_request()
    with pytest.raises(RuntimeError, match=r"float32\[1, 2\], was given float32\[2, 2\]"):
        request.set_input_tensors([np.ones((1, 2), np.float32), np.ones((2, 2), np.float32)])


def test_a_part_is_no_output(unknown: lowstream.CompiledModel):
    request = unknown.create_infer_request()
    memory = np.zeros((2, 2), np.float32)
    request.set_input_tensors([memory[:1], memory[1:]])
    request.infer()
    with pytest.raises(RuntimeError, match="would share memory with input 'X'"):
        request.set_tensor("Y", memory)


def test_an_array_that_is_set_is_read_by_preprocess(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    request.set_tensor("X", (wide := np.zeros((1, 8)))[:, ::2])
    for call in (1, 2):
        wide[...] = call
        request.stages.preprocess()
        request.stages.start()
    assert_array_equal(request.stages.postprocess()["Y"], np.array(START) + 3)


def test_what_infer_is_given_counts_after_an_array_was_set(sums: lowstream.CompiledModel):
    """Also where all is settled, and nothing is to be converted."""
    request = sums.create_infer_request()
    request.set_tensor("X", mine := ONES.copy())
    request.infer()
    request.infer({"X": 3 * ONES})
    assert_array_equal(request.results["Y"], np.array(START) + 4)
    assert_array_equal(mine, ONES)
