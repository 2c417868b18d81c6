"""Requests: what goes in, what comes out, and who may use one."""

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.lowering.calling_convention import ARENA
from lowstream.runtime.requests import binding
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import START

ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1


@pytest.fixture
def request_(sums: lowstream.CompiledModel) -> lowstream.InferRequest:
    return sums.create_infer_request()


# --- what infer takes -----------------------------------------------------------------------


@pytest.mark.parametrize("inputs", [{"X": ONES}, {"alias": ONES}, {0: ONES}, [ONES], (ONES,), ONES])
def test_inputs_by_name_position_or_in_order(request_: lowstream.InferRequest, inputs: Any):
    assert_array_equal(request_.infer(inputs)[0], FIRST)


def test_input_by_port(sums: lowstream.CompiledModel):
    results = sums.create_infer_request().infer({sums.inputs[0]: ONES})
    assert_array_equal(results[sums.outputs[1]], 2 * FIRST)


def test_nothing_given_keeps_the_last_inputs(request_: lowstream.InferRequest):
    request_.infer([ONES])
    assert_array_equal(request_.infer()[0], FIRST + 1)


def test_infer_copies_what_it_is_given(request_: lowstream.InferRequest):
    x = ONES.copy()
    request_.infer([x])
    x[...] = 100
    assert_array_equal(request_.infer()[0], FIRST + 1)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"Z": ONES}, "there is no input 'Z'; inputs: 'X', 'alias'"),
        ({1: ONES}, "there is no input 1; the model has 1"),
        ([], "the model takes 1 inputs, was given 0; name them in a dict to set some"),
        ([ONES, ONES], "the model takes 1 inputs, was given 2; name them in a dict to set some"),
        ([ONES[0]], r"input 'X' takes float32\[1, 4\], was given float32\[4\]: reshape the array"),
    ],
)
def test_refused_inputs(request_: lowstream.InferRequest, inputs: Any, message: str):
    with pytest.raises(DiagnosticException, match=f"^{message}$"):
        request_.infer(inputs)
    assert_array_equal(request_.infer([ONES])[0], FIRST)  # nothing was left behind


# --- tensors --------------------------------------------------------------------------------


def test_set_tensor_sees_later_writes(request_: lowstream.InferRequest):
    x = np.zeros((1, 4), np.float32)
    request_.set_tensor("X", x)
    x[...] = 1
    assert_array_equal(request_.infer()[0], FIRST)
    assert np.shares_memory(request_.get_tensor("X"), x)


def test_infer_does_not_write_into_an_array_that_was_set(request_: lowstream.InferRequest):
    x = np.zeros((1, 4), np.float32)
    request_.set_tensor(0, x)
    request_.infer([ONES])
    assert not x.any()


def test_get_tensor_gives_what_the_next_call_writes(request_: lowstream.InferRequest):
    y = request_.get_tensor("Y")
    request_.infer([ONES])
    assert_array_equal(y, FIRST)
    assert np.shares_memory(request_.get_tensor(0), y)


def test_an_input_can_be_filled_in_place(request_: lowstream.InferRequest):
    request_.get_tensor("X")[...] = 1
    assert_array_equal(request_.infer()[0], FIRST)


def test_output_in_an_array_of_the_callers(request_: lowstream.InferRequest):
    y = np.zeros((1, 4), np.float32)
    before = request_.infer([ONES])
    request_.set_tensor("Y", y)
    request_.infer()
    assert_array_equal(y, FIRST + 1)
    assert_array_equal(before[0], FIRST)


def test_a_name_of_an_input_and_an_output_is_the_inputs():
    text = runtime_models.SUMS.replace('"Y"', '"X"')
    request = lowstream.compile_model(runtime_models.module(text)).create_infer_request()
    request.set_tensor("X", ONES)
    assert np.shares_memory(request.get_tensor("X"), ONES)
    assert_array_equal(request.infer()["X"], FIRST)


def test_ports_do_not_share_memory(request_: lowstream.InferRequest):
    room = np.zeros(7, np.float32)
    with pytest.raises(DiagnosticException, match=r"input 'X' would share memory with output 'Y'"):
        request_.set_tensor("X", request_.get_tensor("Y"))
    request_.set_tensor("X", room[:4].reshape(1, 4))
    with pytest.raises(
        DiagnosticException, match=r"output 'twice' would share memory with input 'X'"
    ):
        request_.set_tensor("twice", room[3:].reshape(1, 4))
    with pytest.raises(
        DiagnosticException, match=r"output 'Y' would share memory with output 'twice'"
    ):
        request_.set_tensor("Y", request_.get_tensor("twice"))
    request_.set_tensor("Y", request_.get_tensor("Y"))


def test_an_output_does_not_share_memory_with_what_infer_copies_to(
    request_: lowstream.InferRequest,
):
    own = request_.get_tensor("X")
    request_.set_tensor("X", ONES)
    with pytest.raises(DiagnosticException, match=r"output 'Y' would share memory with input 'X'"):
        request_.set_tensor("Y", own)


