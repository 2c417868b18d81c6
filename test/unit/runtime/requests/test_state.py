"""States: values that stay, can be read and set, and go back to where they began."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.test.unit.runtime.runtime_models import LOOP, START, module

ONES = np.ones((1, 4), np.float32)


def test_constant_initial_value(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    (state,) = request.query_state()
    assert (state.name, state.shape) == ("total", (1, 4))
    assert_array_equal(state.state, START)
    for _ in range(2):
        for k in range(1, 4):
            request.infer([ONES])
            assert_array_equal(state.state, np.array(START) + k)
        state.reset()
        assert_array_equal(state.state, START)


def test_computed_initial_value(starts_from_input: lowstream.CompiledModel):
    request = starts_from_input.create_infer_request()
    (state,) = request.query_state()
    x = np.array([2, 4, 6, 8], np.float32)
    assert not state.state.any()
    assert_array_equal(request.infer([x])[0], x + x / 2)
    assert_array_equal(request.infer([3 * x])[0], 3 * x + x)
    request.reset_state()
    assert_array_equal(request.infer([x])[0], x + x / 2)


def test_set_state_replaces_the_initial_value(starts_from_input: lowstream.CompiledModel):
    request = starts_from_input.create_infer_request()
    (state,) = request.query_state()
    x = np.array([2, 4, 6, 8], np.float32)
    state.state = [10.0, 20.0, 30.0, 40.0]
    assert_array_equal(request.infer([x])[0], x + np.array([10, 20, 30, 40]))


def test_the_value_read_is_a_copy(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    (state,) = request.query_state()
    value = state.state
    value[...] = 100
    assert_array_equal(request.infer([ONES])[0], np.array(START) + 1)


def test_requests_have_states_of_their_own(sums: lowstream.CompiledModel):
    first, second = sums.create_infer_request(), sums.create_infer_request()
    first.infer([ONES])
    assert_array_equal(second.infer([ONES])[0], np.array(START) + 1)


def test_refused_values_name_the_state(sums: lowstream.CompiledModel):
    (state,) = sums.create_infer_request().query_state()
    with pytest.raises(
        DiagnosticException, match=r"state 'total' takes float32\[1, 4\], was given"
    ):
        state.state = np.zeros((1, 5), np.float32)
    assert_array_equal(state.state, START)


def test_a_cancelled_call_keeps_the_states():
    """A loop looks at the request to stop; what it stops has changed nothing."""
    request = lowstream.compile_model(module(LOOP)).create_infer_request()
    x = np.ones((3, 4), np.float32)
    assert_array_equal(request.infer([x])[0][0], [3] * 4)
    assert request._binding is not None
    request._binding.cancel()
    with pytest.raises(DiagnosticException, match="the inference was cancelled"):
        request.infer([x])
    assert_array_equal(request.infer([x])[0][0], [6] * 4)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_cancel_that_comes_too_late_does_not_stop_the_next_call(
    asynchronous: bool, monkeypatch: pytest.MonkeyPatch
):
    request = lowstream.compile_model(module(LOOP)).create_infer_request()
    run = request._run

    def run_and_cancel() -> None:
        run()
        request.cancel()

    with monkeypatch.context() as patch:
        patch.setattr(request, "_run", run_and_cancel)
        request.infer([np.ones((3, 4), np.float32)])
    if asynchronous:
        request.start_async()
        request.wait()
    else:
        request.infer()
    assert_array_equal(request.get_tensor(0)[0], [6] * 4)


def test_a_cancel_while_a_program_is_compiled_stops_its_call(monkeypatch: pytest.MonkeyPatch):
    """A request whose inputs have a new shape runs another program than the one that it had when it was asked."""
    compiled = lowstream.compile_model(module(LOOP.replace("tensor<3x4xf32>", "tensor<?x4xf32>")))
    request = compiled.create_infer_request()
    find = compiled.program

    def find_and_cancel(*arguments: Any) -> Any:
        request.cancel()
        return find(*arguments)

    for rows in (3, 5):
        x = np.ones((rows, 4), np.float32)
        with monkeypatch.context() as patch:
            patch.setattr(compiled, "program", find_and_cancel)
            with pytest.raises(DiagnosticException, match="the inference was cancelled"):
                request.infer([x])
    assert_array_equal(request.infer([x])[0][0], [5] * 4)


def test_cancel_between_calls_does_nothing(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    request.cancel()
    assert_array_equal(request.infer([ONES])[0], np.array(START) + 1)


def test_a_quantized_state_per_channel():
    """Each row has a scale and a zero point; a scale of 0 holds nothing but 0."""
    text = """
    infra.variable @s scale <dense<[[0.5], [0.25], [0.0]]> : tensor<3x1xf32>>
        zero_point <dense<[[0], [100], [7]]> : tensor<3x1xui8>> : tensor<3x2xui8>
    func.func @main(%x: tensor<3x2xui8>) -> tensor<3x2xui8> {
      %old = infra.read_value @s, %x : tensor<3x2xui8> -> tensor<3x2xui8>
      infra.assign @s, %old : tensor<3x2xui8>
      func.return %old : tensor<3x2xui8>
    }
    """
    request = lowstream.compile_model(module(text)).create_infer_request()
    (state,) = request.query_state()
    assert_array_equal(state.scale, [[0.5], [0.25], [0]])
    assert_array_equal(state.zero_point, [[0], [100], [7]])
    assert not state.state.any()
    state.state = values = [[127.5, 1], [-25, 38.75], [0, 0]]
    assert_array_equal(state.state, values)
    assert_array_equal(request.infer([np.zeros((3, 2), np.uint8)])[0], [[255, 2], [0, 255], [7, 7]])
    for beyond, ends in (
        ([[-1, 0], [0, 0], [0, 0]], "-1.0 is outside 0 … 127.5"),
        ([[0, 0], [-26, 0], [0, 0]], r"-26.0 is outside -25 … 38.75"),
        ([[0, 0], [0, 0], [0, 1]], "1.0 is outside 0 … 0"),
    ):
        with pytest.raises(DiagnosticException, match=f"^state 's' is quantized, and {ends}; clip"):
            state.state = beyond
    assert_array_equal(state.state, values)
