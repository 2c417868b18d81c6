"""`infer_sequence`: a call for each frame of a signal, natively."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime.requests.binding import Binding
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import module
from lowstream.test.unit.runtime.test_unlimited_loops import STEPS

Array = np.ndarray[Any, Any]
FRAMES = np.random.default_rng(0).integers(-9, 9, (7, 1, 4)).astype(np.float32)


def one_by_one(request: lowstream.InferRequest, inputs: dict[str, Array]) -> list[Array]:
    """What `infer` gives, frame by frame."""
    count = len(next(iter(inputs.values())))
    results = [
        list(request.infer({name: array[t] for name, array in inputs.items()}))
        for t in range(count)
    ]
    return [np.stack(column) for column in zip(*results, strict=True)]


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many frames each native call ran."""
    counts: list[int] = []
    run = Binding.run_sequence

    def counted(binding: Binding, *arguments: Any) -> int:
        counts.append(run(binding, *arguments))
        return counts[-1]

    monkeypatch.setattr(Binding, "run_sequence", counted)
    return counts


def test_as_one_by_one(sums: lowstream.CompiledModel, native: list[int]):
    request, other = (sums.create_infer_request() for _ in range(2))
    results = request.infer_sequence({"X": FRAMES})
    expected = one_by_one(other, {"X": FRAMES})
    assert native == [7]
    for index, port in enumerate(results.keys()):
        assert port.shape == (7, 1, 4)
        assert_array_equal(results[index], expected[index])
    assert_array_equal(request.query_state()[0].state, other.query_state()[0].state)