def test_views_of_one_array_share_memory_where_elements_do(request_: lowstream.InferRequest):
    room = np.zeros((2, 8), np.float32)
    request_.set_tensor("X", room[:1, ::2])
    with pytest.raises(
        DiagnosticException, match=r"output 'Y' would share memory with input 'X'; use a copy"
    ):
        request_.set_tensor("Y", room[:1, 2:6])
    request_.set_tensor("Y", room[:1, 1::2])
    with pytest.raises(DiagnosticException, match="'twice' would share memory with output 'Y'"):
        request_.set_tensor("twice", room[:, 1::2].T[:4, :1].T)
    room[0, ::2] = 1
    request_.infer()
    assert_array_equal(room[0, 1::2], FIRST[0])
    assert_array_equal(room[0, ::2], ONES[0])


def test_an_output_leaves_the_array_that_it_had(request_: lowstream.InferRequest):
    strided, dense = np.zeros((1, 8), np.float32)[:, ::2], np.zeros((1, 4), np.float32)
    for y in (strided, dense, strided):
        for other in (strided, dense):
            other[...] = -1
        request_.set_tensor("Y", y)
        results = request_.infer([ONES])
        for other in (strided, dense):
            assert_array_equal(other, results["Y"] if other is y else np.full((1, 4), -1))


# --- inputs that were never given -------------------------------------------------------------


def test_an_input_that_was_never_given_is_named(types: lowstream.CompiledModel):
    request, x = types.create_infer_request(), np.ones(3, np.int32)
    with pytest.raises(DiagnosticException, match=r"^inputs 'a', 'b' have no values yet: infer"):
        request.infer()
    message = (
        r"^input 'b' has no value yet: infer\(\{'b': array, …\}\) and set_tensor\('b', array\) give"
    )
    with pytest.raises(DiagnosticException, match=message):
        request.infer({"a": x})
    request.start_async()
    with pytest.raises(DiagnosticException, match=message):
        request.wait()
    assert_array_equal(request.infer({"b": 2 * x})[0], 3 * x)
    assert_array_equal(request.infer({"a": 2 * x})[0], 4 * x)


def test_advice_for_a_missing_input_helps(types: lowstream.CompiledModel):
    request, x = types.create_infer_request(), np.ones(3, np.int32)
    request.set_tensor("b", x)
    assert_array_equal(request.infer({"a": x})[0], 2 * x)


def test_an_input_that_nothing_uses_need_not_be_given():
    text = runtime_models.TYPES.replace("nn.add %a, %b", "nn.add %a, %a")
    compiled = lowstream.compile_model(runtime_models.module(text))
    assert [port.is_used for port in compiled.inputs] == [True, False]
    assert_array_equal(compiled({"a": np.ones(3, np.int32)})[0], [2, 2, 2])


# --- results --------------------------------------------------------------------------------


def test_results_by_position_name_and_in_a_row(request_: lowstream.InferRequest):
    results = request_.infer([ONES])
    assert len(results) == 2
    for twice in (results[1], results[-1], results["twice"], [*results][1]):
        assert_array_equal(twice, 2 * FIRST)
    with pytest.raises(DiagnosticException, match=r"there is no output 'Z'; outputs: 'Y', 'twice'"):
        _ = results["Z"]
    with pytest.raises(
        DiagnosticException, match="no tensor 'Z'; tensors: 'X', 'alias', 'Y', 'twice'"
    ):
        request_.get_tensor("Z")
    with pytest.raises(DiagnosticException, match=r"there is no output 2; the model has 2"):
        _ = results[2]


def test_results_as_a_mapping(sums: lowstream.CompiledModel):
    results = sums.create_infer_request().infer([ONES])
    y, twice = sums.outputs
    for key in ("Y", "twice", 0, 1, -1, y, twice):
        assert key in results
    for key in ("Z", "X", 2, -3, None, 1.5, sums.inputs[0]):
        assert key not in results
    assert [port.any_name for port in results.keys()] == ["Y", "twice"]  # noqa: SIM118 - iterating gives arrays
    assert list(results.keys()) == list(results.to_dict()) == [y, twice]
    for index, (port, array) in enumerate(results.items()):
        for same in (
            results[port],
            results[index],
            results.values()[index],
            results.to_dict()[port],
        ):
            assert same is array
    assert dict(results).keys() == {y, twice}


def test_results_stay_when_the_request_runs_again(request_: lowstream.InferRequest):
    kept = [request_.infer([ONES]) for _ in range(3)]
    looked_at = kept[2]["Y"]
    request_.infer()
    for k, results in enumerate(kept):
        assert_array_equal(results["Y"], FIRST + k)
        assert_array_equal(results["twice"], 2 * (FIRST + k))
    assert kept[2]["Y"] is looked_at


