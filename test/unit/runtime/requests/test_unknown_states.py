"""States of unknown size: what begins a call decides which program runs, and values stay."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.lowering.lower_to_kernels import lower
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.runtime.compiled import MOST_PROGRAMS
from lowstream.runtime.specialize import specialized
from lowstream.test.unit.runtime.runtime_models import FIFO, module

STATIC = FIFO.replace("%x: tensor<?x2xf32>", "%x: tensor<1x2xf32>").replace(
    "%old, %x {axis = 0 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>)",
    "%old, %x {axis = 0 : i64} : (tensor<?x2xf32>, tensor<1x2xf32>)",
)
"""FIFO for inputs of one row."""

GROWS = """
infra.variable @rows : tensor<?x2xf32>
func.func @main(%x: tensor<1x2xf32> {nn.names = ["X"]}) -> (tensor<?x2xf32> {nn.names = ["Y"]}) {
  %start = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %old = infra.read_value @rows, %start : tensor<2x2xf32> -> tensor<?x2xf32>
  %all = nn.concat %old, %x {axis = 0 : i64} : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  infra.assign @rows, %all : tensor<?x2xf32>
  func.return %all : tensor<?x2xf32>
}
"""
"""Rows without end, after two that it begins with."""

FOLLOWS = """
infra.variable @last : tensor<?x2xf32>
func.func @main(%x: tensor<?x2xf32> {nn.names = ["X"]}) -> (tensor<?x2xf32> {nn.names = ["Y"]}) {
  %half = nn.constant dense<0.5> : tensor<f32>
  %start = nn.multiply %x, %half : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
  %t = infra.read_value @last, %start : tensor<?x2xf32> -> tensor<?x2xf32>
  %y = nn.add %x, %t : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  infra.assign @last, %y : tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
"""
"""A running sum that begins with half of the first input, whatever its size."""


def rows(count: int, first: int = 0) -> Array:
    return np.arange(first, first + 2 * count, dtype=np.float32).reshape(count, 2)


@pytest.fixture(scope="module")
def fifo() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(FIFO))


@pytest.fixture(scope="module")
def grows() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(GROWS))


# --- values ---------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["infer", "infer", "infer", "set", "reset"]),
            st.integers(0, 1),
            st.integers(0, 3),
        ),
        max_size=12,
    )
)
def test_requests_do_as_executors(
    fifo: lowstream.CompiledModel, actions: list[tuple[str, int, int]]
):
    """In any order of calls, sets and resets, with inputs and states of any size."""
    users = [(fifo.create_infer_request(), Executor(module(FIFO))) for _ in range(2)]
    for step, (action, number, size) in enumerate([("infer", 0, 1), ("infer", 1, 2), *actions]):
        request, executor = users[number]
        value = rows(size, step)
        if action == "infer":
            for got, wanted in zip(request.infer([value]), executor.run([value]), strict=True):
                assert_array_equal(got, wanted)
        elif action == "set":
            request.query_state()[0].state = executor.states["fifo"] = value
        else:
            request.query_state()[0].reset()
            executor.reset()
        (state,) = request.query_state()
        assert_array_equal(state.state, executor.states.get("fifo", rows(0)))
        assert state.shape == state.state.shape


def test_the_initial_value_may_have_the_size_of_an_input():
    source = module(FOLLOWS)
    request, executor = lowstream.compile_model(source).create_infer_request(), Executor(source)
    for size in (2, 2, 3, 3, 1, 2):
        if size != len(executor.states.get("last", rows(size))):
            request.reset_state()
            executor.reset()
        assert_array_equal(request.infer([rows(size)])[0], executor.run([rows(size)])[0])


def test_an_initial_value_is_not_needed_by_what_is_set():
    """Neither its value nor its shape."""
    request = lowstream.compile_model(module(FOLLOWS)).create_infer_request()
    request.infer([rows(3)])
    (state,) = request.query_state()
    state.state = rows(1, 7)
    assert_array_equal(request.infer([rows(3)])[0], rows(3) + rows(1, 7))
    assert_array_equal(request.infer([rows(3)])[0], 2 * rows(3) + rows(1, 7))


def test_after_a_reset_the_initial_value_is_shown_and_counts(grows: lowstream.CompiledModel):
    request = grows.create_infer_request()
    (state,) = request.query_state()
    start = [[1, 2], [3, 4]]
    assert_array_equal(state.state, start)
    for reset in (state.reset, request.reset_state):
        for count in (3, 4, 5):
            assert request.infer([rows(1)])[0].shape == (count, 2)
            assert state.shape == (count, 2)
        reset()
        assert_array_equal(state.state, start)
    assert_array_equal(request.infer([rows(1)])[0], [*start, [0, 1]])


def test_set_before_the_first_call(grows: lowstream.CompiledModel):
    request = grows.create_infer_request()
    (state,) = request.query_state()
    state.state = rows(1, 5)
    assert_array_equal(request.infer([rows(1)])[0], [[5, 6], [0, 1]])


def test_what_contradicts_the_declared_type_is_refused(grows: lowstream.CompiledModel):
    request = grows.create_infer_request()
    (state,) = request.query_state()
    for value, shown in ((np.zeros((2, 3)), "float64[2, 3]"), (np.zeros(2), "float64[2]")):
        with pytest.raises(DiagnosticException) as caught:
            state.state = value
        assert str(caught.value).startswith(
            f"state 'rows' takes float32[?, 2], was given {shown}: reshape"
        )
    assert request.infer([rows(1)])[0].shape == (3, 2)


def test_shapes_that_do_not_fit_each_other():
    """One line says which; the states stay, and a reset helps."""
    request = lowstream.compile_model(module(FOLLOWS)).create_infer_request()
    request.infer([rows(2)])
    with pytest.raises(
        DiagnosticException,
        match=r"^the model does not fit input 'X' \[3, 2\], state 'last' \[2, 2\]: nn.add.*reset the states$",
    ):
        request.infer([rows(3)])
    (state,) = request.query_state()
    assert_array_equal(state.state, rows(2) * 1.5)
    state.reset()
    assert_array_equal(request.infer([rows(3)])[0], rows(3) * 1.5)


# --- programs -------------------------------------------------------------------------------


def test_a_size_that_stays_needs_no_further_program():
    compiled = lowstream.compile_model(module(STATIC))
    request = compiled.create_infer_request()
    for _ in range(5):
        request.infer([rows(1)])
    bound, count = request._binding, len(compiled._programs)
    for _ in range(3):
        request.infer([rows(1)])
    assert request._binding is bound
    assert len(compiled._programs) == count == 5
    request.reset_state()
    for _ in range(8):
        request.infer([rows(1)])
    assert len(compiled._programs) == count


def test_a_program_for_unset_states_serves_set_ones_of_the_same_size():
    compiled = lowstream.compile_model(module(FOLLOWS))
    assert compiled.program(((2, 2),)) is compiled.program(((2, 2),), (("last", (2, 2)),))
    assert compiled.program(((2, 2),)) is not compiled.program(((2, 2),), (("last", (1, 2)),))


def test_programs_that_are_not_used_go_and_states_stay(grows: lowstream.CompiledModel):
    request, executor = grows.create_infer_request(), Executor(module(GROWS))
    for step in range(MOST_PROGRAMS + 4):
        x = rows(1, step)
        assert_array_equal(request.infer([x])[0], executor.run([x])[0])
    assert len(grows._programs) == MOST_PROGRAMS
    request.reset_state()
    assert request.infer([rows(1)])[0].shape == (3, 2)


def test_arrays_that_are_set_stay():
    """An output whose shape does not change, and every input."""
    compiled = lowstream.compile_model(module(STATIC))
    request = compiled.create_infer_request()
    x, y = rows(1), np.zeros((2, 2), np.float32)
    request.set_tensor("X", x)
    request.set_tensor("Y", y)
    kept = request.infer()
    first = y.copy()
    for step in range(1, 4):
        x[...] = step
        request.infer()
        assert np.shares_memory(request.get_tensor("Y"), y)
    assert_array_equal(kept["Y"], first)
    assert_array_equal(y, first + 1 + 4 + 9)


def test_results_stay(grows: lowstream.CompiledModel):
    request = grows.create_infer_request()
    kept = [request.infer([rows(1, k)]) for k in range(4)]
    assert [result[0].shape[0] for result in kept] == [3, 4, 5, 6]
    assert_array_equal(kept[1][0][-1], [1, 2])


def test_asynchronous_calls_grow_states(grows: lowstream.CompiledModel):
    request = grows.create_infer_request()
    for count in (3, 4):
        request.start_async([rows(1)])
        request.wait()
        assert request.results[0].shape == (count, 2)


def test_it_cannot_be_pickled(grows: lowstream.CompiledModel):
    assert grows.is_dynamic
    with pytest.raises(TypeError, match="unknown dimensions cannot be pickled"):
        pickle.dumps(grows)


def test_a_saved_model_does_the_same(tmp_path: Path):
    """Compiled from its file, the second time with the cache."""
    path = tmp_path / "fifo.mlir"
    lowstream.save_model(Model(module(FIFO)), path)
    for _ in range(2):
        request, executor = (
            lowstream.compile_model(path).create_infer_request(),
            Executor(module(FIFO)),
        )
        for size in (1, 3, 2, 2):
            for got, wanted in zip(
                request.infer([rows(size)]), executor.run([rows(size)]), strict=True
            ):
                assert_array_equal(got, wanted)


@pytest.mark.parametrize("pipeline", [None, "infer-shapes", "fold-constants,lpt"])
def test_passes_do_not_forget_the_shapes(pipeline: str | None):
    compiled = lowstream.compile_model(module(GROWS), pipeline=pipeline)
    request = compiled.create_infer_request()
    assert [request.infer([rows(1)])[0].shape[0] for _ in range(3)] == [3, 4, 5]


# --- plans ----------------------------------------------------------------------------------


def test_a_plan_reads_one_size_and_assigns_another():
    program = lower(specialized(module(GROWS), [(1, 2)], {"rows": (5, 2)}))
    ((current, following),) = program.state_args
    assert [str(value.type) for value in (current, following)] == [
        "memref<5x2xf32>",
        "memref<6x2xf32>",
    ]
    executor = ProgramExecutor(program)
    executor.states["rows"] = rows(5)
    assert_array_equal(executor.run([rows(1, 10)])[0], rows(6))
    with pytest.raises(
        DiagnosticException, match=r"state 'rows' has shape \[6, 2\], the program reads \[5, 2\]"
    ):
        executor.run([rows(1)])


def test_the_model_is_not_changed_by_specializing_it():
    source = module(GROWS)
    specialized(source, [(1, 2)], {"rows": (5, 2)})
    assert str(source) == str(module(GROWS))


def test_states_cannot_grow_in_bodies():
    text = """
    infra.variable @s : tensor<?xf32>
    func.func @main(%x: tensor<3xf32>) -> tensor<1xf32> {
      %y = infra.tensor_iterator %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
          outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X"] : (tensor<3xf32>) -> tensor<1xf32> {
      ^bb0(%part: tensor<1xf32>):
        %none = nn.constant dense<0.0> : tensor<0xf32>
        %s = infra.read_value @s, %none : tensor<0xf32> -> tensor<?xf32>
        %all = nn.concat %s, %part {axis = 0 : i64} : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
        infra.assign @s, %all : tensor<?xf32>
        infra.yield %part : tensor<1xf32>
      }
      func.return %y : tensor<1xf32>
    }
    """
    with pytest.raises(DiagnosticException, match=r"variable 's' is read as .* inside a body"):
        lowstream.compile_model(module(text))


# --- before the first call --------------------------------------------------------------------

STREAM = """
infra.variable @h : tensor<1x2xf32>
infra.variable @last : tensor<?x2xf32>
infra.variable @count : tensor<1xf32>
func.func @main(%x: tensor<?x2xf32> {nn.names = ["X"]}, %h0: tensor<1x2xf32> {nn.names = ["H"]})
    -> (tensor<?x2xf32> {nn.names = ["Y"]}, tensor<1xf32> {nn.names = ["n"]}) {
  %zero = nn.constant dense<[[0.0, 5.0]]> : tensor<1x2xf32>
  %none = nn.constant dense<0.0> : tensor<1xf32>
  %one = nn.constant dense<1.0> : tensor<1xf32>
  %h = infra.read_value @h, %zero : tensor<1x2xf32> -> tensor<1x2xf32>
  %l = infra.read_value @last, %x : tensor<?x2xf32> -> tensor<?x2xf32>
  %c = infra.read_value @count, %none : tensor<1xf32> -> tensor<1xf32>
  %y = nn.add %l, %h : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %n = nn.add %c, %one : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  infra.assign @last, %x : tensor<?x2xf32>
  infra.assign @count, %n : tensor<1xf32>
  func.return %y, %n : tensor<?x2xf32>, tensor<1xf32>
}
"""
"""Adds the rows of the last call to a state; nothing uses `H`, as low-latency2 leaves it."""


@pytest.fixture(scope="module")
def stream() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(STREAM))


def test_states_are_known_before_the_first_call(stream: lowstream.CompiledModel):
    h, last, count = stream.create_infer_request().query_state()
    assert [state.name for state in (h, last, count)] == ["h", "last", "count"]
    assert [state.shape for state in (h, last, count)] == [(1, 2), (0, 2), (1,)]
    for state, value in ((h, [[0, 5]]), (last, np.zeros((0, 2))), (count, [0])):
        assert state.state.dtype == np.float32
        assert_array_equal(state.state, value)


def test_states_are_set_and_reset_before_the_first_call(stream: lowstream.CompiledModel):
    request, fresh = stream.create_infer_request(), stream.create_infer_request()
    h, last, count = request.query_state()
    h.state, last.state, count.state = [[1, 2]], rows(3, 7), [10]
    with pytest.raises(DiagnosticException, match=r"^state 'h' takes float32\[1, 2\], was given"):
        h.state = [1, 2]
    count.reset()
    assert_array_equal(count.state, [0])
    assert_array_equal(last.state, rows(3, 7))
    y, n = request.infer({"X": rows(3)})  # without H, which nothing uses
    assert_array_equal(y, rows(3, 7) + np.array([1, 2]))
    assert_array_equal(n, [1])
    assert_array_equal(request.infer({"X": rows(3)})[0], rows(3) + np.array([1, 2]))
    request.reset_state()
    assert_array_equal(h.state, [[0, 5]])
    for each in (request, fresh):
        each.reset_state()
        assert_array_equal(each.infer({"X": rows(2)})[0], rows(2) + np.array([0, 5]))


def test_a_first_call_that_fails_keeps_what_was_set(stream: lowstream.CompiledModel):
    request = stream.create_infer_request()
    (h, last, _) = request.query_state()
    h.state, last.state = [[1, 2]], rows(3, 7)
    with pytest.raises(DiagnosticException, match=r"^input 'X' has no value yet: infer\("):
        request.infer()
    with pytest.raises(DiagnosticException, match="takes"):
        request.infer({"X": np.zeros((2, 3))})
    assert_array_equal(request.infer({"X": rows(3)})[0], rows(3, 7) + np.array([1, 2]))


def test_states_that_passes_make_are_known_after_them():
    """The advice is to run them first."""
    source = module(STREAM)
    request = lowstream.compile_model(source, pipeline="fold-constants").create_infer_request()
    with pytest.raises(DiagnosticException, match=r"run them before, with lowstream.run_passes"):
        request.query_state()
    request.reset_state()
    lowstream.run_passes(source, "fold-constants")
    request = lowstream.compile_model(source, pipeline="lpt").create_infer_request()
    assert len(request.query_state()) == 3