def test_afterwards_the_request_is_as_after_the_last_frame(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    results = request.infer_sequence([FRAMES])
    assert_array_equal(request.results["Y"], results["Y"][-1])
    assert_array_equal(request.get_tensor("X"), FRAMES[-1])
    before = results["Y"].copy()
    assert_array_equal(request.infer()["Y"], before[-1] + FRAMES[-1])
    assert_array_equal(results["Y"], before)


def test_a_sequence_goes_on_where_the_last_call_ended(sums: lowstream.CompiledModel):
    parts, whole = (sums.create_infer_request() for _ in range(2))
    pieces = [parts.infer_sequence([FRAMES[:3]])["Y"], parts.infer([FRAMES[3]])["Y"][None]]
    pieces.append(parts.infer_sequence([FRAMES[4:]])["Y"])
    assert_array_equal(np.concatenate(pieces), whole.infer_sequence([FRAMES])["Y"])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_short_sequences(sums: lowstream.CompiledModel, count: int):
    results = sums.create_infer_request().infer_sequence([FRAMES[:count]])
    assert results["Y"].shape == (count, 1, 4)
    assert_array_equal(results["Y"], runtime_models.START + FRAMES[:count].cumsum(0))


def test_frames_are_converted_and_may_lie_anywhere(sums: lowstream.CompiledModel):
    strided = np.arange(56, dtype=np.int16).reshape(7, 4, 2)[:, None, :, 0]
    results = sums.create_infer_request().infer_sequence({"alias": strided})
    expected = one_by_one(sums.create_infer_request(), {"X": strided})
    assert_array_equal(results["Y"], expected[0])


def test_what_is_not_given_stays_as_it_was(types: lowstream.CompiledModel):
    request = types.create_infer_request()
    request.set_tensor("b", np.array([100, 200, 300], np.int32))
    frames = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert_array_equal(
        request.infer_sequence({"a": frames})["sum"], frames + np.array([100, 200, 300])
    )


def test_an_output_that_was_set_holds_the_last_frame(sums: lowstream.CompiledModel):
    request, wide = sums.create_infer_request(), np.zeros((1, 4), np.float64)
    request.set_tensor("Y", wide)
    assert_array_equal(request.infer_sequence([FRAMES])["Y"][-1], wide)


@pytest.mark.parametrize("threads", [1, 2])
def test_with_threads_and_loops(threads: int, native: list[int]):
    compiled = lowstream.compile_model(module(runtime_models.LOOP), num_threads=threads)
    x = np.random.default_rng(0).normal(size=(5, 3, 4)).astype(np.float32)
    results = compiled.create_infer_request().infer_sequence([x])
    assert native == [5]
    assert_array_equal(results[0], one_by_one(compiled.create_infer_request(), {"X": x})[0])


def test_unknown_dimensions(native: list[int]):
    compiled = lowstream.compile_model(module(runtime_models.UNKNOWN))
    x = np.zeros((4, 3, 2), np.float32)
    results = compiled.create_infer_request().infer_sequence([x])
    assert_array_equal(results["Y"][:, 0, 0], [1, 2, 3, 4])
    assert native == [3]
    assert compiled.create_infer_request().infer_sequence([x[:0]])["Y"].shape == (0, 0, 2)


def test_a_state_that_grows_is_run_frame_by_frame(native: list[int]):
    compiled = lowstream.compile_model(module(runtime_models.FIFO))
    request = compiled.create_infer_request()
    with pytest.raises(DiagnosticException, match=r"output 'all' has shape \[2, 2\] in frame 1"):
        request.infer_sequence([FRAMES[:, :, :2]])
    request.reset_state()
    request.infer([np.zeros((4, 2), np.float32)])
    assert not native
    results = request.infer_sequence([FRAMES[:, :, :2]])
    other = compiled.create_infer_request()
    other.infer([np.zeros((4, 2), np.float32)])
    assert_array_equal(results["Y"], one_by_one(other, {"X": FRAMES[:, :, :2]})[1])
    assert native == [6], "once it has all its rows, the state keeps its size"


@pytest.mark.parametrize(
    "between",
    [
        lambda request: None,
        lambda request: request.reset_state(),
        lambda request: request.infer([FRAMES[3]]),
        lambda request: request.infer_sequence({"alias": FRAMES[2:4]}),
        lambda request: request.set_tensor("X", FRAMES[5].copy()),
        lambda request: request.set_tensor("X", FRAMES[5].astype(np.int8)),
        lambda request: request.set_tensor("Y", np.zeros((1, 4), np.float32)),
        lambda request: request.set_tensor("Y", np.zeros((1, 4))),
        lambda request: request.results["Y"],
    ],
)
@pytest.mark.parametrize(
    "as_given", [lambda x: [x], lambda x: {"X": x}, lambda x: {"alias": x}, lambda x: (x,)]
)
@pytest.mark.parametrize(
    "later",
    [
        FRAMES * 3,
        FRAMES[:4],
        FRAMES.astype(np.int16),
        np.asfortranarray(FRAMES[:, :, ::-1]),
        np.frombuffer(FRAMES.tobytes(), np.float32).reshape(FRAMES.shape),  # read-only
        FRAMES.tolist(),
        FRAMES[:0],
    ],
)
def test_one_after_another(sums: lowstream.CompiledModel, between: Any, as_given: Any, later: Any):
    """The later one may be like the first, which then only runs again, or not."""
    request, other = (sums.create_infer_request() for _ in range(2))
    for frames in (FRAMES, later, later):
        results = request.infer_sequence(as_given(frames))["Y"]
        expected = [other.infer([frame])["Y"] for frame in np.array(frames, np.float32)]
        assert_array_equal(results, np.reshape(expected, (-1, 1, 4)))
        last = expected[-1:] or [request.get_tensor("Y")]
        assert_array_equal(request.get_tensor("Y"), last[0])
        for each in (request, other):
            between(each)


def test_one_like_another_only_runs_again(sums: lowstream.CompiledModel, native: list[int]):
    request = sums.create_infer_request()
    for given in ([FRAMES], [FRAMES], {0: FRAMES}, [FRAMES + 1]):
        request.infer_sequence(given)
    assert native == [7], "all else was said before"
    request.infer_sequence({"X": FRAMES})
    request.infer_sequence([FRAMES[1:]])
    assert native == [7, 7, 6]


def test_an_array_that_was_set_is_not_written(sums: lowstream.CompiledModel):
    request, mine = sums.create_infer_request(), FRAMES[0].copy()
    request.infer_sequence([FRAMES])
    request.set_tensor("X", mine)
    request.infer_sequence([FRAMES])
    assert_array_equal(mine, FRAMES[0])


def test_what_was_read_of_a_sequence_stays(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    request.infer_sequence([FRAMES])
    before, last = request.results, request.infer_sequence([FRAMES])["Y"][-1].copy()
    assert_array_equal(request.results["Y"], last)
    assert_array_equal(before["Y"], runtime_models.START + FRAMES.sum(0))


SUMS_OF_STEPS = STEPS.replace('tensor<?x2xi64> {nn.names = ["Y"]}, ', "").replace(
    """, tensor<?x1xf32>) {
  %zero""",
    """) {
  %zero""",
)
SUMS_OF_STEPS = SUMS_OF_STEPS.replace(
    "%all, %sum, %more, %roots : tensor<?x2xi64>, tensor<2xi64>, tensor<i64>, tensor<?x1xf32>",
    "%sum, %more : tensor<2xi64>, tensor<i64>",
)
"""`STEPS` without the outputs of unknown size."""


def test_a_loop_gets_more_room_on_the_way(native: list[int]):
    compiled = lowstream.compile_model(module(SUMS_OF_STEPS))
    n = np.array([3, 3, 200, 3, 900])
    request, other = (compiled.create_infer_request() for _ in range(2))
    results = request.infer_sequence({"N": n, "L": n + 1})
    expected = one_by_one(other, {"N": n, "L": n + 1})
    for found, wanted in zip(results, expected, strict=True):
        assert_array_equal(found, wanted)
    assert native == [2, 0, 1, 0], "the first two, the fourth; and what wants more room runs anew"


@pytest.mark.parametrize("names", ["NL", "LN"])
def test_a_loop_gets_more_room_when_a_sequence_runs_again(native: list[int], names: str):
    compiled = lowstream.compile_model(module(SUMS_OF_STEPS))
    request, other = (compiled.create_infer_request() for _ in range(2))
    for n in (np.array([3, 3, 3]), np.array([4, 4, 4]), np.array([3, 200, 4])):
        frames = {"N": n, "L": n + 1}
        results = request.infer_sequence({name: frames[name] for name in names})
        expected = one_by_one(other, frames)
        for found, wanted in zip(results, expected, strict=True):
            assert_array_equal(found, wanted)
    assert native == [3, 0, 1], "the second one and the beginning of the third ran again"


def test_a_list_is_in_the_order_of_inputs_whatever_ran_before():
    compiled = lowstream.compile_model(module(SUMS_OF_STEPS))
    request, other = (compiled.create_infer_request() for _ in range(2))
    n, limits = np.array([5, 4, 3]), np.array([2, 3, 9])
    for frames in ({"L": limits, "N": n}, [n, limits], {"L": limits, "N": n}):
        expected = one_by_one(other, {"N": n, "L": limits})
        for found, wanted in zip(request.infer_sequence(frames), expected, strict=True):
            assert_array_equal(found, wanted)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_list_of_another_length_is_refused_whatever_ran_before(count: int):
    request = lowstream.compile_model(module(SUMS_OF_STEPS)).create_infer_request()
    n = np.array([3, 3])
    request.infer_sequence([n, n])
    with pytest.raises(DiagnosticException, match="2 inputs"):
        request.infer_sequence([n] * count)


def test_outputs_of_other_sizes_are_refused(native: list[int]):
    compiled = lowstream.compile_model(module(STEPS))
    n = np.array([3, 3, 4])
    with pytest.raises(DiagnosticException, match=r"in frame 2 and .* before; run frames whose"):
        compiled.create_infer_request().infer_sequence({"N": n, "L": n + 1})
    assert not native


@pytest.mark.parametrize("ran_before", [False, True])
def test_cancelled_between_two_frames(
    sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch, ran_before: bool
):
    request = sums.create_infer_request()
    if ran_before:
        request.infer_sequence([FRAMES])
        request.reset_state()
    request.infer([FRAMES[0]])
    binding = request._known_binding()
    run = binding.program.call_sequence

    def cancelled(sequence: int) -> int:
        request.cancel()
        return run(sequence)

    monkeypatch.setattr(binding.program, "call_sequence", cancelled)
    with pytest.raises(DiagnosticException, match="cancelled after 0 of 7 frames; its states are"):
        request.infer_sequence([FRAMES])
    monkeypatch.undo()
    expected = runtime_models.START + FRAMES[0] + FRAMES[1]
    assert_array_equal(request.infer([FRAMES[1]])["Y"], expected)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "a sequence has frames of at least one input"),
        ({"Z": FRAMES}, "there is no input 'Z'"),
        ([FRAMES, FRAMES], "the model takes 1 inputs, was given 2"),
        ([FRAMES[0]], r"input 'X' takes float32\[\?, 1, 4\], was given float32\[1, 4\]: reshape"),
        ([FRAMES.astype(complex)], "only numbers can be converted"),
    ],
)
def test_wrong_inputs(sums: lowstream.CompiledModel, inputs: Any, message: str):
    with pytest.raises(DiagnosticException, match=message):
        sums.create_infer_request().infer_sequence(inputs)