def test_arrays_of_results_that_are_gone_stay(request_: lowstream.InferRequest):
    y = request_.infer([ONES])[0]
    request_.infer()
    assert_array_equal(y, FIRST)


def test_results_nobody_keeps_are_used_again(request_: lowstream.InferRequest):
    first = id(request_.infer([ONES]))
    assert id(request_.infer()) == first


def test_results_property(request_: lowstream.InferRequest):
    request_.infer([ONES])
    assert_array_equal(request_.results["Y"], FIRST)


# --- threads --------------------------------------------------------------------------------


@pytest.fixture
def held(
    request_: lowstream.InferRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[lowstream.InferRequest]:
    """A request in the middle of a call, which another thread makes."""
    started, proceed = threading.Event(), threading.Event()

    def run() -> None:
        started.set()
        proceed.wait()

    monkeypatch.setattr(request_, "_run", run)
    thread = threading.Thread(target=request_.infer)
    thread.start()
    started.wait()
    yield request_
    proceed.set()
    thread.join()
    monkeypatch.undo()
    request_.infer([ONES])


@pytest.mark.parametrize(
    "use",
    [
        lambda r: r.infer(),
        lambda r: r.start_async(),
        lambda r: r.set_tensor("X", ONES),
        lambda r: r.get_tensor("Y"),
        lambda r: r.results,
        lambda r: r.reset_state(),
        lambda r: r.query_state(),
    ],
)
def test_a_request_serves_one_thread_at_a_time(held: lowstream.InferRequest, use: Any):
    with pytest.raises(DiagnosticException, match=r"^Infer Request is busy"):
        use(held)


def test_states_of_a_busy_request(request_: lowstream.InferRequest):
    (state,) = request_.query_state()
    request_._exclusive.hold()
    with pytest.raises(DiagnosticException, match=r"^Infer Request is busy"):
        state.reset()
    with pytest.raises(DiagnosticException, match=r"^Infer Request is busy"):
        state.state = ONES
    request_._exclusive.give_back(None)
    state.reset()


def test_start_async_and_wait(request_: lowstream.InferRequest):
    before = request_.infer([ONES])
    x = ONES.copy()
    request_.start_async([x])
    x[...] = 100
    request_.wait()
    assert_array_equal(request_.results[0], FIRST + 1)
    assert_array_equal(before[1], 2 * FIRST)
    for _ in range(100):
        request_.start_async()
        request_.wait()
    assert_array_equal(request_.infer()[0], FIRST + 102)


def test_wait_raises_what_the_call_raised(
    request_: lowstream.InferRequest, monkeypatch: pytest.MonkeyPatch
):
    def run() -> None:
        raise DiagnosticException("stopped")

    with monkeypatch.context() as patch:
        patch.setattr(request_, "_run", run)
        request_.start_async()
        with pytest.raises(DiagnosticException, match="stopped"):
            request_.wait()
    assert_array_equal(request_.infer([ONES])[0], FIRST)


def test_a_refused_start_leaves_the_request_free(request_: lowstream.InferRequest):
    with pytest.raises(DiagnosticException, match="reshape"):
        request_.start_async([ONES[0]])
    request_.wait()
    assert_array_equal(request_.infer([ONES])[0], FIRST)


def test_many_threads_with_a_request_each(sums: lowstream.CompiledModel):
    wrong: list[int] = []

    def stream(seed: int) -> None:
        request = sums.create_infer_request()
        total = np.array(START, np.float32)
        for frame in np.random.default_rng(seed).integers(0, 9, (300, 1, 4)).astype(np.float32):
            total = total + frame
            if not np.array_equal(request.infer([frame])["twice"], 2 * total):
                wrong.append(seed)

    threads = [threading.Thread(target=stream, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(("own", "shared"), [(-1, 1), (binding.OWN_ARENA_BYTES, 0)])
def test_calls_share_arenas_but_small_ones(
    own: int, shared: int, sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(binding, "OWN_ARENA_BYTES", own)
    program = sums.program(((1, 4),))
    program.spare_arenas.clear()
    first, second = binding.Binding(program), binding.Binding(program)
    for each in (first, second, first):
        each.run()
    assert len(program.spare_arenas) == shared


def test_calls_in_a_row_leave_a_request_its_arena(
    sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    """Theirs may be another request's by the time of its next call, which only notes an arena that is a new one."""
    monkeypatch.setattr(binding, "OWN_ARENA_BYTES", -1)
    program = sums.program(((1, 4),))
    calls = binding.Binding(program)
    calls.run()
    frame = calls._frame  # pyright: ignore[reportPrivateUsage]
    own, before = program.take_arena(), frame[ARENA]
    assert before == own.address
    assert calls.calls_in_a_row([]).run(1, []) == (1, 0)
    assert frame[ARENA] == before