def test_inputs_with_different_numbers_of_frames(types: lowstream.CompiledModel):
    frames = np.zeros((2, 3), np.int32)
    with pytest.raises(DiagnosticException, match=r"number of frames: 'a' has 2, 'b' has 1"):
        types.create_infer_request().infer_sequence([frames, frames[:1]])


def test_a_request_in_use_is_busy(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    with request._exclusive, pytest.raises(DiagnosticException, match="is busy"):
        request.infer_sequence([FRAMES])


ODD = """
func.func @main(%x: tensor<13xi8> {nn.names = ["X"]}) -> (tensor<13xi8> {nn.names = ["Y"]}) {
  %y = nn.add %x, %x : (tensor<13xi8>, tensor<13xi8>) -> tensor<13xi8>
  func.return %y : tensor<13xi8>
}
"""


@pytest.mark.parametrize("count", [1, 3])
def test_a_last_frame_that_is_no_number_of_words(count: int):
    request = lowstream.compile_model(module(ODD)).create_infer_request()
    frames = np.arange(13 * count, dtype=np.int8).reshape(count, 13)
    results = request.infer_sequence([frames])
    assert_array_equal(results["Y"], 2 * frames)
    assert_array_equal(request.get_tensor("X"), frames[-1])
    assert_array_equal(request.get_tensor("Y"), 2 * frames[-1])


def test_results_that_are_held_stay(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    held = [request.infer_sequence([FRAMES])["Y"] for _ in range(4)]
    expected = runtime_models.START + np.concatenate([FRAMES] * 4).cumsum(0)
    assert_array_equal(np.concatenate(held), expected)


def test_ended_by_ctrl_c(sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch):
    """The next call reads and writes the request's own arrays again."""
    request, frames = sums.create_infer_request(), FRAMES.copy()
    request.infer([FRAMES[0]])
    binding = request._known_binding()
    run = binding.program.call_sequence

    def interrupted(sequence: int) -> int:
        run(sequence)
        raise KeyboardInterrupt

    monkeypatch.setattr(binding.program, "call_sequence", interrupted)
    with pytest.raises(KeyboardInterrupt):
        request.infer_sequence([frames])
    monkeypatch.undo()
    frames[...] = 0
    expected = runtime_models.START + FRAMES[0] + FRAMES.sum(0) + FRAMES[-1]
    assert_array_equal(request.infer()["Y"], expected)
